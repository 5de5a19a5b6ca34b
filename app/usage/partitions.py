"""Months of `usage_calls`: opened before they begin, detached, attached again and dropped (decision 113).

The functions of the database that do it (migration 0053) belong to the tables' owner; `candado_system` may
call them. Each waits two seconds for a lock at most, since what waits for it makes all calls wait.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import LiteralString, cast

import sqlalchemy as sa
from sqlalchemy.orm import Session

from app.platform.errors import Invalid, NotFound
from app.platform.postgres.db import Statements

# A worker that is away for so long finds no month open; calls then wait in `usage_calls_rest`.
_AHEAD = 3
_PATTERN = "^usage_calls_[0-9]{4}_[0-9]{2}$"
_MONTHS = f"""
    SELECT c.relname AS name, c.relispartition AS attached, pg_total_relation_size(c.oid) AS bytes,
           greatest(c.reltuples, 0)::bigint AS calls
    FROM pg_class c
    WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' AND c.relname ~ '{_PATTERN}'
    ORDER BY 1
    """  # noqa: S608 (our own pattern)


@dataclass(frozen=True, slots=True)
class UsageMonth:
    """A month of calls as a table of its own: its first day, size, and about how many calls it has.

    One that is not attached is in no list or log of requests; the sums of its calls stay.
    """

    month: date
    attached: bool
    bytes: int
    calls: int


def months(session: Session) -> list[UsageMonth]:
    """Return the months, the oldest first; calls from before there were months are in none."""
    return [
        UsageMonth(_first_day(row.name), row.attached, row.bytes, row.calls)
        for row in session.execute(sa.text(_MONTHS))
    ]


def open_months(session: Statements, *, today: date) -> int:
    """Open the months that begin next, with the calls that waited for them; return how many were new."""
    last = session.one(
        "SELECT max(relname::text) AS name FROM pg_class WHERE relnamespace = current_schema()::regnamespace "
        "AND relkind = 'r' AND relname ~ %(pattern)s",
        {"pattern": _PATTERN},
    ).name
    # One after the other: what is older than the first of them is in one table, which ends where it begins.
    month = _first_day(last) if last else today.replace(day=1)
    wanted = today.replace(day=1)
    for _ in range(_AHEAD):
        wanted = _after(wanted)
    opened = 0
    while month < wanted:
        month = _after(month)
        opened += session.one("SELECT open_usage_month(%(month)s) AS new", {"month": month}).new
    return opened


def detach(session: Session, month: date) -> UsageMonth:
    """Take a month out of `usage_calls`; its table stays. Raises `NotFound` and `Invalid`."""
    found = _known(session, month)
    if not found.attached:
        raise Invalid(f"{month:%Y-%m} is detached already.", details={"field": "month"})
    session.execute(sa.text("SELECT detach_usage_month(:month)"), {"month": found.month})
    return _known(session, month)


def attach(session: Session, month: date) -> UsageMonth:
    """Put a month back into `usage_calls`; reads it once. Raises `NotFound` and `Invalid`."""
    found = _known(session, month)
    if found.attached:
        raise Invalid(f"{month:%Y-%m} is attached already.", details={"field": "month"})
    session.execute(sa.text("SELECT attach_usage_month(:month)"), {"month": found.month})
    return _known(session, month)


def drop_old(session: Session, *, before: date) -> list[date]:
    """Drop the months, detached ones too, that ended by `before`; return their first days."""
    old = [one.month for one in months(session) if _after(one.month) <= before]
    for month in old:
        session.execute(sa.text("SELECT drop_usage_month(:month)"), {"month": month})
    return old


def detached_tables(session: Statements) -> Sequence[LiteralString]:
    """Return the tables of the months that are detached, for what has to reach every call."""
    row = session.one(
        "SELECT coalesce(array_agg(relname::text ORDER BY relname), '{}') AS names FROM pg_class "
        "WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r' AND NOT relispartition "
        "AND relname ~ %(pattern)s",
        {"pattern": _PATTERN},
    )
    return [cast(LiteralString, name) for name in row.names if re.match(_PATTERN, name)]


def _known(session: Session, month: date) -> UsageMonth:
    found = next((one for one in months(session) if one.month == month.replace(day=1)), None)
    if found is None:
        raise NotFound(f"There is no month {month:%Y-%m} of calls.")
    return found


def _after(month: date) -> date:
    return date(month.year + month.month // 12, month.month % 12 + 1, 1)


def _first_day(name: str) -> date:
    return date(int(name[-7:-3]), int(name[-2:]), 1)
