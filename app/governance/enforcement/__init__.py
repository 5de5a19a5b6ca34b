"""What an enforcement policy withholds, and what it would have withheld."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime

import sqlalchemy as sa
from sqlalchemy.orm import Session

from app.governance.models import FLAGGED, AuditRecord

__all__ = ["DryRun", "dry_run"]


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
