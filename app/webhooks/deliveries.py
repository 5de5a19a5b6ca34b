"""Delivery log of an endpoint: list, redeliver, send a test, delete old entries."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.orm import Session

from app.platform.errors import Conflict, NotFound
from app.platform.postgres import db
from app.webhooks import delivery as attempt
from app.webhooks import endpoints, signing
from app.webhooks.event_bus.catalogue import CATALOGUE, TEST
from app.webhooks.event_bus.outbox import publishing
from app.webhooks.models import STATUSES, Delivery, Endpoint, Event

_REDRIVE_MOST = 1_000
_FORGET_BATCH = 1_000


@dataclass(frozen=True, slots=True)
class Entry:
    """A delivery in the log. Of its content, the names of the fields and the size in bytes."""

    id: uuid.UUID
    event: str
    status: str
    attempts: int
    last_status_code: int | None
    last_error: str | None
    created_at: datetime
    delivered_at: datetime | None
    next_retry_at: datetime | None
    keys: Sequence[str]
    size_bytes: int


@dataclass(frozen=True, slots=True)
class Attempt:
    """An attempt: when, the status of the answer, and why it failed, `None` where it did not."""

    at: datetime
    status_code: int | None
    error: str | None


@dataclass(frozen=True, slots=True)
class Detail:
    """One delivery: what was sent, with which headers, and each attempt, oldest first.

    Signatures are made for each attempt and not kept: their headers have an ellipsis for a value.
    """

    entry: Entry
    body: bytes
    headers: Mapping[str, str]
    attempts: Sequence[Attempt]


@dataclass(frozen=True, slots=True)
class Log:
    """The newest deliveries of an endpoint under a filter, and the number of deliveries in each status."""

    endpoint: Endpoint
    entries: Sequence[Entry]
    summary: Mapping[str, int]


def log(
    session: Session,
    account_id: uuid.UUID,
    api_key_id: uuid.UUID,
    endpoint_id: uuid.UUID,
    *,
    status: str | None = None,
    limit: int,
) -> Log:
    """Return the deliveries of a key's endpoint, newest first. Raises `NotFound`."""
    endpoint = endpoints.get(session, account_id, api_key_id, endpoint_id)
    query = (
        sa.select(Delivery, Event)
        .join(Event, Event.id == Delivery.event_id)
        .where(Delivery.endpoint_id == endpoint.id, Delivery.account_id == account_id)
    )
    if status is not None:
        query = query.where(Delivery.status == status)
    rows = session.execute(query.order_by(Delivery.created_at.desc(), Delivery.id).limit(limit)).all()
    counted = session.execute(
        sa.select(Delivery.status, sa.func.count())
        .where(Delivery.endpoint_id == endpoint.id, Delivery.account_id == account_id)
        .group_by(Delivery.status)
    ).all()
    found = {row[0]: row[1] for row in counted}
    return Log(endpoint, [_entry(*row) for row in rows], {name: found.get(name, 0) for name in STATUSES})


def detail(
    session: Session,
    account_id: uuid.UUID,
    api_key_id: uuid.UUID,
    endpoint_id: uuid.UUID,
    delivery_id: uuid.UUID,
    *,
    wire_name: str,
) -> Detail:
    """Return one delivery of a key's endpoint. Raises `NotFound`."""
    endpoint = endpoints.get(session, account_id, api_key_id, endpoint_id)
    found = session.execute(
        sa.select(Delivery, Event)
        .join(Event, Event.id == Delivery.event_id)
        .where(
            Delivery.id == delivery_id,
            Delivery.endpoint_id == endpoint.id,
            Delivery.account_id == account_id,
        )
    ).first()
    if found is None:
        raise NotFound("There is no delivery with this id.", details={"field": "delivery_id"})
    delivery, event = found
    raw = attempt.body(str(event.id), event.type, event.created_at, event.payload)
    headers = signing.headers(
        wire_name, (), event_id=str(event.id), event=event.type, delivery_id=str(delivery.id), at=0, body=raw
    )
    return Detail(
        _entry(delivery, event),
        raw,
        {name: "…" if _is_of_attempt(name) else value for name, value in headers.items()},
        [
            Attempt(
                datetime.fromisoformat(one["at"]), one["status"], attempt.told(one["error"], one["status"])
            )
            for one in delivery.history
        ],
    )


def _is_of_attempt(header: str) -> bool:
    """Return whether a header has another value in each attempt."""
    return "signature" in header.lower() or header == "webhook-timestamp"


def redrive(
    session: Session,
    account_id: uuid.UUID,
    api_key_id: uuid.UUID,
    endpoint_id: uuid.UUID,
    *,
    delivery_id: uuid.UUID | None,
    now: datetime,
) -> list[uuid.UUID]:
    """Restart the retry schedule of one failed or exhausted delivery, or of all, and return their ids.

    Without `delivery_id`, at most 1,000 deliveries restart, the oldest first.

    Raises:
        NotFound: No such endpoint or delivery of this key.
        Conflict: The endpoint is inactive, or the delivery is neither failed nor exhausted.
    """
    endpoint = endpoints.get(session, account_id, api_key_id, endpoint_id, lock=True)
    _must_be_active(endpoint)
    # One in flight has its own end to come.
    query = sa.select(Delivery).where(
        Delivery.endpoint_id == endpoint.id,
        Delivery.account_id == account_id,
        Delivery.status.in_(("failed", "exhausted")),
        Delivery.claim.is_(None),
    )
    if delivery_id is not None:
        query = query.where(Delivery.id == delivery_id)
    rows = session.scalars(
        query.order_by(Delivery.created_at, Delivery.id).limit(_REDRIVE_MOST).with_for_update(key_share=True)
    ).all()
    if delivery_id is not None and not rows:
        _explain(session, endpoint, delivery_id)
    for row in rows:
        row.status, row.attempts, row.next_attempt_at = "pending", 0, now
    session.flush()
    return [row.id for row in rows]


def send_test(
    session: db.Session,
    account_id: uuid.UUID,
    api_key_id: uuid.UUID,
    endpoint_id: uuid.UUID,
    *,
    now: datetime,
) -> tuple[uuid.UUID, uuid.UUID]:
    """Publish `webhook.test` to one endpoint; return the ids of the event and the delivery.

    Raises:
        NotFound: No such endpoint of this key.
        Conflict: The endpoint is inactive.
    """
    endpoint = endpoints.get(session, account_id, api_key_id, endpoint_id)
    _must_be_active(endpoint)
    event_id = uuid.uuid4()
    data = {**CATALOGUE[TEST].example, "webhookId": str(endpoint.id)}
    session.take(
        *publishing(event_id, account_id, TEST, data, now=now, api_key_id=api_key_id, only=endpoint.id)
    )
    delivery_id = session.scalar(sa.select(Delivery.id).where(Delivery.event_id == event_id))
    if delivery_id is None:
        # Deactivated between our two statements.
        _must_be_active(endpoints.get(session, account_id, api_key_id, endpoint_id, lock=True))
        raise NotFound("There is no webhook with this id.")
    return event_id, delivery_id


def forget(session: Session, *, before: datetime) -> int:
    """Delete a batch of finished deliveries created before a moment; return how many."""
    old = (
        sa.select(Delivery.id)
        .where(Delivery.created_at < before, Delivery.next_attempt_at.is_(None))
        .limit(_FORGET_BATCH)
    )
    done: Any = session.execute(sa.delete(Delivery).where(Delivery.id.in_(old)))
    return int(done.rowcount)


def _must_be_active(endpoint: Endpoint) -> None:
    if not endpoint.active:
        raise Conflict(
            'The webhook is not active. Activate it first with PATCH {"active": true}.',
            code="WEBHOOK_INACTIVE",
        )


def _explain(session: Session, endpoint: Endpoint, delivery_id: uuid.UUID) -> None:
    status = session.scalar(
        sa.select(Delivery.status).where(Delivery.id == delivery_id, Delivery.endpoint_id == endpoint.id)
    )
    if status is None:
        raise NotFound("There is no delivery with this id.", details={"field": "delivery_id"})
    raise Conflict(
        "This delivery is pending or has succeeded. Only a failed or exhausted delivery can be redelivered.",
        code="DELIVERY_NOT_FAILED",
        details={"field": "delivery_id", "status": status},
    )


def _entry(delivery: Delivery, event: Event) -> Entry:
    waiting = delivery.status == "failed" and delivery.claim is None
    return Entry(
        id=delivery.id,
        event=event.type,
        status=delivery.status,
        attempts=delivery.attempts,
        last_status_code=delivery.last_status_code,
        last_error=attempt.told(delivery.last_error, delivery.last_status_code),
        created_at=delivery.created_at,
        delivered_at=delivery.delivered_at,
        next_retry_at=delivery.next_attempt_at if waiting else None,
        keys=sorted(event.payload),
        size_bytes=len(attempt.body(str(event.id), event.type, event.created_at, event.payload)),
    )
