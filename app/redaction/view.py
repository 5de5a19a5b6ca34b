"""A plain-ASCII view of a text, so that every detector reads one alphabet.

Identifiers hide behind no-break spaces, full-width digits, non-breaking hyphens, accents typed as combining
marks and invisible characters. The view folds all of these once; detectors then use short ASCII patterns.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field

from app.text.invisible import INVISIBLE

_DELETED = "\x00"
_OTHER = "\x01"
_LOOKALIKES = (
    {"ß": "s"}
    | dict(zip("øØłŁđĐħĦæÆœŒı", "oOlLdDhHaAoOi", strict=True))
    | dict(zip("АВЕКМНОРСТУХІЈЅΑΒΕΖΗΙΚΜΝΟΡΤΥΧаеорсухі", "ABEKMHOPCTYXIJSABEZHIKMNOPTYXaeopcyxi", strict=True))
)
_PUNCTUATION = {
    **dict.fromkeys("‐‑‒–—―−﹘﹣－⁃", "-"),
    **dict.fromkeys("ºª°№·•․‧∙⋅・", "."),
    **dict.fromkeys("‘’‚‛′`´ʹʼ", "'"),
    **dict.fromkeys("“”„‟″«»", '"'),
    "\u2028": "\n",
    "\u2029": "\n",
    "⁄": "/",
    "∕": "/",
}


def _fold(character: str) -> str:
    """One ASCII character that stands for `character`; `_DELETED` where it is invisible."""
    if character in _PUNCTUATION:
        return _PUNCTUATION[character]
    if character in _LOOKALIKES:
        return _LOOKALIKES[character]
    category = unicodedata.category(character)
    if category in ("Cf", "Mn", "Me") or INVISIBLE.match(character):
        return _DELETED
    if category == "Nd":
        return str(unicodedata.digit(character))
    if category == "Zs":
        return " "
    first = unicodedata.normalize("NFKD", character)[0]
    if first.isascii() and first.isprintable():
        return first
    if character.isalpha():
        return "X" if character.isupper() else "x"
    return _OTHER


class _FoldTable(dict[str, str]):
    """What each character folds to, learnt as it is met; the astral planes are not remembered."""

    def __missing__(self, character: str) -> str:
        folded = _fold(character)
        if character < "\U00010000":
            self[character] = folded
        return folded


_FOLD = _FoldTable()
# What is folded: all but white space and the printable part of ASCII.
_FOREIGN = re.compile(r"[^\t-\r\x1c-~]")
_KINDS = str.maketrans(
    {
        **{chr(code): "9" for code in range(48, 58)},
        **{chr(code): "A" for code in range(65, 91)},
        **{chr(code): "A" for code in range(97, 123)},
        "&": "A",
        "\t": " ",
        "\n": " ",
        "\r": " ",
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
    origins: tuple[int, ...] | None = field(repr=False)

    def original(self, start: int, end: int) -> tuple[int, int]:
        """Span of the original text for a non-empty span of the view."""
        if self.origins is None:
            return start, end
        return self.origins[start], self.origins[end - 1] + 1

    def words(self, start: int = 0, limit: int | None = None) -> Iterator[tuple[int, int]]:
        """Spans of the runs of letters and digits, from `start`, in order."""
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
    """Fold `text`; one pass, and the offset table is built only where something was deleted."""
    folded = _FOREIGN.sub(lambda match: _FOLD[match[0]], text)
    origins: tuple[int, ...] | None = None
    if _DELETED in folded:
        origins = tuple(index for index, character in enumerate(folded) if character != _DELETED)
        folded = folded.replace(_DELETED, "")
    kinds = folded.translate(_KINDS)
    return View(folded, folded.encode("ascii"), kinds, tuple(_figures(kinds)), origins)
