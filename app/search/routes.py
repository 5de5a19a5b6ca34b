"""POST /normativa/search, /jurisprudencia/search and the two verify-cita (decision 033)."""

from __future__ import annotations

from typing import Any

from flask import Response

from app import corpus, search
from app.platform import clock, settings
from app.platform.postgres import db
from app.platform.web import http, openapi
from app.search import examples
from app.search.judgment_search import MOST_CHARACTERS, FoundPassage
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
from app.search.statute_search import FoundArticle
from app.tenancy.guard import require_key

routes = openapi.Routes(
    "search", __name__, url_prefix="/api/v1", description="Search of the law, and quotations checked."
)
# The answers on a text in which no citation can be read (decision 022).
_NO_STATUTE: dict[str, Any] = {
    "status": "pending",
    "mismatch_kind": None,
    "citation": {"alias": None, "articulo": None, "norma_id": None, "norma_titulo": None},
    "canonical_text": None,
    "url": None,
    "similarity": None,
    "text_match": None,
    "depth": None,
    "vigente_a_fecha": None,
    "vigencia_status": "unknown",
}
_NO_JUDGMENT: dict[str, Any] = {
    "status": "pending",
    "mismatch_kind": None,
    "citation": {"type": None, "ecli": None, "roj": None, "tribunal": None, "anio": None},
    "canonical_text": None,
    "url": None,
    "similarity": None,
    "depth": None,
}
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
    code, day = _jurisdiction(body) or "ES", body.get("fecha") or clock.today()
    asked = search.prepare(body["query"], jurisdiction=code, kind="article", config=settings.current())
    with db.reading() as session:
        answer = search.statute_search.search(
            session, asked, day=day, most=body["top_k"], ranks=body["tipos"], subjects=body["materias"]
        )
    found: dict[str, Any] = {
        "data": [_article(one) for one in answer.found],
        "query": body["query"],
        "jurisdiccion": code,
        "fecha": day.isoformat(),
        "top_k": body["top_k"],
        "vigencia_filtrada": "consulta",
    }
    if answer.note:
        found |= {"note": answer.note, "noteCode": answer.note_code}
    return http.answer(found)


def _article(one: FoundArticle) -> dict[str, Any]:
    return {
        "articulo_id": str(one.article_id),
        "norma_id": str(one.norm_id),
        "boe_id": one.official_id,
        "numero": one.number,
        "rubrica": one.heading,
        "texto_literal": one.text,
        "url_boe": one.url,
        "similarity": one.similarity,
        "alias": one.alias,
        "norma_titulo": one.norm_title,
        "tipo": one.rank,
    }


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
    code = _jurisdiction(body) or "ES"
    asked = search.prepare(body["query"], jurisdiction=code, kind="judgment", config=settings.current())
    with db.reading() as session:
        chunks, note = search.judgment_search.search(session, asked, most=body["top_k"])
    found: dict[str, Any] = {
        "query": body["query"],
        "jurisdiction": code,
        "intent": asked.parsed.intent,
        "count": len(chunks),
        "chunks": [_chunk(one) for one in chunks],
    }
    if note:
        found |= {"note": note[0], "noteCode": note[1]}
    return http.answer(found)


def _chunk(one: FoundPassage) -> dict[str, Any]:
    return {
        "id": str(one.passage_id),
        "source": one.source,
        "titulo": one.title,
        "texto": one.text,
        "url": one.url,
    }


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
    day = body.get("fecha") or clock.today()
    try:
        citation = corpus.claim_check.read_citation(body["citation"], _jurisdiction(body), "L4-N")
    except corpus.claim_check.Unreadable as none:
        return http.answer({**_NO_STATUTE, "consultado_a_fecha": day.isoformat(), "note": none.note.es})
    with db.reading() as session:
        found = corpus.claim_check.check_statute(
            session, citation, day=day, written=body["citation"], claim=body.get("claim_text")
        )
    compared = found.compared
    return http.answer(
        {
            "status": found.status,
            "mismatch_kind": found.mismatch_kind,
            "citation": {
                "alias": found.alias,
                "articulo": citation.articles[0] if citation.articles else None,
                "norma_id": str(found.norm_id) if found.norm_id else None,
                "norma_titulo": found.norm_title,
            },
            "canonical_text": found.text,
            "url": found.url,
            "similarity": compared.similarity if compared else None,
            "text_match": compared.match if compared else None,
            "depth": found.depth,
            "consultado_a_fecha": day.isoformat(),
            "vigente_a_fecha": day.isoformat() if found.standing == "in_force" else None,
            "vigencia_status": found.standing,
            "note": found.note.es,
        }
    )


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
    try:
        citation = corpus.claim_check.read_citation(body["citation"], _jurisdiction(body), "L2-J")
    except corpus.claim_check.Unreadable as none:
        return http.answer({**_NO_JUDGMENT, "note": none.note.es})
    with db.reading() as session:
        found = corpus.claim_check.check_judgment(
            session, citation, day=clock.today(), claim=body.get("claim_text")
        )
    return http.answer(
        {
            "status": found.status,
            "mismatch_kind": found.mismatch_kind,
            "citation": {
                "type": found.kind,
                "ecli": found.ecli,
                "roj": found.roj,
                "tribunal": found.court,
                "anio": found.year,
            },
            "canonical_text": found.text[:MOST_CHARACTERS] if found.text else None,
            "url": found.url,
            "similarity": found.compared.similarity if found.compared else None,
            "depth": found.depth,
            "note": found.note.es,
        }
    )


def _jurisdiction(body: dict[str, Any]) -> str | None:
    given: str | None = body.get("jurisdiccion") or body.get("jurisdiction")
    return given
