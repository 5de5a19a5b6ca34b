"""Listing of the audit trail for the portal: newest first, filtered, paged."""

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
    """Return a page of records under a filter, in descending order of the chain.

    The order is that of positions, which no clock decides. Without a period, each filter has an index in that
    order, so that a page costs the same for a million records as for a thousand; the positions of a period
    are read from an index by time and then sorted.

    Args:
        session: The caller's transaction.
        account_id: The account.
        chosen: The filter.
        before: Position before which the page begins, `None` for the end of the chain.
        limit: Size of the page.
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
