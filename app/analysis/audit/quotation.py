"""Find where a quotation departs from the document it is said to come from. Pure, linear time."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import pairwise
from typing import Literal

Change = Literal["negation", "number", "exception", "modal", "words"]

_WORD = re.compile(r"\w+(?:[.,]\d+)*", re.UNICODE)
_NEGATIONS = frozenset(
    ["no", "ni", "nunca", "jamás", "tampoco", "sin", "not", "nor", "never", "neither", "without", "cannot"]
)
_EXCEPTIONS = frozenset(["salvo", "excepto", "menos", "unless", "except", "save"])
_MODALS = frozenset(
    [
        *("podrá", "podrán", "puede", "pueden", "deberá", "deberán", "debe", "deben"),
        *("may", "might", "can", "must", "shall", "should", "will"),
    ]
)
# Longer quotations are told apart by their beginning well enough.
_MOST_WORDS = 250
# A pair of words that occurs more often than this says little about where one is.
_MOST_PLACES = 40
_LIKE = 0.6


@dataclass(frozen=True, slots=True)
class Discrepancy:
    """One difference: `written` in the quotation, `stands` in the document; either may be empty."""

    change: Change
    written: str
    stands: str


class Original:
    """A document in which the nearest words to a quotation can be found."""

    def __init__(self, document: str) -> None:
        self._document = document
        self._words: list[str] = []
        self._spans: list[tuple[int, int]] = []
        self._pairs: dict[tuple[str, str], list[int]] = defaultdict(list)
        for word, start, end in _words(document):
            self._words.append(word)
            self._spans.append((start, end))
        for place, pair in enumerate(pairwise(self._words)):
            if len(self._pairs[pair]) < _MOST_PLACES:
                self._pairs[pair].append(place)

    def discrepancy(self, quote: str) -> Discrepancy | None:
        """Return how `quote` differs from the passage most like it, or `None` where nothing is like it."""
        words = [word for word, _, _ in _words(quote)][:_MOST_WORDS]
        start = self._start(words)
        if start is None:
            return None
        first, last = max(0, start - 3), min(len(self._words), start + len(words) + 3)
        matcher = SequenceMatcher(None, words, self._words[first:last], autojunk=False)
        matched = sum(block.size for block in matcher.get_matching_blocks())
        if matched < _LIKE * len(words):
            return None
        written: list[str] = []
        places: list[int] = []
        codes = matcher.get_opcodes()
        for number, (tag, a, b, c, d) in enumerate(codes):
            # Words of the document before and after the passage are not missing from the quotation.
            if tag == "equal" or (tag == "insert" and number in (0, len(codes) - 1)):
                continue
            written += words[a:b]
            places += range(first + c, first + d)
        stands = [self._words[place] for place in places]
        return Discrepancy(_change(written, stands), " ".join(written), " ".join(stands))

    def _start(self, words: list[str]) -> int | None:
        votes: Counter[int] = Counter()
        for place, pair in enumerate(pairwise(words)):
            for found in self._pairs.get(pair, ()):
                # Words put in or left out shift what follows by a place or two.
                votes[(found - place) // 3] += 1
        if not votes:
            return None
        best, count = votes.most_common(1)[0]
        return best * 3 if count >= 2 or len(words) <= 4 else None


def _words(text: str) -> Iterator[tuple[str, int, int]]:
    for match in _WORD.finditer(text):
        yield match[0].casefold(), match.start(), match.end()


def _change(written: list[str], stands: list[str]) -> Change:
    changed = Counter(written)
    changed.subtract(Counter(stands))
    differing = {word for word, count in changed.items() if count}
    if differing & _NEGATIONS:
        return "negation"
    if differing & _EXCEPTIONS:
        return "exception"
    if any(word[0].isdigit() for word in differing):
        return "number"
    if differing & _MODALS:
        return "modal"
    return "words"
