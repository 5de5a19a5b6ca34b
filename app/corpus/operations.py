"""What the corpus holds and says: parsed arguments in, the answer as a JSON object out (decision 032).

The HTTP routes and the tool server call these, so both answer alike. Schemas stand here for both.
"""

from __future__ import annotations

import uuid
from datetime import date
from typing import Any

from app import corpus
from app.corpus.lookup import articles
from app.corpus.models import CorpusArticle, CorpusNorm
from app.corpus.notes import coverage_notes
from app.corpus.schemas import ArticleQuery, ArticleResponse, CoverageResponse, JurisdictionsResponse
from app.platform import clock, settings
from app.platform.errors import NotFound
from app.platform.postgres import db

__all__ = [
    "NOTE",
    "ArticleQuery",
    "ArticleResponse",
    "CoverageResponse",
    "JurisdictionsResponse",
    "corpus_coverage",
    "fetch_article",
    "fetch_judgment",
    "jurisdiction_of",
    "list_jurisdictions",
    "read_article",
]

NOTE = (
    "corpus counts what can be checked here: norms loaded (or known to the registry, if more) and "
    "judgments loaded. Documents of a jurisdiction with zero are analysed too; their citations are "
    "not_verifiable."
)


def list_jurisdictions(own_engine: str | None = None) -> dict[str, Any]:
    """List the supported jurisdictions.

    Args:
        own_engine: The vendor of the caller's own node A, whose assessment is told instead of the operator's.
    """
    listed = corpus.jurisdictions()
    loaded = corpus.counts_by_jurisdiction(clock.now())
    held = {item.code: corpus.checkable_counts(item.code, loaded) for item in listed}
    engine = own_engine or settings.current().node_a_engine
    return {
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
                "branches": corpus.assessed_branches(item.code),
            }
            for item in listed
        ],
        "total": len(listed),
        "legalSystems": sorted({item.legal_system for item in listed}),
        "note": NOTE,
    }


def corpus_coverage() -> dict[str, Any]:
    """Report what the corpus holds, at most five minutes old."""
    found = corpus.coverage_snapshot(clock.now())
    return {
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
    }


def read_article(query: dict[str, Any]) -> dict[str, Any]:
    """Read an article as it stood on a day; `query` is a loaded `ArticleQuery`.

    What does not exist, or is not loaded, is nulls and a note that says so.
    """
    jurisdiction, on = jurisdiction_of(query), query.get("fecha") or clock.today()
    body: dict[str, Any] = {
        "norma": None,
        "articulo": None,
        "consultado_a_fecha": on.isoformat(),
        "vigente_a_fecha": None,
        "vigencia_status": "unknown",
        "jurisdiccion": jurisdiction,
    }
    with db.reading() as session:
        called = articles.find(session, query["norma"], jurisdiction)
        norm = called.norm
        if norm is None:
            title = articles.title_of(called.key) if called.key else None
            body["note"] = coverage_notes.not_loaded(
                [articles.title_of(key) for key in called.candidates], title
            ).es
            return body
        body["jurisdiccion"] = norm.jurisdiction
        found = articles.article(session, norm, query["articulo"], on)
        number = found.article.number if found else None
        body["norma"] = {
            "boe_id": norm.official_id,
            "titulo": norm.title,
            "url": articles.permanent(norm, number),
        }
        if found is None:
            title = norm.short_title or norm.title
            body["note"] = coverage_notes.article_not_held(title, query["articulo"], norm.whole).es
            if norm.source == "index":
                body["note"] = coverage_notes.no_text(title).es
            if norm.repealed is not None and on >= norm.repealed:
                body["note"] += " " + coverage_notes.norm_repealed(title, norm.repealed, norm.repealed_by).es
                body["vigencia_status"] = "not_in_force"
            return body
        body |= _article(norm, found, on)
    return body


def _article(norm: CorpusNorm, found: articles.ArticleAt, on: date) -> dict[str, Any]:
    version = found.version
    repealed = norm.repealed is not None and on >= norm.repealed
    body: dict[str, Any] = {
        "articulo": {
            "numero": found.article.number,
            "rubrica": found.article.heading,
            "texto_literal": version.text if version else None,
            "version": {
                "vigencia_desde": clock.iso_day(version.in_force_from),
                "vigencia_hasta": clock.iso_day(version.in_force_to),
            }
            if version
            else None,
        },
    }
    in_force = version is not None and not repealed and not articles.says_nothing(version)
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


def fetch_article(article_id: uuid.UUID) -> dict[str, Any]:
    """Return an article by its id as it stands today. Raises `NotFound` (404)."""
    on = clock.today()
    with db.reading() as session:
        row = session.get(CorpusArticle, article_id)
        norm = session.get(CorpusNorm, row.norm_id) if row else None
        if row is None or norm is None:
            raise NotFound("No article has this id.", details={"field": "id"})
        found = articles.article(session, norm, row.number, on)
        if found is None or found.article.id != article_id:
            # Of a number that occurs twice, the one that was asked for.
            held = articles.wordings(session, article_id)
            found = articles.ArticleAt(row, articles.in_force(held, on), current=True)
        return {
            "titulo": f"{norm.short_title or norm.title}, art. {row.number}",
            "url": articles.permanent(norm, row.number),
            **_article(norm, found, on),
            "jurisdiccion": norm.jurisdiction,
            "boe_id": norm.official_id,
        }


def fetch_judgment(judgment_id: uuid.UUID) -> dict[str, Any]:
    """Return a judgment with its text, by its id or that of one of its passages. Raises `NotFound` (404)."""
    with db.reading() as session:
        found = corpus.decision(session, judgment_id)
        if found is None:
            raise NotFound("No judgment has this id.", details={"field": "id"})
        text = corpus.judgment_texts(session, [found.id]).get(found.id, "")
    return {
        "titulo": found.title,
        "url": corpus.judgment_url(found.id, found.url, found.ecli),
        "texto": text,
        "tribunal": found.court,
        "fecha": clock.iso_day(found.dated),
        "ecli": found.ecli,
        "jurisdiccion": found.jurisdiction,
    }


def jurisdiction_of(query: dict[str, Any]) -> str:
    """Return the jurisdiction asked for, Spain where none is.

    Raises:
        Invalid: The code is not known.
    """
    return corpus.known_code(str(query.get("jurisdiction") or query.get("jurisdiccion") or "ES"))
