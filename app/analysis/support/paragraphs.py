"""Read a document as paragraphs and items of lists, and tell which words stand over a place. Pure.

Source: decision 109. A heading, the clause before a colon and the introduction of a list stand apart from
the words that they govern: in their sentence before a colon, or in a line above.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

# "a)", "iv.", "3.1.", "-": the mark of an item, and what kind of mark it is.
_MARKED: Final = re.compile(
    r"[ \t]*(?:(?P<dash>[-–—•*·▪◦])|\(?(?:(?P<roman>[ivx]{1,4}|[IVX]{1,4})|(?P<letter>[A-Za-zñ])"
    r"|(?P<number>\d{1,2}(?:\.\d{1,2}){0,3}))(?:[.)]|\.?[ºª°]|\.-)[-–)]?)[ \t]"
)
_PAGE: Final = 130
_TITLE: Final = 90
# Paragraphs looked at above a place, and heads one over the other.
_MOST_ABOVE, _MOST_HEADS, _MOST_TITLE = 40, 3, 12
_CLOSING: Final = " \t\n«“\"'*_"
_SENTENCE_ENDS: Final = (".", ",", ";")


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph or an item of a list at `start:end`, with the kind of its mark, empty where it has none."""

    start: int
    end: int
    mark: str
    announces: bool
    title: bool


@dataclass(frozen=True, slots=True)
class Head:
    """Words at `start:end` that stand over others; `title` where they are the title of a section."""

    start: int
    end: int
    title: bool = False


class Paragraphs:
    """The paragraphs of a document, in order."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._all = list(_paragraphs(text))
        self._starts = [one.start for one in self._all]

    def at(self, offset: int) -> int:
        """Return the number of the paragraph that holds `offset`, or of the one before it."""
        return max(0, bisect_right(self._starts, offset) - 1)

    def span(self, number: int) -> tuple[int, int]:
        """Return where a paragraph begins and ends; two equal offsets where there is none."""
        if not 0 <= number < len(self._all):
            return 0, 0
        return self._all[number].start, self._all[number].end

    def over(self, offset: int) -> Iterator[Head]:
        """Yield what stands over a place: introductions of the lists that it is in, then its title."""
        if not self._all:
            return
        own = self.at(offset)
        yield from self._introductions(own)
        for number in range(own - 1, max(-1, own - 1 - _MOST_TITLE), -1):
            if self._all[number].title:
                yield Head(self._all[number].start, self._all[number].end, title=True)
                return

    def _introductions(self, own: int) -> Iterator[Head]:
        mark, heads = self._all[own].mark, 0
        for number in range(own - 1, max(-1, own - 1 - _MOST_ABOVE), -1):
            one = self._all[number]
            if one.announces:
                if mark and one.mark == mark:
                    continue  # another item of the same list, with a list of its own
                yield Head(one.start, one.end)
                heads += 1
                mark = one.mark
                if not mark or heads == _MOST_HEADS:
                    return
            elif one.title or not mark:
                return
            elif one.mark != mark:
                yield Head(one.start, one.end)  # "The following are excluded." and its list
                if not one.mark:
                    return


def _paragraphs(text: str) -> Iterator[Paragraph]:
    lines = text.split("\n")
    unwrapped = any(len(line) > _PAGE for line in lines)
    start = end = -1
    mark = ""
    at = 0
    previous = ""
    for line in [*lines, ""]:
        marked = _MARKED.match(line)
        begins = (
            not previous.strip()
            or marked is not None
            or unwrapped
            or previous.rstrip(_CLOSING).endswith(":")
            or _is_title(previous)
        )
        if start >= 0 and (begins or not line.strip()):
            yield _paragraph(text, start, end, mark)
            start = -1
        if line.strip():
            if start < 0:
                start, mark = at, _kind(marked)
            end = at + len(line)
        previous = line
        at += len(line) + 1


def _paragraph(text: str, start: int, end: int, mark: str) -> Paragraph:
    written = text[start:end]
    announces = written.rstrip(_CLOSING).endswith(":")
    title = not announces and len(written) <= _TITLE and _is_title(written, alone=True)
    return Paragraph(start, end, mark, announces, title)


def _is_title(line: str, *, alone: bool = False) -> bool:
    """Tell whether a line is in capitals, or `alone` in its paragraph and no sentence."""
    written = line.strip()
    letters = [one for one in written if one.isalpha()]
    if len(letters) <= _MOST_HEADS or len(written) > _TITLE or written.endswith(_SENTENCE_ENDS[1:]):
        return False
    if written.upper() == written and 2 * len(letters) > len(written):
        return True
    return alone and not written.endswith(_SENTENCE_ENDS) and written[:1].strip("#*_ ").isalnum()


def _kind(marked: re.Match[str] | None) -> str:
    if marked is None:
        return ""
    if marked["number"]:
        return f"number{marked['number'].count('.')}"
    return marked.lastgroup or "dash"
