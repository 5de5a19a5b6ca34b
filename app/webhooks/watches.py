"""Watches of an account: the laws, articles and judgments about whose news it wants to be told.

An announcement that names a watched subject is delivered to the account's webhooks and, where the watch asks
for it, mailed to its owners (`event_bus/broadcasts.py`).
"""

from __future__ import annotations

import uuid
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.orm import Session

from app.platform.errors import Invalid, NotFound
from app.webhooks.models import Watch

MAX_PER_ACCOUNT = 500


@dataclass(frozen=True, slots=True)
class Subject:
    """What is watched: `names` are its normal forms, the first of them its own."""

    kind: str
    names: tuple[str, ...]
    title: str
    article: str | None
    jurisdiction: str
    url: str | None


def add(
    session: Session, account_id: uuid.UUID, subject: Subject, *, mail: bool, now: datetime
) -> tuple[Watch, bool]:
    """Watch a subject; return the watch and whether it is new. One that is there takes the new `mail`.

    Raises:
        Invalid: 422 `WATCH_LIMIT`, the account watches 500 subjects.
    """
    session.execute(
        sa.text("SELECT pg_advisory_xact_lock(hashtextextended('watches:' || :account, 0))"),
        {"account": str(account_id)},
    )
    held = session.scalar(
        sa.select(Watch).where(Watch.account_id == account_id, Watch.subject == subject.names[0])
    )
    if held is not None:
        held.mail = mail
        session.flush()
        return held, False
    count = session.scalar(sa.select(sa.func.count()).where(Watch.account_id == account_id)) or 0
    if count >= MAX_PER_ACCOUNT:
        raise Invalid(
            f"An account can watch {MAX_PER_ACCOUNT} laws, articles and judgments. Remove one first.",
            code="WATCH_LIMIT",
            status=422,
            details={"max": MAX_PER_ACCOUNT},
        )
    row = Watch(
        id=uuid.uuid4(),
        account_id=account_id,
        kind=subject.kind,
        subject=subject.names[0],
        names=list(subject.names),
        title=subject.title,
        article=subject.article,
        jurisdiction=subject.jurisdiction,
        url=subject.url,
        mail=mail,
        created_at=now,
    )
    session.add(row)
    session.flush()
    return row, True


def listed(session: Session, account_id: uuid.UUID) -> Sequence[Watch]:
    """Return the watches of an account, newest first."""
    query = sa.select(Watch).where(Watch.account_id == account_id)
    return session.scalars(query.order_by(Watch.created_at.desc(), Watch.id)).all()


def remove(session: Session, account_id: uuid.UUID, watch_id: uuid.UUID) -> None:
    """Remove a watch. Raises `NotFound` (404) where the account has none with this id."""
    gone = session.scalar(
        sa.delete(Watch).where(Watch.account_id == account_id, Watch.id == watch_id).returning(Watch.id)
    )
    if gone is None:
        raise NotFound("There is no watch with this id.", details={"field": "id"})


def watched(session: Session, names: Collection[str]) -> frozenset[str]:
    """Return those of `names` that any account watches. For the system, which sees every account."""
    if not names:
        return frozenset()
    asked = sa.literal(sorted(names), ARRAY(sa.Text))
    found = session.scalars(sa.select(Watch.names).where(Watch.names.overlap(asked)))
    return frozenset(name for row in found for name in row) & frozenset(names)
