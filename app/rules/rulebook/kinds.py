"""Recognise the kind of a document by the words of `data/kinds*.toml` and by what it provides.

Words that name a kind are sure and few; a lay drafter never writes them. Where they do not settle it, a
classifier that learnt from excerpts of each kind (`data/kind_exemplars`, decision 066) weighs in.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from app.rules import clause_types
from app.rules.document import Document, Span
from app.rules.draft import Family
from app.rules.rulebook.schema import Kind, Rulebook
from app.text.bilingual import Bilingual

_TITLE_ZONE = 900  # a title stands in the first lines; letterheads and court names may come before it
_TITLE, _SIGNAL, _AGAINST = 6, 2, 3
_NEEDED = 8
_GENERIC = "lease"
_MARGIN = 2  # a lead smaller than this is told to the reader as a doubt

# A title and words beyond doubt need no second opinion.
_CERTAIN, _CLEAR_LEAD = 16, 6
# How much a point of words counts beside the mean log-odds of the parts; what a kind without exemplars has.
_POINT, _FLOOR = 0.5, -3.5
# What a kind needs in all: less where words speak for it too. To overrule words takes a clear lead.
_ENOUGH = ((6, -0.6), (4, 0.3), (-99, 2.0))
_OVERRULES, _NAMED = 1.5, 10
_FEW_CHARACTERS = 200
_PART_WORDS, _MOST_WORDS, _LEAST_WORDS = 60, 1_600, 15
_WORD = re.compile(rb"\S+")
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
    """Return the kind of `document`: it needs a title or several signals; a tie goes to the earlier title.

    Raises:
        WeightsError: when the classifier of kinds has not been learnt, and words do not settle it.
    """
    scored = []
    for order, kind in enumerate(rulebook.kinds):
        score, span = _score(document, kind)
        position = span.start if span is not None else len(document.text)
        scored.append((-score, position, order, kind, span))
    scored.sort(key=lambda row: row[:3])
    best_score, best_position, _, best, span = scored[0]
    next_score, _, _, rival, _ = scored[1]
    if -best_score < _CERTAIN or next_score - best_score < _CLEAR_LEAD:
        found = _by_substance(document, {row[3].id: -row[0] for row in scored}, best.id)
        if found is not None and found != best.id:
            row = next(row for row in scored if row[3].id == found)
            doubt = -best_score >= _NEEDED and row[0] - best_score < _MARGIN
            return Recognition(row[3], best if doubt else None, -row[0], row[4])
        if found is None and -best_score < _NEEDED:
            return Recognition(None, None, -best_score, None)
    # "Lease" is what every lease is when nothing says more: no doubt about the kind.
    close = -next_score >= _NEEDED and best_score + _MARGIN > next_score and rival.id != _GENERIC
    return Recognition(
        best, rival if close else None, -best_score, span if best_position < _TITLE_ZONE else None
    )


def _by_substance(document: Document, points: Mapping[str, int], best: str) -> str | None:
    """Return the kind that words and substance together speak for; `None` where they are not enough.

    Args:
        document: the document.
        points: what the words of each kind gave it.
        best: the kind that words alone speak for most.
    """
    odds = _log_odds(document)
    totals = {kind: _POINT * max(found, -6) + odds.get(kind, _FLOOR) for kind, found in points.items()}
    found = max(totals, key=lambda kind: totals[kind])
    if points[best] >= _NAMED and best not in odds:
        return best  # nothing was learnt of it, and words name it
    if points[best] >= _NEEDED:
        return found if totals[found] >= totals[best] + _OVERRULES else best
    if len(document.folded) < _FEW_CHARACTERS:
        return None  # a note of one sentence resembles anything
    needed = next(enough for least, enough in _ENOUGH if points[found] >= least)
    return found if totals[found] >= needed else None


def _log_odds(document: Document) -> dict[str, float]:
    """Return for each kind with exemplars the mean log-odds that a part of the document is of it."""
    words = [(found.start(), found.end()) for found in _WORD.finditer(document.folded)][:_MOST_WORDS]
    parts = [
        (words[at][0], words[min(at + _PART_WORDS, len(words)) - 1][1])
        for at in range(0, len(words), _PART_WORDS)
        if not at or len(words) - at >= _LEAST_WORDS
    ]
    if not parts:
        return {}
    classifier = clause_types.kind_classifier()
    probable = np.clip(classifier.probabilities(document.folded, parts), 0.02, 0.98)
    mean = np.log(probable / (1 - probable)).mean(axis=0)
    return dict(zip(classifier.types, mean.tolist(), strict=True))


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
