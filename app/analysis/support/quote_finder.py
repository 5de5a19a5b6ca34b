"""Find quoted words in a document, wherever white space, quotation marks or case differ. Pure."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from app.analysis import support

# Words shorter than this are found in any text and prove nothing.
_QUOTE_MIN = 2
_TITLE = 300
# White space that is not already a single space.
_RUN = re.compile(r"\s{2,}|[^\S ]")
_QUOTES = str.maketrans({"“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "’": "'", "‘": "'", "‚": "'"})


@dataclass(frozen=True, slots=True)
class Evidence:
    """Words found in the document: `document[start:end]` is where they stand."""

    text: str
    start: int
    end: int


class QuoteFinder:
    """Index of one document in which quotations are looked up; made when first asked."""

    def __init__(self, document: str) -> None:
        self._document = document
        self._folded: str | None = None
        self._places: list[int] = []
        self._shifts: list[int] = []
        self._read_document: support.Document | None = None

    @property
    def text(self) -> str:
        """The document."""
        return self._document

    @property
    def title(self) -> str:
        """The first words of the document, which name what it is about."""
        return self._document[:_TITLE]

    @property
    def document(self) -> support.Document:
        """The document as the judge of support reads it, read once."""
        if self._read_document is None:
            self._read_document = support.Document(self._document)
        return self._read_document

    def find(self, quote: str) -> Evidence | None:
        """Return where `quote` stands in the document, between words if it does so anywhere; or `None`."""
        wanted = normalize(quote)
        if sum(1 for _ in islice(filter(str.isalnum, wanted), _QUOTE_MIN)) < _QUOTE_MIN:
            return None
        if self._folded is None:
            self._read()
        assert self._folded is not None
        first = at = self._folded.find(wanted)
        while at >= 0 and not _between_words(self._folded, at, at + len(wanted)):
            at = self._folded.find(wanted, at + 1)
        at = at if at >= 0 else first
        if at < 0:
            return None
        start, end = self._origin(at), self._origin(at + len(wanted) - 1) + 1
        return Evidence(self._document[start:end], start, end)

    def _read(self) -> None:
        """Fold the document once, remembering how far each place moved.

        `_places` are offsets in the folded text from which on `_shifts` is what to add to be in the document.
        """
        folded = fold(self._document)
        if len(folded) != len(self._document):
            # Folding that changes length ("ß") would move every offset: those few letters stay as they are.
            folded = "".join(one if len(one) == 1 else letter for letter, one in _letters(self._document))
        pieces, last, shift = [], 0, 0
        self._places, self._shifts = [0], [0]
        for run in _RUN.finditer(folded):
            pieces += [folded[last : run.start()], " "]
            shift += run.end() - run.start() - 1
            last = run.end()
            self._places.append(run.end() - shift)
            self._shifts.append(shift)
        self._folded = "".join([*pieces, folded[last:]])

    def _origin(self, place: int) -> int:
        return place + self._shifts[bisect_right(self._places, place) - 1]


def _between_words(text: str, start: int, end: int) -> bool:
    return (
        not (start and text[start - 1 : start + 1].isalnum()) and not text[end - 1 : end + 1].isalnum()
    ) or end == len(text)


def fold(text: str) -> str:
    """Return `text` in lower case with straight quotation marks."""
    return text.translate(_QUOTES).casefold()


def _letters(text: str) -> Iterator[tuple[str, str]]:
    return ((letter, fold(letter)) for letter in text)


def normalize(words: str) -> str:
    """Return `words` folded, with single spaces."""
    return " ".join(fold(words).split())
