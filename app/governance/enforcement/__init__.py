"""What an enforcement policy withholds, and what it would have withheld."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime

import sqlalchemy as sa
from sqlalchemy.orm import Session

from app.governance.models import FLAGGED, AuditRecord
from app.tenancy import BoundKeys

__all__ = ["DryRun", "dry_run", "dry_run_by_key"]


@dataclass(frozen=True, slots=True)
class DryRun:
    """How many of an account's analyses a policy would have withheld."""

    analyses: int
    withheld: int


def dry_run(session: Session, account_id: uuid.UUID, *, since: datetime, keys: BoundKeys) -> DryRun:
    """Count the analyses of some keys since a moment, and those with a broken citation.

    Each count is read from an index alone.
    """
    those = _those(account_id, since, keys)
    every, withheld = (
        session.scalar(sa.select(sa.func.count()).select_from(AuditRecord).where(*conditions)) or 0
        for conditions in (those, [*those, _withheld()])
    )
    return DryRun(every, withheld)


def dry_run_by_key(
    session: Session, account_id: uuid.UUID, *, since: datetime, keys: BoundKeys, limit: int
) -> list[tuple[uuid.UUID, DryRun]]:
    """Count as `dry_run` does for each key of which something would have been withheld, the most first."""
    those, withheld = _those(account_id, since, keys), sa.func.count()
    worst = session.execute(
        sa.select(AuditRecord.api_key_id, withheld)
        .where(*those, _withheld(), AuditRecord.api_key_id.is_not(None))
        .group_by(AuditRecord.api_key_id)
        .order_by(withheld.desc(), AuditRecord.api_key_id)
        .limit(limit)
    ).all()
    counted = session.execute(
        sa.select(AuditRecord.api_key_id, sa.func.count())
        .where(*those, AuditRecord.api_key_id.in_([key_id for key_id, _ in worst]))
        .group_by(AuditRecord.api_key_id)
    )
    every = {row[0]: row[1] for row in counted}
    return [(key_id, DryRun(every[key_id], some)) for key_id, some in worst if key_id is not None]


def _withheld() -> sa.ColumnElement[bool]:
    """Return the condition of a broken citation, in the very words of its index."""
    return sa.literal_column(f"({FLAGGED})", sa.Boolean)


def _those(account_id: uuid.UUID, since: datetime, keys: BoundKeys) -> list[sa.ColumnElement[bool]]:
    """Return the conditions of an account's analyses since a moment, of these keys."""
    found = [AuditRecord.account_id == account_id, AuditRecord.kind == "analysis", AuditRecord.at >= since]
    if keys.only is not None:
        found.append(AuditRecord.api_key_id.in_(keys.only))
    elif keys.but:
        found.append(AuditRecord.api_key_id.not_in(keys.but))
    return found
