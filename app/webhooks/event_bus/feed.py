"""Reading events, oldest first, filtered and paged; and deleting old ones.

Events are deleted in reading order, and the account's horizon records how far. A reader that returns too late
gets an error instead of a silent gap.
"""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.orm import Session

from app.platform import clock
from app.platform.errors import DomainError
from app.platform.postgres import bulk
from app.platform.postgres.db import Statements
from app.webhooks.models import Event, EventHorizon


@dataclass(frozen=True, slots=True)
class Page:
    """Events, oldest first, and `place`, the position from which the next page continues."""

    rows: Sequence[Any]
    more: bool
    place: int | None
    # Events made up to this moment may be missing: they were deleted for their age. `None`: none was.
    retained_since: datetime | None = None


class CursorExpired(DomainError):
    """410: events after the cursor were deleted."""

    code = "CURSOR_EXPIRED"
    status = 410


def events(
    session: Session,
    account_id: uuid.UUID,
    *,
    types: tuple[str, ...] = (),
    since: datetime | None = None,
    api_key_id: uuid.UUID | None = None,
    after: int | None = None,
    limit: int,
) -> Page:
    """Return the account's events under a filter, after the position `after`.

    Within an account events are in commit order, so a reader that continues from `place` misses none.

    Raises:
        CursorExpired: 410, events after `after` were deleted for their age.
    """
    # Read first: what is committed after this stands in the page, or behind the place.
    newest = session.scalar(
        sa.select(Event.seq).where(Event.account_id == account_id).order_by(Event.seq.desc()).limit(1)
    )
    query = sa.select(
        Event.id, Event.seq, Event.type, Event.created_at, Event.api_key_id, Event.payload
    ).where(Event.account_id == account_id)
    if types:
        query = query.where(Event.type.in_(types))
    if since is not None:
        query = query.where(Event.created_at >= since)
    if api_key_id is not None:
        query = query.where(Event.api_key_id == api_key_id)
    if after is not None:
        query = query.where(Event.seq > after)
    rows = session.execute(query.order_by(Event.seq).limit(limit + 1)).all()
    # Read last: what was deleted while we read is told as well.
    horizon = session.get(EventHorizon, account_id)
    if after is not None and horizon is not None and after < horizon.seq:
        raise CursorExpired(
            "cursor: expired; events after it have been deleted. Omit cursor to continue with the oldest "
            "stored event, and read what you missed from the jobs, keys and credit ledger.",
            details={"field": "cursor", "retainedSince": clock.iso(horizon.created_at)},
        )
    shown, more = rows[:limit], len(rows) > limit
    place = shown[-1].seq if shown else after
    if not more and newest is not None:
        # Past what the filter left out, or a reader that waits for a rare type would fall behind the horizon.
        place = max(newest, place or 0)
    return Page(shown, more, place, horizon.created_at if horizon else None)


def events_between(
    session: Session,
    account_id: uuid.UUID,
    *,
    since: datetime | None,
    until: datetime | None,
    api_key_id: uuid.UUID | None,
    after: int | None,
    limit: int,
) -> Sequence[Any]:
    """Return the account's events in the order of commits, behind the place `after`, at most `limit`.

    Unlike `events` it goes on where older events were deleted for their age: what an archive missed is gone.
    """
    query = sa.select(
        Event.id, Event.seq, Event.type, Event.created_at, Event.api_key_id, Event.payload
    ).where(Event.account_id == account_id)
    if since is not None:
        query = query.where(Event.created_at >= since)
    if until is not None:
        query = query.where(Event.created_at < until)
    if api_key_id is not None:
        query = query.where(Event.api_key_id == api_key_id)
    if after is not None:
        query = query.where(Event.seq > after)
    return session.execute(query.order_by(Event.seq).limit(limit)).all()


def count_events(session: Session, account_id: uuid.UUID, event: str, *, since: datetime) -> int:
    """Return how many events of a type the account has since a moment, as far back as events are kept."""
    query = sa.select(sa.func.count()).where(
        Event.account_id == account_id, Event.type == event, Event.created_at >= since
    )
    return session.scalar(query) or 0


_FORGET = """
    WITH old AS (
        SELECT id FROM events e
        WHERE created_at < %(before)s
          AND NOT EXISTS (SELECT FROM webhook_deliveries d WHERE d.event_id = e.id)
        ORDER BY seq LIMIT %(limit)s FOR UPDATE SKIP LOCKED
    ), gone AS (
        DELETE FROM events USING old WHERE events.id = old.id
        RETURNING events.account_id, events.seq, events.created_at
    ), marked AS (
        INSERT INTO event_horizons AS h (account_id, seq, created_at)
        SELECT account_id, max(seq), max(created_at) FROM gone GROUP BY account_id ORDER BY account_id
        ON CONFLICT (account_id) DO UPDATE SET
            seq = greatest(h.seq, excluded.seq), created_at = greatest(h.created_at, excluded.created_at)
    )
    SELECT count(*) AS gone FROM gone
    """


def forget_events(session: Statements, *, before: datetime, limit: int = 5_000) -> int:
    """Delete up to `limit` events created before a moment; return how many.

    An event stays as long as a delivery of it is in the log.
    """
    return int(session.one(_FORGET, {"before": before, "limit": limit}).gone)


def erase(session: Statements, account_id: uuid.UUID) -> int:
    """Delete a batch of a closed account's rows; return how many."""
    tables = ("webhook_deliveries", "webhook_endpoints", "events", "event_horizons", "watches")
    return bulk.erase(session, tables, account_id)
