"""Verification of an account's chain of audit records, in order of positions and in constant memory.

Verified of each record (decision 036): that it follows the one before it, that its hash matches its content,
and that every column used for listing or filtering agrees with the content.
"""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

import sqlalchemy as sa
from sqlalchemy.orm import Session

from app.governance.models import AuditHead, AuditRecord
from app.governance.transparency.log import AnchorVerdict, check_account
from app.platform import canonical_json, clock

# The hash "before" an account's first record.
GENESIS = "0" * 64
# How many records on each side of one are recomputed for its own document, where the chain is long.
STRETCH = 500
# Since this version of the content `at` is the content's moment itself; before, it had microseconds beside.
EXACT_SINCE = 2
_BATCH = 500

# `missing`: a position without a record. `link`: does not carry the hash of the one before. `content`: its
# hash is not that of its content. `columns`: listed under something else than its content says. `head`: the
# end that was noted does not fit the records. `log`: the transparency log has another record at that
# position, or one that is gone.
Problem = Literal["missing", "link", "content", "columns", "head", "log"]

# A row of `AuditRecord`, or one with its columns.
Row = Any
COLUMNS = (
    AuditRecord.id,
    AuditRecord.account_id,
    AuditRecord.seq,
    AuditRecord.at,
    AuditRecord.api_key_id,
    AuditRecord.member_id,
    AuditRecord.kind,
    AuditRecord.request_id,
    AuditRecord.content,
    AuditRecord.previous_hash,
    AuditRecord.hash,
)


@dataclass(frozen=True, slots=True)
class ChainVerdict:
    """The result of verifying an account's chain.

    Attributes:
        valid: Whether every record is intact.
        records: Length of the chain, according to its head.
        head: Hash of the last record, according to the head.
        first_broken: Id of the first record that does not fit, `None` where that record is missing.
        first: First verified position, inclusive, where only a part was verified.
        last: Last verified position, inclusive; `None` for the whole chain.
        first_broken_seq: Its position.
        problem: What does not fit about it.
        broken: Number of records that do not fit and of positions without a record.
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
        """Return how many hashes were recomputed."""
        return (self.records if self.last is None else self.last) - self.first + 1

    @property
    def partial(self) -> bool:
        """Return whether only a part of the chain was verified."""
        return self.checked < self.records


@dataclass(frozen=True, slots=True)
class End:
    """The end of a chain in one snapshot: the head, and the last position that has a record."""

    seq: int
    previous_hash: str | None
    hash: str
    last: int


@dataclass(slots=True)
class VerificationState:
    """The state of a verification: how far it is, and the first problem found.

    Plain values only, so that it can be stored between two batches (`app.governance.chain_check`).
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
        """Verify the next record; return its problem, `None` where there is none."""
        if record.seq != self.seen + 1:
            self._note("missing", self.seen + 1, None, times=max(1, record.seq - self.seen - 1))
        found = fault(record, None if record.seq != self.seen + 1 else self.previous)
        if found:
            self._note(found, record.seq, record.id)
        self.before, self.previous, self.seen = record.previous_hash, record.hash, record.seq
        return found

    def finish(self, end: End, *, through: int) -> None:
        """Compare the verified records, up to position `through`, with the end of the chain."""
        if self.seen < through:
            self._note("missing", self.seen + 1, None, times=through - self.seen)
        elif through == self.total and (
            self.previous != self.head
            or (end.seq == self.total and self.before and end.previous_hash != self.before)
        ):
            self._note("head", self.seen, None)
        if end.last > end.seq:
            self._note("head", end.seq + 1, None, times=end.last - end.seq)

    def anchor(self, found: AnchorVerdict) -> None:
        """Compare a chain that fits by itself with what the transparency log has of it."""
        if self.problem is None and not found.intact:
            self._note("log", found.first_problem or 1, None, times=found.missing + found.changed)

    def verdict(self, *, first: int = 1, last: int | None = None) -> ChainVerdict:
        """Return the result so far."""
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
    """Return how many records the account's chain has, according to its head."""
    return session.scalar(sa.select(AuditHead.seq).where(AuditHead.account_id == account_id)) or 0


def verify_chain(
    session: Session,
    account_id: uuid.UUID,
    *,
    around: int | None = None,
    tell: Callable[[int, int], None] = lambda _done, _total: None,
    each: Callable[[Row, Problem | None], None] = lambda _record, _problem: None,
) -> ChainVerdict:
    """Verify every record of an account's chain in order of positions, in batches.

    The head is read first, so that records appended meanwhile are left to the next verification. A chain that
    was cut short at its end is consistent in itself; only the head has its length.

    Args:
        session: The caller's transaction.
        account_id: The account.
        around: Verify only `STRETCH` records on each side of this position.
        tell: Called after each batch with the number of verified records and of all.
        each: Called with every record and its problem.
    """
    end = end_of(session, account_id)
    first, last = (
        (1, end.seq) if around is None else (max(1, around - STRETCH), min(end.seq, around + STRETCH))
    )
    walk = VerificationState(end.seq, end.hash, first - 1, _hash_at(session, account_id, first - 1))
    while batch := records_after(session, account_id, walk.seen, last, limit=_BATCH):
        for record in batch:
            each(record, walk.add(record))
        tell(walk.seen - first + 1, last - first + 1)
    walk.finish(end, through=last)
    if around is None:
        walk.anchor(check_account(session, account_id))
    return walk.verdict(first=first, last=last)


def records_after(
    session: Session, account_id: uuid.UUID, seq: int, last: int, *, limit: int
) -> Sequence[Row]:
    """Return the records after position `seq` up to `last`, in order, at most `limit`."""
    query = (
        sa.select(*COLUMNS)
        .where(AuditRecord.account_id == account_id, AuditRecord.seq > seq, AuditRecord.seq <= last)
        .order_by(AuditRecord.seq)
        .limit(limit)
    )
    return session.execute(query).all()


def _hash_at(session: Session, account_id: uuid.UUID, seq: int) -> str:
    """Return the hash of the record at a position, or a value that no hash equals if it is missing."""
    if seq == 0:
        return GENESIS
    query = sa.select(AuditRecord.hash).where(AuditRecord.account_id == account_id, AuditRecord.seq == seq)
    return session.scalar(query) or ""


def fault(record: Row, previous: str | None) -> Problem | None:
    """Return the problem of a record, `None` where there is none.

    `previous` is the hash of the record before it, `None` where that is unknown.
    """
    if previous is not None and record.previous_hash != previous:
        return "link"
    if record.hash != digest(record.previous_hash, record.seq, record.content):
        return "content"
    return None if _listed_truly(record) else "columns"


def canonical(content: Mapping[str, Any]) -> str:
    """Return the RFC 8785 form of a record's content."""
    return canonical_json.dumps(dict(content)).decode()


def digest(previous: str, seq: int, content: Any) -> str | None:
    """Return the SHA-256 (hex) of `previous:seq:content`, with the content in RFC 8785 form.

    `None` for content that has no such form.
    """
    try:
        return hashlib.sha256(f"{previous}:{seq}:{canonical(content)}".encode()).hexdigest()
    except (canonical_json.CanonicalizationError, TypeError, ValueError):
        return None


def _listed_truly(record: Row) -> bool:
    """Return whether the columns of a record agree with its content."""
    content = record.content
    columns = (record.id, record.account_id, record.api_key_id, record.member_id)
    if tuple(str(one) if one else None for one in columns) != (
        content.get("recordId") or content.get("analysisId"),
        content.get("accountId"),
        content.get("apiKeyId"),
        content.get("memberId"),
    ):
        return False
    if (record.kind, record.request_id) != (content.get("kind", "analysis"), content.get("requestId")):
        return False
    if clock.iso(record.at) != content.get("finishedAt"):
        return False
    # The content has milliseconds.
    return bool(content.get("recordVersion", 1) < EXACT_SINCE or record.at.microsecond % 1000 == 0)


def moment_of(content: Mapping[str, Any]) -> datetime:
    """Return the time at which an analysis ended, from its hashed content."""
    return datetime.fromisoformat(content["finishedAt"])
