"""Read the words of a document once for all who weigh them: which stand where, and beside which.

What is known of a word does not depend on the document it stands in and is kept by a hash with this process's
random key: no word of a document stays in memory.
"""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import cache, cached_property, partial
from itertools import count
from typing import Any, Final

import numpy as np
from numpy.typing import DTypeLike, NDArray

from app.rules.clause_types.features import Hashes, pair_hashes, readable, roots, tokens
from app.text.tongues import Tongue

MOST_WORDS: Final = 30_000
"""How many words are kept."""
_FIRST_ROWS: Final = 1_024
_GROWTH: Final = 1.5
# Spanish and English have one table of endings and synonyms.
_ALIKE: Final[Mapping[Tongue, Tongue]] = {"en": "es"}


class PartWords:
    """The words of parts of a folded text.

    Attributes:
        parts: start and end of each part.
        words: every word once, in the order in which they come.
        keys: a hash of each of `words`, other ones in every process.
        order: for each token of the parts its place in `words`.
        part: for each token its part.
        sizes: how many tokens each part has.
        tongue: the language by whose endings and synonyms they are read.
    """

    def __init__(self, folded: bytes, parts: Sequence[tuple[int, int]], tongue: Tongue = "es") -> None:
        text = readable(folded)
        numbers: defaultdict[bytes, int] = defaultdict(count().__next__)
        found = [[numbers[token] for token in tokens(text, start, end)] for start, end in parts]
        self.parts = parts
        self.tongue = _ALIKE.get(tongue, tongue)
        self.words = list(numbers)
        self.keys = [hash(word) for word in self.words]
        self.sizes = np.array([len(row) for row in found], np.int64)
        self.order = np.array([number for row in found for number in row], np.int64)
        self.part = np.repeat(np.arange(len(parts)), self.sizes)

    @cached_property
    def once(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Each word once for each part that it stands in: the part, and its place in `words`."""
        return distinct(self.part, self.order, len(self.words))

    @cached_property
    def stems(self) -> NDArray[Any]:
        """The hashes of the `stem` of each of `words` and of its group of `synonyms`, or of its stem."""
        rows, places = _stems(self.tongue).find(self)
        return rows[places]

    @cached_property
    def pairs(self) -> tuple[NDArray[np.int64], Hashes]:
        """The features of neighbours, each once for each part that it stands in: the part, the feature."""
        together = self.part[:-1] == self.part[1:]
        hashes = pair_hashes(self.stems["synonyms"][self.order])
        part, found = distinct(self.part[:-1][together], hashes[together], 1 << 32)
        return part, found.astype(np.uint32)


def distinct(
    part: NDArray[np.int64], values: NDArray[Any], limit: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return each value once for each part that has it, the part and the value, in order.

    Several times as fast as `numpy.unique`.

    Args:
        part: the part of each value.
        values: the values, none negative.
        limit: what they are all less than.
    """
    keys = part * limit + values
    keys = np.sort(keys.astype(np.min_scalar_type(int(keys.max(initial=0)))))
    first = np.ones(len(keys), bool)
    first[1:] = keys[1:] != keys[:-1]
    return np.divmod(keys[first].astype(np.int64), max(limit, 1))


class WordTable:
    """What is known of words, a row each, worked out when a word is first met."""

    def __init__(self, row: DTypeLike, read: Callable[[bytes], Any], most: int) -> None:
        """Take how a row is made.

        Args:
            row: the type of a row.
            read: what makes the row of a word.
            most: how many words are kept; then all are forgotten.
        """
        self._row, self._read, self._most = np.dtype(row), read, most
        self._kept = _Kept(self._row)
        self._room = threading.Lock()

    @property
    def keys(self) -> Sequence[int]:
        """The hashes of the words that are kept."""
        return list(self._kept.places)

    def find(self, words: PartWords) -> tuple[NDArray[Any], NDArray[np.int64]]:
        """Return rows, and the place among them of each of `words.words`."""
        kept = self._kept
        places = [kept.places.get(key, -1) for key in words.keys]
        if -1 not in places:
            return kept.rows, np.array(places, np.int64)
        with self._room:
            kept = self._kept
            new = {
                key: word for key, word in zip(words.keys, words.words, strict=True) if key not in kept.places
            }
            if len(kept.places) + len(new) > self._most:
                kept, new = _Kept(self._row), dict(zip(words.keys, words.words, strict=True))
            kept.add(new, self._read)
            if len(kept.places) <= self._most:
                self._kept = kept
            return kept.rows, np.array([kept.places[key] for key in words.keys], np.int64)


class _Kept:
    """Rows, and the place of each. One that is there never changes: it is read while others are added."""

    def __init__(self, row: np.dtype[Any]) -> None:
        self.places: dict[int, int] = {}
        self.rows = np.zeros(_FIRST_ROWS, row)
        self._row = row

    def add(self, words: dict[int, bytes], read: Callable[[bytes], Any]) -> None:
        """Add the rows of words."""
        used = len(self.places)
        if used + len(words) > len(self.rows):
            rows = np.zeros(int((used + len(words)) * _GROWTH), self._row)
            rows[:used] = self.rows[:used]
            self.rows = rows
        for key, word in words.items():
            self.rows[used] = read(word)
            # Who looks for the word finds it from here on.
            self.places[key] = used
            used += 1


@cache
def _stems(tongue: Tongue) -> WordTable:
    """Return what is known of the words of a language, kept by the process."""
    return WordTable(
        [("stem", np.uint32), ("synonyms", np.uint32)], partial(roots, tongue=tongue), MOST_WORDS
    )
