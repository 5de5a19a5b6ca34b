"""Everything known of one analysis: its record, whether it fits, its reviews, its place in the log."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

import sqlalchemy as sa
from sqlalchemy.orm import Session

from app.governance import audit_list, chain, reviews
from app.governance.models import AuditRecord, LogCheckpoint, LogPosition
from app.governance.transparency import log

__all__ = ["AnalysisRecord", "Anchor", "analysis_record"]


@dataclass(frozen=True, slots=True)
class Anchor:
    """The place of a record in the transparency log, and the newest signed head that covers it.

    `head` is the signed note; `stamped` says whether it has an RFC 3161 time stamp.
    """

    index: int
    size: int
    signed_at: datetime
    head: str
    stamped: bool


@dataclass(frozen=True, slots=True)
class AnalysisRecord:
    """The record of an analysis with what was recorded of it later.

    Attributes:
        record: The record itself.
        problem: What does not fit between it, its hash and the record before it; `None` where all fits.
        length: How many records the account's chain has.
        reviews: What people decided, in the order of the chain.
        anchor: Its place in the log; `None` until the next head is signed.
    """

    record: AuditRecord
    problem: chain.Problem | None
    length: int
    reviews: Sequence[reviews.Review]
    anchor: Anchor | None


def analysis_record(session: Session, account_id: uuid.UUID, seq: int) -> AnalysisRecord:
    """Return what is known of the analysis at a position of an account's chain.

    Raises:
        NotFound: There is no analysis at this position (404).
    """
    record = audit_list.analysis_at(session, account_id, seq)
    before = (
        session.scalar(
            sa.select(AuditRecord.hash).where(
                AuditRecord.account_id == account_id, AuditRecord.seq == seq - 1
            )
        )
        if seq > 1
        else chain.GENESIS
    )
    made = [
        one
        for one in reviews.reviews_of(session, account_id, [record.request_id]).get(record.request_id, [])
        if one.analysis_id == record.id
    ]
    return AnalysisRecord(
        record,
        # Where the record before is gone, this one cannot follow it.
        chain.fault(record, before or ""),
        chain.length_of_chain(session, account_id),
        made,
        _anchor(session, account_id, seq),
    )


def _anchor(session: Session, account_id: uuid.UUID, seq: int) -> Anchor | None:
    place = session.get(LogPosition, (account_id, seq))
    head: LogCheckpoint | None = log.newest_checkpoint(session)
    if place is None or head is None or place.log_index >= head.size:
        return None
    return Anchor(place.log_index, head.size, head.at, head.note, head.time_stamp is not None)
