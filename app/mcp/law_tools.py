"""The tools that look law up: verification, search, articles, the citator, coverage, jurisdictions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from app.citator import operations as citator
from app.corpus import operations as corpus
from app.mcp import json_schema
from app.mcp.tool import Call, Tool, ToolResult
from app.platform.settings import Settings
from app.platform.web.openapi import Body
from app.search import operations as search

_COUNTRY = (
    "ISO code of the country whose law is meant, such as ES; list_jurisdictions has them all. "
    "Default: ES for a search, else read off the citation."
)
_ES = "ISO code of the country whose law is meant; default ES. list_jurisdictions has them all."
# One spelling is enough for a model; the HTTP interface takes both.
_TWIN = ("jurisdiccion",)

# Standard words of every description: what an answer is worth.
_UNCERTAIN = "not_verifiable means that nothing loaded here could tell, never that the citation is right: "
"say so to the user."


def tools(config: Settings) -> tuple[Tool, ...]:
    """Return the ten tools, in the order in which they are listed."""
    embeds = config.embedding_engine != "none"
    return (
        Tool(
            name="verify_citation",
            title="Verify a citation",
            description=(
                "Check one citation of law or of a judgment (art. 1902 CC, STC 31/2010, an ECLI): whether "
                "it exists, is in force on a day, and, with claim_text, whether it says the words "
                "attributed to it. Free. Use it before you cite law to a user. status: verified, "
                "mismatch, not_found, derogated, not_verifiable, or pending where no citation can be "
                f"read. {_UNCERTAIN} depth says how deep it was checked: the norm, the article, the "
                "paragraph, the words."
            ),
            arguments=search.StatuteCheck(exclude=_TWIN),
            words={
                "jurisdiction": _COUNTRY,
                "citation": "One citation, as written: art. 1902 CC, Ley 39/2015, STC 31/2010, an ECLI.",
            },
            result=_verified(),
            run=_verify,
        ),
        Tool(
            name="search_jurisprudence",
            title="Search judgments",
            description=(
                "Find passages of judgments in the loaded corpus by a question in words or by a citation; "
                "what is cited comes first. Free. Nothing found means that nothing loaded fits (see "
                "corpus_coverage), not that there is no such case law. Cite a passage by its title and url."
            ),
            arguments=search.JudgmentSearch(exclude=_TWIN),
            words={"jurisdiction": _ES, "top_k": "At most so many passages, 1 to 50; default 10."},
            result=json_schema.result(json_schema.of(search.JudgmentSearchResponse())),
            run=_judgments,
            leaves=embeds,
        ),
        Tool(
            name="search_statutes",
            title="Search statutes",
            description=(
                "Find articles of statutes in the loaded corpus as they stood on a day, by a question in "
                "words (Spanish or English) or by a citation; what is cited comes first. Free. The words "
                "of each article are in texto_literal: quote them from there. Nothing found means that "
                "nothing loaded fits (see corpus_coverage)."
            ),
            arguments=search.StatuteSearch(exclude=_TWIN),
            words={
                "jurisdiction": _ES,
                "tipos": "Ranks of norms to keep, as tipo of the results; an unknown one is refused with "
                "those there are.",
                "top_k": "At most so many articles, 1 to 50; default 10.",
            },
            result=json_schema.result(json_schema.of(search.StatuteSearchResponse())),
            run=_statutes,
            leaves=embeds,
        ),
        Tool(
            name="get_article",
            title="Read an article",
            description=(
                "Read one article of a statute as it stood on a day, word for word, with the days between "
                "which that wording was in force. Free. What is not loaded is null, with a note that says "
                "so: do not fill the gap from memory."
            ),
            arguments=corpus.ArticleQuery(exclude=_TWIN),
            words={"jurisdiction": _ES},
            result=json_schema.result(json_schema.of(corpus.ArticleResponse())),
            run=lambda call: ToolResult(corpus.read_article(call.body)),
        ),
        Tool(
            name="citation_validity",
            title="Is it still good law?",
            description=(
                "Tell whether a statute, an article or a judgment is still good law on a day, and because "
                "of what: good, caution, overruled, annulled, repealed, superseded or unknown. unknown "
                "means that nothing was read which could tell. Free, for accounts with the citator."
            ),
            arguments=citator.CitationQuery(exclude=_TWIN),
            words={"jurisdiction": _COUNTRY},
            result=json_schema.result(json_schema.of(citator.ValidityResponse())),
            run=lambda call: ToolResult(citator.citation_validity(call.caller, call.body)),
        ),
        Tool(
            name="cited_by",
            title="Who cites it",
            description=(
                "List the judgments and norms that cite an authority, with how they treat it; the "
                "treatments that matter most come first. count is how many there are in all; next_cursor "
                "leads to the next page. Free, for accounts with the citator."
            ),
            arguments=citator.LinksQuery(exclude=_TWIN),
            words={"jurisdiction": _COUNTRY, "limit": "At most so many entries, 1 to 200; default 50."},
            result=json_schema.result(json_schema.of(citator.LinksResponse())),
            run=_cited_by,
        ),
        Tool(
            name="citation_timeline",
            title="What happened to it",
            description=(
                "Tell what happened to an authority in order of time: publication, versions, amendments, "
                "repeal and treatments by courts. Free, for accounts with the citator."
            ),
            arguments=citator.TimelineQuery(exclude=_TWIN),
            words={"jurisdiction": _COUNTRY},
            result=json_schema.result(json_schema.of(citator.TimelineResponse())),
            run=lambda call: ToolResult(citator.citation_timeline(call.caller, call.body)),
        ),
        Tool(
            name="corpus_coverage",
            title="What the corpus holds",
            description=(
                "Report how many statutes and judgments of which jurisdictions are loaded, from when to "
                "when. Free. Ask it when a search finds nothing, before you say that there is nothing."
            ),
            arguments=_NoArguments(),
            result=json_schema.result(json_schema.of(corpus.CoverageResponse())),
            run=lambda _: ToolResult(corpus.corpus_coverage()),
            scope=None,
        ),
        Tool(
            name="list_jurisdictions",
            title="List jurisdictions",
            description=(
                "List the supported jurisdictions with their codes, how much of their law can be checked "
                "here, and how far a document under it is assessed (full, partial, none). Free."
            ),
            arguments=_NoArguments(),
            result=json_schema.result(json_schema.of(corpus.JurisdictionsResponse())),
            run=_jurisdictions,
            scope=None,
        ),
    )


def _jurisdictions(call: Call) -> ToolResult:
    own = call.caller.own_engine_a
    return ToolResult(corpus.list_jurisdictions(own.vendor if own else None))


class _NoArguments(Body):
    """No arguments."""


def _verified() -> json_schema.Schema:
    """Return the schema of verify_citation's result: of law, of a judgment, or of neither."""
    law, judgment = (
        json_schema.of(one()) for one in (search.StatuteCheckResponse, search.JudgmentCheckResponse)
    )
    kind = {
        "type": ["string", "null"],
        "enum": ["L4-N", "L2-J", None],
        "description": "L4-N: law. L2-J: a judgment. null: no citation can be read.",
    }
    return json_schema.result(json_schema.either(law, judgment), kind=kind)


def _verify(call: Call) -> ToolResult:
    found = search.verify_citation(call.body)
    cited = found.pop("cited")
    caps = (
        (f"checked the first of {cited} citations; verify_document_citations checks all of a text",)
        if cited > 1
        else ()
    )
    return ToolResult(found, caps)


def _judgments(call: Call) -> ToolResult:
    found = search.search_judgments(call.body)
    return ToolResult(found, _full(found["chunks"], call.body, "passages"))


def _statutes(call: Call) -> ToolResult:
    found = search.search_statutes(call.body)
    return ToolResult(found, _full(found["data"], call.body, "articles"))


def _full(found: list[Any], body: Mapping[str, Any], what: str) -> tuple[str, ...]:
    """Say that a search gave as much as was asked for, so that there may be more."""
    if len(found) < body["top_k"]:
        return ()
    return (f"listed the best {len(found)} {what}; there may be more (top_k, at most 50)",)


def _cited_by(call: Call) -> ToolResult:
    found = citator.cited_by(call.caller, call.body)
    listed = len(found["data"])
    caps = (f"listed {listed} of {found['count']}; next_cursor leads on",) if found["has_more"] else ()
    return ToolResult(found, caps)
