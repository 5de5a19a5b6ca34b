"""Tell which of many patterns stand in a document, or may stand there, without looking for each."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

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
    def _words(self) -> _Words:
        return _Words(self._patterns)

    def possible_in(self, document: Document, end: int | None = None, start: int = 0) -> list[int]:
        """Return the places of the patterns that may match in `text[start:end]` of a document, in order."""
        missing = self._words.missing(document.folded[start:end])
        return [place for place, number in enumerate(missing) if not number]

    def absent_from(self, document: Document) -> list[Expression]:
        """Return patterns that match nothing in a document, since words that they need are not there."""
        missing = self._words.missing(document.folded)
        return [pattern for pattern, number in zip(self._patterns, missing, strict=True) if number]


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
            place
            for place in self._filter.possible_in(document, end, start)
            if patterns[place].span(folded) is not None
        )


class _Words:
    """The words that patterns need, as one automaton."""

    def __init__(self, patterns: Sequence[Expression]) -> None:
        numbers: dict[bytes, int] = {}
        sets: dict[frozenset[bytes], int] = {}
        self._needed = bytearray(len(patterns))
        # Of each word the sets that it is in, and of each set the patterns that need a word of it.
        self._sets: list[list[int]] = []
        self._patterns: list[list[int]] = []
        for place, pattern in enumerate(patterns):
            for words in required_words(pattern.pattern):
                known = sets.get(words)
                if known is None:
                    known = sets[words] = len(sets)
                    self._patterns.append([])
                    for word in words:
                        number = numbers.setdefault(word, len(numbers))
                        if number == len(self._sets):
                            self._sets.append([])
                        self._sets[number].append(known)
                self._patterns[known].append(place)
                self._needed[place] += 1
        self._automaton = ahocorasick.Automaton(ahocorasick.STORE_INTS)
        for word, number in numbers.items():
            self._automaton.add_word(word.decode("ascii"), number)
        self._automaton.make_automaton()

    def missing(self, folded: bytes) -> bytes:
        """Return of how many sets no word stands in a text, for each pattern."""
        missing = bytearray(self._needed)
        if not self._sets:
            return bytes(missing)
        # White space as `required_words` has it.
        text = f" {b' '.join(folded.split()).decode('ascii')} "
        found = {number for _, number in self._automaton.iter(text)}
        for known in {known for number in found for known in self._sets[number]}:
            for place in self._patterns[known]:
                missing[place] -= 1
        return bytes(missing)
