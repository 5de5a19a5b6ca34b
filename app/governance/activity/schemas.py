"""Wire shapes of the activity of members and keys (decision 065)."""

from __future__ import annotations

import marshmallow as ma
from marshmallow import fields

from app import tenancy
from app.platform.web.openapi import Text
from app.platform.web.parameters import Count, Id, Query, WordList


class ActivityQuery(Query):
    """Which activities, and from where on."""

    since = fields.AwareDateTime(metadata={"description": "From this moment on, RFC 3339 with its offset."})
    until = fields.AwareDateTime(metadata={"description": "Up to, and not including, this moment."})
    action = WordList(
        *tenancy.activity.ACTIONS,
        load_default=(),
        metadata={"description": "One or more actions, separated by commas; without it, all."},
    )
    actor_id = Id(data_key="actor_id", metadata={"description": "The member or key that acted."})
    cursor = Text(metadata={"description": "The next_cursor of the page before."})
    limit = Count(min=1, max=500, load_default=100)


class ActivityActor(ma.Schema):
    """Who acted."""

    kind = fields.String(required=True, metadata={"enum": list(tenancy.activity.ACTOR_KINDS)})
    id = fields.UUID(required=True, allow_none=True, metadata={"description": "Of the member or the key."})
    name = fields.String(
        required=True,
        allow_none=True,
        metadata={"description": "At that moment: the member's address, or the beginning of the key."},
    )
    network = fields.String(
        required=True,
        allow_none=True,
        metadata={"description": "Of the caller's address, /24 or /48; the address is not kept."},
    )


class ActivityTarget(ma.Schema):
    """What was acted on."""

    kind = fields.String(required=True)
    id = fields.String(required=True)
    name = fields.String(required=True, allow_none=True, metadata={"description": "At that moment."})


class ActivityEntry(ma.Schema):
    """What a member or key did."""

    id = fields.UUID(required=True)
    seq = fields.Integer(required=True, metadata={"description": "The order, which no clock decides."})
    at = fields.DateTime(required=True)
    action = fields.String(required=True, metadata={"enum": list(tenancy.activity.ACTIONS)})
    actor = fields.Nested(ActivityActor, required=True)
    target = fields.Nested(ActivityTarget, required=True, allow_none=True)
    details = fields.Dict(
        keys=fields.String(), required=True, metadata={"description": "Figures, codes and names of fields."}
    )


class ActivityPage(ma.Schema):
    """A page of activities, newest first."""

    data = fields.List(fields.Nested(ActivityEntry), required=True)
    has_more = fields.Boolean(required=True)
    next_cursor = fields.String(required=True, allow_none=True)
