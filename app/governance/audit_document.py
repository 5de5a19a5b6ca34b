"""Audit records as a PDF: who, when, what was checked, and how anybody can verify it (decisions 8).

PDF/A-3u with the records themselves attached as JSON, so that a machine can recompute every hash.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Literal

from app.branding import Letterhead
from app.governance.audit_words import WORDS, branch_words
from app.governance.models import AuditRecord
from app.governance.trail import ChainVerdict
from app.platform import clock, pdf
from app.platform.errors import Invalid

Language = Literal["es", "en"]

# Layout takes some milliseconds for each; a year of a busy firm is read by a machine, not on paper.
RECORDS_MAX = 1_000


@dataclass(frozen=True, slots=True)
class Subject:
    """Whose trail it is. `keys` maps a key's id to its name and prefix."""

    account: str
    legal_name: str | None
    keys: Mapping[str, tuple[str, str]]


def audit_document(
    records: Sequence[AuditRecord],
    verdict: ChainVerdict,
    subject: Subject,
    *,
    language: Language,
    letterhead: Letterhead,
    now: datetime,
    period: tuple[date, date] | None = None,
) -> bytes:
    """The document of one record, or of a period's records, oldest first.

    Takes up to some seconds of computing: call it outside a transaction. Raises `Invalid` (422) beyond
    `RECORDS_MAX` records, `Upstream` (503) where no PDF can be made.
    """
    if len(records) > RECORDS_MAX:
        raise Invalid(
            f"A document holds at most {RECORDS_MAX} records, this period has more: choose a shorter one.",
            status=422,
            details={"max": RECORDS_MAX},
        )
    words = WORDS[language]
    attached = pdf.Attachment(
        name="audit_records.json",
        data=as_json(records),
        description=words["attachment"],
        created=now,
    )
    values = {
        "letterhead": letterhead,
        "language": language,
        "w": words,
        "subject": subject,
        "period": period,
        "made": clock.iso(now),
        "verdict": verdict,
        "rows": [_row(record, subject, language) for record in records],
        "totals": _totals(records),
        "single": period is None,
    }
    return pdf.render("audit.html", values, attachments=[attached])


def as_json(records: Sequence[AuditRecord]) -> bytes:
    """The records as stored, with how their hashes are made."""
    body = {
        "format": "candado-audit-records/1",
        "hash": "SHA-256 over previousHash ':' seq ':' content, the content as RFC 8785 canonical JSON, hex",
        "records": [
            {
                "id": str(record.id),
                "seq": record.seq,
                "at": clock.iso(record.at),
                "previousHash": record.previous_hash,
                "hash": record.hash,
                "content": record.content,
            }
            for record in records
        ],
    }
    return json.dumps(body, ensure_ascii=False, indent=1).encode()


def _row(record: AuditRecord, subject: Subject, language: Language) -> dict[str, Any]:
    content = record.content
    name, prefix = subject.keys.get(content["apiKeyId"], ("–", ""))
    return {
        **content,
        "id": str(record.id),
        "seq": record.seq,
        "hash": record.hash,
        "previous": record.previous_hash,
        "at": clock.iso(record.at)[:16].replace("T", " "),
        "key_name": name,
        "key_prefix": prefix,
        "branch": branch_words(content["legalBranch"], language),
        "masked": sum(content["redactions"].values()),
        "broken": sum(content["citations"].get(one, 0) for one in ("not_found", "derogated", "mismatch")),
        "cited": sum(content["citations"].values()),
        "found": sorted(content.get("findings", {}).items()),
    }


def _totals(records: Sequence[AuditRecord]) -> dict[str, int]:
    return {
        "analyses": len(records),
        "credits": sum(record.content["credits"] for record in records),
        "masked": sum(sum(record.content["redactions"].values()) for record in records),
        "cited": sum(sum(record.content["citations"].values()) for record in records),
        "broken": sum(
            record.content["citations"].get(one, 0)
            for record in records
            for one in ("not_found", "derogated", "mismatch")
        ),
        "findings": sum(sum(record.content.get("findings", {}).values()) for record in records),
    }
