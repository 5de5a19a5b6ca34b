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

from app import tenancy
from app.platform.errors import Invalid, NotFound
from app.webhooks.models import Event, Watch

MAX_PER_ACCOUNT = 500
# As the partial index of events has it, in constants, so that every plan can use it.
_OF_LAW = sa.text("type IN ('normativa.updated', 'judgment.cited')")


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
        _set_mail(session, held, mail)
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
    _note(session, row, "watch.added")
    return row, True


def listed(session: Session, account_id: uuid.UUID) -> Sequence[Watch]:
    """Return the watches of an account, newest first."""
    query = sa.select(Watch).where(Watch.account_id == account_id)
    return session.scalars(query.order_by(Watch.created_at.desc(), Watch.id)).all()


def get(session: Session, account_id: uuid.UUID, watch_id: uuid.UUID, *, lock: bool = False) -> Watch:
    """Return a watch. Raises `NotFound` (404) where the account has none with this id."""
    query = sa.select(Watch).where(Watch.account_id == account_id, Watch.id == watch_id)
    row = session.scalar(query.with_for_update() if lock else query)
    if row is None:
        raise NotFound("There is no watch with this id.", details={"field": "id"})
    return row


def change(session: Session, account_id: uuid.UUID, watch_id: uuid.UUID, *, mail: bool) -> Watch:
    """Set whether the owners are told by mail. Raises `NotFound` (404)."""
    row = get(session, account_id, watch_id, lock=True)
    _set_mail(session, row, mail)
    return row


def remove(session: Session, account_id: uuid.UUID, watch_id: uuid.UUID) -> None:
    """Remove a watch. Raises `NotFound` (404) where the account has none with this id."""
    row = get(session, account_id, watch_id, lock=True)
    session.delete(row)
    session.flush()
    _note(session, row, "watch.removed")


def watched(session: Session, names: Collection[str]) -> frozenset[str]:
    """Return those of `names` that any account watches. For the system, which sees every account."""
    if not names:
        return frozenset()
    asked = sa.literal(sorted(names), ARRAY(sa.Text))
    found = session.scalars(
        sa.select(sa.func.unnest(Watch.names)).where(Watch.names.overlap(asked)).distinct()
    )
    return frozenset(found) & frozenset(names)


def announced(
    session: Session, account_id: uuid.UUID, *, laws: Collection[str], judgments: Collection[str], limit: int
) -> Sequence[Event]:
    """Return events of an account about laws and judgments, newest first, as far back as events are kept.

    Args:
        session: An open transaction.
        account_id: The account.
        laws: Official ids of laws that changed.
        judgments: Normal forms of judgments that were cited.
        limit: How many events at most.
    """
    about = sa.or_(
        sa.and_(Event.type == "normativa.updated", Event.payload["normId"].astext.in_(sorted(laws))),
        sa.and_(Event.type == "judgment.cited", Event.payload["cited"].astext.in_(sorted(judgments))),
    )
    query = sa.select(Event).where(Event.account_id == account_id, _OF_LAW, about)
    return session.scalars(query.order_by(Event.seq.desc()).limit(limit)).all()


def _set_mail(session: Session, row: Watch, mail: bool) -> None:
    if row.mail != mail:
        row.mail = mail
        session.flush()
        _note(session, row, "watch.changed")


def _note(session: Session, row: Watch, action: tenancy.activity.Action) -> None:
    """Note what was done to a watch, under the name of what is watched."""
    name = f"{row.title}, art. {row.article}" if row.article else row.title
    details = {"subject": row.subject, "mail": row.mail}
    tenancy.activity.record(
        session, row.account_id, action, tenancy.activity.Target("watch", str(row.id), name), details=details
    )
