"""Activity of members and keys as it is read: over the API, in the signed export and in the portal.

`app.tenancy.activity` writes it. A page's cursor is bound to the account and the filters.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy.orm import Session

from app import tenancy
from app.platform import clock, crypto, settings
from app.platform.errors import Invalid

__all__ = ["Page", "on_the_wire", "page"]

_SEALING = "activity-cursor"


@dataclass(frozen=True, slots=True)
class Page:
    """A page of activities, newest first, and the cursor of the next one, `None` on the last."""

    rows: Sequence[tenancy.Activity]
    cursor: str | None


def page(
    session: Session,
    account_id: uuid.UUID,
    chosen: tenancy.activity.Filter,
    *,
    cursor: str | None,
    limit: int,
) -> Page:
    """Return a page of an account's activities, newest first by position.

    Raises:
        Invalid: The cursor is not one of this account and these filters (400).
    """
    bound = f"{account_id}|{chosen}"
    before = None if cursor is None else _opened(cursor, bound)
    rows = tenancy.activity.activities(session, account_id, chosen, before=before, limit=limit + 1)
    more = len(rows) > limit
    return Page(rows[:limit], _sealed(rows[limit - 1].seq, bound) if more else None)


def on_the_wire(row: tenancy.Activity) -> dict[str, Any]:
    """Return an activity as it is sent."""
    return {
        "id": str(row.id),
        "seq": row.seq,
        "at": clock.iso(row.at),
        "action": row.action,
        "actor": {
            "kind": row.actor_kind,
            "id": str(row.actor_id) if row.actor_id else None,
            "name": row.actor_name,
            "network": row.network,
        },
        "target": {"kind": row.target_kind, "id": row.target_id, "name": row.target_name}
        if row.target_kind
        else None,
        "details": row.details,
    }


def _sealed(seq: int, bound: str) -> str:
    return _encoded(str(seq).encode()) + "." + _encoded(_mac(seq, bound))


def _opened(cursor: str, bound: str) -> int:
    try:
        place, mac = (base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)) for part in cursor.split("."))
        seq = int(place)
        if hmac.compare_digest(mac, _mac(seq, bound)):
            return seq
    except (binascii.Error, ValueError):
        pass
    raise Invalid(
        "cursor: must be the next_cursor of a page with the same key and the same filters.",
        details={"field": "cursor"},
    )


def _mac(seq: int, bound: str) -> bytes:
    key = crypto.service_key(settings.current().secret_key.get_secret_value(), _SEALING)
    return hmac.new(key, f"{bound}|{seq}".encode(), hashlib.sha256).digest()[:16]


def _encoded(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()
