"""Attachments of an audit document: its records as JSON, for recomputing every hash, and as CSV.

Both are written record by record and compressed as they grow, because the records of a busy year take a
hundred megabytes uncompressed.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from app.governance.audit_log import broken_in
from app.governance.chain import ChainVerdict, Row
from app.platform import clock, pdf
from app.usage import escape_formula

JSON_NAME, CSV_NAME = "audit_records.json", "audit_records.csv"
_FORMAT = "audit-records/2"
_HASH = "SHA-256 over previousHash ':' seq ':' content, the content as RFC 8785 canonical JSON, hex"
# In English in both languages: they are read by programs.
COLUMNS = (
    "seq", "finished_at", "started_at", "analysis_id", "request_id", "key_name", "key_prefix", "key_id",
    "jurisdiction", "legal_branch", "language", "mode", "models", "versions", "locks", "citations",
    "broken_citations", "findings", "redactions", "credits", "document_characters", "document_sha256",
    "analysis_sha256", "record_sha256",
)  # fmt: skip


class AttachmentWriter:
    """Writes both attachments. `keys` maps the id of a key to its name and prefix.

    After the records, the JSON lists the positions that it should have: the first, the last, the number of
    records, and the positions in between that belong to other keys or days, so that a removed record is
    noticed.
    """

    def __init__(self, keys: Mapping[str, tuple[str, str]]) -> None:
        self._keys = keys
        self._json, self._csv = pdf.FileCompressor(), pdf.FileCompressor()
        head = {"format": _FORMAT, "hash": _HASH}
        self._json.write(json.dumps(head, indent=1)[:-2].encode() + b',\n "records": [')
        self._between = b"\n"
        # With its mark, because a spreadsheet takes UTF-8 without one for something else.
        self._csv.write("\ufeff".encode() + _line(COLUMNS))
        self._first = self._last = self._records = self.left_out = 0
        # Stretches of positions that are left out: those between two records, and those since the last one.
        self._omitted: list[list[int]] = []
        self._since: list[list[int]] = []

    def add(self, record: Row, *, sound: bool = True) -> None:
        """Add one record; one that is not `sound` (its hash does not match) only as it is stored."""
        self._write(record)
        if sound:
            self._csv.write(_line(self._cells(record)))

    def add_review(self, record: Row) -> None:
        """Add the record of a review, which the table has no columns for."""
        if self._records:
            self._write(record)

    def _write(self, record: Row) -> None:
        body = {
            "id": str(record.id),
            "seq": record.seq,
            "at": clock.iso(record.at),
            "previousHash": record.previous_hash,
            "hash": record.hash,
            "content": record.content,
        }
        self._json.write(self._between + json.dumps(body, ensure_ascii=False).encode())
        self._between = b",\n"
        self._first, self._last = self._first or record.seq, record.seq
        self._records += 1
        self.left_out += sum(last - first + 1 for first, last in self._since)
        self._omitted += self._since
        self._since = []

    def leave_out(self, seq: int) -> None:
        """Note that the chain has a record at this position that is not in the files."""
        if not self._records:
            return
        if self._since and self._since[-1][1] == seq - 1:
            self._since[-1][1] = seq
        else:
            self._since.append([seq, seq])

    def files(
        self, descriptions: tuple[str, str], now: datetime, verdict: ChainVerdict
    ) -> list[pdf.Attachment]:
        """Finish both files and return them as attachments."""
        chain = {
            "first": self._first,
            "last": self._last,
            "records": self._records,
            "omitted": self._omitted,
            "head": {"seq": verdict.records, "hash": verdict.head},
        }
        self._json.write(b'\n ],\n "chain": ' + json.dumps(chain).encode() + b"\n}\n")
        return [
            pdf.Attachment(JSON_NAME, self._json.packed(), descriptions[0], now, "Source"),
            pdf.Attachment(CSV_NAME, self._csv.packed(), descriptions[1], now, "Alternative"),
        ]

    def _cells(self, record: Row) -> tuple[object, ...]:
        content = record.content
        name, prefix = self._keys.get(content["apiKeyId"], ("", ""))
        return (
            record.seq,
            content["finishedAt"],
            content["startedAt"],
            content["analysisId"],
            content["requestId"],
            name,
            prefix,
            content["apiKeyId"],
            content["jurisdiction"],
            content["legalBranch"],
            content["language"],
            content["mode"],
            " ".join(content["models"]),
            _pairs(content["versions"]),
            _pairs(content["locks"]),
            _pairs(content["citations"]),
            broken_in(content),
            _pairs(content.get("findings", {})),
            _pairs(content["redactions"]),
            content["credits"],
            content["documentCharacters"],
            content["documentHash"],
            content["analysisHash"],
            record.hash,
        )


def _pairs(counts: Mapping[str, Any]) -> str:
    """Return counts as `L1=7; L4=2`, without those that are 0."""
    return "; ".join(f"{name}={value}" for name, value in counts.items() if value)


def _line(cells: tuple[object, ...]) -> bytes:
    text = io.StringIO()
    csv.writer(text, lineterminator="\r\n").writerow(
        [escape_formula(cell) if isinstance(cell, str) else cell for cell in cells]
    )
    return text.getvalue().encode()
