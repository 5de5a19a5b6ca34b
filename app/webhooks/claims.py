"""Taking deliveries that are due, and writing down what became of them.

A claim moves `next_attempt_at` to the end of a lease, so that what a killed sender held is due again by
itself. Senders take turns at claiming, which makes the limits below hold over all of them.

Fairness: at most `EACH` deliveries of an endpoint are in flight, and one of an endpoint whose last attempt
failed or took long. Endpoints of the second kind share a part of each sender, so that any number of dead
receivers leaves the rest to the others; within each kind every endpoint gets its first before any gets its
second.
"""

from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa

from app.platform.postgres import db, rls
from app.webhooks import endpoints, retry
from app.webhooks.models import Delivery, Endpoint

EACH = 4
# Longer than an attempt can take, with room for the write after it.
LEASE = timedelta(seconds=45)
_GONE = 410

_TURN = "SELECT pg_advisory_xact_lock(7203115902440119)"

# `waiting` hops over the index from endpoint to endpoint instead of reading every open delivery.
_CLAIM = """
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
               row_number() OVER (PARTITION BY r.id ORDER BY d.next_attempt_at) AS turn
        FROM ready r CROSS JOIN LATERAL (
            SELECT o.id, o.next_attempt_at FROM webhook_deliveries o
            WHERE o.endpoint_id = r.id AND o.next_attempt_at <= :now
            ORDER BY o.next_attempt_at LIMIT greatest(r.room, 0)
        ) d
    ), placed AS (
        SELECT id, slow, row_number() OVER (PARTITION BY slow ORDER BY turn, next_attempt_at) AS place
        FROM due
    ), picked AS (
        SELECT o.id FROM webhook_deliveries o JOIN placed p ON p.id = o.id
        WHERE p.place <= CASE WHEN p.slow THEN :slow_room ELSE :quick_room END
          AND o.next_attempt_at <= :now
        FOR UPDATE OF o SKIP LOCKED
    )
    UPDATE webhook_deliveries d SET claim = gen_random_uuid(), next_attempt_at = :lease
    FROM picked, webhook_endpoints e, events v
    WHERE d.id = picked.id AND e.id = d.endpoint_id AND v.id = d.event_id
    RETURNING d.id, d.claim, d.attempts, d.endpoint_id, d.event_id, v.type, v.created_at, v.payload,
              e.url, e.slow, e.secret, e.previous_secret, e.previous_secret_until
    """


@dataclass(frozen=True, slots=True)
class Claimed:
    """A delivery that this process may attempt until its lease ends."""

    delivery_id: uuid.UUID
    claim: uuid.UUID
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

    def __repr__(self) -> str:
        return f"<Claimed {self.delivery_id}>"


@dataclass(frozen=True, slots=True)
class Result:
    """What became of an attempt: `error` is `None` on success, else plain words without content."""

    claimed: Claimed
    at: datetime
    status_code: int | None
    error: str | None
    slow: bool


def take(*, quick_room: int, slow_room: int, now: datetime) -> list[Claimed]:
    """Claim what is due, up to the room given for each kind of endpoint. A transaction of its own."""
    with rls.as_system(), db.transaction() as session:
        session.execute(sa.text(_TURN))
        rows = session.execute(
            sa.text(_CLAIM),
            {
                "each": EACH,
                "now": now,
                "lease": now + LEASE,
                "quick_room": quick_room,
                "slow_room": slow_room,
            },
        ).all()
    return [Claimed(*row) for row in rows]


def settle(results: Sequence[Result]) -> None:
    """Write down what became of attempts, and deactivate endpoints that earned it. One transaction.

    A result whose lease had run out and was taken by another sender changes nothing.
    """
    by_endpoint: dict[uuid.UUID, list[Result]] = defaultdict(list)
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


_SETTLE = """
    UPDATE webhook_deliveries d
    SET attempts = d.attempts + 1, claim = NULL, status = t.status, next_attempt_at = t.next_attempt_at,
        last_status_code = t.code, last_error = t.error, delivered_at = t.delivered_at
    FROM unnest(CAST(:ids AS uuid[]), CAST(:claims AS uuid[]), CAST(:statuses AS text[]),
                CAST(:nexts AS timestamptz[]), CAST(:codes AS int[]), CAST(:errors AS text[]),
                CAST(:delivered AS timestamptz[]))
         AS t(id, claim, status, next_attempt_at, code, error, delivered_at)
    WHERE d.id = t.id AND d.claim = t.claim
    RETURNING d.id, d.status
    """


def _write(session: db.Session, results: Sequence[Result]) -> dict[uuid.UUID, str]:
    """Update the deliveries whose claim still stands; their new status by id."""
    statuses, nexts = [], []
    for result in results:
        after = None if result.error is None else retry.next_attempt(result.claimed.attempts + 1, result.at)
        nexts.append(after)
        statuses.append("success" if result.error is None else "failed" if after else "exhausted")
    rows = session.execute(
        sa.text(_SETTLE),
        {
            "ids": [r.claimed.delivery_id for r in results],
            "claims": [r.claimed.claim for r in results],
            "statuses": statuses,
            "nexts": nexts,
            "codes": [r.status_code for r in results],
            "errors": [r.error for r in results],
            "delivered": [r.at if r.error is None else None for r in results],
        },
    ).all()
    return {row.id: row.status for row in rows}


def _note(
    session: db.Session, endpoint: Endpoint, results: Sequence[Result], ended: dict[uuid.UUID, str]
) -> None:
    """Carry results over to their endpoint, in the order in which they came."""
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
    elif endpoint.exhausted_in_a_row >= retry.EXHAUSTED_IN_A_ROW:
        endpoints.deactivate(session, endpoint, "exhausted", now=latest)


def open_deliveries(session: db.Session) -> int:
    """How many deliveries wait for an attempt or its end; for the operator and for tests."""
    found = session.scalar(
        sa.select(sa.func.count()).select_from(Delivery).where(Delivery.next_attempt_at.is_not(None))
    )
    return int(found or 0)
