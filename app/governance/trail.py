"""The audit trail: append, list, verify."""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import rfc8785
import sqlalchemy as sa
from sqlalchemy.orm import Session

from app.governance.models import FLAGGED, AuditHead, AuditRecord
from app.platform import clock
from app.platform.db import Step

# The hash "before" an account's first record.
GENESIS = "0" * 64


@dataclass(frozen=True, slots=True)
class Entry:
    """Metadata of one analysis. Hashes are SHA-256 in hex; counts are by type, verdict and lock."""

    analysis_id: uuid.UUID
    account_id: uuid.UUID
    api_key_id: uuid.UUID
    request_id: str
    started_at: datetime
    finished_at: datetime
    jurisdiction: str
    branch: str
    language: str
    mode: str
    models: tuple[str, ...]
    versions: Mapping[str, str]
    redactions: Mapping[str, int]
    citations: Mapping[str, int]
    locks: Mapping[str, int]
    credits: int
    document_hash: str
    document_characters: int
    analysis_hash: str
    # Of node B, by type and severity; empty where nothing was audited.
    findings: Mapping[str, int] = field(default_factory=dict)

    def content(self) -> dict[str, Any]:
        """The record's content as stored and hashed."""
        return {
            "analysisId": str(self.analysis_id),
            "accountId": str(self.account_id),
            "apiKeyId": str(self.api_key_id),
            "requestId": self.request_id,
            "startedAt": clock.iso(self.started_at),
            "finishedAt": clock.iso(self.finished_at),
            "jurisdiction": self.jurisdiction,
            "legalBranch": self.branch,
            "language": self.language,
            "mode": self.mode,
            "models": list(self.models),
            "versions": dict(self.versions),
            "redactions": dict(self.redactions),
            "citations": dict(self.citations),
            "locks": dict(self.locks),
            "credits": self.credits,
            "documentHash": self.document_hash,
            "documentCharacters": self.document_characters,
            "analysisHash": self.analysis_hash,
            "findings": dict(self.findings),
        }


@dataclass(frozen=True, slots=True)
class ChainVerdict:
    """Whether an account's chain is whole: its length, its last hash, and the first record that is not.

    Where only a stretch was looked at, `first` and `last` are its positions, both inclusive.
    """

    valid: bool
    records: int
    head: str
    first_broken: uuid.UUID | None
    first: int = 1
    last: int | None = None

    @property
    def checked(self) -> int:
        """How many hashes were recomputed."""
        return (self.records if self.last is None else self.last) - self.first + 1

    @property
    def partial(self) -> bool:
        return self.checked < self.records


# One statement: the head row is locked, moved on, and the record written behind it. The hash covers
# the position and the RFC 8785 form of the content.
_APPEND = """
    WITH head AS (
        INSERT INTO audit_heads AS h (account_id, seq, previous_hash, hash)
        VALUES (%(account)s, 1, %(genesis)s,
                encode(sha256(convert_to(%(genesis)s || ':1:' || %(canonical)s, 'UTF8')), 'hex'))
        ON CONFLICT (account_id) DO UPDATE SET
            seq = h.seq + 1,
            previous_hash = h.hash,
            hash = encode(
                sha256(convert_to(h.hash || ':' || h.seq + 1 || ':' || %(canonical)s, 'UTF8')), 'hex'
            )
        RETURNING seq, previous_hash, hash
    )
    INSERT INTO audit_records (id, account_id, seq, at, api_key_id, request_id, content, previous_hash, hash)
    SELECT %(id)s, %(account)s, seq, %(at)s, %(key)s, %(request_id)s, CAST(%(canonical)s AS jsonb),
           previous_hash, hash
    FROM head
    RETURNING hash
    """


def appending(entry: Entry) -> Step[str]:
    """The step that adds a record at the end of its account's chain, ordered by the head's row lock.

    It reads the record's hash.
    """
    values = {
        "id": entry.analysis_id,
        "account": entry.account_id,
        "at": entry.finished_at,
        "key": entry.api_key_id,
        "request_id": entry.request_id,
        "canonical": _canonical(entry.content()),
        "genesis": GENESIS,
    }
    return Step(_APPEND, values, lambda row: str(row.hash))


def records(session: Session, account_id: uuid.UUID, *, limit: int = 50) -> Sequence[AuditRecord]:
    """The newest records of an account, newest first."""
    return session.scalars(
        sa.select(AuditRecord)
        .where(AuditRecord.account_id == account_id)
        .order_by(AuditRecord.seq.desc())
        .limit(limit)
    ).all()


@dataclass(frozen=True, slots=True)
class Filter:
    """Which records: from a moment (inclusive) to another (exclusive), of a key, with a broken citation."""

    since: datetime | None = None
    until: datetime | None = None
    api_key_id: uuid.UUID | None = None
    flagged: bool = False


# Verdicts on a citation that need a lawyer's eye.
BROKEN = ("not_found", "derogated", "mismatch")


def select(
    session: Session,
    account_id: uuid.UUID,
    chosen: Filter,
    *,
    before_seq: int | None = None,
    limit: int,
    oldest_first: bool = False,
) -> Sequence[AuditRecord]:
    """Records that fit, newest first unless asked otherwise; `before_seq` begins after a page before."""
    query = sa.select(AuditRecord).where(*matching(account_id, chosen))
    if before_seq is not None:
        query = query.where(AuditRecord.seq < before_seq)
    order = AuditRecord.seq if oldest_first else AuditRecord.seq.desc()
    return session.scalars(query.order_by(order).limit(limit)).all()


def matching(account_id: uuid.UUID, chosen: Filter) -> list[sa.ColumnElement[bool]]:
    """The conditions of a query for an account's records that fit."""
    found = [AuditRecord.account_id == account_id]
    if chosen.since is not None:
        found.append(AuditRecord.at >= chosen.since)
    if chosen.until is not None:
        found.append(AuditRecord.at < chosen.until)
    if chosen.api_key_id is not None:
        found.append(AuditRecord.api_key_id == chosen.api_key_id)
    if chosen.flagged:
        # The words of an index, so that it serves.
        found.append(sa.literal_column(f"({FLAGGED})", sa.Boolean))
    return found


def record_of(session: Session, account_id: uuid.UUID, request_id: str) -> AuditRecord | None:
    """The newest record of a request, if it has one."""
    return session.scalar(
        sa.select(AuditRecord)
        .where(AuditRecord.account_id == account_id, AuditRecord.request_id == request_id)
        .order_by(AuditRecord.seq.desc())
        .limit(1)
    )


_BATCH = 500
# How many records on each side of one are recomputed for its own document, where the chain is long.
STRETCH = 500


def length_of_chain(session: Session, account_id: uuid.UUID) -> int:
    """How many records the account's trail has."""
    return session.scalar(sa.select(AuditHead.seq).where(AuditHead.account_id == account_id)) or 0


def verify_chain(
    session: Session,
    account_id: uuid.UUID,
    *,
    around: int | None = None,
    tell: Callable[[int, int], None] = lambda _done, _total: None,
) -> ChainVerdict:
    """Recompute every hash of an account's chain in order, in batches.

    The head is read first: what is appended meanwhile lies behind it and is left to the next check. A chain
    cut short at its end is whole by itself; only the head knows how long it should be. With `around`, only
    `STRETCH` records on each side of that position are recomputed. `tell` hears after each batch how many are
    through, and of how many.
    """
    head = session.execute(
        sa.select(AuditHead.seq, AuditHead.hash).where(AuditHead.account_id == account_id)
    ).one_or_none()
    length, last = (head.seq, head.hash) if head else (0, GENESIS)
    begin, end = (1, length) if around is None else (max(1, around - STRETCH), min(length, around + STRETCH))
    previous, seen, first_broken = _hash_at(session, account_id, begin - 1), begin - 1, None
    while batch := _after(session, account_id, seen, end):
        for record in batch:
            whole = (
                record.seq == seen + 1
                and record.previous_hash == previous
                and record.hash == _digest(previous, record.seq, record.content)
            )
            if not whole and first_broken is None:
                first_broken = record.id
            previous, seen = record.hash, record.seq
        tell(seen - begin + 1, end - begin + 1)
    complete = seen == end and (end < length or previous == last)
    return ChainVerdict(first_broken is None and complete, length, last, first_broken, begin, end)


def _hash_at(session: Session, account_id: uuid.UUID, seq: int) -> str:
    """The hash of a record; where it is missing, one that nothing fits."""
    if seq == 0:
        return GENESIS
    query = sa.select(AuditRecord.hash).where(AuditRecord.account_id == account_id, AuditRecord.seq == seq)
    return session.scalar(query) or ""


def _after(session: Session, account_id: uuid.UUID, seq: int, end: int) -> Sequence[sa.Row[Any]]:
    columns = (
        AuditRecord.id,
        AuditRecord.seq,
        AuditRecord.content,
        AuditRecord.previous_hash,
        AuditRecord.hash,
    )
    query = (
        sa.select(*columns)
        .where(AuditRecord.account_id == account_id, AuditRecord.seq > seq, AuditRecord.seq <= end)
        .order_by(AuditRecord.seq)
        .limit(_BATCH)
    )
    return session.execute(query).all()


def _canonical(content: dict[str, Any]) -> str:
    return rfc8785.dumps(content).decode()


def _digest(previous: str, seq: int, content: dict[str, Any]) -> str:
    """SHA-256 (hex) of `previous:seq:content`, the content in RFC 8785 form."""
    return hashlib.sha256(f"{previous}:{seq}:{_canonical(content)}".encode()).hexdigest()


def verified(record: Any, seen: int, previous: str) -> bool:
    """Whether a record is the one after position `seen`, whose hash was `previous`, and its own hash fits."""
    return bool(
        record.seq == seen + 1
        and record.previous_hash == previous
        and record.hash == _digest(previous, record.seq, record.content)
    )
