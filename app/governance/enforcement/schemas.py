"""Wire shapes of enforcement policies (decision 058)."""

from __future__ import annotations

from typing import Any

import marshmallow as ma
from marshmallow import fields

from app import tenancy
from app.platform.web.openapi import Body, Boolean, Choice, Problem
from app.platform.web.parameters import Id


class Effective(ma.Schema):
    """The policy that holds for the key that asks."""

    enabled = fields.Boolean(required=True)
    mode = fields.String(required=True)
    version = fields.Integer(required=True, metadata={"description": "0 where nobody set one."})
    scope = fields.String(
        required=True,
        allow_none=True,
        metadata={"enum": ["api_key", "organization", "user", None], "description": "Whose policy it is."},
    )


class Policy(ma.Schema):
    """A policy that was set."""

    id = fields.UUID(required=True)
    scope = fields.String(required=True, metadata={"enum": ["api_key", "organization", "user"]})
    api_key_id = fields.UUID(required=True, allow_none=True)
    organization_id = fields.UUID(required=True, allow_none=True)
    enabled = fields.Boolean(required=True)
    mode = fields.String(required=True)
    version = fields.Integer(required=True, metadata={"description": "Goes up with each change."})
    updated_at = fields.DateTime(required=True)


class State(ma.Schema):
    """What holds, and for keys that are no child's, what was set."""

    effective = fields.Nested(Effective, required=True)
    policies = fields.List(
        fields.Nested(Policy), metadata={"description": "Every policy of the account; not for a child key."}
    )


class Target(Body):
    """What a policy is for."""

    scope = Choice("api_key", "organization", "user", required=True)
    api_key_id = Id(data_key="api_key_id", metadata={"description": "With the scope api_key: the key."})


class _Target(fields.Nested):
    def _deserialize(self, value: Any, *args: Any, **kwargs: Any) -> Any:
        if not isinstance(value, dict):
            raise ma.ValidationError(Problem('must be an object such as {"scope": "user"}.'))
        return super()._deserialize(value, *args, **kwargs)


class PolicyChange(Body):
    """A policy to set."""

    enabled = Boolean(required=True)
    mode = Choice(tenancy.enforcement.MODE, load_default=tenancy.enforcement.MODE)
    target = _Target(
        Target,
        metadata={"description": "Without it: a master's organization, and the account for a solo key."},
    )


class PolicySet(ma.Schema):
    """The policy as it stands now."""

    policy = fields.Nested(Policy, required=True)
