"""The audit trail as people leaf through it: newest first by time, under filters, a page at a time."""

from __future__ import annotations

import uuid
from collections.abc import Sequence

import sqlalchemy as sa
from sqlalchemy.orm import Session

from app.governance.models import FLAGGED, AuditRecord
from app.governance.trail import Filter


def page(
    session: Session, account_id: uuid.UUID, chosen: Filter, *, before: int | None = None, limit: int
) -> Sequence[AuditRecord]:
    """Records that fit, the latest end first, behind the record number `before` where given.

    Analyses that ended while others were being written may stand a place apart from their order in the chain.
    Every filter has an index in this order: a page of a million records costs what a page of a thousand does.
    """
    mine = AuditRecord.account_id == account_id
    query = sa.select(AuditRecord).where(mine)
    if chosen.since is not None:
        query = query.where(AuditRecord.at >= chosen.since)
    if chosen.until is not None:
        query = query.where(AuditRecord.at < chosen.until)
    if chosen.api_key_id is not None:
        query = query.where(AuditRecord.api_key_id == chosen.api_key_id)
    if chosen.flagged:
        query = query.where(sa.text(f"({FLAGGED})"))
    if before is not None:
        at = session.scalar(sa.select(AuditRecord.at).where(mine, AuditRecord.seq == before))
        if at is None:
            return ()
        place = sa.tuple_(sa.literal(at), sa.literal(before, sa.BigInteger))
        query = query.where(sa.tuple_(AuditRecord.at, AuditRecord.seq) < place)
    return session.scalars(query.order_by(AuditRecord.at.desc(), AuditRecord.seq.desc()).limit(limit)).all()
