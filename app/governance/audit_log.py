"""Audit log: append and query records."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.orm import Session

from app.governance.chain import canonical, moment_of
from app.governance.models import FLAGGED, AuditRecord
from app.platform import clock
from app.platform.postgres.db import Step

# The form of a record's content. Since 2 every column that a list goes by is in it to the last digit.
RECORD_VERSION = 2


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
    # Of models, by stage and kind (input, cached as part of it, output); empty where no model was asked.
    tokens: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    # The nodes, of A and B, at which the account's own engine worked.
    own_engines: tuple[str, ...] = ()

    def content(self) -> dict[str, Any]:
        """Return the record's content as it is stored and hashed."""
        return {
            "recordVersion": RECORD_VERSION,
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
            **(
                {"tokens": {stage: dict(counts) for stage, counts in self.tokens.items()}}
                if self.tokens
                else {}
            ),
            **({"ownEngines": list(self.own_engines)} if self.own_engines else {}),
        }


# One call of the database's own function (migration 0021): the head is locked, moved on, and the record
# written # behind it, its columns read off the content that is hashed. No role of the application may do
# any of it otherwise.
_APPEND = "SELECT append_audit_record(%(canonical)s) AS hash"


def appending(entry: Entry) -> Step[str]:
    """Return the step that appends a record to its account's chain and reads the record's hash.

    The row lock of the head orders concurrent appends.
    """
    return Step(_APPEND, {"canonical": canonical(entry.content())}, lambda row: str(row.hash))


def records(session: Session, account_id: uuid.UUID, *, limit: int = 50) -> Sequence[AuditRecord]:
    """Return the newest records of an account, newest first."""
    return session.scalars(
        sa.select(AuditRecord)
        .where(AuditRecord.account_id == account_id, AuditRecord.kind == "analysis")
        .order_by(AuditRecord.seq.desc())
        .limit(limit)
    ).all()


@dataclass(frozen=True, slots=True)
class Filter:
    """A filter of records: period (start inclusive, end exclusive), key, broken citations only."""

    since: datetime | None = None
    until: datetime | None = None
    api_key_id: uuid.UUID | None = None
    flagged: bool = False

    def fits(self, at: datetime, api_key_id: str, broken: int) -> bool:
        """Return whether the filter matches an analysis that ended at `at` with `broken` broken citations."""
        return (
            (self.since is None or at >= self.since)
            and (self.until is None or at < self.until)
            and (self.api_key_id is None or api_key_id == str(self.api_key_id))
            and (not self.flagged or broken > 0)
        )


# Verdicts on a citation that need a lawyer's eye.
BROKEN = ("not_found", "derogated", "mismatch")


def broken_in(content: Mapping[str, Any]) -> int:
    """Return how many citations of an analysis were not found, are not in force or do not match."""
    return sum(content.get("citations", {}).get(verdict, 0) for verdict in BROKEN)


def is_of(record: Any, chosen: Filter, *, sound: bool) -> bool:
    """Return whether a record belongs to a document, judged by its hashed content and not by its columns.

    Where the content is not `sound` (its hash does not match), its columns decide, and the record counts as
    one with a broken citation.
    """
    if not sound:
        return chosen.fits(record.at, str(record.api_key_id), 1)
    content = record.content
    return chosen.fits(moment_of(content), content.get("apiKeyId") or "", broken_in(content))


def select(
    session: Session,
    account_id: uuid.UUID,
    chosen: Filter,
    *,
    before_seq: int | None = None,
    limit: int,
    oldest_first: bool = False,
) -> Sequence[AuditRecord]:
    """Return records under a filter, newest first unless `oldest_first`.

    `before_seq` continues after a page.
    """
    query = sa.select(AuditRecord).where(*matching(account_id, chosen))
    if before_seq is not None:
        query = query.where(AuditRecord.seq < before_seq)
    order = AuditRecord.seq if oldest_first else AuditRecord.seq.desc()
    return session.scalars(query.order_by(order).limit(limit)).all()


def matching(account_id: uuid.UUID, chosen: Filter) -> list[sa.ColumnElement[bool]]:
    """Return the SQL conditions for an account's records under a filter."""
    found = [AuditRecord.account_id == account_id, AuditRecord.kind == "analysis"]
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
    """Return the newest record of a request, `None` if it has none."""
    return session.scalar(
        sa.select(AuditRecord)
        .where(
            AuditRecord.account_id == account_id,
            AuditRecord.request_id == request_id,
            AuditRecord.kind == "analysis",
        )
        .order_by(AuditRecord.seq.desc())
        .limit(1)
    )
