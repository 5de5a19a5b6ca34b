"""Read requests from JSON bodies and uploaded documents, for the routes of analysis and of jobs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import marshmallow as ma

from app import corpus, documents
from app.analysis.api.examples import ANSWER as EXAMPLE_ANSWER
from app.analysis.api.schemas import (
    AnalyzeRequest,
    BatchDocument,
    JobAnalyzeRequest,
    JobBatchDocument,
    JobBatchRequest,
)
from app.analysis.request import (
    AUTO,
    LONG_TEXT_MAX,
    TEXT_MAX,
    TEXT_MIN,
    AnalysisRequest,
    BatchItem,
    Mode,
    Source,
    price,
)
from app.platform.confidential import DocumentText
from app.platform.errors import Invalid
from app.platform.postgres import db
from app.platform.web import openapi
from app.tenancy import Caller

__all__ = [
    "EXAMPLE_ANSWER",
    "JOB_PAYLOADS",
    "SEND_A_PART",
    "USE_A_JOB",
    "Documents",
    "batch_of",
    "job_batch_of",
    "job_request_of",
    "jurisdiction",
    "load_job_batch",
    "load_job_request",
    "request_of",
    "text_of",
]

JOB_PAYLOADS = (JobAnalyzeRequest, JobBatchRequest)
_REQUEST, _BATCH, _DOCUMENT = JobAnalyzeRequest(), JobBatchRequest(), BatchDocument()
_JOB_DOCUMENT = JobBatchDocument()
# What to do about an uploaded document that is too long.
USE_A_JOB = f"Send it as a job (POST /api/v1/jobs), which takes up to {LONG_TEXT_MAX}."
SEND_A_PART = "Send a part of its text instead."


@dataclass(frozen=True, slots=True)
class Documents:
    """The documents of a batch: its items in order, how many at a time, the credits they may cost at most."""

    items: tuple[BatchItem, ...]
    concurrency: int
    worst_case: int


def load_job_request(raw: dict[str, Any]) -> dict[str, Any]:
    """Load the `payload` of a job of one document.

    Raises:
        Invalid: naming the field (400, or 422 for a limit).
    """
    return _loaded(_REQUEST, raw)


def load_job_batch(raw: dict[str, Any]) -> dict[str, Any]:
    """Load the `payload` of a job of several documents, each of which is checked by itself later.

    Raises:
        Invalid: naming the field of the envelope (400, or 422 for a limit).
    """
    return _loaded(_BATCH, raw)


def request_of(
    caller: Caller,
    body: dict[str, Any],
    mode: Mode | None = None,
    *,
    most: int = TEXT_MAX,
    advice: str = USE_A_JOB,
) -> AnalysisRequest:
    """Make a request of a body that its schema has loaded.

    Args:
        caller: whose uploads `documentRef` may name.
        body: the loaded body.
        mode: overrides that of the body.
        most: the longest document in code points.
        advice: as in `text_of`.

    Raises:
        Invalid: the jurisdiction is unknown (400), or as `text_of`.
        redis_client.Unavailable: an uploaded document cannot be asked for.
    """
    text, source = text_of(caller, body, most=most, advice=advice)
    return AnalysisRequest(
        text=text,
        jurisdiction=jurisdiction(body["jurisdiction"]),
        branch=body["legal_branch"],
        language=body["language"],
        mode=mode or body["mode"],
        role=body.get("role") or "",
        source=source,
    )


def text_of(
    caller: Caller,
    body: dict[str, Any],
    *,
    least: int = TEXT_MIN,
    most: int = TEXT_MAX,
    advice: str = SEND_A_PART,
) -> tuple[DocumentText, Source | None]:
    """Return the text of a loaded body, or that of the uploaded document which it names, with the document.

    Args:
        caller: whose uploads `documentRef` may name.
        body: the loaded body, which has `text` or `document_ref`.
        least: the shortest uploaded document in code points; the schema has judged a text.
        most: the longest.
        advice: what to do about a longer one, a sentence.

    Raises:
        Invalid: the key has no such document (404), or it is too short or too long (422).
        redis_client.Unavailable: it cannot be asked for.
    """
    if "document_ref" not in body:
        return DocumentText(body["text"]), None
    ref = body["document_ref"]
    try:
        with db.reading() as session:
            found = documents.find(session, caller, ref)
        # Judged before it is opened: a long one is several megabytes.
        _judge_length(found.characters, least, most, advice)
        reading = documents.reading_of(found)
    except documents.UnknownDocument as unknown:
        raise Invalid(
            f"documentRef: {unknown.message[0].lower()}{unknown.message[1:]}",
            code=unknown.code,
            status=unknown.status,
            details={"field": "documentRef"},
        ) from None
    if least >= TEXT_MIN and not any(character.isalnum() for character in reading.text.reveal()):
        raise Invalid(
            "documentRef: the document contains no words to analyse.",
            status=422,
            details={"field": "documentRef"},
        )
    return reading.text, Source(ref, reading)


def _judge_length(characters: int, least: int, most: int, advice: str) -> None:
    if least <= characters <= most:
        return
    if characters > LONG_TEXT_MAX:
        advice = SEND_A_PART
    raise Invalid(
        f"documentRef: the document must have {least} to {most} characters, has {characters}."
        + (f" {advice}" if characters > most else ""),
        status=422,
        details={"field": "documentRef", "min": least, "max": most, "got": characters},
    )


def batch_of(
    caller: Caller, body: dict[str, Any], document: AnalyzeRequest = _DOCUMENT, *, most: int = TEXT_MAX
) -> Documents:
    """Make requests of a batch's body that its schema has loaded; one that is not valid has its error.

    `document` reads each of them, `most` is the longest in code points.

    Raises:
        redis_client.Unavailable: uploaded documents cannot be asked for.
    """
    mode: Mode | None = body.get("mode")
    items = tuple(_item(caller, raw, mode, document, most) for raw in body["documents"])
    default = price(mode or "standard")
    worst_case = sum(item.request.price if item.request else default for item in items)
    return Documents(items, body["concurrency"], worst_case)


def job_request_of(caller: Caller, body: dict[str, Any]) -> AnalysisRequest:
    """Make a request of what `load_job_request` loaded. Raises as `request_of`."""
    return request_of(caller, body, most=LONG_TEXT_MAX)


def job_batch_of(caller: Caller, body: dict[str, Any]) -> Documents:
    """Make requests of what `load_job_batch` loaded. Raises as `batch_of`."""
    return batch_of(caller, body, _JOB_DOCUMENT, most=LONG_TEXT_MAX)


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


def _item(caller: Caller, raw: Any, mode: Mode | None, document: AnalyzeRequest, most: int) -> BatchItem:
    """Parse one document of a batch; an invalid one becomes an item with its error."""
    given = raw.get("id") if isinstance(raw, dict) else None
    name = given if isinstance(given, str) else None
    try:
        if not isinstance(raw, dict):
            raise Invalid("Each document must be an object with the field text or documentRef.")
        return BatchItem(name, request_of(caller, _loaded(document, raw), mode, most=most))
    except Invalid as error:
        return BatchItem(name, None, error)


def _loaded(schema: ma.Schema, raw: dict[str, Any]) -> dict[str, Any]:
    try:
        body: dict[str, Any] = schema.load(raw)
    except ma.ValidationError as error:
        raise openapi.first_problem(error.messages) from None
    return body
