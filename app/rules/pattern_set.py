"""Tell which of many patterns stand in a document, or may stand there, without looking for each."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import re2

from app.rules.document import PATTERN_OPTIONS, Document, Expression

_AT_ONCE = 120
"""Patterns of one automaton. That of many more grows for milliseconds with each new document."""
_WORDS_AT_ONCE = 500
"""Patterns whose words are looked for together: a tenth of what there is room for."""
_GAP = b"[^"
"""Any words in between. Automata of several patterns with gaps remember all of them that have begun."""


class PatternSet:
    """Patterns that are looked for together, each known by its place in the sequence given.

    None of them may match the empty text: `Document.find` does not count such a match, and a set would.
    """

    def __init__(self, patterns: Sequence[Expression]) -> None:
        near = [at for at, one in enumerate(patterns) if _GAP not in one.pattern]
        far = [at for at, one in enumerate(patterns) if _GAP in one.pattern]
        batches = [near[at : at + _AT_ONCE] for at in range(0, len(near), _AT_ONCE)]
        self._searches = [(places, _compiled([patterns[at] for at in places])) for places in batches]
        self._searches.append((far, _filtered([patterns[at] for at in far])))

    def standing_in(self, document: Document, end: int | None = None, start: int = 0) -> frozenset[int]:
        """Return the places of the patterns that match in `text[start:end]` of a document."""
        folded = document.folded[start:end]
        return frozenset(
            places[found] for places, together in self._searches for found in together.Match(folded) or ()
        )


class PatternFilter:
    """Patterns that match only where some of their words stand, which are looked for in one pass.

    It serves patterns that reach over many words: what a `PatternSet` is of them would be too large.
    They are compiled when a document is first given.
    """

    def __init__(self, patterns: Sequence[Expression]) -> None:
        self._patterns = tuple(patterns)

    @cached_property
    def _filters(self) -> list[re2.Filter]:
        patterns = self._patterns
        return [
            _filtered(patterns[at : at + _WORDS_AT_ONCE]) for at in range(0, len(patterns), _WORDS_AT_ONCE)
        ]

    def absent_from(self, document: Document) -> list[Expression]:
        """Return patterns that match nothing in a document, since words that they need are not there."""
        possible = {
            number * _WORDS_AT_ONCE + place
            for number, together in enumerate(self._filters)
            for place in together.Match(document.folded, potential=True) or ()
        }
        return [pattern for place, pattern in enumerate(self._patterns) if place not in possible]


def _compiled(patterns: Sequence[Expression]) -> re2.Set:
    together = re2.Set.SearchSet(PATTERN_OPTIONS)
    for pattern in patterns:
        together.Add(pattern.pattern)
    together.Compile()
    return together


def _filtered(patterns: Sequence[Expression]) -> re2.Filter:
    together = re2.Filter()
    for pattern in patterns:
        together.Add(pattern.pattern, PATTERN_OPTIONS)
    together.Compile()
    # It has compiled them all, whether it needs them or not.
    for place, pattern in enumerate(patterns):
        pattern.take(together.re(place))
    return together
