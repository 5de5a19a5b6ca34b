"""Lease queue of deliveries: claim those that are due, store their results.

Senders claim one at a time, so that the limits below hold across all of them.

Fairness: at most `EACH` deliveries of an endpoint are in flight, and only one of a slow endpoint, whose last
attempt failed or took long. Slow endpoints share a part of each sender's capacity, so that any number of dead
receivers leaves the rest to the others. Within each kind, every endpoint gets its first delivery before any
gets its second.
"""

from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa
from psycopg.types.json import Jsonb

from app.platform import clock
from app.platform.lease_queue import Lease, LeaseQueue
from app.platform.postgres import db, rls
from app.platform.postgres.db import Step
from app.webhooks import endpoints
from app.webhooks.models import Delivery, Endpoint, Event

EACH = 4
# An endpoint that lets this many deliveries in a row run out is deactivated.
EXHAUSTED_IN_A_ROW = 20
QUEUE = LeaseQueue(
    id=Delivery.id,
    # Attempts are counted when they were made: the log shows them.
    token=Delivery.claim,
    due=Delivery.next_attempt_at,
    # Longer than an attempt can take, with room for the write after it.
    length=timedelta(seconds=45),
    # After the first attempt, which leaves at once: five more, then no more (decision 030).
    waits=(
        timedelta(minutes=1),
        timedelta(minutes=5),
        timedelta(minutes=30),
        timedelta(hours=2),
        timedelta(hours=12),
    ),
)
ATTEMPTS = QUEUE.attempts
# Of a delivery that is sent again and again, so many attempts are remembered.
HISTORY_MAX = 30
_GONE = 410

_ONE_CLAIMER = "SELECT pg_advisory_xact_lock(7203115902440119)"

# `waiting` hops over the index from endpoint to endpoint instead of reading every open delivery.
_PICK = """
    WITH RECURSIVE waiting AS (
        (SELECT endpoint_id FROM webhook_deliveries WHERE next_attempt_at IS NOT NULL
         ORDER BY endpoint_id LIMIT 1)
        UNION ALL
        SELECT (SELECT d.endpoint_id FROM webhook_deliveries d
                WHERE d.next_attempt_at IS NOT NULL AND d.endpoint_id > w.endpoint_id
                ORDER BY d.endpoint_id LIMIT 1)
        FROM waiting w WHERE w.endpoint_id IS NOT NULL
    ), ready AS (
        SELECT e.id, e.slow,
               CASE WHEN e.slow THEN 1 ELSE :each END
               - (SELECT count(*) FROM webhook_deliveries b
                  WHERE b.endpoint_id = e.id AND b.claim IS NOT NULL AND b.next_attempt_at > :now) AS room
        FROM waiting w JOIN webhook_endpoints e ON e.id = w.endpoint_id
    ), due AS (
        SELECT d.id, r.slow, d.next_attempt_at,
               row_number() OVER (PARTITION BY r.id ORDER BY d.next_attempt_at) AS nth
        FROM ready r CROSS JOIN LATERAL (
            SELECT o.id, o.next_attempt_at FROM webhook_deliveries o
            WHERE o.endpoint_id = r.id AND o.next_attempt_at <= :now
            ORDER BY o.next_attempt_at LIMIT greatest(r.room, 0)
        ) d
    ), placed AS (
        SELECT id, slow, row_number() OVER (PARTITION BY slow ORDER BY nth, next_attempt_at) AS place
        FROM due
    )
    SELECT id FROM placed WHERE place <= CASE WHEN slow THEN :slow_room ELSE :quick_room END
    """


@dataclass(frozen=True, slots=True)
class ClaimedDelivery:
    """A delivery that this process may attempt until its lease ends."""

    lease: Lease
    attempts: int
    endpoint_id: uuid.UUID
    event_id: uuid.UUID
    event: str
    created_at: datetime
    payload: dict[str, Any]
    url: str
    slow: bool
    secret: bytes
    previous_secret: bytes | None
    previous_secret_until: datetime | None
    history: Sequence[dict[str, Any]] = ()

    @property
    def delivery_id(self) -> uuid.UUID:
        """Return the id of the delivery."""
        return self.lease.id

    def __repr__(self) -> str:
        return f"<ClaimedDelivery {self.delivery_id}>"


@dataclass(frozen=True, slots=True)
class AttemptResult:
    """The result of an attempt: `error` is `None` on success, else a message without content of the event."""

    claimed: ClaimedDelivery
    at: datetime
    status_code: int | None
    error: str | None
    slow: bool


def take(*, quick_room: int, slow_room: int, now: datetime) -> list[ClaimedDelivery]:
    """Claim deliveries that are due, in a transaction of its own.

    Args:
        quick_room: How many to claim at most for endpoints that answer quickly.
        slow_room: How many to claim at most for slow endpoints.
        now: The current time.
    """
    with rls.as_system(), db.transaction() as session:
        session.execute(sa.text(_ONE_CLAIMER))
        picked = session.scalars(
            sa.text(_PICK),
            {"each": EACH, "now": now, "quick_room": quick_room, "slow_room": slow_room},
        ).all()
        steps = [QUEUE.claiming(now=now, where="t.id = %(one)s", values={"one": one}) for one in picked]
        rows = [row for row in session.take(*steps) if row is not None] if steps else []
        return _described(session, rows)


def _described(session: db.Session, rows: Sequence[Any]) -> list[ClaimedDelivery]:
    """Return claimed rows with their event and their endpoint."""
    if not rows:
        return []
    endpoint_rows = session.scalars(
        sa.select(Endpoint).where(Endpoint.id.in_({row.endpoint_id for row in rows}))
    )
    event_rows = session.scalars(sa.select(Event).where(Event.id.in_({row.event_id for row in rows})))
    by_endpoint = {endpoint.id: endpoint for endpoint in endpoint_rows}
    by_event = {event.id: event for event in event_rows}
    found = []
    for row in rows:
        endpoint, event = by_endpoint[row.endpoint_id], by_event[row.event_id]
        found.append(
            ClaimedDelivery(
                lease=QUEUE.lease_of(row),
                attempts=row.attempts,
                endpoint_id=endpoint.id,
                event_id=event.id,
                event=event.type,
                created_at=event.created_at,
                payload=event.payload,
                url=endpoint.url,
                slow=endpoint.slow,
                secret=endpoint.secret,
                previous_secret=endpoint.previous_secret,
                previous_secret_until=endpoint.previous_secret_until,
                history=row.history,
            )
        )
    return found


def settle(results: Sequence[AttemptResult]) -> None:
    """Store the results of attempts and deactivate failing endpoints, in one transaction.

    A result whose lease was lost to another sender changes nothing.
    """
    by_endpoint: dict[uuid.UUID, list[AttemptResult]] = defaultdict(list)
    for result in results:
        by_endpoint[result.claimed.endpoint_id].append(result)
    with rls.as_system(), db.transaction() as session:
        # Endpoint before delivery, and in one order, as everywhere: no two transactions wait for each other.
        locked = session.scalars(
            sa.select(Endpoint)
            .where(Endpoint.id.in_(by_endpoint))
            .order_by(Endpoint.id)
            .with_for_update(key_share=True)
        ).all()
        ended = _write(session, results)
        for endpoint in locked:
            _note(
                session,
                endpoint,
                [r for r in by_endpoint[endpoint.id] if r.claimed.delivery_id in ended],
                ended,
            )


def _write(session: db.Session, results: Sequence[AttemptResult]) -> dict[uuid.UUID, str]:
    """Update the deliveries whose lease still stands; return their new status by id."""
    outcomes = [_outcome(result) for result in results]
    written = session.take(*(step for _, step in outcomes))
    return {
        result.claimed.delivery_id: status
        for result, (status, _), ours in zip(results, outcomes, written, strict=True)
        if ours
    }


def _outcome(result: AttemptResult) -> tuple[str, Step[bool]]:
    """Return the status that a delivery has after an attempt, and the step that writes it."""
    claimed = result.claimed
    attempts = claimed.attempts + 1
    changes: dict[str, Any] = {
        "attempts": attempts,
        "last_status_code": result.status_code,
        "last_error": result.error,
        "history": Jsonb([*claimed.history, _remembered(result)][-HISTORY_MAX:]),
    }
    if result.error is None:
        return "success", QUEUE.closing(claimed.lease, status="success", delivered_at=result.at, **changes)
    again = QUEUE.retry_at(attempts, result.at)
    if again is None:
        return "exhausted", QUEUE.closing(claimed.lease, status="exhausted", **changes)
    return "failed", QUEUE.releasing(claimed.lease, due=again, status="failed", **changes)


def _remembered(result: AttemptResult) -> dict[str, Any]:
    """Return what the log keeps of an attempt."""
    return {"at": clock.iso(result.at), "status": result.status_code, "error": result.error}


def _note(
    session: db.Session, endpoint: Endpoint, results: Sequence[AttemptResult], ended: dict[uuid.UUID, str]
) -> None:
    """Update the endpoint from the results of its deliveries, in chronological order."""
    for result in sorted(results, key=lambda r: r.at):
        endpoint.slow = result.slow or result.error is not None
        if result.error is None:
            endpoint.last_delivery_at, endpoint.exhausted_in_a_row = result.at, 0
        else:
            endpoint.last_failure_at = result.at
            endpoint.exhausted_in_a_row += ended[result.claimed.delivery_id] == "exhausted"
    session.flush()
    if not results or not endpoint.active:
        return
    latest = max(result.at for result in results)
    if any(result.status_code == _GONE for result in results):
        endpoints.deactivate(session, endpoint, "gone", now=latest)
    elif endpoint.exhausted_in_a_row >= EXHAUSTED_IN_A_ROW:
        endpoints.deactivate(session, endpoint, "exhausted", now=latest)


def longest_overdue(session: db.Session, *, now: datetime) -> timedelta:
    """Return how long the delivery has been due that nobody has attempted for longest; zero where none is."""
    due = session.scalar(
        sa.select(sa.func.min(Delivery.next_attempt_at)).where(
            Delivery.next_attempt_at <= now, Delivery.claim.is_(None)
        )
    )
    return now - due if due else timedelta()


def open_deliveries(session: db.Session) -> int:
    """Return how many deliveries are waiting or in flight."""
    found = session.scalar(
        sa.select(sa.func.count()).select_from(Delivery).where(Delivery.next_attempt_at.is_not(None))
    )
    return int(found or 0)
