"""Request and response schemas of the allow-list (decision 041)."""

from __future__ import annotations

import marshmallow as ma
from marshmallow import fields

from app.platform.web.openapi import Body, Length, Text
from app.platform.web.parameters import Id, Query


class AllowedCreate(Body):
    """Body of POST /security/ip-allowlist."""

    cidr = Text(
        required=True,
        validate=Length(max=49),
        metadata={"description": "An IPv4 or IPv6 network in CIDR notation, or a single address."},
    )
    label = Text(validate=Length(max=80), metadata={"description": "A note of your own."})


class AllowedQuery(Query):
    """Parameters of DELETE /security/ip-allowlist."""

    id = Id(required=True, metadata={"format": "uuid", "description": "The entry to delete."})


class Allowed(ma.Schema):
    """An entry of the allow-list."""

    id = fields.UUID(required=True)
    cidr = fields.String(required=True)
    label = fields.String(required=True, allow_none=True)
    created_at = fields.DateTime(required=True)


class AllowList(ma.Schema):
    """Answer of GET /security/ip-allowlist."""

    entries = fields.List(fields.Nested(Allowed), required=True)
    count = fields.Integer(required=True)
    enforced = fields.Boolean(
        required=True, metadata={"description": "Whether the list is enforced; false while it is empty."}
    )
    note = fields.String(required=True)
    requestId = fields.String(required=True)  # noqa: N815 (a wire name)


class AllowedCreated(ma.Schema):
    """Answer of POST /security/ip-allowlist."""

    entry = fields.Nested(Allowed, required=True)
    warning = fields.String(
        required=True,
        allow_none=True,
        metadata={"description": "Present if the list now excludes the address of this request."},
    )
