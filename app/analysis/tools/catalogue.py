"""What the tools are called, what they take, and what runs behind each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from app import deadlines
from app.analysis.llm import Tool
from app.analysis.tools import calculators, law
from app.analysis.tools.finding import Found, RunnableTool, Scope

_SPAIN: Final = "ES"
Schema = Mapping[str, Any]


def _text(description: str) -> Schema:
    return {"type": "string", "description": description}


def _maybe(description: str) -> Schema:
    return {"type": ["string", "null"], "description": description}


def _one_of(description: str, *words: str) -> Schema:
    return {"type": "string", "enum": list(words), "description": description}


def _runnable(
    run: Callable[[Scope, Mapping[str, Any]], Found], name: str, description: str, **properties: Schema
) -> RunnableTool:
    # Every property is required and none beyond: OpenAI holds a model to a schema only in this form.
    schema = {
        "type": "object",
        "additionalProperties": False,
        "required": list(properties),
        "properties": properties,
    }
    return RunnableTool(Tool(name, description, schema), run)


_COUNTRY = _maybe("ISO code of the country whose law is meant, EU for the Union's; null: the document's.")
_DAY = _maybe("Day whose law is meant, as 2026-11-24; null: the day of the document, if known, else today.")

_SEARCH_STATUTES = _runnable(
    law.search_statutes,
    "search_statutes",
    "Find articles of statutes in the loaded law by a question in words or by a citation. Gives the "
    "beginning of each article with an id; get_article reads one whole. Nothing found means that nothing "
    "loaded fits, not that there is no such law.",
    query=_text("The question in words of law, or a citation; 2 to 2,000 characters."),
    jurisdiction=_COUNTRY,
    fecha=_DAY,
)
_GET_ARTICLE = _runnable(
    law.get_article,
    "get_article",
    "Read one article of a statute word for word, as it stood on a day. What is not loaded is said to be "
    "so: do not fill the gap from memory.",
    norma=_text("Abbreviation, name, number or official id of the norm: CC, Ley 39/2015."),
    articulo=_text("Its number: 1902, 9 bis, disposición final 1."),
    jurisdiction=_COUNTRY,
    fecha=_DAY,
)
_SEARCH_JUDGMENTS = _runnable(
    law.search_judgments,
    "search_jurisprudence",
    "Find passages of judgments in the loaded law by a question in words or by a citation. Nothing found "
    "means that nothing loaded fits, not that there is no such case law.",
    query=_text("The question in words of law, or a citation; 5 to 2,000 characters."),
    jurisdiction=_COUNTRY,
)
_VALIDITY = _runnable(
    law.citation_validity,
    "citation_validity",
    "Tell whether a statute, an article or a judgment is still good law on a day, and because of what. "
    "unknown means that nothing was read which could tell.",
    citation=_text("A citation as written (art. 5 LPH, STC 31/2010) or an ECLI; at most 300 characters."),
    jurisdiction=_COUNTRY,
    fecha=_DAY,
)
_DEADLINE = _runnable(
    calculators.deadline,
    "compute_deadline",
    "Compute the last day of a period under Spanish law, step by step with its articles. The day of the "
    "event is not counted.",
    fechaBase=_text("Day of the event that starts the period, as 2026-11-24."),
    cantidad={"type": "integer", "description": "How many days, months or years."},
    tipoComputo=_one_of("Business days, calendar days, months or years.", *deadlines.UNITS),
    regime=_one_of("The rules by which it is counted.", *deadlines.REGIMES),
    ccaa=_maybe("Autonomous community whose holidays count, as MD or ES-MD; null: national ones alone."),
)
_INTEREST = _runnable(
    calculators.statutory_interest,
    "compute_interest",
    "Compute simple statutory interest on a debt in euros under Spanish law by the official rates of each "
    "day: legal (art. 1108 CC), or commercial (late payment between businesses, Ley 3/2004).",
    principal={"type": "number", "description": "The debt in euros, above 0."},
    desde=_text("Day on which it fell due, as 2025-03-01; interest runs from the next day."),
    hasta=_text("Last day with interest, as 2026-11-24."),
    tipo=_one_of("Which rate.", *calculators.KINDS),
)


def offered(jurisdiction: str, *, citator: bool) -> Iterator[RunnableTool]:
    """Yield the tools for a document of a jurisdiction, in an order that is always the same.

    Args:
        jurisdiction: the calculators know the law of Spain alone.
        citator: whether the account has that add-on.
    """
    yield _SEARCH_STATUTES
    yield _GET_ARTICLE
    yield _SEARCH_JUDGMENTS
    if citator:
        yield _VALIDITY
    if jurisdiction == _SPAIN:
        yield _DEADLINE
        yield _INTEREST
