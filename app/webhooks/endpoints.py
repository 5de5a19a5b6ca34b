"""Webhook endpoints of a key: register, list, change, rotate the secret, delete, deactivate."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Literal
from urllib.parse import urlsplit

import sqlalchemy as sa
from sqlalchemy.orm import Session

from app import mail, tenancy
from app.platform import safe_http
from app.platform.errors import Invalid, NotFound
from app.platform.postgres import db
from app.webhooks import secrets, signing
from app.webhooks.event_bus.catalogue import SUBSCRIBABLE
from app.webhooks.event_bus.outbox import publish
from app.webhooks.models import Delivery, Endpoint

MAX_PER_KEY = 20
# Decision 030: how long the secret before a rotation signs beside the new one.
OVERLAP = timedelta(hours=24)

Reason = Literal["gone", "exhausted"]

_TURN = "SELECT pg_advisory_xact_lock(hashtextextended('webhooks:' || %(key)s::text, 0))"


@dataclass(frozen=True, slots=True)
class NewEndpoint:
    """An endpoint and its secret, which is shown only once."""

    row: Endpoint
    secret: str

    def __repr__(self) -> str:
        return f"<NewEndpoint {self.row.id}>"


def register(
    session: db.Session,
    account_id: uuid.UUID,
    api_key_id: uuid.UUID,
    *,
    url: str,
    events: Collection[str],
    description: str | None,
    now: datetime,
) -> NewEndpoint:
    """Create an active endpoint for a key.

    The caller has checked `url` with `check_url` before the transaction, because that may query a name
    server.

    Raises:
        Invalid: 422 `WEBHOOK_LIMIT`, the key has 20 endpoints.
    """
    session.run(_TURN, {"key": api_key_id})
    count = session.scalar(
        sa.select(sa.func.count()).where(Endpoint.account_id == account_id, Endpoint.api_key_id == api_key_id)
    )
    if count is not None and count >= MAX_PER_KEY:
        raise Invalid(
            f"A key can have at most {MAX_PER_KEY} webhooks. Delete one first.",
            code="WEBHOOK_LIMIT",
            status=422,
            details={"max": MAX_PER_KEY, "got": count + 1},
        )
    endpoint_id, secret = uuid.uuid4(), signing.new_secret()
    row = Endpoint(
        id=endpoint_id,
        account_id=account_id,
        api_key_id=api_key_id,
        url=url,
        events=_ordered(events),
        description=description or None,
        active=True,
        secret=secrets.seal(endpoint_id, secret),
        created_at=now,
        exhausted_in_a_row=0,
        slow=False,
    )
    session.add(row)
    session.flush()
    _note(session, row, "webhook.created")
    return NewEndpoint(row, secret)


def check_url(url: str, *, allow_hosts: Collection[str]) -> None:
    """Raise `Invalid` (422 `URL_NOT_ALLOWED`) where no delivery could be sent to `url`."""
    safe_http.check_url(url, allow_hosts=allow_hosts)


def listed(session: Session, account_id: uuid.UUID, api_key_id: uuid.UUID) -> Sequence[Endpoint]:
    """Return the key's endpoints, newest first."""
    return session.scalars(
        sa.select(Endpoint)
        .where(Endpoint.account_id == account_id, Endpoint.api_key_id == api_key_id)
        .order_by(Endpoint.created_at.desc(), Endpoint.id)
    ).all()


def of_account(
    session: Session, account_id: uuid.UUID, *, after: uuid.UUID | None = None, limit: int | None = None
) -> Sequence[Endpoint]:
    """Return a page of the endpoints of all the account's keys, newest first.

    Args:
        session: The caller's transaction.
        account_id: The account.
        after: Last endpoint of the page before, `None` for the first page.
        limit: Size of the page.
    """
    order = (Endpoint.created_at, Endpoint.id)
    query = sa.select(Endpoint).where(Endpoint.account_id == account_id)
    if after is not None:
        place = sa.select(*order).where(Endpoint.account_id == account_id, Endpoint.id == after)
        query = query.where(sa.tuple_(*order) < place.scalar_subquery())
    return session.scalars(query.order_by(*(column.desc() for column in order)).limit(limit)).all()


def of_member(session: Session, account_id: uuid.UUID, endpoint_id: uuid.UUID) -> Endpoint:
    """Return one endpoint of any of the account's keys. Raises `NotFound`, like `get`."""
    row = session.scalar(
        sa.select(Endpoint).where(Endpoint.id == endpoint_id, Endpoint.account_id == account_id)
    )
    if row is None:
        raise NotFound("There is no webhook with this id.")
    return row


def get(
    session: Session,
    account_id: uuid.UUID,
    api_key_id: uuid.UUID,
    endpoint_id: uuid.UUID,
    *,
    lock: bool = False,
) -> Endpoint:
    """Return one endpoint of the key.

    Raises:
        NotFound: No such endpoint, or one of another key.
    """
    query = sa.select(Endpoint).where(
        Endpoint.id == endpoint_id, Endpoint.account_id == account_id, Endpoint.api_key_id == api_key_id
    )
    row = session.scalar(query.with_for_update(key_share=True) if lock else query)
    if row is None:
        raise NotFound("There is no webhook with this id.")
    return row


def change(
    session: Session,
    account_id: uuid.UUID,
    api_key_id: uuid.UUID,
    endpoint_id: uuid.UUID,
    *,
    active: bool | None = None,
    events: Collection[str] | None = None,
    description: str | None = None,
) -> Endpoint:
    """Change the given fields of an endpoint.

    Deactivating ends its open deliveries as exhausted; they can be redriven once it is active again.
    """
    row = get(session, account_id, api_key_id, endpoint_id, lock=True)
    if events is not None:
        row.events = _ordered(events)
    if description is not None:
        row.description = description or None
    if active is False and row.active:
        row.active = False
        _end_open(session, row, "the webhook was deactivated")
    elif active and not row.active:
        row.active, row.deactivated_at, row.deactivated_because = True, None, None
        row.exhausted_in_a_row, row.slow = 0, False
    session.flush()
    _note(session, row, "webhook.changed")
    return row


def rotate(
    session: Session, account_id: uuid.UUID, api_key_id: uuid.UUID, endpoint_id: uuid.UUID, *, now: datetime
) -> NewEndpoint:
    """Replace the secret; the previous one signs as well for 24 hours."""
    row = get(session, account_id, api_key_id, endpoint_id, lock=True)
    secret = signing.new_secret()
    row.previous_secret, row.previous_secret_until = row.secret, now + OVERLAP
    row.secret = secrets.seal(endpoint_id, secret)
    session.flush()
    _note(session, row, "webhook.rotated")
    return NewEndpoint(row, secret)


def delete(session: Session, account_id: uuid.UUID, api_key_id: uuid.UUID, endpoint_id: uuid.UUID) -> None:
    """Delete the endpoint with its secrets and all its deliveries."""
    row = get(session, account_id, api_key_id, endpoint_id, lock=True)
    session.delete(row)
    session.flush()
    _note(session, row, "webhook.deleted")


def _note(session: Session, row: Endpoint, action: tenancy.activity.Action) -> None:
    """Note what was done to an endpoint; of its URL the host alone, since the rest may hold a secret."""
    target = tenancy.activity.Target("webhook", str(row.id), urlsplit(row.url).hostname)
    details = {"active": row.active, "events": list(row.events)}
    tenancy.activity.record(session, row.account_id, action, target, details=details)


def deactivate(session: db.Session, row: Endpoint, reason: Reason, *, now: datetime) -> None:
    """Deactivate an endpoint because of its receiver, and publish an event to the account.

    The row must be locked. The portal shows members the reason, `deactivated_because`.
    """
    row.active, row.deactivated_at, row.deactivated_because = False, now, reason
    _end_open(session, row, "the webhook was deactivated")
    session.flush()
    publish(
        session,
        row.account_id,
        "webhook.deactivated",
        {"webhookId": str(row.id), "host": urlsplit(row.url).hostname or "", "reason": reason},
        now=now,
        api_key_id=row.api_key_id,
    )
    facts = {"webhook": str(row.id), "host": urlsplit(row.url).hostname or "", "reason": reason}
    mail.notify(session, row.account_id, "webhook_off", facts, now=now)


def deactivated(session: Session, account_id: uuid.UUID) -> Sequence[Endpoint]:
    """Return the account's endpoints that were deactivated because of their receiver, newest first."""
    return session.scalars(
        sa.select(Endpoint)
        .where(Endpoint.account_id == account_id, Endpoint.deactivated_at.is_not(None))
        .order_by(Endpoint.deactivated_at.desc())
    ).all()


def forget_old_secrets(session: Session, *, now: datetime) -> int:
    """Erase previous secrets whose 24 hours are over; return how many."""
    done: Any = session.execute(
        sa.update(Endpoint)
        .where(Endpoint.previous_secret_until <= now)
        .values(previous_secret=None, previous_secret_until=None)
    )
    return int(done.rowcount)


def _end_open(session: Session, row: Endpoint, why: str) -> None:
    session.execute(
        sa.update(Delivery)
        .where(Delivery.endpoint_id == row.id, Delivery.next_attempt_at.is_not(None))
        .values(status="exhausted", next_attempt_at=None, claim=None, last_error=why)
    )


def _ordered(events: Collection[str]) -> list[str]:
    """Return `events` without duplicates, in the order of `SUBSCRIBABLE`."""
    return [name for name in SUBSCRIBABLE if name in events]
