"""Read requests from JSON bodies, for the routes of analysis and of jobs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from marshmallow import ValidationError

from app import corpus
from app.analysis.api.examples import ANSWER as EXAMPLE_ANSWER
from app.analysis.api.schemas import (
    AnalyzeRequest,
    BatchDocument,
    JobAnalyzeRequest,
    JobBatchDocument,
    JobBatchRequest,
)
from app.analysis.request import AUTO, AnalysisRequest, BatchItem, Mode, price
from app.platform.confidential import DocumentText
from app.platform.errors import Invalid
from app.platform.web import openapi

__all__ = [
    "EXAMPLE_ANSWER",
    "JOB_PAYLOADS",
    "Documents",
    "batch_of",
    "jurisdiction",
    "parse_batch",
    "parse_request",
    "request_of",
]

JOB_PAYLOADS = (JobAnalyzeRequest, JobBatchRequest)
_REQUEST, _BATCH, _DOCUMENT = JobAnalyzeRequest(), JobBatchRequest(), BatchDocument()
_JOB_DOCUMENT = JobBatchDocument()


@dataclass(frozen=True, slots=True)
class Documents:
    """The documents of a batch: its items in order, how many at a time, the credits they may cost at most."""

    items: tuple[BatchItem, ...]
    concurrency: int
    worst_case: int


def parse_request(raw: dict[str, Any]) -> AnalysisRequest:
    """Read the `payload` of a job of one document.

    Raises:
        Invalid: naming the field (400, or 422 for a limit).
    """
    try:
        return request_of(_REQUEST.load(raw))
    except ValidationError as error:
        raise openapi.first_problem(error.messages) from None


def parse_batch(raw: dict[str, Any]) -> Documents:
    """Read the `payload` of a job of several documents; one that is not valid is refused by itself.

    Raises:
        Invalid: naming the field of the envelope (400, or 422 for a limit).
    """
    try:
        return batch_of(_BATCH.load(raw), _JOB_DOCUMENT)
    except ValidationError as error:
        raise openapi.first_problem(error.messages) from None


def request_of(body: dict[str, Any], mode: Mode | None = None) -> AnalysisRequest:
    """Make a request of a body that its schema has loaded; `mode` overrides its own.

    Raises:
        Invalid: the jurisdiction is unknown (400).
    """
    return AnalysisRequest(
        text=DocumentText(body["text"]),
        jurisdiction=jurisdiction(body["jurisdiction"]),
        branch=body["legal_branch"],
        language=body["language"],
        mode=mode or body["mode"],
        role=body.get("role") or "",
    )


def batch_of(body: dict[str, Any], document: AnalyzeRequest = _DOCUMENT) -> Documents:
    """Make requests of a batch's body that its schema has loaded; `document` reads each of them."""
    mode: Mode | None = body.get("mode")
    items = tuple(_item(raw, mode, document) for raw in body["documents"])
    default = price(mode or "standard")
    worst_case = sum(item.request.price if item.request else default for item in items)
    return Documents(items, body["concurrency"], worst_case)


def jurisdiction(code: str) -> str:
    """Return the code of a known jurisdiction in capitals, or `AUTO`.

    Raises:
        Invalid: the code is unknown (400).
    """
    if code.strip().lower() == AUTO:
        return AUTO
    known = corpus.jurisdiction(code.strip().upper())
    if known is None:
        raise Invalid(
            f"jurisdiction: unknown code {code[:10]!r}. See GET /api/v1/jurisdictions, or send auto.",
            details={"field": "jurisdiction", "expected": "ISO country code or auto", "got": code[:10]},
        )
    return known.code


def _item(raw: Any, mode: Mode | None, document: AnalyzeRequest) -> BatchItem:
    """Parse one document of a batch; an invalid one becomes an item with its error."""
    given = raw.get("id") if isinstance(raw, dict) else None
    name = given if isinstance(given, str) else None
    try:
        if not isinstance(raw, dict):
            raise Invalid("Each document must be an object with the field text.")
        return BatchItem(name, request_of(document.load(raw), mode))
    except ValidationError as error:
        return BatchItem(name, None, openapi.first_problem(error.messages))
    except Invalid as error:
        return BatchItem(name, None, error)
