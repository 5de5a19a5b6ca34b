"""The audit trail: append, list, verify."""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import rfc8785
import sqlalchemy as sa
from sqlalchemy.orm import Session

from app.governance.models import AuditRecord
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
    """Whether an account's chain is whole: its length, its last hash, and the first record that is not."""

    valid: bool
    records: int
    head: str
    first_broken: uuid.UUID | None


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


_BROKEN = ("not_found", "derogated", "mismatch")


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
    query = sa.select(AuditRecord).where(AuditRecord.account_id == account_id)
    if chosen.since is not None:
        query = query.where(AuditRecord.at >= chosen.since)
    if chosen.until is not None:
        query = query.where(AuditRecord.at < chosen.until)
    if chosen.api_key_id is not None:
        query = query.where(AuditRecord.api_key_id == chosen.api_key_id)
    if chosen.flagged:
        counts = [AuditRecord.content["citations"][verdict].as_integer() > 0 for verdict in _BROKEN]
        query = query.where(sa.or_(*counts))
    if before_seq is not None:
        query = query.where(AuditRecord.seq < before_seq)
    order = AuditRecord.seq if oldest_first else AuditRecord.seq.desc()
    return session.scalars(query.order_by(order).limit(limit)).all()


def record_of(session: Session, account_id: uuid.UUID, request_id: str) -> AuditRecord | None:
    """The newest record of a request, if it has one."""
    return session.scalar(
        sa.select(AuditRecord)
        .where(AuditRecord.account_id == account_id, AuditRecord.request_id == request_id)
        .order_by(AuditRecord.seq.desc())
        .limit(1)
    )


_BATCH = 500


def verify_chain(session: Session, account_id: uuid.UUID) -> ChainVerdict:
    """Recompute every hash of an account's chain in order, in batches.

    The head is read first: what is appended meanwhile lies behind it and is left to the next check. A chain
    cut short at its end is whole by itself; only the head knows how long it should be.
    """
    head = session.execute(
        sa.text("SELECT seq, hash FROM audit_heads WHERE account_id = :account"), {"account": account_id}
    ).one_or_none()
    length, last = (head.seq, head.hash) if head else (0, GENESIS)
    previous, seen, first_broken = GENESIS, 0, None
    while batch := _after(session, account_id, seen, length):
        for record in batch:
            whole = (
                record.seq == seen + 1
                and record.previous_hash == previous
                and record.hash == _digest(previous, record.seq, record.content)
            )
            if not whole and first_broken is None:
                first_broken = record.id
            previous, seen = record.hash, record.seq
    complete = (seen, previous) == (length, last)
    return ChainVerdict(first_broken is None and complete, length, last, first_broken)


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
