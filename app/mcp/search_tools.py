"""The two tools of `/api/mcp/search`, search and fetch, in the form that research modes ask for."""

from __future__ import annotations

import uuid
from itertools import chain, zip_longest
from typing import Any

from marshmallow import fields

from app import corpus
from app.corpus import operations as law
from app.mcp import json_schema
from app.mcp.tool import Call, Tool, ToolResult
from app.platform import clock
from app.platform.errors import NotFound
from app.platform.settings import Settings
from app.platform.web.openapi import Body, Length, Text
from app.search import operations as search

_RESULTS, _JURISDICTIONS = 10, 5
_ARTICLE, _JUDGMENT = "article", "judgment"


class _Query(Body):
    query = Text(
        required=True,
        validate=Length(min=2, max=2_000),
        metadata={"description": "A question in words, or a citation of law."},
    )


class _Fetch(Body):
    id = Text(
        required=True,
        validate=Length(min=1, max=100),
        metadata={"description": "The id of a search result."},
    )


class _Result(Body):
    id = fields.String(required=True, metadata={"description": "What fetch takes."})
    title = fields.String(required=True)
    url = fields.String(required=True)


class _Results(Body):
    results = fields.List(
        fields.Nested(_Result), required=True, metadata={"description": "What was found, best first."}
    )


class _Document(Body):
    id = fields.String(required=True, metadata={"description": "The id that was asked for."})
    title = fields.String(required=True)
    text = fields.String(required=True, metadata={"description": "Its whole text."})
    url = fields.String(required=True)
    metadata = fields.Dict(
        keys=fields.String(),
        values=fields.String(),
        required=True,
        metadata={"description": "Jurisdiction, days and official ids, and a note where there is one."},
    )


def tools(config: Settings) -> tuple[Tool, ...]:
    """Return search and fetch."""
    return (
        Tool(
            name="search",
            title="Search law",
            description=(
                "Search the loaded statutes and judgments by a question in words or a citation; fetch "
                "gives the text of a result. Nothing found means that nothing loaded fits, not that there "
                "is no such law."
            ),
            arguments=_Query(),
            result=json_schema.of(_Results()),
            run=_search,
            leaves=config.embedding_engine != "none",
            compact=True,
        ),
        Tool(
            name="fetch",
            title="Fetch an article or a judgment",
            description="Give the text of a search result: an article as it stands today, or a judgment.",
            arguments=_Fetch(),
            result=json_schema.of(_Document()),
            run=_fetch,
            compact=True,
            most_characters=500_000,
        ),
    )


def _search(call: Call) -> ToolResult:
    query = call.body["query"]
    lists: list[list[dict[str, str]]] = []
    for code in _loaded():
        articles = search.search_statutes(
            {"query": query, "jurisdiction": code, "tipos": (), "materias": (), "top_k": _RESULTS}
        )
        judgments = search.search_judgments({"query": query, "jurisdiction": code, "top_k": _RESULTS})
        lists += [
            [
                {
                    "id": f"{_ARTICLE}:{one['articulo_id']}",
                    "title": f"{one['norma_titulo']}, art. {one['numero']}",
                    "url": one["url_boe"] or f"urn:uuid:{one['articulo_id']}",
                }
                for one in articles["data"]
            ],
            [
                {"id": f"{_JUDGMENT}:{one['id']}", "title": one["titulo"], "url": one["url"]}
                for one in judgments["chunks"]
            ],
        ]
    turns = (one for one in chain.from_iterable(zip_longest(*lists)) if one is not None)
    # Several passages of one judgment are one result.
    found = list({one["url"]: one for one in reversed(list(turns))}.values())[::-1]
    return ToolResult({"results": found[:_RESULTS]})


def _loaded() -> list[str]:
    """Return the jurisdictions of which law is loaded: Spain first, then those with most of it."""
    held = corpus.counts_by_jurisdiction(clock.now())
    size = {code: one.statutes + one.judgments for code, one in held.items()}
    found = sorted((code for code in size if size[code]), key=lambda code: (code != "ES", -size[code], code))
    return found[:_JURISDICTIONS] or ["ES"]


def _fetch(call: Call) -> ToolResult:
    asked = call.body["id"]
    kind, _, written = asked.partition(":")
    try:
        key = uuid.UUID(written)
    except ValueError:
        kind = ""
    if kind == _ARTICLE:
        return ToolResult(_article(asked, law.fetch_article(key)))
    if kind == _JUDGMENT:
        return ToolResult(_judgment(asked, law.fetch_judgment(key)))
    raise NotFound("id: is no id of a search result; take it from search.", details={"field": "id"})


def _article(asked: str, found: dict[str, Any]) -> dict[str, Any]:
    article = found["articulo"]
    version = article["version"] or {}
    return {
        "id": asked,
        "title": found["titulo"],
        "text": article["texto_literal"] or "",
        "url": found["url"] or f"urn:uuid:{asked.partition(':')[2]}",
        "metadata": _known(
            jurisdiction=found["jurisdiccion"],
            official_id=found["boe_id"],
            heading=article["rubrica"],
            status=found["vigencia_status"],
            in_force_from=version.get("vigencia_desde"),
            in_force_to=version.get("vigencia_hasta"),
            note=found.get("note"),
        ),
    }


def _judgment(asked: str, found: dict[str, Any]) -> dict[str, Any]:
    return {
        "id": asked,
        "title": found["titulo"],
        "text": found["texto"],
        "url": found["url"],
        "metadata": _known(
            jurisdiction=found["jurisdiccion"],
            court=found["tribunal"],
            date=found["fecha"],
            ecli=found["ecli"],
            note=None if found["texto"] else "Its text is not loaded.",
        ),
    }


def _known(**values: str | None) -> dict[str, str]:
    return {name: value for name, value in values.items() if value}
