"""Tell which of many patterns stand in a document, or may stand there, without looking for each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from threading import Lock

from app.rules.document import Document, Expression
from app.rules.word_places import PatternWords


class PatternFilter:
    """Patterns that match only where some of their words stand, which are looked for in one pass.

    What is kept of them are their words: a pattern is compiled when a document has the words that it needs
    (decision 115). The words are read when a document is first given.
    """

    def __init__(self, patterns: Sequence[Expression]) -> None:
        self._patterns = tuple(patterns)

    @cached_property
    def _places(self) -> Sequence[tuple[int, int]]:
        return _INDEX.places(self._patterns)

    def possible_in(self, document: Document) -> list[int]:
        """Return the places of the patterns that may match in a document, in order."""
        missing = _INDEX.missing(document, {part for part, _ in self._places})
        return [at for at, (part, place) in enumerate(self._places) if not missing[part][place]]

    def absent_from(self, document: Document) -> list[Expression]:
        """Return patterns that match nothing in a document, since words that they need are not there."""
        missing = _INDEX.missing(document, {part for part, _ in self._places})
        return [
            pattern
            for pattern, (part, place) in zip(self._patterns, self._places, strict=True)
            if missing[part][place]
        ]


class PatternSet:
    """Patterns that are looked for together, each known by its place in the sequence given.

    Matches of no width do not count.
    """

    def __init__(self, patterns: Sequence[Expression]) -> None:
        self._patterns = tuple(patterns)
        self._filter = PatternFilter(patterns)

    def standing_in(self, document: Document, end: int | None = None, start: int = 0) -> frozenset[int]:
        """Return the places of the patterns that match in `text[start:end]` of a document."""
        patterns, possible = self._patterns, self._filter.possible_in(document)
        if end is None and not start:
            return frozenset(place for place in possible if document.find(patterns[place]) is not None)
        folded = document.folded[start:end]
        return frozenset(
            place
            for place in possible
            if document.may_hold(patterns[place], start, end) and patterns[place].span(folded) is not None
        )


def read_together(patterns: Iterable[Expression]) -> None:
    """Read the words of patterns that are asked for in the same documents, so that one pass finds all."""
    _INDEX.places(patterns)


class _Index:
    """The words of all patterns of the process, in parts: patterns of one part were given together.

    Rules of several countries share most of their patterns, and kinds of document do.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._known: dict[bytes, tuple[int, int]] = {}
        self._parts: list[PatternWords] = []

    def places(self, patterns: Iterable[Expression]) -> list[tuple[int, int]]:
        """Return of each pattern its part and its place there; those that are new become a part.

        The pattern bears both from then on, so that a document looks for it where its words stand.
        """
        patterns = list(patterns)
        sources = [pattern.pattern for pattern in patterns]
        with self._lock:
            new = [source for source in dict.fromkeys(sources) if source not in self._known]
            if new:
                self._parts.append(PatternWords(new))
                part = len(self._parts) - 1
                self._known.update((source, (part, place)) for place, source in enumerate(new))
        places = [self._known[source] for source in sources]
        for pattern, place in zip(patterns, places, strict=True):
            pattern.place = place
        return places

    def missing(self, document: Document, parts: Iterable[int]) -> dict[int, bytes]:
        """Return of parts a byte for each pattern: 1 where words that it needs are not in a document."""
        places = document.word_places
        for part in parts:
            if part not in places:
                places[part] = self._parts[part].find(document.folded_sentences)
        return {part: found.missing for part, found in places.items()}


_INDEX = _Index()
