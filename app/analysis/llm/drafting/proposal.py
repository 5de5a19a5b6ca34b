"""Read what a model answers as node A: the JSON schema, and the parts of a draft. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

from app.rules import Lock, Section, Severity, Source, Statement

# Citations of the document are checked by code and told by code.
SECTIONS = tuple(section.value for section in Section if section is not Section.CITATIONS)
_LOCKS = tuple(lock.value for lock in Lock)
_NONE = "none"

_MOST_STATEMENTS = 300
# Quotations, and authorities, of one statement.
ITEMS_MAX = 12
_TEXT, _QUOTE, _CITATION, _REASON, _SUMMARY, _KIND = 2_000, 1_500, 200, 1_000, 2_000, 120


def _text(description: str) -> dict[str, Any]:
    return {"type": "string", "description": description}


def _list(description: str) -> dict[str, Any]:
    return {"type": "array", "items": {"type": "string"}, "description": description}


# Every property is required and none beyond: both vendors hold a model to a schema only in this form.
SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["document_kind", "summary", "statements"],
    "properties": {
        "document_kind": _text("What kind of document this is, in a few words of the answer's language."),
        "summary": _text("Two to five plain sentences for a lawyer in a hurry."),
        "statements": {
            "type": "array",
            "items": {
                "type": "object",
                "additionalProperties": False,
                "required": [
                    "section",
                    "text",
                    "quotes",
                    "citations",
                    "proposed_lock",
                    "severity",
                    "reason",
                ],
                "properties": {
                    "section": {"type": "string", "enum": list(SECTIONS)},
                    "text": _text("One statement, one paragraph, plain prose without Markdown or labels."),
                    "quotes": _list("Words of the document that prove it, copied character by character."),
                    "citations": _list(
                        "Legal authorities it rests on, as a lawyer cites them, or ids of sources."
                    ),
                    "proposed_lock": {"type": "string", "enum": list(_LOCKS)},
                    "severity": {"type": "string", "enum": ["low", "medium", "high", _NONE]},
                    "reason": _text("For a critical risk, why it is one; else empty."),
                },
            },
        },
    },
}


@dataclass(frozen=True, slots=True)
class Proposal:
    """A model's answer about a document, or about one part of it."""

    kind: str
    summary: str
    statements: tuple[Statement, ...]


def read(value: Mapping[str, Any]) -> Proposal:
    """Return an answer that fits `SCHEMA`, cut to the bounds of a report. Empty statements are dropped."""
    statements = (_statement(raw) for raw in value["statements"][:_MOST_STATEMENTS])
    return Proposal(
        _cut(value["document_kind"], _KIND),
        _cut(value["summary"], _SUMMARY),
        tuple(statement for statement in statements if statement.text),
    )


def _statement(raw: Mapping[str, Any]) -> Statement:
    severity = raw["severity"]
    return Statement(
        section=Section(raw["section"]),
        text=_cut(raw["text"], _TEXT),
        quotes=_items(raw["quotes"], _QUOTE),
        citations=_items(raw["citations"], _CITATION),
        proposed=Lock(raw["proposed_lock"]),
        severity=None if severity == _NONE else cast(Severity, severity),
        reason=_cut(raw["reason"], _REASON) or None,
    )


def amended(statement: Statement, raw: Mapping[str, Any], sources: Sequence[Source]) -> Statement | None:
    """Return `statement` with the `text`, `quotes` and `citations` of an answer; `None` without a text."""
    text = _cut(raw["text"], _TEXT)
    if not text:
        return None
    written = replace(
        statement,
        text=text,
        quotes=_items(raw["quotes"], _QUOTE),
        citations=_items(raw["citations"], _CITATION),
    )
    return named([written], sources)[0]


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
