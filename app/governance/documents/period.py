"""How many records a period has, as they are listed: what an order is judged by before it is made."""

from __future__ import annotations

import uuid

import sqlalchemy as sa
from sqlalchemy.orm import Session

from app.governance.audit_log import Filter, matching
from app.governance.models import AuditRecord


def count(session: Session, account_id: uuid.UUID, chosen: Filter, *, limit: int) -> int:
    """How many records fit; counting stops one behind `limit`.

    What is in the document is decided by what is hashed of each record, when its chain is verified.
    """
    found = sa.select(AuditRecord.seq).where(*matching(account_id, chosen)).limit(limit + 1).subquery()
    return session.scalar(sa.select(sa.func.count()).select_from(found)) or 0
