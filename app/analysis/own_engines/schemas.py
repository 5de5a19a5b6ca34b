"""Wire shapes of an account's own engines (decision 081)."""

from __future__ import annotations

from typing import Any

import marshmallow as ma
from marshmallow import fields

from app.analysis.llm import NAMES, is_model_name
from app.analysis.own_engines.service import KEY_MAX, is_base_url, is_key
from app.analysis.own_engines.storage import NODES
from app.platform.addresses import MAX_URL
from app.platform.web.openapi import Body, Choice, Length, Problem, Text
from app.platform.web.parameters import Query


def _model(text: str) -> None:
    if not is_model_name(text):
        raise ma.ValidationError(
            Problem(
                "must be the name of a model, such as claude-sonnet-5-5: letters, digits and . _ : / @ - "
                "only, and not beginning with rules, audit, sandbox or submitted."
            )
        )


def _base_url(text: str) -> None:
    if not is_base_url(text):
        raise ma.ValidationError(
            Problem(
                "must be an absolute URL such as https://models.example.com/v1, without query and fragment.",
                expected="uri",
            )
        )


def _key(text: str) -> None:
    if not is_key(text):
        raise ma.ValidationError(Problem("must consist of visible ASCII characters, without blanks."))


class EngineChange(Body):
    """An engine to set."""

    node = Choice(*NODES, required=True, metadata={"description": "A drafts, B audits at mode deep."})
    engine = Choice(*NAMES, required=True, metadata={"description": "The vendor whose protocol is spoken."})
    model = Text(required=True, validate=Length(min=1, max=120, then=_model))
    base_url = Text(
        validate=Length(min=1, max=MAX_URL, then=_base_url),
        metadata={
            "description": "Where a compatible server is: for openai with its /v1, for anthropic without. "
            "https and a public address. Without it, the vendor's own address."
        },
    )
    protocol = Choice(
        "responses",
        "chat",
        metadata={
            "description": "For openai: chat for servers that know chat completions only. Default responses."
        },
    )
    api_key = Text(
        required=True,
        load_only=True,
        validate=Length(min=1, max=KEY_MAX, then=_key),
        metadata={
            "format": "password",
            "description": "The vendor's API key. Kept encrypted and never shown again. Any word for a "
            "server that needs none.",
        },
    )

    @ma.validates_schema(skip_on_field_errors=False)
    def _protocol_of_openai(self, data: dict[str, Any], **_: Any) -> None:
        if data.get("engine") == "anthropic" and "protocol" in data:
            raise ma.ValidationError({"protocol": [Problem("is for openai only; leave it out.")]})


class EngineQuery(Query):
    """Which engine to remove."""

    node = Choice(*NODES, metadata={"description": "Without it: both."})


class SetBy(ma.Schema):
    """Who set an engine, under the name they had then."""

    kind = fields.String(required=True, metadata={"enum": ["member", "api_key", "service"]})
    id = fields.UUID(required=True, allow_none=True)
    name = fields.String(required=True, allow_none=True)


class Engine(ma.Schema):
    """An engine of the account's own."""

    node = fields.String(required=True, metadata={"enum": list(NODES)})
    engine = fields.String(required=True, metadata={"enum": list(NAMES)})
    model = fields.String(required=True)
    baseUrl = fields.String(  # noqa: N815 (a wire name)
        required=True, allow_none=True, metadata={"description": "Null: the vendor's own address."}
    )
    protocol = fields.String(required=True, metadata={"enum": ["messages", "responses", "chat"]})
    keyHint = fields.String(  # noqa: N815 (a wire name)
        required=True, metadata={"description": "The last four characters of the key; empty for a short one."}
    )
    testedAt = fields.DateTime(required=True)  # noqa: N815 (a wire name)
    createdAt = fields.DateTime(required=True)  # noqa: N815 (a wire name)
    setBy = fields.Nested(SetBy, required=True)  # noqa: N815 (a wire name)


class Engines(ma.Schema):
    """The account's own engines."""

    engines = fields.List(
        fields.Nested(Engine),
        required=True,
        metadata={"description": "At a node without an entry the operator's engine works."},
    )
    requestId = fields.String(required=True)  # noqa: N815 (a wire name)


class EngineSet(ma.Schema):
    """The engine that was set."""

    engine = fields.Nested(Engine, required=True)
    requestId = fields.String(required=True)  # noqa: N815 (a wire name)


class EnginesRemoved(ma.Schema):
    """The nodes at which the operator's engine works again."""

    removed = fields.List(fields.String(metadata={"enum": list(NODES)}), required=True)
    requestId = fields.String(required=True)  # noqa: N815 (a wire name)
