"""Recognise the kind of a document by the words of `data/kinds.toml`."""

from __future__ import annotations

from dataclasses import dataclass

from app.rules.document import Document, Span
from app.rules.draft import Family
from app.rules.rulebook.schema import Kind, Rulebook
from app.text.bilingual import Bilingual

_TITLE_ZONE = 900  # a title stands in the first lines; letterheads and court names may come before it
_TITLE, _SIGNAL, _AGAINST = 6, 2, 3
_NEEDED = 8
_GENERIC = "lease"
_MARGIN = 2  # a lead smaller than this is told to the reader as a doubt

_UNKNOWN = Bilingual(es="documento de tipo no reconocido", en="document of a kind not recognised")


@dataclass(frozen=True, slots=True)
class Recognition:
    """The kind found, or None; the runner-up when it came close; and the words that decided."""

    kind: Kind | None
    rival: Kind | None
    score: int
    span: Span | None

    @property
    def id(self) -> str:
        """Return the id of the kind, "unknown" when there is none."""
        return self.kind.id if self.kind is not None else "unknown"

    @property
    def name(self) -> Bilingual:
        """Return the name of the kind in both languages."""
        return self.kind.name if self.kind is not None else _UNKNOWN

    @property
    def family(self) -> Family:
        """Return the family of the kind: contract, pleading, act, letter, ruling or unknown."""
        return self.kind.family if self.kind is not None else "unknown"


def recognise(document: Document, rulebook: Rulebook) -> Recognition:
    """Return the kind of `document`: it needs a title or several signals; a tie goes to the earlier title."""
    scored = []
    for order, kind in enumerate(rulebook.kinds):
        score, span = _score(document, kind)
        position = span.start if span is not None else len(document.text)
        scored.append((-score, position, order, kind, span))
    scored.sort(key=lambda row: row[:3])
    best_score, best_position, _, best, span = scored[0]
    if -best_score < _NEEDED:
        return Recognition(None, None, -best_score, None)
    next_score, _, _, rival, _ = scored[1]
    # "Lease" is what every lease is when nothing says more: no doubt about the kind.
    close = -next_score >= _NEEDED and best_score + _MARGIN > next_score and rival.id != _GENERIC
    return Recognition(
        best, rival if close else None, -best_score, span if best_position < _TITLE_ZONE else None
    )


def _score(document: Document, kind: Kind) -> tuple[int, Span | None]:
    score = 0
    title: Span | None = None
    for pattern in kind.titles:
        found = document.find(pattern.compiled, 0, _TITLE_ZONE)
        if found is not None and (title is None or found.start < title.start):
            title = found
    if title is not None:
        # What stands in the first line outweighs a mention further down.
        score += _TITLE + (2 if title.start < 160 else 0)
    score += _SIGNAL * sum(document.find(pattern.compiled) is not None for pattern in kind.signals)
    score -= _AGAINST * sum(document.find(pattern.compiled) is not None for pattern in kind.against)
    return score, title
