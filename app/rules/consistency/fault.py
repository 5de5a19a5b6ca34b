"""Describe one inconsistency of a document."""

from __future__ import annotations

from dataclasses import dataclass

import re2

from app.rules.document import Document, Span
from app.rules.draft import Severity
from app.text.bilingual import Bilingual


@dataclass(frozen=True, slots=True)
class Fault:
    """What does not agree in a document.

    Attributes:
        key: what sort of fault it is; the first two of a sort are told.
        severity: by its consequence.
        text: what does not agree, with formula and inputs where code computed.
        advice: what to do about it.
        spans: the places that do not agree.
    """

    key: str
    severity: Severity
    text: Bilingual
    advice: Bilingual
    spans: tuple[Span, ...]


def find_in(document: Document, pattern: re2._Regexp, start: int, end: int) -> Span | None:
    """Return the first match in a part of the document, whose ends "^" and "$" stand for."""
    start = max(start, 0)
    found = pattern.search(document.folded[start:end])
    return None if found is None else Span(start + found.start(), start + found.end())
