"""GET /api/v1/jurisdictions, /corpus/coverage and /normativa/… (decision 032)."""

from __future__ import annotations

from datetime import date
from typing import Any

from flask import Response

from app import corpus
from app.corpus import examples, lookup
from app.corpus.models import CorpusNorm
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
from app.platform import clock, settings
from app.platform.errors import Invalid
from app.platform.postgres import db
from app.platform.web import http, openapi
from app.tenancy.guard import public, require_key

routes = openapi.Routes(
    "law", __name__, url_prefix="/api/v1", description="Corpus: jurisdictions, loaded law and its articles."
)

_NOTE = (
    "corpus counts what can be checked here: norms loaded (or known to the registry, if more) and "
    "judgments loaded. Documents of a jurisdiction with zero are analysed too; their citations are "
    "not_verifiable."
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
        }
    ],
    "total": 1,
    "legalSystems": ["civil"],
    "note": _NOTE,
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
    listed = corpus.jurisdictions()
    loaded = corpus.known(clock.now())
    held = {item.code: corpus.checkable(item.code, loaded) for item in listed}
    engine = settings.current().node_a_engine
    return http.answer(
        {
            "jurisdictions": [
                {
                    "code": item.code,
                    "name": item.name,
                    "nameEs": item.name_es,
                    "legalSystem": item.legal_system,
                    "language": item.language,
                    "corpus": {
                        "statutes": held[item.code].statutes,
                        "judgments": held[item.code].judgments,
                    },
                    "assessment": corpus.assessment(item.code, engine),
                }
                for item in listed
            ],
            "total": len(listed),
            "legalSystems": sorted({item.legal_system for item in listed}),
            "note": _NOTE,
        },
        headers={"Cache-Control": "public, max-age=300"},
    )


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
    found = corpus.inventory(clock.now())
    return http.answer(
        {
            "generatedAt": clock.iso(found.generated_at),
            "cacheTtlSeconds": 300,
            "totalDocs": found.docs,
            "totalTables": len(found.tables),
            "tables": [
                {
                    "table": one.table,
                    "inferredJurisdiction": one.jurisdiction,
                    "totalDocs": one.docs,
                    "oldestDoc": one.oldest,
                    "newestDoc": one.newest,
                    "topSources": [{"source": name, "count": docs} for name, docs in one.sources],
                    "sourceColumn": one.source_column,
                }
                for one in found.tables
            ],
        },
        headers={"Cache-Control": "private, max-age=300"},
    )


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
            "ultima_actualizacion": _iso(found.updated),
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
    jurisdiction, on = _jurisdiction(query), query.get("fecha") or clock.today()
    body: dict[str, Any] = {
        "norma": None,
        "articulo": None,
        "consultado_a_fecha": on.isoformat(),
        "vigente_a_fecha": None,
        "vigencia_status": "unknown",
        "jurisdiccion": jurisdiction,
    }
    with db.reading() as session:
        called = lookup.find(session, query["norma"], jurisdiction)
        norm = called.norm
        if norm is None:
            title = lookup.title_of(called.key) if called.key else None
            body["note"] = coverage_notes.not_loaded(
                [lookup.title_of(key) for key in called.candidates], title
            ).es
            return http.answer(body)
        body["jurisdiccion"] = norm.jurisdiction
        found = lookup.article(session, norm, query["articulo"], on)
        number = found.article.number if found else None
        body["norma"] = {
            "boe_id": norm.official_id,
            "titulo": norm.title,
            "url": lookup.permanent(norm, number),
        }
        if found is None:
            title = norm.short_title or norm.title
            body["note"] = coverage_notes.article_not_held(title, query["articulo"], norm.whole).es
            if norm.source == "index":
                body["note"] = coverage_notes.no_text(title).es
            if norm.repealed is not None and on >= norm.repealed:
                body["note"] += " " + coverage_notes.norm_repealed(title, norm.repealed, norm.repealed_by).es
                body["vigencia_status"] = "not_in_force"
            return http.answer(body)
        body |= _article(norm, found, on)
    return http.answer(body)


def _article(norm: CorpusNorm, found: lookup.ArticleAt, on: date) -> dict[str, Any]:
    version = found.version
    repealed = norm.repealed is not None and on >= norm.repealed
    body: dict[str, Any] = {
        "articulo": {
            "numero": found.article.number,
            "rubrica": found.article.heading,
            "texto_literal": version.text if version else None,
            "version": {
                "vigencia_desde": _iso(version.in_force_from),
                "vigencia_hasta": _iso(version.in_force_to),
            }
            if version
            else None,
        },
    }
    in_force = version is not None and not repealed and not lookup.says_nothing(version)
    title = norm.short_title or norm.title
    if repealed and norm.repealed is not None:
        body["note"] = coverage_notes.norm_repealed(title, norm.repealed, norm.repealed_by).es
    elif norm.status != "in_force" and norm.repealed is None:
        in_force = False
        body["note"] = coverage_notes.norm_not_in_force(title, norm.status).es
    elif version is None:
        body["note"] = coverage_notes.no_version(title, found.article.number).es
    elif found.others:
        body["note"] = coverage_notes.number_twice(title, found.article.number, found.others + 1).es
    body["vigente_a_fecha"] = on.isoformat() if in_force else None
    body["vigencia_status"] = "in_force" if in_force else "not_in_force"
    return body


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
        norm = lookup.find(session, norm_id, _jurisdiction(query)).norm
        if norm is None:
            return http.answer({"norma": None, "versiones": [], "note": coverage_notes.no_such_norm().es})
        found = lookup.editions(session, norm)
        body: dict[str, Any] = {
            "norma": {
                "boe_id": norm.official_id,
                "titulo_corto": norm.short_title or lookup.short_title(norm),
                "titulo_oficial": norm.title,
                "url_boe": lookup.permanent(norm),
                "fecha_publicacion": _iso(norm.published),
                "fecha_derogacion": _iso(norm.repealed),
            },
            "versiones": [
                {
                    "version_numero": one.number,
                    "vigencia_desde": _iso(one.since),
                    "vigencia_hasta": _iso(one.until),
                    "modificada_por": one.amended_by,
                    "hash_texto": one.digest,
                    "url_snapshot": lookup.snapshot(norm, one.since),
                }
                for one in found
            ],
        }
        if not found:
            body["note"] = coverage_notes.no_text(norm.short_title or norm.title).es
    return http.answer(body)


def _jurisdiction(query: dict[str, Any]) -> str:
    """Return the jurisdiction asked for, Spain where none is.

    Raises:
        Invalid: The code is not known.
    """
    written = query.get("jurisdiction") or query.get("jurisdiccion") or "ES"
    code = str(written).strip().upper()
    if corpus.jurisdiction(code) is None and code != "ZZ":
        raise Invalid(
            "jurisdiction: unknown code. See GET /api/v1/jurisdictions.",
            details={"field": "jurisdiction", "got": code[:8]},
        )
    return code


def _iso(day: date | None) -> str | None:
    return day.isoformat() if day else None
