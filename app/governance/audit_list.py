"""The audit trail as people leaf through it: newest first, under filters, a page at a time."""

from __future__ import annotations

import uuid
from collections.abc import Sequence

import sqlalchemy as sa
from sqlalchemy.orm import Session

from app.governance.audit_log import Filter, matching
from app.governance.models import AuditRecord


def page(
    session: Session, account_id: uuid.UUID, chosen: Filter, *, before: int | None = None, limit: int
) -> Sequence[AuditRecord]:
    """Records that fit, the end of the chain first, behind the record number `before` where given.

    The order is that of the chain, which nobody's clock decides. Without a period each filter has an index
    in that order, so that a page of a million records costs what a page of a thousand does; the positions
    of a period are read from an index by time and then put in order.
    """
    found = sa.select(AuditRecord.seq).where(*matching(account_id, chosen))
    if before is not None:
        found = found.where(AuditRecord.seq < before)
    # With `+ 0` the order is no index's: following that one would read every record behind the period first.
    timed = chosen.since is not None or chosen.until is not None
    order = (AuditRecord.seq + 0 if timed else AuditRecord.seq).desc()
    positions = session.scalars(found.order_by(order).limit(limit)).all()
    query = sa.select(AuditRecord).where(AuditRecord.account_id == account_id, AuditRecord.seq.in_(positions))
    return session.scalars(query.order_by(AuditRecord.seq.desc())).all()
