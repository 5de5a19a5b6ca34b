"""Describe one inconsistency of a document."""

from __future__ import annotations

from dataclasses import dataclass

import re2

from app.rules.document import Document, Span
from app.rules.draft import Family, Severity
from app.rules.facts.document_facts import Facts
from app.text.bilingual import Bilingual, Language


@dataclass(frozen=True, slots=True)
class Context:
    """What is compared with itself: a document, its facts, its kind, and who will read the answer.

    Attributes:
        document: the text, folded.
        facts: what was read in it; `facts.source.folded` keeps full stops, which figures need.
        kind: the id of its kind, "unknown" where there is none.
        family: the family of its kind.
        branch: the branch of law that the analysis is asked for.
        spanish: whether Spanish law judges it; articles are named only then.
        language: the language of the answer.
    """

    document: Document
    facts: Facts
    kind: str
    family: Family
    branch: str
    spanish: bool
    language: Language


@dataclass(frozen=True, slots=True)
class Fault:
    """What does not agree in a document.

    Attributes:
        key: what sort of fault it is; the first two of a sort are told.
        severity: by its consequence.
        text: what does not agree, with formula and inputs where code computed.
        advice: what to do about it.
        spans: the places that do not agree.
        citations: the articles that speak of such a fault.
    """

    key: str
    severity: Severity
    text: Bilingual
    advice: Bilingual
    spans: tuple[Span, ...]
    citations: tuple[str, ...] = ()


def find_in(document: Document, pattern: re2._Regexp, start: int, end: int) -> Span | None:
    """Return the first match in a part of the document, whose ends "^" and "$" stand for."""
    start = max(start, 0)
    found = pattern.search(document.folded[start:end])
    return None if found is None else Span(start + found.start(), start + found.end())
