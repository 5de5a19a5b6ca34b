"""Reading the bus: oldest first, by filter, a page at a time."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.orm import Session

from app.webhooks.models import Event


@dataclass(frozen=True, slots=True)
class Page:
    """Rows, oldest first; `place` is where the next page begins, also after the last one."""

    rows: Sequence[Any]
    more: bool
    place: int | None


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
    """The account's events that fit, after the place `after` where given.

    Within an account the order is that of commits, so a reader that goes on from `place` misses nothing.
    """
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
    shown = rows[:limit]
    return Page(shown, len(rows) > limit, shown[-1].seq if shown else after)
