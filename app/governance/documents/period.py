"""Size of a period in records, checked when its document is ordered."""

from __future__ import annotations

import uuid

import sqlalchemy as sa
from sqlalchemy.orm import Session

from app.governance.audit_log import Filter, matching
from app.governance.models import AuditRecord


def count(session: Session, account_id: uuid.UUID, chosen: Filter, *, limit: int) -> int:
    """Return how many records the filter matches, at most `limit` + 1.

    The columns are counted. The document itself goes by the hashed content, when the chain is verified.
    """
    found = sa.select(AuditRecord.seq).where(*matching(account_id, chosen)).limit(limit + 1).subquery()
    return session.scalar(sa.select(sa.func.count()).select_from(found)) or 0
