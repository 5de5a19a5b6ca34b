"""Request and response schemas of credits (decision 037)."""

from __future__ import annotations

import marshmallow as ma
from marshmallow import fields

from app.credits.models import KINDS
from app.platform.web.openapi import Text
from app.platform.web.parameters import Count, Day, Id, Query, WordList


class LedgerQuery(Query):
    """Query of GET /credits/ledger."""

    first = Day(data_key="from", metadata={"format": "date", "description": "First day, UTC, inclusive."})
    last = Day(data_key="to", metadata={"format": "date", "description": "Last day, UTC, inclusive."})
    kind = WordList(
        *KINDS,
        metadata={"description": f"One or more of {', '.join(KINDS)}, separated by commas."},
    )
    api_key_id = Id(metadata={"format": "uuid", "description": "Movements of one key."})
    cursor = Text(metadata={"description": "The next_cursor of the previous page."})
    limit = Count(min=1, max=200, load_default=50, metadata={"description": "Rows per page."})


class LedgerEntry(ma.Schema):
    """One movement of credits."""

    id = fields.UUID(required=True)
    created_at = fields.String(required=True, metadata={"format": "date-time"})
    amount = fields.Integer(required=True, metadata={"description": "Negative for consumption."})
    kind = fields.String(required=True, metadata={"enum": list(KINDS)})
    reference_type = fields.String(
        required=True, allow_none=True, metadata={"description": "analysis, batch or job."}
    )
    reference_id = fields.String(required=True, allow_none=True)
    job_id = fields.UUID(required=True, allow_none=True)
    api_key_id = fields.UUID(required=True, allow_none=True)
    key_prefix = fields.String(required=True, allow_none=True)
    description = fields.String(required=True, allow_none=True)
    operation_type = fields.String(required=True, allow_none=True)
    balance_after = fields.Integer(required=True)


class LedgerPage(ma.Schema):
    """A page of the ledger, newest first."""

    data = fields.List(fields.Nested(LedgerEntry), required=True)
    has_more = fields.Boolean(required=True)
    next_cursor = fields.String(required=True, allow_none=True)
