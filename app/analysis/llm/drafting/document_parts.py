"""Cutting a long document where its structure allows. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import re2

# Where a clause, an article or a heading begins: the best place to cut.
_HEADINGS = re2.compile(
    r"(?m)^[ \t]*(?:"
    r"(?:#{1,6} )|"
    r"(?:(?i:cláusula|clausula|art[ií]culo|cap[ií]tulo|secci[oó]n|t[ií]tulo|anexo|fundamento|hecho|"
    r"clause|article|section|schedule|exhibit|annex|chapter)\b)|"
    r"(?:(?:PRIMER[AO]|SEGUND[AO]|TERCER[AO]|CUART[AO]|QUINT[AO]|SEXT[AO]|S[ÉE]PTIM[AO]|OCTAV[AO]|NOVEN[AO]|"
    r"D[ÉE]CIM[AO])\b)|"
    r"(?:[0-9]{1,3}(?:\.[0-9]{1,3})*[.)\-]{1,2}\s)|"
    r"(?:[IVXLC]{1,7}[.)\-]{1,2}\s)"
    r")"
)
_SENTENCE = (". ", ".\n", "; ", "\n", " ")


@dataclass(frozen=True, slots=True, repr=False)
class Part:
    """A part of a document, which begins at offset `start` of it."""

    start: int
    text: str

    @property
    def end(self) -> int:
        """The offset in the document at which the part ends."""
        return self.start + len(self.text)

    def halves(self) -> list[Part]:
        """Return the part in two, of which each has a third of it at least."""
        return [
            Part(self.start + one.start, one.text) for one in split(self.text, len(self.text) * 2 // 3 + 1)
        ]


def split(text: str, most: int) -> list[Part]:
    """Return `text` in parts of at most `most` characters that joined are `text` again.

    Cut before a heading where one stands in the second half of a part, else at a blank line, a line, the end
    of a sentence, a space; within a word only where there is nothing else.
    """
    if len(text) <= most:
        return [Part(0, text)]
    headings = [match.start() for match in _HEADINGS.finditer(text)]
    return list(_parts(text, most, headings))


def _parts(text: str, most: int, headings: list[int]) -> Iterator[Part]:
    start, index = 0, 0
    while len(text) - start > most:
        limit, least = start + most, start + most // 2
        while index < len(headings) and headings[index] <= limit:
            index += 1
        cut = headings[index - 1] if index and headings[index - 1] > least else 0
        if not cut:
            cut = _soft(text, least, limit)
        yield Part(start, text[start:cut])
        start = cut
    yield Part(start, text[start:])


def _soft(text: str, least: int, limit: int) -> int:
    at = text.rfind("\n\n", least, limit)
    if at >= 0:
        return at + 2
    for ending in _SENTENCE:
        at = text.rfind(ending, least, limit)
        if at >= 0:
            return at + len(ending)
    return limit
