"""Endpoint /api/v1/jobs/{id}/report."""

from __future__ import annotations

import uuid
from typing import Any

from flask import Response

from app import jobs, reports
from app.platform import clock
from app.platform.postgres import db
from app.platform.web import openapi
from app.reports import examples, schemas
from app.tenancy.guard import caller, require_key

routes = openapi.Routes("reports", __name__, url_prefix="/api/v1", description="Reports of completed jobs.")

_HEADERS = {
    **openapi.RATE_HEADERS,
    "Content-Disposition": {"schema": {"type": "string"}, "description": "Suggested file name."},
}


def _as(form: reports.Format, example: str, *, binary: bool) -> dict[str, Any]:
    """Return the description of the answer in one format."""
    return {
        "schema": {"type": "string", **({"format": "binary"} if binary else {})},
        "content_type": reports.MEDIA_TYPES[form],
        "description": "The report as a file.",
        "headers": _HEADERS,
        "example": example,
    }


@routes.route("/jobs/<uuid:job_id>/report", methods=["GET"])
@require_key("analyze")
@routes.arguments(schemas.ReportQuery, location="query")
@routes.alt_response(200, **_as("pdf", "%PDF-1.7 …", binary=True))
@routes.alt_response(200, **_as("docx", "PK…", binary=True))
@routes.alt_response(200, **_as("md", "# Analysis report\n\nResidential lease\n", binary=False))
@openapi.fails(
    routes, 400, 401, 404, 409, 410, 422, 429, 500, 503,
    examples={
        400: examples.UNKNOWN_FORMAT,
        404: examples.UNKNOWN,
        409: examples.NOT_COMPLETED,
        410: examples.EXPIRED,
        422: examples.TOO_LONG,
    },
)  # fmt: skip
@routes.doc(operationId="jobReport")
def report(query: dict[str, Any], job_id: uuid.UUID) -> Response:
    """Download the report of a job

    The result of a completed job as a document, in the language of its analysis and with the branding of the
    key that owns the job: tagged PDF/A, Word or Markdown. It is made of the stored result each time, so it is
    available until `resultExpiresAt`, to the keys that may read the result. The answers of synchronous calls
    are not stored and have no report.
    """
    me = caller()
    with db.reading() as session:
        job = jobs.find(session, me.account_id, job_id, caller=me)
        session.expunge(job)
    made = reports.report_on(job, query["format"], item=query.get("item"), now=clock.now())
    return Response(
        made.data,
        200,
        {"Content-Disposition": f'attachment; filename="{made.name}"'},
        mimetype=made.media_type,
    )
