"""Audit trail as CSV: one line for each analysis, metadata only. Pure."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from app import tenancy, usage
from app.platform import clock
from app.portal.audit.record import Record
from app.portal.web.display import labels

_FACTS = (
    "requestId", "analysisId", "jurisdiction", "legalBranch", "language", "mode", "credits",
    "documentCharacters", "documentHash", "analysisHash",
)  # fmt: skip
# Names of the API and of the records, in no language.
COLUMNS = (
    "record", "finished_at", "key_name", "key_prefix", *_FACTS, "models", "masked",
    *(f"lock_{name}" for name in labels.LOCKS), *(f"citations_{name}" for name in labels.VERDICTS),
    "review", "record_hash",
)  # fmt: skip


def lines(
    records: Sequence[Record], keys: Mapping[UUID, tenancy.ApiKey], decisions: Mapping[UUID, str]
) -> bytes:
    """Return the records as lines of CSV (RFC 4180) in UTF-8.

    Args:
        records: The records of analyses, in their order.
        keys: The keys by id.
        decisions: What the newest review of each decided, by the id of the analysis.
    """
    return written([_cells(row, keys.get(row.api_key_id), decisions.get(row.id)) for row in records])


def written(rows: Sequence[Sequence[object]]) -> bytes:
    """Return rows as CSV; a text that a spreadsheet would take for a formula is escaped."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\r\n").writerows(
        [usage.escape_formula(cell) if isinstance(cell, str) else cell for cell in row] for row in rows
    )
    return text.getvalue().encode()


def _cells(record: Record, key: tenancy.ApiKey | None, decision: str | None) -> list[object]:
    content: Mapping[str, Any] = record.content
    return [
        record.seq,
        clock.iso(record.at),
        key.name if key else "",
        key.key_prefix if key else "",
        *(content.get(name, "") for name in _FACTS),
        " ".join(content.get("models", ())),
        sum(content["redactions"].values()),
        *(content["locks"].get(name, 0) for name in labels.LOCKS),
        *(content["citations"].get(name, 0) for name in labels.VERDICTS),
        decision or "",
        record.hash,
    ]
