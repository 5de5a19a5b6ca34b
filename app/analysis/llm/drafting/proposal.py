"""Read what a model answers as node A: the JSON schema, and the parts of a draft. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

from app.rules import Lock, Section, Severity, Source, Statement

# Citations of the document are checked and told by code; a risk is argued as an issue, with its advice.
_ARGUED = (Section.CITATIONS, Section.RISKS, Section.RECOMMENDATIONS)
SECTIONS = tuple(section.value for section in Section if section not in _ARGUED)
_LOCKS = tuple(lock.value for lock in Lock)
_NONE = "none"

_MOST_ISSUES, _MOST_STATEMENTS = 80, 300
# Quotations, and authorities, of one statement.
ITEMS_MAX = 12
_TEXT, _QUOTE, _CITATION, _REASON, _SUMMARY, _KIND = 2_000, 1_500, 200, 1_000, 2_000, 120


def _text(description: str) -> dict[str, Any]:
    return {"type": "string", "description": description}


def _list(description: str) -> dict[str, Any]:
    return {"type": "array", "items": {"type": "string"}, "description": description}


_LOCK = {"type": "string", "enum": list(_LOCKS)}
_SEVERITY = {"type": "string", "enum": ["low", "medium", "high", _NONE]}
_QUOTES = _list("Words of the document that prove it, copied character by character.")
_CITATIONS = _list("Legal authorities it rests on, as a lawyer cites them, or ids of sources.")


def _object(**properties: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "additionalProperties": False,
        "required": list(properties),
        "properties": properties,
    }


# Every property is required and none beyond: both vendors hold a model to a schema only in this form.
SCHEMA: Mapping[str, Any] = _object(
    document_kind=_text("What kind of document this is, in a few words of the answer's language."),
    summary=_text("Two to five plain sentences for a lawyer in a hurry."),
    issues={
        "type": "array",
        "items": _object(
            issue=_text(
                "What the document does, in its own words, and why it matters: one or two plain sentences."
            ),
            rule=_text("What the authorities cited provide, in their own words, no more; empty without one."),
            rule_quotes=_list("Words of those authorities, copied character by character from the sources."),
            application=_text("Why the rule does or does not reach these words and facts."),
            missing_fact=_text(
                "A fact that the document does not give and that would change this; or empty."
            ),
            recommendation=_text("What to do, concretely."),
            quotes=_QUOTES,
            citations=_CITATIONS,
            proposed_lock=_LOCK,
            severity=_SEVERITY,
        ),
    },
    statements={
        "type": "array",
        "items": _object(
            section={"type": "string", "enum": list(SECTIONS)},
            text=_text("One short sentence with one fact, in the words of the clause quoted; plain prose."),
            quotes=_QUOTES,
            citations=_CITATIONS,
            proposed_lock=_LOCK,
        ),
    },
)


@dataclass(frozen=True, slots=True)
class Proposal:
    """A model's answer about a document, or about one part of it."""

    kind: str
    summary: str
    statements: tuple[Statement, ...]


def read(value: Mapping[str, Any], part: int = 1) -> Proposal:
    """Return an answer that fits `SCHEMA`, cut to the bounds of a report. What is empty is dropped.

    Args:
        value: the model's answer.
        part: which part of a long document it is about; issues are told apart by it.
    """
    argued = (
        one
        for number, raw in enumerate(value["issues"][:_MOST_ISSUES], 1)
        for one in _issue(raw, f"{part}.{number}")
    )
    stated = (_statement(raw) for raw in value["statements"][:_MOST_STATEMENTS])
    return Proposal(
        _cut(value["document_kind"], _KIND),
        _cut(value["summary"], _SUMMARY),
        tuple(statement for statement in (*argued, *stated) if statement.text),
    )


def _issue(raw: Mapping[str, Any], key: str) -> tuple[Statement, ...]:
    """Return an issue as statements, each judged by itself, that carry the same fact `issue`.

    The first is the risk; the others say by the fact `part` what they are to it.
    """
    risk, rule = _cut(raw["issue"], _TEXT), _cut(raw["rule"], _TEXT)
    if not risk:
        return ()
    proposed, severity = Lock(raw["proposed_lock"]), raw["severity"]
    citations, words_of_law = _items(raw["citations"], _CITATION), _items(raw["rule_quotes"], _QUOTE)
    by_judgment = proposed if proposed in (Lock.L2J, Lock.L2JV) else Lock.L4
    head = Statement(
        section=Section.RISKS,
        text=risk,
        quotes=_items(raw["quotes"], _QUOTE),
        citations=citations,
        proposed=proposed,
        severity=None if severity == _NONE else cast(Severity, severity),
        reason=_cut(rule, _REASON) or None,
        facts={"issue": key},
    )

    def part(name: str, section: Section = Section.REASONING) -> Statement:
        return Statement(section, _cut(raw[name], _TEXT), facts={"issue": key, "part": name})

    return (
        head,
        replace(
            part("rule"),
            quotes=words_of_law,
            citations=citations,
            proposed=Lock.L1 if words_of_law else by_judgment,
        ),
        part("application"),
        part("missing_fact"),
        part("recommendation", Section.RECOMMENDATIONS),
    )


def _statement(raw: Mapping[str, Any]) -> Statement:
    return Statement(
        section=Section(raw["section"]),
        text=_cut(raw["text"], _TEXT),
        quotes=_items(raw["quotes"], _QUOTE),
        citations=_items(raw["citations"], _CITATION),
        proposed=Lock(raw["proposed_lock"]),
    )


def amended(statement: Statement, raw: Mapping[str, Any], sources: Sequence[Source]) -> Statement | None:
    """Return `statement` with the `text`, `quotes` and `citations` of an answer; `None` without a text."""
    written = restated(statement, raw)
    if written is None:
        return None
    return named([replace(written, citations=_items(raw["citations"], _CITATION))], sources)[0]


def restated(statement: Statement, raw: Mapping[str, Any]) -> Statement | None:
    """Return `statement` with the `text` and `quotes` of an answer; `None` without a text."""
    text = _cut(raw["text"], _TEXT)
    return replace(statement, text=text, quotes=_items(raw["quotes"], _QUOTE)) if text else None


def _items(values: Sequence[str], most: int) -> tuple[str, ...]:
    # A quotation that would have to be cut proves nothing: the words that were left out may be the point.
    kept = (value.strip() for value in values[:ITEMS_MAX])
    return tuple(dict.fromkeys(value for value in kept if value and len(value) <= most))


def _cut(text: str, most: int) -> str:
    text = text.strip()
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"


def named(statements: Sequence[Statement], sources: Sequence[Source]) -> tuple[Statement, ...]:
    """`statements` with the ids of sources that they rest on put as a lawyer cites them."""
    known = {source.id: source.citation for source in sources if source.citation}

    def cited(written: str) -> str:
        return known.get(written.strip(" []"), written)

    return tuple(
        replace(one, citations=tuple(dict.fromkeys(cited(written) for written in one.citations)))
        if one.citations
        else one
        for one in statements
    )
