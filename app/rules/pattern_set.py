"""Tell which of many patterns stand in a document, or may stand there, without looking for each."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from functools import cached_property
from threading import Lock

import ahocorasick

from app.rules.document import Document, Expression
from app.rules.required_words import required_words


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
        patterns, folded = self._patterns, document.folded[start:end]
        return frozenset(
            place for place in self._filter.possible_in(document) if patterns[place].span(folded) is not None
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
        self._parts: list[_Words] = []

    def places(self, patterns: Iterable[Expression]) -> list[tuple[int, int]]:
        """Return of each pattern its part and its place there; those that are new become a part."""
        sources = [pattern.pattern for pattern in patterns]
        with self._lock:
            new = [source for source in dict.fromkeys(sources) if source not in self._known]
            if new:
                self._parts.append(_Words(new))
                part = len(self._parts) - 1
                self._known.update((source, (part, place)) for place, source in enumerate(new))
        return [self._known[source] for source in sources]

    def missing(self, document: Document, parts: Iterable[int]) -> dict[int, bytes]:
        """Return of parts a byte for each pattern: 1 where words that it needs are not in a document."""
        for part in parts:
            if part not in document.missing_words:
                document.missing_words[part] = self._parts[part].missing(document.folded)
        return document.missing_words


class _Words:
    """The words that patterns need, as one automaton."""

    def __init__(self, sources: Sequence[bytes]) -> None:
        # Loaded when asked for: commands that read the rules and analyse nothing need not load numpy.
        import numpy as np

        numbers: dict[bytes, int] = {}
        sets: dict[frozenset[bytes], int] = {}
        # Pairs of a word and a set that it is in, and of a pattern and a set of which it needs a word.
        words, sets_of_words, patterns, sets_of_patterns = (array("I") for _ in range(4))
        for place, source in enumerate(sources):
            for needed in required_words(source):
                if needed not in sets:
                    sets[needed] = len(sets)
                    words.extend(numbers.setdefault(word, len(numbers)) for word in needed)
                    sets_of_words.extend([sets[needed]] * len(needed))
                patterns.append(place)
                sets_of_patterns.append(sets[needed])
        self._words, self._sets_of_words, self._patterns, self._sets_of_patterns = (
            np.array(one, np.intp) for one in (words, sets_of_words, patterns, sets_of_patterns)
        )
        self._counts = (len(numbers), len(sets), len(sources))
        self._automaton = ahocorasick.Automaton(ahocorasick.STORE_INTS)
        for word, number in numbers.items():
            self._automaton.add_word(word.decode("ascii"), number)
        self._automaton.make_automaton()

    def missing(self, folded: bytes) -> bytes:
        """Return a byte for each pattern: 1 where a text has no word of a set of which it needs one."""
        import numpy as np

        words, sets, patterns = (np.zeros(number, np.bool_) for number in self._counts)
        if len(words):
            # White space as `required_words` has it.
            text = f" {b' '.join(folded.split()).decode('ascii')} "
            words[list({number for _, number in self._automaton.iter(text)})] = True
            sets[self._sets_of_words[words[self._words]]] = True
            patterns[self._patterns[~sets[self._sets_of_patterns]]] = True
        return patterns.tobytes()


_INDEX = _Index()
