"""Comparing two versions: a loaded body in, the answer that is kept for repeats out (decisions 025 and 080).

The HTTP route and the portal call this, so both check, charge and keep alike.
"""

from __future__ import annotations

import uuid
from dataclasses import dataclass, field
from typing import Any

from app import analysis, documents, idempotency
from app.analysis.api import request_parsing
from app.analysis.api.operations import OperationResult
from app.comparison import Comparison, KeptComparison, Version, compare_and_charge, tracked_docx
from app.platform.confidential import DocumentText
from app.platform.errors import Invalid
from app.platform.postgres import db
from app.platform.web import http
from app.tenancy import Caller

__all__ = ["DOCX", "FORMATS", "MARKDOWN", "Report", "compare", "report"]

FORMATS = ("docx", "md")

DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
MARKDOWN = "text/markdown"


@dataclass(frozen=True, slots=True)
class Report:
    """A comparison as a file."""

    data: bytes = field(repr=False)
    media_type: str
    name: str


def compare(
    caller: Caller,
    body: dict[str, Any],
    *,
    raw: dict[str, Any],
    key: str | None,
    request_id: str,
    base_url: str,
) -> OperationResult:
    """Compare two versions.

    Args:
        caller: who pays.
        body: a loaded `CompareRequest`.
        raw: the body as it was sent, by which a repeat is recognised.
        key: the Idempotency-Key, if one was sent.
        request_id: goes into the answer and the audit records.
        base_url: where this service is reached, without a slash at the end.

    Raises:
        UnknownDocument: a `documentRef` is not one of the calling key's (404).
        Invalid: a document has too little or too much text, or both versions the same words (422).
    """
    charged = 0

    def work(claim: idempotency.Claim | None) -> idempotency.StoredAnswer:
        nonlocal charged
        before, after = (_version(caller, name, body[name]) for name in ("before", "after"))
        asked = analysis.AnalysisRequest(
            text=after.text,
            jurisdiction=request_parsing.jurisdiction(body["jurisdiction"]),
            branch=body["legal_branch"],
            language=body["language"],
            role=body.get("role") or "",
        )
        answer = compare_and_charge(
            caller, before, after, asked, request_id=request_id, base_url=base_url, claim=claim
        )
        charged = 0 if claim and claim.free else answer["creditsCharged"]
        headers = {
            "X-Processing-Ms": str(answer["processingMs"]),
            **analysis.origin_header(answer["model"]),
        }
        return idempotency.StoredAnswer(200, headers, http.encode(answer))

    stored, replayed = idempotency.once(caller, "POST /api/v1/compare", key, raw, work)
    return OperationResult(stored, replayed, charged)


def report(row: Comparison, kept: KeptComparison, form: str) -> Report:
    """Return a comparison as a file: `docx` with the changes tracked, or `md`.

    Raises:
        Upstream: too many files are being made right now (503).
    """
    name = f"comparison-{row.id}"
    if form == "md":
        return Report(kept.answer["analysis"].encode(), MARKDOWN, f"{name}.md")
    return Report(tracked_docx(row, kept), DOCX, f"{name}.docx")


def _version(caller: Caller, field: str, given: dict[str, Any]) -> Version:
    """Return a version with its text, that of an uploaded document as it was read."""
    if "text" in given:
        return Version(DocumentText(given["text"]))
    ref: uuid.UUID = given["document_ref"]
    with db.reading() as session:
        document = documents.find(session, caller, ref)
    reading = documents.reading_of(document)
    size = len(reading.text)
    if not analysis.TEXT_MIN <= size <= analysis.TEXT_MAX:
        raise Invalid(
            f"{field}.documentRef: the document must have {analysis.TEXT_MIN} to {analysis.TEXT_MAX} "
            f"characters of text, this one has {size}. Send the part to be compared as text.",
            status=422,
            details={
                "field": f"{field}.documentRef",
                "min": analysis.TEXT_MIN,
                "max": analysis.TEXT_MAX,
                "got": size,
            },
        )
    return Version(reading.text, ref, reading)
