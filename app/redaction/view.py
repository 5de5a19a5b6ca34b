"""Fold a text to plain ASCII for the detectors, with its shape in digits and letters.

Identifiers hide behind no-break spaces, full-width digits, non-breaking hyphens, accents typed as combining
marks and invisible characters. The view folds all of these once; detectors then use short ASCII patterns.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from app.text.normalize import REDACTION, NormalizedText

_KINDS = str.maketrans(
    {
        **{chr(code): "9" for code in range(48, 58)},
        **{chr(code): "A" for code in range(65, 91)},
        **{chr(code): "A" for code in range(97, 123)},
        "&": "A",
        "\n": " ",
    }
)
_WORD = re.compile(r"[A-Za-z0-9&]+")
_FIGURES = re.compile(r"9[9A]*")
_LONGEST_HEAD = 6


@dataclass(frozen=True, slots=True)
class View:
    """The folded text. Offsets of `text`, `data` and `kinds` agree; `original()` maps them back.

    `text`: ASCII. `data`: the same as bytes, for re2. `kinds`: the same with each digit as `9`, each letter
    as `A`, white space as one blank kind; punctuation is kept. `figures`: spans of the words that hold a
    digit (a head of up to six letters belongs to the word, a longer one does not).
    """

    text: str = field(repr=False)
    data: bytes = field(repr=False)
    kinds: str = field(repr=False)
    figures: tuple[tuple[int, int], ...] = field(repr=False)
    normalized: NormalizedText = field(repr=False)

    @property
    def in_place(self) -> bool:
        """Tell whether offsets of the view are offsets of the original."""
        return self.normalized.in_place

    def original(self, start: int, end: int) -> tuple[int, int]:
        """Return the span of the original text for a non-empty span of the view."""
        return self.normalized.span(start, end)

    def words(self, start: int = 0, limit: int | None = None) -> Iterator[tuple[int, int]]:
        """Yield spans of the runs of letters and digits, from `start`, in order."""
        for match in _WORD.finditer(self.text, start, len(self.text) if limit is None else limit):
            yield match.span()


def _figures(kinds: str) -> Iterator[tuple[int, int]]:
    for match in _FIGURES.finditer(kinds):
        start, end = match.span()
        if start and kinds[start - 1] == "A":
            head = kinds[max(0, start - _LONGEST_HEAD) : start]
            start -= len(head) - len(head.rstrip("A"))
        yield start, end


def view_of(text: str) -> View:
    """Fold `text` for the detectors; time is linear in its length."""
    normalized = REDACTION.normalize(text)
    plain = normalized.text
    kinds = plain.translate(_KINDS)
    return View(plain, plain.encode("ascii"), kinds, tuple(_figures(kinds)), normalized)
