"""The chain of an account's audit records: verified in the order of its positions, in memory that does not
grow.

What is verified of a record (decision 036): that it follows the one before it, that its hash is that of its
content, and that every column by which the trail is listed or filtered says what the content says.
"""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

import rfc8785
import sqlalchemy as sa
from sqlalchemy.orm import Session

from app.governance.models import AuditHead, AuditRecord
from app.platform import clock

# The hash "before" an account's first record.
GENESIS = "0" * 64
# How many records on each side of one are recomputed for its own document, where the chain is long.
STRETCH = 500
# Since this version of the content `at` is the content's moment itself; before, it had microseconds beside.
EXACT_SINCE = 2
_BATCH = 500

# `missing`: a position without a record. `link`: does not carry the hash of the one before. `content`: its
# hash is # not that of its content. `columns`: listed under something else than its content says. `head`:
# the end that was # noted does not fit the records.
Problem = Literal["missing", "link", "content", "columns", "head"]

# A row of `AuditRecord`, or one with its columns.
Row = Any
COLUMNS = (
    AuditRecord.id,
    AuditRecord.account_id,
    AuditRecord.seq,
    AuditRecord.at,
    AuditRecord.api_key_id,
    AuditRecord.request_id,
    AuditRecord.content,
    AuditRecord.previous_hash,
    AuditRecord.hash,
)


@dataclass(frozen=True, slots=True)
class ChainVerdict:
    """Whether an account's chain is whole.

    `records` is its length and `head` its last hash, both as the head has them. `first_broken` is the id of
    the first record that does not fit, `None` where it is missing altogether; `first_broken_seq` its
    position, `problem` what does not fit. `broken` counts the records that do not fit and the positions
    without one. Where only a stretch was looked at, `first` and `last` are its positions, both inclusive.
    """

    valid: bool
    records: int
    head: str
    first_broken: uuid.UUID | None
    first: int = 1
    last: int | None = None
    first_broken_seq: int | None = None
    problem: Problem | None = None
    broken: int = 0

    @property
    def checked(self) -> int:
        """How many hashes were recomputed."""
        return (self.records if self.last is None else self.last) - self.first + 1

    @property
    def partial(self) -> bool:
        """Whether only a stretch of the chain was looked at."""
        return self.checked < self.records


@dataclass(frozen=True, slots=True)
class End:
    """The end of a chain, of one snapshot: what the head says, and the last position that has a record."""

    seq: int
    previous_hash: str | None
    hash: str
    last: int


@dataclass(slots=True)
class Walk:
    """A walk along a chain: how far it is, and the first thing that did not fit.

    Plain values only, so that it can rest between two stretches (`app.governance.chain_check`).
    """

    total: int
    head: str
    seen: int = 0
    previous: str = GENESIS
    # The hash before the last record taken in.
    before: str | None = None
    broken: int = 0
    first_broken: str | None = None
    first_broken_seq: int | None = None
    problem: Problem | None = None

    def add(self, record: Row) -> Problem | None:
        """Take in the next record; return what does not fit about it, `None` where all does."""
        if record.seq != self.seen + 1:
            self._note("missing", self.seen + 1, None, times=max(1, record.seq - self.seen - 1))
        found = fault(record, None if record.seq != self.seen + 1 else self.previous)
        if found:
            self._note(found, record.seq, record.id)
        self.before, self.previous, self.seen = record.previous_hash, record.hash, record.seq
        return found

    def finish(self, end: End, *, through: int) -> None:
        """Compare what was walked, up to position `through`, with the end of the chain."""
        if self.seen < through:
            self._note("missing", self.seen + 1, None, times=through - self.seen)
        elif through == self.total and (
            self.previous != self.head
            or (end.seq == self.total and self.before and end.previous_hash != self.before)
        ):
            self._note("head", self.seen, None)
        if end.last > end.seq:
            self._note("head", end.seq + 1, None, times=end.last - end.seq)

    def verdict(self, *, first: int = 1, last: int | None = None) -> ChainVerdict:
        """What the walk came to."""
        return ChainVerdict(
            valid=self.broken == 0,
            records=self.total,
            head=self.head,
            first_broken=uuid.UUID(self.first_broken) if self.first_broken else None,
            first=first,
            last=last,
            first_broken_seq=self.first_broken_seq,
            problem=self.problem,
            broken=self.broken,
        )

    def _note(self, problem: Problem, seq: int, record_id: uuid.UUID | None, *, times: int = 1) -> None:
        if self.problem is None:
            self.problem, self.first_broken_seq = problem, seq
            self.first_broken = str(record_id) if record_id else None
        self.broken += times


def end_of(session: Session, account_id: uuid.UUID) -> End:
    """Read the head and the last position of an account's chain in one statement, which is one snapshot."""
    last = sa.select(sa.func.max(AuditRecord.seq)).where(AuditRecord.account_id == account_id)
    head = sa.select(AuditHead).where(AuditHead.account_id == account_id).subquery()
    one = sa.select(last.scalar_subquery().label("last")).subquery()
    query = sa.select(one.c.last, head.c.seq, head.c.previous_hash, head.c.hash)
    row = session.execute(query.select_from(one.outerjoin(head, sa.true()))).one()
    return End(row.seq or 0, row.previous_hash, row.hash or GENESIS, row.last or 0)


def length_of_chain(session: Session, account_id: uuid.UUID) -> int:
    """How many records the account's trail should have."""
    return session.scalar(sa.select(AuditHead.seq).where(AuditHead.account_id == account_id)) or 0


def verify_chain(
    session: Session,
    account_id: uuid.UUID,
    *,
    around: int | None = None,
    tell: Callable[[int, int], None] = lambda _done, _total: None,
    each: Callable[[Row, Problem | None], None] = lambda _record, _problem: None,
) -> ChainVerdict:
    """Verify every record of an account's chain in the order of positions, in batches.

    The head is read first: what is appended meanwhile lies behind it and is left to the next check. A chain
    cut short at its end is whole by itself; only the head knows how long it should be. With `around`, only
    `STRETCH` records on each side of that position are verified. `tell` hears after each batch how many are
    through, and of how many; `each` gets every record with what does not fit about it.
    """
    end = end_of(session, account_id)
    first, last = (
        (1, end.seq) if around is None else (max(1, around - STRETCH), min(end.seq, around + STRETCH))
    )
    walk = Walk(end.seq, end.hash, first - 1, _hash_at(session, account_id, first - 1))
    while batch := records_after(session, account_id, walk.seen, last, limit=_BATCH):
        for record in batch:
            each(record, walk.add(record))
        tell(walk.seen - first + 1, last - first + 1)
    walk.finish(end, through=last)
    return walk.verdict(first=first, last=last)


def records_after(
    session: Session, account_id: uuid.UUID, seq: int, last: int, *, limit: int
) -> Sequence[Row]:
    """The records behind position `seq` up to `last`, in their order, at most `limit`."""
    query = (
        sa.select(*COLUMNS)
        .where(AuditRecord.account_id == account_id, AuditRecord.seq > seq, AuditRecord.seq <= last)
        .order_by(AuditRecord.seq)
        .limit(limit)
    )
    return session.execute(query).all()


def _hash_at(session: Session, account_id: uuid.UUID, seq: int) -> str:
    """The hash of a record; where it is missing, one that nothing fits."""
    if seq == 0:
        return GENESIS
    query = sa.select(AuditRecord.hash).where(AuditRecord.account_id == account_id, AuditRecord.seq == seq)
    return session.scalar(query) or ""


def fault(record: Row, previous: str | None) -> Problem | None:
    """What does not fit about a record; `previous` is the hash before it, `None` where that is not known."""
    if previous is not None and record.previous_hash != previous:
        return "link"
    if record.hash != digest(record.previous_hash, record.seq, record.content):
        return "content"
    return None if _listed_truly(record) else "columns"


def canonical(content: Mapping[str, Any]) -> str:
    """The RFC 8785 form of a record's content."""
    return rfc8785.dumps(dict(content)).decode()


def digest(previous: str, seq: int, content: Any) -> str | None:
    """SHA-256 (hex) of `previous:seq:content`, the content in RFC 8785 form; `None` where it has no such
    form.
    """
    try:
        return hashlib.sha256(f"{previous}:{seq}:{canonical(content)}".encode()).hexdigest()
    except (rfc8785.CanonicalizationError, TypeError, ValueError):
        return None


def _listed_truly(record: Row) -> bool:
    """Whether the columns of a record, whose hash fits its content, say what the content says."""
    content = record.content
    columns = (str(record.id), str(record.account_id), str(record.api_key_id), record.request_id)
    if columns != tuple(content.get(name) for name in ("analysisId", "accountId", "apiKeyId", "requestId")):
        return False
    if clock.iso(record.at) != content.get("finishedAt"):
        return False
    # The content has milliseconds.
    return bool(content.get("recordVersion", 1) < EXACT_SINCE or record.at.microsecond % 1000 == 0)


def moment_of(content: Mapping[str, Any]) -> datetime:
    """The moment at which an analysis ended, as its hashed content says."""
    return datetime.fromisoformat(content["finishedAt"])
