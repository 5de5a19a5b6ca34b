"""Operation GET /api/v1/credits/ledger."""

from __future__ import annotations

import uuid
from collections.abc import Collection
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

import sqlalchemy as sa
from flask import Response

from app import credits, tenancy
from app.credits.schemas import LedgerPage, LedgerQuery
from app.platform import clock
from app.platform.errors import Invalid, NotFound
from app.platform.postgres import db
from app.platform.web import http, openapi, parameters
from app.tenancy.guard import caller, require_key

routes = openapi.Routes("credits", __name__, url_prefix="/api/v1", description="Credits of the account.")

_EXAMPLE = {
    "data": [
        {
            "id": "9a1c2c1e-8a54-4c0e-9a2f-5a1d7c3e9b10",
            "created_at": "2026-11-21T10:15:30.125Z",
            "amount": -1,
            "kind": "consumption",
            "reference_type": "analysis",
            "reference_id": "6f1c2b1e-8a54-4c0e-9a2f-5a1d7c3e9b10",
            "job_id": None,
            "api_key_id": "0b9f3c52-7a0e-4c38-9f4b-0f6a4f1f7a11",
            "key_prefix": "svc_Qm8ZtR2x",
            "description": "analyze (standard)",
            "operation_type": "analyze",
            "balance_after": 999,
        }
    ],
    "has_more": False,
    "next_cursor": None,
}


@routes.route("/credits/ledger", methods=["GET"])
@require_key()
@routes.arguments(LedgerQuery, location="query")
@routes.response(200, LedgerPage, headers=openapi.RATE_HEADERS, example=_EXAMPLE)
@openapi.fails(routes, 400, 401, 404, 429, 500, 503)
@routes.doc(operationId="creditsLedger")
def ledger(query: dict[str, Any]) -> Response:
    """List credit movements

    Newest first, in pages. Entries never change. A child key sees only its own entries.
    """
    first, last = query.get("first"), query.get("last")
    if first and last and first > last:
        raise Invalid("from: must not be after to.", details={"field": "from"})
    asked = query.get("api_key_id")
    account_id = caller().account_id
    with db.reading() as session:
        page = credits.entries(
            session,
            account_id,
            credits.Filter(
                since=_midnight(first),
                until=_midnight(last, days=1),
                kinds=query.get("kind", ()),
                api_key_id=_visible(asked, tenancy.keys_by_id(session, account_id, [asked])),
            ),
            before_seq=parameters.decode_cursor(query.get("cursor")),
            limit=query["limit"],
        )
        keys = tenancy.keys_by_id(session, account_id, [row.api_key_id for row in page.rows])
        prefixes = {key_id: key.key_prefix for key_id, key in keys.items()}
    return http.answer(
        {
            "data": [_entry(row, prefixes) for row in page.rows],
            "has_more": page.next_seq is not None,
            "next_cursor": parameters.encode_cursor(page.next_seq),
        }
    )


def _visible(asked: uuid.UUID | None, own: Collection[uuid.UUID]) -> uuid.UUID | None:
    """Return the key to limit the list to; a child is limited to itself. Raises `NotFound`."""
    me = caller()
    if asked is not None and (asked not in own or (me.role == "child" and asked != me.key_id)):
        raise NotFound("There is no API key with this id.", details={"field": "api_key_id"})
    return me.key_id if me.role == "child" else asked


def _midnight(day: date | None, days: int = 0) -> datetime | None:
    return None if day is None else datetime.combine(day, time(), UTC) + timedelta(days=days)


def _entry(row: sa.Row[Any], prefixes: dict[uuid.UUID, str]) -> dict[str, Any]:
    return {
        "id": str(row.id),
        "created_at": clock.iso(row.created_at),
        "amount": row.amount,
        "kind": row.kind,
        "reference_type": row.reference_type,
        "reference_id": row.reference_id,
        "job_id": row.reference_id if row.reference_type == "job" else None,
        "api_key_id": str(row.api_key_id) if row.api_key_id else None,
        "key_prefix": prefixes.get(row.api_key_id),
        "description": row.description,
        "operation_type": row.operation_type,
        "balance_after": row.balance_after,
    }
