"""Endpoints /api/v1/compare."""

from __future__ import annotations

import uuid
from typing import Any

from flask import Response, g, request

from app import comparison, idempotency
from app.comparison import examples, operations, schemas
from app.platform.postgres import db
from app.platform.web import http, openapi, public_address
from app.tenancy.guard import caller, require_key

routes = openapi.Routes(
    "comparison", __name__, url_prefix="/api/v1", description="Comparison of two versions of a contract."
)

_HEADERS = {
    **openapi.RATE_HEADERS,
    **openapi.REPLAYED_HEADER,
    "X-Processing-Ms": {"schema": {"type": "integer"}, "description": "Total latency in ms."},
}
_FILE = {
    "description": "The comparison as a file.",
    "content_type": operations.DOCX,
    "schema": {"type": "string", "format": "binary", "description": "Or text/markdown, with format=md."},
    "example": "PK…",
    "headers": {
        **openapi.RATE_HEADERS,
        "Content-Disposition": {"schema": {"type": "string"}, "description": "Suggested file name."},
    },
}


@routes.route("/compare", methods=["POST"])
@require_key("analyze", window="work")
@routes.arguments(schemas.CompareRequest, example=examples.REQUEST)
@routes.response(200, schemas.CompareResponse, headers=_HEADERS, example=examples.ANSWER)
@openapi.fails(
    routes, 400, 401, 402, 404, 409, 413, 415, 422, 429, 500, 502, 503, examples={422: examples.EQUAL}
)
@routes.doc(operationId="compare", parameters=[openapi.IDEMPOTENCY_KEY])
def compare(body: dict[str, Any]) -> Response:
    """Compare two versions of a contract

    Each version is analysed as by POST /api/v1/analyze. The answer tells, clause by clause and word by word,
    what was added, removed, changed or moved, which amounts, dates, periods and parties are others, and
    which risks appeared, went or stayed. It costs what one deep analysis costs, two credits, and only on
    success; two versions with the same words are refused. Both texts and the answer are kept
    encrypted until `expiresAt`, for GET /api/v1/compare/{comparisonId} and its report.
    """
    done = operations.compare(
        caller(),
        body,
        raw=http.json_body(),
        key=idempotency.key_of(request.headers.get("Idempotency-Key")),
        request_id=http.request_id(),
        base_url=public_address.base(),
    )
    g.credits_charged = done.credits_charged
    stored = done.stored
    return http.replayable(stored.status, stored.headers, stored.body, replayed=done.replayed)


@routes.route("/compare/<uuid:comparison_id>", methods=["GET"])
@require_key("analyze")
@routes.response(200, schemas.CompareResponse, headers=openapi.RATE_HEADERS, example=examples.ANSWER)
@openapi.fails(routes, 401, 404, 429, 500, 503, examples={404: examples.UNKNOWN})
@routes.doc(operationId="getComparison")
def show(comparison_id: uuid.UUID) -> Response:
    """Get a comparison

    The answer of POST /api/v1/compare again, until `expiresAt`, for the key that made it.
    """
    with db.reading() as session:
        row = comparison.find(session, caller(), comparison_id)
    return http.answer(dict(comparison.open_kept(row).answer))


@routes.route("/compare/<uuid:comparison_id>/report", methods=["GET"])
@require_key("analyze")
@routes.arguments(schemas.ReportQuery, location="query")
@routes.alt_response(200, **_FILE)
@openapi.fails(routes, 400, 401, 404, 429, 500, 503, examples={404: examples.UNKNOWN})
@routes.doc(operationId="comparisonReport")
def report(query: dict[str, Any], comparison_id: uuid.UUID) -> Response:
    """Get a comparison as a file

    `docx` has the text with every change tracked under the name of your branding: accepting all gives the
    later version, rejecting all the earlier one, line ends and characters that no such file can hold aside. A
    clause that moved is deleted where it stood and inserted where it stands. `md` is the analysis.
    """
    with db.reading() as session:
        row = comparison.find(session, caller(), comparison_id)
    made = operations.report(row, comparison.open_kept(row), query["format"])
    headers = {"Content-Disposition": f'attachment; filename="{made.name}"'}
    return Response(made.data, 200, headers, mimetype=made.media_type)
