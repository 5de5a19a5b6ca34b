"""The records of a period, however many: how many there are, and all of them in constant memory."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from sqlalchemy.orm import Session

from app.governance.models import AuditRecord
from app.governance.trail import Filter, matching

_BATCH = 1_000
_COLUMNS = (
    AuditRecord.id,
    AuditRecord.seq,
    AuditRecord.at,
    AuditRecord.api_key_id,
    AuditRecord.content,
    AuditRecord.previous_hash,
    AuditRecord.hash,
)

# A row with the columns above.
Row = Any


@dataclass(frozen=True, slots=True)
class Extent:
    """How many records, and the positions of the first and the last of them (0 where there are none)."""

    records: int
    first: int
    last: int


def extent(session: Session, account_id: uuid.UUID, chosen: Filter, *, limit: int) -> Extent:
    """The extent of what fits; counting stops one behind `limit`."""
    found = sa.select(AuditRecord.seq).where(*matching(account_id, chosen)).limit(limit + 1).subquery()
    query = sa.select(sa.func.count(), sa.func.min(found.c.seq), sa.func.max(found.c.seq))
    records, first, last = session.execute(query.select_from(found)).one()
    return Extent(records, first or 0, last or 0)


def batches(
    session: Session, account_id: uuid.UUID, chosen: Filter, within: Extent
) -> Iterator[Sequence[Row]]:
    """The records of the extent, oldest first, in batches; each is its own statement.

    Records are never changed and none comes in between, so that the batches fit together as one snapshot.
    """
    seen = within.first - 1
    while within.records:
        query = (
            sa.select(*_COLUMNS)
            .where(*matching(account_id, chosen), AuditRecord.seq > seen, AuditRecord.seq <= within.last)
            .order_by(AuditRecord.seq)
            .limit(_BATCH)
        )
        found = session.execute(query).all()
        if not found:
            return
        yield found
        seen = found[-1].seq
