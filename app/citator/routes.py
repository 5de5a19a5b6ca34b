"""GET /api/v1/citator/… and /cruce/… (decision 034)."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec

from flask import Response

from app import corpus, webhooks
from app.citator import authority_lookup, examples, graph, operations
from app.citator.schemas import (
    CitationQuery,
    CitatorCoverageResponse,
    CrossedArticleQuery,
    CrossedArticles,
    CrossedJudgmentQuery,
    CrossedJudgments,
    LinksQuery,
    LinksResponse,
    TimelineQuery,
    TimelineResponse,
    ValidityResponse,
    WatchBody,
    WatchList,
    WatchRemoved,
    WatchResponse,
)
from app.platform import clock
from app.platform.errors import Denied, Invalid, NotFound
from app.platform.postgres import db
from app.platform.web import http, openapi
from app.tenancy.guard import caller, require_key

P = ParamSpec("P")

routes = openapi.Routes(
    "citator",
    __name__,
    url_prefix="/api/v1",
    description="Citator: who cites whom, and what is still good law.",
)
_ADDON = {
    403: {
        "error": "This account does not have the citator add-on.",
        "code": "ADDON_REQUIRED",
        "requestId": "req_3f0d6c52-6a0e-4c38-9f4b-0f6a4f1f7a11",
        "details": {"addon": "citator"},
    }
}


_A_CHILD = {
    403: {
        "error": "A child key cannot watch the law for its account. Use another key of the account.",
        "code": "FORBIDDEN_CHILD_KEY",
        "requestId": "req_3f0d6c52-6a0e-4c38-9f4b-0f6a4f1f7a11",
    }
}
_UNREAD = {
    "error": "citation: no law, article or judgment that is known can be read in it.",
    "code": "VALIDATION_ERROR",
    "requestId": "req_3f0d6c52-6a0e-4c38-9f4b-0f6a4f1f7a11",
    "details": {"field": "citation", "got": "the usual clause"},
}


@routes.route("/citator/validity", methods=["GET"])
@require_key("query", window="work")
@routes.arguments(CitationQuery, location="query")
@routes.response(200, ValidityResponse, headers=openapi.RATE_HEADERS, example=examples.VALIDITY)
@openapi.fails(routes, 400, 401, 403, 429, 500, 503, examples=_ADDON)
@routes.doc(operationId="citationValidity")
def citation_validity(query: dict[str, Any]) -> Response:
    """Check whether a citation is still good law

    `unknown` if the citation was not identified, or if nothing loaded could show otherwise. `redaccion` is
    the date of the version you have: an article that was changed since is `superseded`.
    """
    return http.answer(operations.citation_validity(caller(), query))


@routes.route("/citator/citations", methods=["GET"])
@require_key("query", window="work")
@routes.arguments(LinksQuery, location="query")
@routes.response(200, LinksResponse, headers=openapi.RATE_HEADERS, example=examples.CITATIONS)
@openapi.fails(routes, 400, 401, 403, 404, 429, 500, 503, examples=_ADDON)
@routes.doc(operationId="citationsOf")
def citations(query: dict[str, Any]) -> Response:
    """List what an authority cites

    The most significant treatments first, then the newest.
    """
    operations.require_addon(caller())
    with db.reading() as session:
        found = operations.resolved(session, query)
        page = graph.cited_by(session, found, **operations.paging(query))
    return http.answer(operations.links(query, found, page, cites=True))


@routes.route("/citator/cited-by", methods=["GET"])
@require_key("query", window="work")
@routes.arguments(LinksQuery, location="query")
@routes.response(200, LinksResponse, headers=openapi.RATE_HEADERS, example=examples.CITED_BY)
@openapi.fails(routes, 400, 401, 403, 404, 429, 500, 503, examples=_ADDON)
@routes.doc(operationId="citedBy")
def cited_by(query: dict[str, Any]) -> Response:
    """List who cites an authority, with treatment and count

    For a norm: who cites any of its articles. For an article (`id=artículo 124 de la Ley 599 de 2000`): who
    cites it. The most significant treatments first, then the newest.
    """
    return http.answer(operations.cited_by(caller(), query))


@routes.route("/citator/timeline", methods=["GET"])
@require_key("query", window="work")
@routes.arguments(TimelineQuery, location="query")
@routes.response(200, TimelineResponse, headers=openapi.RATE_HEADERS, example=examples.TIMELINE)
@openapi.fails(routes, 400, 401, 403, 404, 429, 500, 503, examples=_ADDON)
@routes.doc(operationId="citationTimeline")
def citation_timeline(query: dict[str, Any]) -> Response:
    """Get the timeline of an authority

    Publication, versions, amendments, repeal and treatments by date; undated entries come first.
    """
    return http.answer(operations.citation_timeline(caller(), query))


@routes.route("/citator/coverage", methods=["GET"])
@require_key("query", window="work")
@routes.response(200, CitatorCoverageResponse, headers=openapi.RATE_HEADERS, example=examples.COVERAGE)
@openapi.fails(routes, 401, 403, 429, 500, 503, examples=_ADDON)
@routes.doc(operationId="citatorCoverage")
def coverage() -> Response:
    """Get the coverage of the citator

    Citations found, the documents they were found in and the date of the newest document, by jurisdiction.
    """
    operations.require_addon(caller())
    with db.reading() as session:
        found = graph.coverage(session)
    return http.answer(
        {
            "totalEdges": sum(one.edges for one in found),
            "totalDocuments": sum(one.documents for one in found),
            "jurisdictions": [
                {
                    "jurisdiction": one.jurisdiction,
                    "edges": one.edges,
                    "documents": one.documents,
                    "newest": clock.iso_day(one.newest),
                }
                for one in found
            ],
        }
    )


@routes.route("/cruce/sentencias-de-articulo", methods=["GET"])
@require_key("query", window="work")
@routes.arguments(CrossedArticleQuery, location="query")
@routes.response(200, CrossedJudgments, headers=openapi.RATE_HEADERS, example=examples.JUDGMENTS)
@openapi.fails(routes, 400, 401, 404, 429, 500, 503)
@routes.doc(operationId="judgmentsOfArticle")
def judgments_of_article(query: dict[str, Any]) -> Response:
    """List the judgments that cite an article

    Identify the norm by `norma_alias` or `norma_id`. Judgments that cite it most come first.
    """
    written = query.get("norma_id") or query.get("norma_alias")
    if not written:
        raise Invalid("norma_alias: is required, or send norma_id instead.", details={"field": "norma_alias"})
    number = corpus.article_number(query["articulo"])
    with db.reading() as session:
        called = corpus.find(session, written, operations.jurisdiction_of(query) or "ES")
        if called.key is None:
            names = "; ".join(corpus.norm_title(key) for key in called.candidates)
            raise NotFound(
                f"norma_alias: ambiguous; it could be {names}. Send norma_id."
                if names
                else "There is no norm with this name.",
                details={"field": "norma_id" if query.get("norma_id") else "norma_alias"},
            )
        found = graph.judgments_of_article(session, called.key, number, query["top"]) if number else []
        norm, known = called.norm, corpus.norm(called.key)
        body: dict[str, Any] = {
            "norma_id": norm.official_id if norm else known.official_id if known else None,
            # As it was asked (decision 022); a norm that was named by its id is called what it is called.
            "norma_alias": query.get("norma_alias") or corpus.short_name(called.key),
            "articulo": number or query["articulo"],
            "top": query["top"],
            "sentencias": [_judgment(one) for one in found],
        }
    return http.answer(body)


def _judgment(one: graph.CrossReference) -> dict[str, Any]:
    held = one.decision
    return {
        "jurisprudencia_id": str(held.id) if held else None,
        "tribunal": held.court if held else None,
        "sala": held.chamber if held else None,
        "fecha": clock.iso_day(one.authority.dated),
        "ecli": held.ecli if held else None,
        "roj": held.roj if held else None,
        "url_cendoj": one.authority.url,
        "resumen": (held.summary or held.title) if held else one.authority.title,
        "count_citas": one.times,
    }


@routes.route("/cruce/articulos-de-sentencia", methods=["GET"])
@require_key("query", window="work")
@routes.arguments(CrossedJudgmentQuery, location="query")
@routes.response(200, CrossedArticles, headers=openapi.RATE_HEADERS, example=examples.ARTICLES)
@openapi.fails(routes, 400, 401, 404, 429, 500, 503)
@routes.doc(operationId="articlesOfJudgment")
def articles_of_judgment(query: dict[str, Any]) -> Response:
    """List the articles that a judgment cites

    The most cited come first.
    """
    with db.reading() as session:
        found = authority_lookup.resolve(session, query["jurisprudencia_id"])
        if found is None or found.kind != "judgment" or not found.known:
            raise NotFound(
                "There is no loaded judgment with this id.", details={"field": "jurisprudencia_id"}
            )
        crossed = graph.articles_of_judgment(session, found.form)
        listed = [_article(session, one) for one in crossed]
    return http.answer({"jurisprudencia_id": str(found.id), "articulos": listed})


def _article(session: db.Session, one: graph.CrossReference) -> dict[str, Any]:
    row, known = corpus.loaded_norm(session, one.authority.form), corpus.norm(one.authority.form)
    alias = corpus.short_name(one.authority.form)
    return {
        "norma_alias": alias,
        "norma_id": row.official_id if row else known.official_id if known else None,
        "norma_titulo": row.title if row else one.authority.title,
        "norma_url": one.authority.url,
        "articulo_numero": one.article,
        "articulo": f"art. {one.article} {alias or one.authority.title}",
        "veces": one.times,
    }


def _not_a_child(view: Callable[P, Any]) -> Callable[P, Any]:
    """Refuse a child key before its body is parsed."""

    @wraps(view)
    def refused(*args: P.args, **kwargs: P.kwargs) -> Any:
        if caller().role == "child":
            raise Denied(_A_CHILD[403]["error"], code="FORBIDDEN_CHILD_KEY", status=403)
        return view(*args, **kwargs)

    return refused


@routes.route("/watches", methods=["POST"])
@require_key(manages="account")
@_not_a_child
@routes.arguments(WatchBody, example={"citation": "art. 1902 CC", "jurisdiction": "ES", "mail": True})
@routes.response(201, WatchResponse, headers=openapi.RATE_HEADERS, example=examples.WATCH)
@routes.alt_response(
    200,
    schema=WatchResponse,
    headers=openapi.RATE_HEADERS,
    example=examples.WATCH,
    description="It was watched.",
)
@openapi.fails(
    routes, 400, 401, 403, 413, 415, 422, 429, 500, 503, examples={400: _UNREAD, **_A_CHILD}
)  # fmt: skip
@routes.doc(operationId="watchLaw")
def watch(body: dict[str, Any]) -> Response:
    """Watch a law, an article or a judgment

    When a load changes the law or article, the account's webhooks that subscribe to `normativa.updated` are
    told; when a loaded judgment cites the judgment, those that subscribe to `judgment.cited`. `mail: true`
    tells the owners of the account by mail too. What is watched already answers 200 and takes the new
    `mail`. An account can watch 500.
    """
    with db.transaction() as session:
        row, new = operations.watch(session, caller(), body, now=clock.now())
        return http.answer(operations.watched_on_the_wire(row), 201 if new else 200)


@routes.route("/watches", methods=["GET"])
@require_key("query")
@_not_a_child
@routes.response(200, WatchList, headers=openapi.RATE_HEADERS, example=examples.WATCHES)
@openapi.fails(routes, 401, 403, 429, 500, 503, examples=_A_CHILD)
@routes.doc(operationId="listWatches")
def watches() -> Response:
    """List what the account watches

    Newest first.
    """
    with db.reading() as session:
        found = webhooks.watches_of(session, caller().account_id)
        rows = [operations.watched_on_the_wire(row) for row in found]
    return http.answer({"watches": rows, "count": len(rows), "limit": webhooks.MAX_WATCHES})


@routes.route("/watches/<uuid:watch_id>", methods=["DELETE"])
@require_key(manages="account")
@_not_a_child
@routes.response(200, WatchRemoved, headers=openapi.RATE_HEADERS, example=examples.WATCH_REMOVED)
@openapi.fails(routes, 401, 403, 404, 429, 500, 503, examples=_A_CHILD)
@routes.doc(operationId="unwatchLaw")
def unwatch(watch_id: uuid.UUID) -> Response:
    """Stop watching

    What was announced before is still delivered.
    """
    with db.transaction() as session:
        webhooks.unwatch(session, caller().account_id, watch_id)
    return http.answer({"removed_watch_id": str(watch_id)})
