"""The audit trail as people leaf through it: newest first by time, under filters, a page at a time."""

from __future__ import annotations

import uuid
from collections.abc import Sequence

import sqlalchemy as sa
from sqlalchemy.orm import Session

from app.governance.models import AuditRecord
from app.governance.trail import Filter, matching


def page(
    session: Session, account_id: uuid.UUID, chosen: Filter, *, before: int | None = None, limit: int
) -> Sequence[AuditRecord]:
    """Records that fit, the latest end first, behind the record number `before` where given.

    Analyses that ended while others were being written may stand a place apart from their order in the chain.
    Every filter has an index in this order: a page of a million records costs what a page of a thousand does.
    """
    query = sa.select(AuditRecord).where(*matching(account_id, chosen))
    if before is not None:
        at = session.scalar(
            sa.select(AuditRecord.at).where(AuditRecord.account_id == account_id, AuditRecord.seq == before)
        )
        if at is None:
            return ()
        place = sa.tuple_(sa.literal(at), sa.literal(before, sa.BigInteger))
        query = query.where(sa.tuple_(AuditRecord.at, AuditRecord.seq) < place)
    return session.scalars(query.order_by(AuditRecord.at.desc(), AuditRecord.seq.desc()).limit(limit)).all()
