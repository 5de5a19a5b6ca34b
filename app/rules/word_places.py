"""Tell in which sentences of a text patterns may match, by the words that they need."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

import ahocorasick

from app.rules.required_words import read_needs

_MOST_LOOKED_INTO = 6
"""Sentences that are searched one by one; of more, all from the first to the last are searched at once."""
_STOP = ord(".")
_STOPS = re.compile(rb"\.")


class FoldedSentences:
    """The sentences of folded text, which end at full stops, and the text as words are looked for in it."""

    def __init__(self, folded: bytes) -> None:
        self._folded = folded

    @cached_property
    def text(self) -> str:
        """The text with one blank for any white space (`required_words`), and one at both ends."""
        return f" {b' '.join(self._folded.split()).decode('ascii')} "

    @cached_property
    def numbers(self) -> list[int]:
        """Of each character of `text`, the number of its sentence; a full stop belongs to the one it ends."""
        import numpy as np

        stops = np.frombuffer(self.text.encode("ascii"), np.uint8) == _STOP
        numbers: list[int] = (np.cumsum(stops) - stops).tolist()
        return numbers

    @cached_property
    def stops(self) -> list[int]:
        """Where each sentence ends in the folded text, in order: at its full stop, the last at its end."""
        return [*(stop.start() for stop in _STOPS.finditer(self._folded)), len(self._folded)]


class PatternWords:
    """The words that patterns need, as one automaton."""

    def __init__(self, sources: Sequence[bytes]) -> None:
        """Read the words that patterns need.

        Args:
            sources: the patterns, as RE2 reads them; each is known by its place.
        """
        # Loaded when asked for: commands that read the rules and analyse nothing need not load numpy.
        import numpy as np

        numbers: dict[bytes, int] = {}
        sets: dict[frozenset[bytes], int] = {}
        # Pairs of a word and a set that it is in, and of a pattern and a set of which it needs a word.
        words, sets_of_words, patterns, sets_of_patterns = (array("I") for _ in range(4))
        self.within_sentence = bytearray(len(sources))
        for place, source in enumerate(sources):
            needs = read_needs(source)
            self.within_sentence[place] = bool(needs.sets) and needs.within_sentence
            for needed in needs.sets:
                if needed not in sets:
                    sets[needed] = len(sets)
                    words.extend(numbers.setdefault(word, len(numbers)) for word in needed)
                    sets_of_words.extend([sets[needed]] * len(needed))
                patterns.append(place)
                sets_of_patterns.append(sets[needed])
        self._words, self._sets_of_words, self._patterns, self._sets_of_patterns = (
            np.array(one, np.intp) for one in (words, sets_of_words, patterns, sets_of_patterns)
        )
        # Sets and patterns come in order: where the words of a set and the sets of a pattern begin.
        self._of_sets = words, np.searchsorted(self._sets_of_words, np.arange(len(sets) + 1)).tolist()
        self._of_patterns = (
            sets_of_patterns,
            np.searchsorted(self._patterns, np.arange(len(sources) + 1)).tolist(),
        )
        self._counts = (len(numbers), len(sets), len(sources))
        self._automaton = ahocorasick.Automaton(ahocorasick.STORE_INTS)
        for word, number in numbers.items():
            self._automaton.add_word(word.decode("ascii"), number)
        self._automaton.make_automaton()

    def find(self, sentences: FoldedSentences) -> WordPlaces:
        """Find the words in a text."""
        found: dict[int, list[int]] = defaultdict(list)
        if self._counts[0]:
            numbers = sentences.numbers
            for end, word in self._automaton.iter(sentences.text):
                found[word].append(numbers[end])
        return WordPlaces(self, sentences, dict(found))

    def missing(self, found: Mapping[int, Sequence[int]]) -> bytes:
        """Return a byte for each pattern: 1 where a text has no word of a set of which it needs one."""
        import numpy as np

        words, sets, patterns = (np.zeros(number, np.bool_) for number in self._counts)
        words[list(found)] = True
        sets[self._sets_of_words[words[self._words]]] = True
        patterns[self._patterns[~sets[self._sets_of_patterns]]] = True
        return patterns.tobytes()

    def sets_of(self, place: int) -> Sequence[int]:
        """Return the sets of which a pattern needs a word each."""
        sets, bounds = self._of_patterns
        return sets[bounds[place] : bounds[place + 1]]

    def words_of(self, needed: int) -> Sequence[int]:
        """Return the words of a set."""
        words, bounds = self._of_sets
        return words[bounds[needed] : bounds[needed + 1]]


class WordPlaces:
    """In which sentences of a text the words stand that patterns need."""

    def __init__(
        self, words: PatternWords, sentences: FoldedSentences, found: Mapping[int, Sequence[int]]
    ) -> None:
        self._words = words
        self._text = sentences
        self._found = found
        self._sets: dict[int, frozenset[int]] = {}
        self._sentences: dict[int, list[list[int]]] = {}

    @cached_property
    def missing(self) -> bytes:
        """A byte for each pattern: 1 where the text has no word of a set of which it needs one."""
        return self._words.missing(self._found)

    def stretches(self, place: int, start: int, end: int) -> Iterator[tuple[int, int]]:
        """Yield the parts of `text[start:end]` of the folded text in which a pattern may match, in order.

        Args:
            place: the pattern's place in the sequence given.
            start: where to look from.
            end: where to look to.
        """
        needed = self._sentences.get(place)
        if needed is None:
            needed = self._sentences[place] = self._needed(place)
        if start >= end:
            return
        stops = self._text.stops
        first, last = bisect_left(stops, start), bisect_left(stops, end - 1)
        if not self._words.within_sentence[place]:
            if all(_between(one, first, last) for one in needed):
                yield start, end
            return
        (sentences,) = needed
        sentences = sentences[bisect_left(sentences, first) : bisect_left(sentences, last + 1)]
        if len(sentences) > _MOST_LOOKED_INTO:
            sentences = [sentences[0], sentences[-1]]
            yield max(start, _begin(stops, sentences[0])), min(end, stops[sentences[-1]])
            return
        for sentence in sentences:
            yield max(start, _begin(stops, sentence)), min(end, stops[sentence])

    def _needed(self, place: int) -> list[list[int]]:
        """Return the sentences that have all that a pattern needs, or of each set if it may go over them."""
        sets = [self._having(needed) for needed in self._words.sets_of(place)]
        if self._words.within_sentence[place]:
            return [sorted(frozenset.intersection(*sets))]
        return [sorted(one) for one in sets]

    def _having(self, needed: int) -> frozenset[int]:
        """Return the sentences that have a word of a set."""
        having = self._sets.get(needed)
        if having is None:
            found = self._found
            places = [found[word] for word in self._words.words_of(needed) if word in found]
            having = self._sets[needed] = frozenset().union(*places)
        return having


def _between(numbers: Sequence[int], first: int, last: int) -> bool:
    """Tell whether one of some numbers in order is of `first` to `last`."""
    at = bisect_left(numbers, first)
    return at < len(numbers) and numbers[at] <= last


def _begin(stops: Sequence[int], sentence: int) -> int:
    return stops[sentence - 1] + 1 if sentence else 0
