"""Split a text into the words that count in a comparison. Pure.

Case, accents, quotation marks, punctuation, Markdown and hyphens at the end of a line do not count;
numbers do, and are one word however their thousands are written.
"""

from __future__ import annotations

import re

from app.text.normalize import WORDS

_ELLIPSIS = re.compile(r"[\[(]\s*(?:\.{3,6}|…|\. \. \.)\s*[\])]|…|\.{3,6}")
_BROKEN_LINE = re.compile(r"(?<=[^\W\d_])[-\u00ad\u2010]\s*\n\s*(?=[a-zñáéíóúü])")
_THOUSANDS = re.compile(r"(?<=\d)[.\u202f\u00a0 ](?=\d{3}(?!\d))")
_WORD = re.compile(r"\d+(?:,\d+)?|[^\W\d_]+|%|[€$£§]")
# "2. ", "a) ", "1.º ", "iv) " at the beginning of a paragraph.
_ENUMERATOR = re.compile(
    r"^[ \t>*_«\"-]*(?:\d{1,3}(?:\.?[ºª]|\.|\))\)?|[a-zñ]{1,2}\)|[ivxl]{1,5}[.)])\s+", re.MULTILINE
)
_SAME = {"%": ("por", "ciento"), "€": ("euros",), "art": ("articulo",), "arts": ("articulos",)}


def words(text: str) -> list[str]:
    """Return the words of `text` in order."""
    # Before folding, which turns one sign into three points.
    joined = _THOUSANDS.sub("", WORDS.fold(_BROKEN_LINE.sub("", text)))
    found: list[str] = []
    for word in _WORD.findall(joined):
        found.extend(_SAME.get(word, (word,)))
    return found


def parts(text: str) -> list[str]:
    """Cut `text` where it marks an omission: `[...]`, `(…)`, `...`."""
    return [part for part in _ELLIPSIS.split(text) if words(part)]


def without_enumerators(text: str) -> str:
    """Return `text` without the numbers and letters that only number its paragraphs."""
    return _ENUMERATOR.sub("", text)
