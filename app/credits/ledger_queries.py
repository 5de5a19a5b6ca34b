"""Queries of the ledger: newest first, filtered, paginated."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.orm import Session

from app.credits.models import CreditEntry


@dataclass(frozen=True, slots=True)
class Filter:
    """Conditions of a list. Times are half-open: from `since` up to, not including, `until`."""

    since: datetime | None = None
    until: datetime | None = None
    kinds: tuple[str, ...] = ()
    api_key_id: uuid.UUID | None = None


@dataclass(frozen=True, slots=True)
class Page:
    """Rows, newest first; `next_seq` is where the next page begins, `None` on the last."""

    rows: Sequence[Any]
    next_seq: int | None


def entries(
    session: Session, account_id: uuid.UUID, wanted: Filter, *, before_seq: int | None, limit: int
) -> Page:
    """Return the movements of an account that match `wanted`, older than `before_seq` where given.

    Pagination is by position in the ledger, so rows written meanwhile neither shift nor repeat a page. With a
    key or days in the filter rows are ordered by time, as their indexes are; two rows of the same moment may
    then be in the other order than in the whole ledger.
    """
    by_time = bool(wanted.since or wanted.until or wanted.api_key_id)
    query = sa.select(
        CreditEntry.id,
        CreditEntry.seq,
        CreditEntry.created_at,
        CreditEntry.amount,
        CreditEntry.kind,
        CreditEntry.reference_type,
        CreditEntry.reference_id,
        CreditEntry.api_key_id,
        CreditEntry.description,
        CreditEntry.operation_type,
        CreditEntry.balance_after,
    ).where(CreditEntry.account_id == account_id)
    if wanted.since is not None:
        query = query.where(CreditEntry.created_at >= wanted.since)
    if wanted.until is not None:
        query = query.where(CreditEntry.created_at < wanted.until)
    if wanted.kinds:
        # Written out, so that the planner sees which of them an index holds.
        written: Any = sa.bindparam("kinds", wanted.kinds, expanding=True, literal_execute=True)
        query = query.where(CreditEntry.kind.in_(written))
        if "consumption" not in wanted.kinds:
            query = query.where(sa.text("credit_ledger.kind <> 'consumption'"))
    if wanted.api_key_id is not None:
        query = query.where(CreditEntry.api_key_id == wanted.api_key_id)
    if before_seq is not None and by_time:
        place = sa.select(CreditEntry.created_at, CreditEntry.seq).where(
            CreditEntry.account_id == account_id, CreditEntry.seq == before_seq
        )
        query = query.where(sa.tuple_(CreditEntry.created_at, CreditEntry.seq) < place.scalar_subquery())
    elif before_seq is not None:
        query = query.where(CreditEntry.seq < before_seq)
    order = (CreditEntry.created_at, CreditEntry.seq) if by_time else (CreditEntry.seq,)
    rows = session.execute(query.order_by(*(part.desc() for part in order)).limit(limit + 1)).all()
    more = len(rows) > limit
    return Page(rows[:limit], rows[limit - 1].seq if more else None)
