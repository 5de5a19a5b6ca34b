"""The log of calls: what was asked, when, with which key, and how it ended. No content."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, get_args

import sqlalchemy as sa
from sqlalchemy.orm import Session

from app.usage.models import UsageCall
from app.usage.rollup import Call

Outcome = Literal["ok", "error", "limited", "server"]
OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)
# An abbreviated request id is looked for by its beginning only from this length on.
PREFIX_MIN = 6

_OUTCOME: dict[Outcome, sa.ColumnElement[bool]] = {
    "ok": UsageCall.status < 400,
    "error": UsageCall.status >= 400,
    "limited": UsageCall.status == 429,
    "server": UsageCall.status >= 500,
}


@dataclass(frozen=True, slots=True)
class CallFilter:
    """Which calls: from a moment (inclusive) to another (exclusive), and what is given of the rest."""

    since: datetime | None = None
    until: datetime | None = None
    api_key_id: uuid.UUID | None = None
    endpoint: str | None = None
    outcome: Outcome | None = None
    code: str | None = None
    # A request id, or its beginning.
    request_id: str | None = None


def log(
    session: Session,
    account_id: uuid.UUID,
    chosen: CallFilter,
    *,
    before: uuid.UUID | None = None,
    limit: int,
) -> Sequence[Call]:
    """Return calls of an account, newest first, without charges that came after a call (status 0).

    Args:
        session: A reading session.
        account_id: The account.
        chosen: The filter.
        before: Id of the call behind which the page begins; an unknown one gives nothing.
        limit: Size of the page.
    """
    query = sa.select(UsageCall).where(UsageCall.account_id == account_id, *_conditions(chosen))
    if before is not None:
        place = (
            sa.select(UsageCall.at, UsageCall.id)
            .where(UsageCall.account_id == account_id, UsageCall.id == before)
            .scalar_subquery()
        )
        query = query.where(sa.tuple_(UsageCall.at, UsageCall.id) < place)
    rows = session.scalars(query.order_by(UsageCall.at.desc(), UsageCall.id.desc()).limit(limit))
    return [call_of(row) for row in rows]


def logged(session: Session, account_id: uuid.UUID, call_id: uuid.UUID) -> Call | None:
    """Return one call of an account, `None` where there is none with this id."""
    row = session.scalar(
        sa.select(UsageCall).where(
            UsageCall.account_id == account_id, UsageCall.id == call_id, UsageCall.status > 0
        )
    )
    return call_of(row) if row else None


def call_of(row: UsageCall) -> Call:
    """Return a row as a call."""
    return Call(
        at=row.at,
        account_id=row.account_id,
        api_key_id=row.api_key_id,
        endpoint=row.endpoint,
        status=row.status,
        latency_ms=row.latency_ms,
        credits=row.credits,
        id=row.id,
        request_id=row.request_id,
        code=row.code,
    )


def _conditions(chosen: CallFilter) -> list[sa.ColumnElement[bool]]:
    found: list[sa.ColumnElement[bool]] = [UsageCall.status > 0]
    if chosen.since is not None:
        found.append(UsageCall.at >= chosen.since)
    if chosen.until is not None:
        found.append(UsageCall.at < chosen.until)
    if chosen.api_key_id is not None:
        found.append(UsageCall.api_key_id == chosen.api_key_id)
    if chosen.endpoint is not None:
        found.append(UsageCall.endpoint == chosen.endpoint)
    if chosen.outcome is not None:
        found.append(_OUTCOME[chosen.outcome])
    if chosen.code is not None:
        # Only a failed call has a code: said so, PostgreSQL may read the index of failed calls.
        found += [UsageCall.code == chosen.code, UsageCall.status >= 400]
    if chosen.request_id is not None:
        exact = UsageCall.request_id == chosen.request_id
        begins = UsageCall.request_id.startswith(chosen.request_id, autoescape=True)
        found.append(sa.or_(exact, begins) if len(chosen.request_id) >= PREFIX_MIN else exact)
    return found


def latest(session: Session, account_id: uuid.UUID, *, limit: int) -> Sequence[Call]:
    """Return the newest calls, newest first."""
    return log(session, account_id, CallFilter(), limit=limit)
