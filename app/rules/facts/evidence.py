"""Cut out the words around a fact that let a reader check it: its sentence, or the clause in it.

Invariant: a passage is a slice of the document that contains the fact, keeps to one sentence and starts after
any title or heading before it.
"""

from __future__ import annotations

from typing import Final

from app.text.expressions import compiled
from app.text.sentences import FoldedText

LIMIT: Final = 200
_HEADING: Final = compiled(
    r"^ *(?:(?:clausula|estipulacion|article|clause|section|articulo) )?"
    r"(?:(?:\d{1,2}(?:\.\d{1,2})*|[ivxl]{1,6})[ºª]?(?:\. ?-|[.:)])"
    r"|[a-z]{5,24}(?: [a-z]{5,12})?(?:\. ?-|[.)]))"
    r"[ -]*(?:[a-z][a-z ,]{2,50}\. +)?"
)
_LINE_LABEL: Final = compiled(r"\n *\d{1,2}(?:\.\d{1,2}){0,3}(?:\.?[ºª]|[.)])? +")
_BREAKS: Final = compiled(r"[,;:] | - | y | and ")
_LEGAL_FORM: Final = compiled(r"^(?:s\.|sl|sa|ltd|inc|llc|b\.)")
_BLANKS: Final = " \n\t\r\"'*_-–—.,;:"


def passage(source: FoldedText, start: int, end: int, limit: int = LIMIT) -> tuple[int, int]:
    """Return the offsets of some `limit` characters at most of the sentence of `start:end`.

    A longer sentence is cut where a clause ends.
    """
    first, last = source.sentence(start)[0], source.sentence(max(start, end - 1))[1]
    text = source.text
    heading = _HEADING.match(source.cased[first : min(start, first + limit)].lower())
    if (
        heading is not None
        and not source.cased[first + heading.end() : first + heading.end() + 1].isdigit()  # "1.200 euros"
        and source.cased[first : first + 1].strip()
        and _titles(source, first, heading.end())
    ):
        first += heading.end()
    # "1. Fees\n1.1 The Client shall pay": the numbered line is where its own sentence begins.
    base = max(first - 6, start - 2 * limit, 0)
    for label in _LINE_LABEL.finditer(source.cased[base:start]):
        first = max(first, base + label.end())
    if last - first > limit:
        room = max(limit - (end - start), 0)
        floor, ceiling = max(first, start - 2 * room // 3), min(last, end + limit)
        if floor > first:
            breaks = [
                floor + found.end()
                for found in _BREAKS.finditer(source.folded[floor:start])
                if not _LEGAL_FORM.match(source.folded[floor + found.end() : start])
            ]
            floor = breaks[0] if breaks else _word(text, floor, start)
        ceiling = min(ceiling, max(floor + limit, end))
        if ceiling < last:
            breaks = [end + found.start() for found in _BREAKS.finditer(source.folded[end:ceiling])]
            ceiling = breaks[-1] if breaks else max(end, text.rfind(" ", end, ceiling))
        first, last = floor, ceiling
    while first < start and text[first] in _BLANKS:
        first += 1
    while last > end and text[last - 1] in " \n\t\r,;:-–—":
        last -= 1
    return first, last


def _word(text: str, floor: int, start: int) -> int:
    blank = text.find(" ", floor, start)
    return blank + 1 if blank >= 0 else start


def _titles(source: FoldedText, first: int, length: int) -> bool:
    """Tell whether `length` characters from `first` are a heading: it starts in capitals or with a number."""
    words = source.cased[first : first + length].split()
    return bool(words) and (words[0][:1].isdigit() or words[0].isupper() or words[0].rstrip(".:-)").istitle())
