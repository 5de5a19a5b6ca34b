"""What an enforcement policy withholds, and what it would have withheld."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime

import sqlalchemy as sa
from sqlalchemy.orm import Session

from app.governance.models import FLAGGED, AuditRecord

__all__ = ["DryRun", "dry_run", "dry_run_by_key"]


@dataclass(frozen=True, slots=True)
class DryRun:
    """How many of an account's analyses a policy would have withheld."""

    analyses: int
    withheld: int


def dry_run(
    session: Session, account_id: uuid.UUID, *, since: datetime, api_key_ids: list[uuid.UUID] | None = None
) -> DryRun:
    """Count the analyses since a moment, and those with a broken citation; of some keys or of all."""
    query = sa.select(
        sa.func.count(), sa.func.count().filter(sa.literal_column(f"({FLAGGED})", sa.Boolean))
    ).where(AuditRecord.account_id == account_id, AuditRecord.kind == "analysis", AuditRecord.at >= since)
    if api_key_ids is not None:
        query = query.where(AuditRecord.api_key_id.in_(api_key_ids))
    return DryRun(*session.execute(query).one())


def dry_run_by_key(
    session: Session, account_id: uuid.UUID, *, since: datetime, api_key_ids: list[uuid.UUID], limit: int
) -> list[tuple[uuid.UUID, DryRun]]:
    """Count as `dry_run` does for each key of which something would have been withheld, the most first."""
    withheld = sa.func.count().filter(sa.literal_column(f"({FLAGGED})", sa.Boolean))
    query = (
        sa.select(AuditRecord.api_key_id, sa.func.count(), withheld)
        .where(
            AuditRecord.account_id == account_id,
            AuditRecord.kind == "analysis",
            AuditRecord.at >= since,
            AuditRecord.api_key_id.in_(api_key_ids),
        )
        .group_by(AuditRecord.api_key_id)
        .having(withheld > 0)
        .order_by(withheld.desc(), AuditRecord.api_key_id)
        .limit(limit)
    )
    found = session.execute(query)
    return [(key_id, DryRun(every, some)) for key_id, every, some in found if key_id is not None]
