"""Make the report of a completed job in one of its formats (decision 079)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, get_args

from app import branding, jobs
from app.branding import Letterhead
from app.platform import settings
from app.platform.errors import Invalid
from app.platform.postgres import db
from app.reports import commented_original, docx_writer, markdown_writer, pdf_writer
from app.reports.composition import Occasion, compose
from app.reports.errors import NoAnalysis, NotCompleted, ResultExpired, ResultOutdated, TooLong

Format = Literal["pdf", "docx", "md", "docx-comments"]
FORMATS: tuple[Format, ...] = get_args(Format)
PDF_MEDIA_TYPE = "application/pdf"
MEDIA_TYPES: Mapping[Format, str] = {
    "pdf": PDF_MEDIA_TYPE,
    "docx": docx_writer.MEDIA_TYPE,
    "md": markdown_writer.MEDIA_TYPE,
    "docx-comments": docx_writer.MEDIA_TYPE,
}
# Blocks and rows of a PDF, whose layout takes some ten milliseconds each.
PDF_SIZE_MAX = 1_000
# What a report takes from an answer, from each of its statements and from each citation.
_ANSWER = frozenset(
    ("statements", "citationChecks", "contentOrigin", "model", "mode", "jurisdiction", "legalBranch")
)
_STATEMENT = frozenset(("id", "section", "text", "lock", "severity", "quotes", "authorities"))
_CHECK = frozenset(("citation", "kind", "status", "note"))


@dataclass(frozen=True, slots=True, repr=False)
class ReportFile:
    """A report as a file. `repr` shows nothing of it."""

    data: bytes
    media_type: str
    name: str


def report_on(job: jobs.Job, form: Format, *, item: int | None = None, now: datetime) -> ReportFile:
    """Make the report of a job that its reader may open (`jobs.find`).

    It reads Redis and computes for a second or more: call it outside a transaction.

    Args:
        job: The job.
        form: The format.
        item: Of a batch, the position of one document, from 1; `None` for all of them.
        now: The present moment.

    Raises:
        NotCompleted: 409, the job waits, runs, failed or was cancelled.
        ResultExpired: 410, its result is no longer stored.
        Invalid: 400, naming `item`, where it has no such document.
        NoAnalysis: 409, the document `item` failed.
        ResultOutdated: 409, the result was made by an earlier release.
        NoOriginal: 409, there is no uploaded DOCX to write comments into.
        TooLong: 422, the report has too many parts for a PDF.
        DocumentUnreadable: 422, the uploaded DOCX cannot be written.
        Upstream: 503, no PDF can be made, or too many are being made.
        redis_client.Unavailable: It is not known whether the result is stored.
    """
    answers, several = chosen(result_of(job, now=now), item)
    _check_shape(answers)
    with db.reading() as session:
        found, logo = branding.of_key(session, job.account_id, job.api_key_id)
    letterhead = _letterhead(found, logo)
    completed = job.completed_at
    assert completed is not None, "a job with a result has completed"
    if form == "docx-comments":
        if several:
            raise Invalid(
                "item: is required with format=docx-comments, which gives one document back. Send its "
                "position, from 1.",
                details={"field": "item", "min": 1, "max": len(answers)},
            )
        data = commented_original.write(job, answers[0], name=letterhead.name)
        return ReportFile(data, MEDIA_TYPES[form], file_name(job, "comments.docx", item))
    contact = branding.foot(found, letterhead.name) if found.branding == "partner" else ()
    occasion = Occasion(
        job_id=str(job.id),
        request_id=job.request_id,
        completed_at=completed,
        name=letterhead.name,
        contact=tuple(one for one in contact if one != letterhead.name),
    )
    composed = compose(answers, occasion, several=several)
    if form == "pdf":
        if composed.size > PDF_SIZE_MAX:
            advice = "Ask for one document with item, or for" if several else "Ask for"
            raise TooLong(
                f"format: this report has {composed.size} parts; a PDF has at most {PDF_SIZE_MAX}. {advice} "
                "format=docx or format=md.",
                details={"field": "format", "max": PDF_SIZE_MAX, "got": composed.size},
            )
        data = pdf_writer.write(composed, letterhead)
    elif form == "docx":
        data = docx_writer.write(composed, letterhead)
    else:
        data = markdown_writer.write(composed)
    return ReportFile(data, MEDIA_TYPES[form], file_name(job, form, item if several is False else None))


def result_of(job: jobs.Job, *, now: datetime) -> Mapping[str, Any]:
    """Return the result of a job.

    Raises:
        NotCompleted: 409, it has none, or none yet.
        ResultExpired: 410, it is no longer stored.
    """
    if job.status != "completed":
        open_ = job.status in ("pending", "running")
        raise NotCompleted(
            f"This job is {job.status}; only a completed job has a report. "
            + ("Ask again when it has completed." if open_ else "Submit it again."),
            details={"status": job.status},
        )
    found = jobs.result(job, now=now)
    if found is None:
        raise ResultExpired("The result of this job is no longer stored. Submit the job again.")
    return found


def chosen(result: Mapping[str, Any], item: int | None) -> tuple[Sequence[Mapping[str, Any]], bool]:
    """Return the answers that a report is about, and whether it is one about a whole batch.

    Raises:
        Invalid: 400, naming `item`, where there is no such document.
        NoAnalysis: 409, the document `item` failed.
    """
    answers: Sequence[Mapping[str, Any]] = result.get("results", [result])
    if item is None:
        return answers, "results" in result
    if item > len(answers):
        raise Invalid(
            f"item: must be 1 to {len(answers)}, the documents of this job; got {item}.",
            details={"field": "item", "min": 1, "max": len(answers), "got": item},
        )
    one = answers[item - 1]
    if "analysis" not in one:
        raise NoAnalysis(
            f"item: document {item} has no analysis: {one['error']}",
            details={"field": "item", "code": one["code"]},
        )
    return [one], False


def _check_shape(answers: Sequence[Mapping[str, Any]]) -> None:
    """Check that a report can be made of answers that were stored, perhaps before an upgrade of the service.

    Raises:
        ResultOutdated: 409, one lacks what a report is made of.
    """
    for one in answers:
        if "analysis" not in one:
            continue
        parts = [
            (_ANSWER, [one]),
            (_STATEMENT, one.get("statements", ())),
            (_CHECK, one.get("citationChecks", {}).get("checks", ())),
        ]
        if any(not names <= part.keys() for names, found in parts for part in found):
            raise ResultOutdated(
                "This result was made by an earlier release of the service, and no report can be made of it. "
                "Its analysis is at GET /api/v1/jobs/{id}; submit the document again for a report."
            )


def file_name(job: jobs.Job, ending: str, item: int | None) -> str:
    """Return a file name that says nothing of the document."""
    place = f"-{item}" if item is not None and job.kind == "analyze_batch" else ""
    return f"analysis-{job.id.hex[:8]}{place}.{ending}"


def _letterhead(found: branding.Branding, logo: branding.Logo | None) -> Letterhead:
    """Return the letterhead of a key: a partner's, the service's own name, or no name at all."""
    if found.branding == "partner":
        return branding.letterhead(found, logo)
    return Letterhead(found.attribution.author(settings.current().service_name) or "")
