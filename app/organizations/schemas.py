"""Request and response schemas of organizations and their keys (decision 008)."""

from __future__ import annotations

from typing import Any, ClassVar

import marshmallow as ma
from marshmallow import fields

from app.platform.web.openapi import Body, Boolean, Integer, Length, Text
from app.tenancy import SCOPES

_CAP = 1_000_000_000


class _Field(Body):
    """Base of bodies whose wrong fields are 422 instead of 400 (decision 003)."""

    wrong_field: ClassVar[int] = 422


class TrimmedText(Text):
    """A string field that removes surrounding blanks before its length is checked."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> str:
        return str(super()._deserialize(value, attr, data, **kwargs)).strip()


def _scopes() -> fields.List[str]:
    # Which of them are the master's own, the domain says (422 INVALID_SCOPES).
    return fields.List(
        Text(metadata={"enum": list(SCOPES)}),
        metadata={"description": "One or more scopes of the master key. Default: all of them."},
    )


def _cap() -> Integer:
    return Integer(
        min=0,
        max=_CAP,
        allow_none=True,
        metadata={"description": "Credits the key may spend in a calendar month (UTC); null for no cap."},
    )


class OrganizationCreate(_Field):
    """Body of POST /organizations."""

    name = TrimmedText(required=True, validate=Length(min=2, max=80))
    description = TrimmedText(validate=Length(max=300))


class OrganizationChange(_Field):
    """Body of PATCH /organizations/{id}: what is absent stays."""

    name = TrimmedText(validate=Length(min=2, max=80))
    description = TrimmedText(validate=Length(max=300), metadata={"description": "Empty clears it."})


class SubKeyCreate(_Field):
    """Body of POST /organizations/{id}/keys."""

    child_label = TrimmedText(
        required=True,
        validate=Length(min=2, max=80),
        metadata={"description": "Label of the child key, such as the client it is for."},
    )
    scopes = _scopes()
    expires_in_days = Integer(
        min=1, max=3650, metadata={"description": "Days until the key expires. Default: it does not expire."}
    )
    monthly_credit_cap = _cap()


class SubKeyChange(_Field):
    """Body of PATCH /organizations/{id}/keys/{keyId}: what is absent stays."""

    active = Boolean(metadata={"description": "false revokes the key, true reactivates it."})
    scopes = _scopes()
    child_label = TrimmedText(validate=Length(min=1, max=80))
    monthly_credit_cap = _cap()

    @ma.pre_load
    def _null_is_absent(self, data: Any, **_: Any) -> Any:
        """Treat `null` as absent, except for the cap, where `null` removes it."""
        if not isinstance(data, dict):
            return data
        return {k: v for k, v in data.items() if v is not None or k == "monthlyCreditCap"}


class Rotation(_Field):
    """Body of POST /organizations/{id}/keys/{keyId}/rotate."""

    may_be_empty = True
    overlap_hours = Integer(
        min=0,
        max=168,
        load_default=24,
        metadata={"description": "Hours for which the old secret stays valid; 0 invalidates it at once."},
    )


class Organization(ma.Schema):
    """An organization."""

    id = fields.UUID(required=True)
    name = fields.String(required=True)
    description = fields.String(required=True, allow_none=True)
    created_at = fields.DateTime(required=True)


class OrganizationListed(Organization):
    """An organization in the list."""

    sub_keys = fields.Integer(required=True, metadata={"description": "Number of active child keys."})


class OrganizationDetailed(Organization):
    """An organization with the owner of its account."""

    owner_user_id = fields.UUID(required=True, metadata={"description": "The member who owns the account."})


class OrgKey(ma.Schema):
    """A key without its secret."""

    id = fields.UUID(required=True)
    name = fields.String(required=True)
    key_prefix = fields.String(required=True, metadata={"description": "First 12 characters of the key."})
    role = fields.String(required=True, metadata={"enum": ["solo", "master", "child"]})
    child_label = fields.String(required=True, allow_none=True)
    scopes = fields.List(
        fields.String(metadata={"enum": list(SCOPES)}),
        required=True,
        metadata={"description": "Effective scopes; a child key never has more than its master key."},
    )
    tier = fields.String(required=True, metadata={"enum": ["standard", "premium", "enterprise"]})
    rate_limit_rpm = fields.Integer(required=True)
    active = fields.Boolean(required=True)
    created_at = fields.DateTime(required=True)
    last_used_at = fields.DateTime(required=True, allow_none=True)
    expires_at = fields.DateTime(required=True, allow_none=True)
    organization_id = fields.UUID(required=True, allow_none=True)
    parent_key_id = fields.UUID(required=True, allow_none=True)
    monthly_credit_cap = fields.Integer(required=True, allow_none=True)


class OrganizationCreated(ma.Schema):
    """Answer of POST /organizations."""

    organization = fields.Nested(Organization, required=True)
    masterKeyId = fields.UUID(required=True)  # noqa: N815 (a wire name)


class OrganizationList(ma.Schema):
    """Answer of GET /organizations."""

    organizations = fields.List(fields.Nested(OrganizationListed), required=True)


class OrganizationDetail(ma.Schema):
    """Answer of GET /organizations/{id}."""

    organization = fields.Nested(OrganizationDetailed, required=True)
    keys = fields.List(fields.Nested(OrgKey), required=True, metadata={"description": "Master key first."})


class OrganizationChanged(Organization):
    """Answer of PATCH /organizations/{id}: the organization, nested and flat."""

    organization = fields.Nested(Organization, required=True)


class OrganizationDeleted(ma.Schema):
    """Answer of DELETE /organizations/{id}."""

    deleted_organization_id = fields.UUID(required=True)
    revoked_sub_keys = fields.Integer(required=True)


class OrgKeyList(ma.Schema):
    """Answer of GET /organizations/{id}/keys."""

    keys = fields.List(fields.Nested(OrgKey), required=True, metadata={"description": "Master key first."})


class SubKeyCreated(OrgKey):
    """The new key, nested and flat, with its plaintext, which is shown this once."""

    key = fields.String(required=True, metadata={"description": "The key in plaintext, shown only once."})
    api_key = fields.Nested(OrgKey, required=True)
    warning = fields.String(required=True)


class SubKeyChanged(OrgKey):
    """The changed key, nested and flat."""

    api_key = fields.Nested(OrgKey, required=True)


class SubKeyRotated(SubKeyCreated):
    """The key with its new plaintext, and until when the old one is accepted."""

    previous_key_expires_at = fields.DateTime(required=True, allow_none=True)


class SubKeyRevoked(ma.Schema):
    """Answer of DELETE /organizations/{id}/keys/{keyId}."""

    revoked_key_id = fields.UUID(required=True)
    ok = fields.Boolean(required=True)
    revokedKeyPrefix = fields.String(  # noqa: N815 (a wire name)
        required=True, metadata={"description": "The first 12 characters of the revoked key."}
    )
