"""GET /api/v1/jurisdictions, /corpus/coverage and /normativa/… (decision 032)."""

from __future__ import annotations

from typing import Any

from flask import Response

from app import corpus
from app.corpus import examples, operations
from app.corpus.lookup import articles
from app.corpus.notes import coverage_notes
from app.corpus.schemas import (
    ArticleQuery,
    ArticleResponse,
    CoverageResponse,
    JurisdictionsResponse,
    LawCoverageResponse,
    VersionsQuery,
    VersionsResponse,
)  # fmt: skip
from app.platform import clock
from app.platform.postgres import db
from app.platform.web import http, openapi
from app.tenancy.guard import public, require_key

routes = openapi.Routes(
    "law", __name__, url_prefix="/api/v1", description="Corpus: jurisdictions, loaded law and its articles."
)

_EXAMPLE = {
    "jurisdictions": [
        {
            "code": "ES",
            "name": "Spain",
            "nameEs": "España",
            "legalSystem": "civil",
            "language": "es",
            "corpus": {"statutes": 57, "judgments": 0},
            "assessment": "full",
            "branches": corpus.assessed_branches("ES"),
        }
    ],
    "total": 1,
    "legalSystems": ["civil"],
    "note": operations.NOTE,
}


@routes.route("/jurisdictions", methods=["GET"])
@public
@routes.response(200, JurisdictionsResponse, headers=openapi.RATE_HEADERS, example=_EXAMPLE)
@openapi.fails(routes, 429, 500, 503)
@routes.doc(operationId="jurisdictions", security=[])
def jurisdictions() -> Response:
    """List the supported jurisdictions

    No key needed.
    """
    return http.answer(operations.list_jurisdictions(), headers={"Cache-Control": "public, max-age=300"})


@routes.route("/corpus/coverage", methods=["GET"])
@require_key()
@routes.response(200, CoverageResponse, headers=openapi.RATE_HEADERS, example=examples.COVERAGE)
@openapi.fails(routes, 401, 429, 500, 503)
@routes.doc(operationId="corpusCoverage")
def coverage() -> Response:
    """Get the coverage of the corpus

    Read from the tables that exist; at most five minutes old and never older than the last load. Costs no
    credits. A table with several jurisdictions is reported in parts, one for each.
    """
    return http.answer(operations.corpus_coverage(), headers={"Cache-Control": "private, max-age=300"})


@routes.route("/normativa/coverage", methods=["GET"])
@public
@routes.response(200, LawCoverageResponse, headers=openapi.RATE_HEADERS, example=examples.LAW)
@openapi.fails(routes, 429, 500, 503)
@routes.doc(operationId="lawCoverage", security=[])
def law_coverage() -> Response:
    """Get the number and age of loaded statutes

    No key needed.
    """
    with db.reading() as session:
        found = corpus.law(session)
    lag = (clock.today() - found.updated).days if found.updated else None
    return http.answer(
        {
            "jurisdicciones": list(found.jurisdictions),
            "total_normas": found.norms,
            "total_versiones": found.versions,
            "total_articulos": found.articles,
            "ultima_actualizacion": clock.iso_day(found.updated),
            "lag_dias": lag,
            "status": found.status,
        },
        headers={"Cache-Control": "public, max-age=300"},
    )


@routes.route("/normativa/articulo", methods=["GET"])
@require_key("query", window="work")
@routes.arguments(ArticleQuery, location="query")
@routes.response(200, ArticleResponse, headers=openapi.RATE_HEADERS, example=examples.ARTICLE)
@openapi.fails(routes, 400, 401, 429, 500, 503)
@routes.doc(operationId="lawArticle")
def article(query: dict[str, Any]) -> Response:
    """Get an article as in force on a date

    Identify the norm by any of its names. If the article does not exist or is not loaded, the answer is 200
    with nulls and a note that says so; for an ambiguous abbreviation the note lists the candidates.
    """
    return http.answer(operations.read_article(query))


@routes.route(
    "/normativa/norma/<norm_id>/versiones",
    methods=["GET"],
    parameters=[
        {
            "in": "path",
            "name": "norm_id",
            "description": "Its id or its BOE id.",
            "schema": {"type": "string", "minLength": 1, "example": "BOE-A-1889-4763"},
        }
    ],
)
@require_key("query", window="work")
@routes.arguments(VersionsQuery, location="query")
@routes.response(200, VersionsResponse, headers=openapi.RATE_HEADERS, example=examples.VERSIONS)
@openapi.fails(routes, 400, 401, 429, 500, 503)
@routes.doc(operationId="lawVersions")
def versions(query: dict[str, Any], norm_id: str) -> Response:
    """List the versions of a norm

    By its id or its BOE id. A version begins on a date on which the text of the norm changed; a source that
    has only the current text gives one version without a first day. For a norm that is not loaded the answer
    is 200 with null and a note.
    """
    with db.reading() as session:
        norm = articles.find(session, norm_id, operations.jurisdiction_of(query)).norm
        if norm is None:
            return http.answer({"norma": None, "versiones": [], "note": coverage_notes.no_such_norm().es})
        found = articles.editions(session, norm)
        body: dict[str, Any] = {
            "norma": {
                "boe_id": norm.official_id,
                "titulo_corto": norm.short_title or articles.short_title(norm),
                "titulo_oficial": norm.title,
                "url_boe": articles.permanent(norm),
                "fecha_publicacion": clock.iso_day(norm.published),
                "fecha_derogacion": clock.iso_day(norm.repealed),
            },
            "versiones": [
                {
                    "version_numero": one.number,
                    "vigencia_desde": clock.iso_day(one.since),
                    "vigencia_hasta": clock.iso_day(one.until),
                    "modificada_por": one.amended_by,
                    "hash_texto": one.digest,
                    "url_snapshot": articles.snapshot(norm, one.since),
                }
                for one in found
            ],
        }
        if not found:
            body["note"] = coverage_notes.no_text(norm.short_title or norm.title).es
    return http.answer(body)
