"""POST /normativa/search, /jurisprudencia/search and the two verify-cita (decision 033)."""

from __future__ import annotations

from typing import Any

from flask import Response

from app.platform.web import http, openapi
from app.search import examples, operations
from app.search.schemas import (
    JudgmentCheck,
    JudgmentCheckResponse,
    JudgmentSearch,
    JudgmentSearchResponse,
    StatuteCheck,
    StatuteCheckResponse,
    StatuteSearch,
    StatuteSearchResponse,
)
from app.tenancy.guard import require_key

routes = openapi.Routes(
    "search", __name__, url_prefix="/api/v1", description="Search of the law, and quotations checked."
)
_FAILURES = (400, 401, 413, 415, 429, 500, 503)


@routes.route("/normativa/search", methods=["POST"])
@require_key("query", window="work")
@routes.arguments(StatuteSearch, example=examples.STATUTE_SEARCH)
@routes.response(
    200, StatuteSearchResponse, headers=openapi.RATE_HEADERS, example=examples.STATUTE_SEARCH_ANSWER
)
@openapi.fails(routes, *_FAILURES)
@routes.doc(operationId="searchStatutes")
def statutes(body: dict[str, Any]) -> Response:
    """Search statutes in force on a date

    Authorities cited in the query come first, then one ranking by words and vectors. Costs no credits.
    """
    return http.answer(operations.search_statutes(body))


@routes.route("/jurisprudencia/search", methods=["POST"])
@require_key("query", window="work")
@routes.arguments(JudgmentSearch, example=examples.JUDGMENT_SEARCH)
@routes.response(
    200, JudgmentSearchResponse, headers=openapi.RATE_HEADERS, example=examples.JUDGMENT_SEARCH_ANSWER
)
@openapi.fails(routes, *_FAILURES)
@routes.doc(operationId="searchJurisprudence")
def judgments(body: dict[str, Any]) -> Response:
    """Search judgments

    Passages of judgments cited in the query come first, then one ranking by words and vectors. Costs no
    credits.
    """
    return http.answer(operations.search_judgments(body))


@routes.route("/normativa/verify-cita", methods=["POST"])
@require_key("query", window="work")
@routes.arguments(StatuteCheck, example=examples.STATUTE_CHECK)
@routes.response(
    200, StatuteCheckResponse, headers=openapi.RATE_HEADERS, example=examples.STATUTE_CHECK_ANSWER
)
@openapi.fails(routes, *_FAILURES)
@routes.doc(operationId="verifyStatuteCitation")
def verify_statute(body: dict[str, Any]) -> Response:
    """Verify a citation of law and the words attributed to it

    Without `jurisdiccion`, the jurisdiction is detected from the citation; 400 if it could be several. If no
    citation is recognised in the text, the answer is `pending` with a note.
    """
    return http.answer(operations.verify_statute(body))


@routes.route("/jurisprudencia/verify-cita", methods=["POST"])
@require_key("query", window="work")
@routes.arguments(JudgmentCheck, example=examples.JUDGMENT_CHECK)
@routes.response(
    200, JudgmentCheckResponse, headers=openapi.RATE_HEADERS, example=examples.JUDGMENT_CHECK_ANSWER
)
@openapi.fails(routes, *_FAILURES)
@routes.doc(operationId="verifyJudgmentCitation")
def verify_judgment(body: dict[str, Any]) -> Response:
    """Verify a citation of a judgment and the words attributed to it

    For a judgment that is not loaded the answer is `not_verifiable`, never `verified`; court and year are
    then taken from the citation itself. If no citation is recognised in the text, the answer is `pending`
    with a note.
    """
    return http.answer(operations.verify_judgment(body))
