"""Find the words of a text for which it was found. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence

from app.search.analyzer import stems
from app.search.query import ParsedQuery

MOST = 10
_WORD = re.compile(r"\w+")
# Words that say little about the matter are not marked; of a wording of the law, this share has to be there.
_TELLING, _ENOUGH = 0.5, 0.6

Span = tuple[int, int]


def spans(text: str, asked: ParsedQuery) -> list[Span]:
    """Return where a text has words of a query, or of the law for it: at most ten places, in order.

    Words that follow one another, or are parted by stop words alone, are one place; of more than ten places
    those with the most different words are taken.

    Args:
        text: The text that was found.
        asked: The query.

    Returns:
        Start and end of each place, in code points.
    """
    placed = [(match.span(), stems(match[0], asked.language)) for match in _WORD.finditer(text)]
    there = {stem for _, found in placed for stem in found}
    wanted = {stem for stem, weight in asked.stems.items() if weight >= _TELLING}
    for concept in asked.concepts:
        for phrase in concept.phrases:
            if len(there.intersection(phrase)) >= _ENOUGH * len(phrase):
                wanted.update(phrase)
    places: list[tuple[Span, set[str]]] = []
    going_on = False
    for (start, end), found in placed:
        if not found:
            continue
        if wanted.isdisjoint(found):
            going_on = False
        elif going_on:
            (first, _), named = places[-1]
            places[-1] = (first, end), named | set(found)
        else:
            places.append(((start, end), set(found)))
            going_on = True
    chosen = sorted(places, key=lambda place: (-len(place[1]), place[0]))[:MOST]
    return sorted(span for span, _ in chosen)


def extract(text: str, marked: Sequence[Span], length: int) -> list[tuple[str, bool]]:
    """Cut the part of a text with the most marked words into pieces, for display.

    Args:
        text: The text.
        marked: The places that `spans` returned.
        length: How many characters at most, without the dots that show omissions.

    Returns:
        The pieces in order, each with whether it is marked.
    """
    first = max(
        (start for start, _ in marked),
        key=lambda start: sum(start <= at and end <= start + length for at, end in marked),
        default=0,
    )
    # Some words before the first marked one, from the beginning of a word on.
    begin = 0 if first < length // 4 else text.rfind(" ", 0, first - length // 8) + 1
    end = min(len(text), begin + length)
    if end < len(text):
        end = max(text.rfind(" ", begin, end), begin + length // 2)
    pieces = [("… ", False)] if begin else []
    at = begin
    for start, stop in marked:
        if start >= at and stop <= end:
            pieces += [(text[at:start], False), (text[start:stop], True)]
            at = stop
    pieces.append((text[at:end] + (" …" if end < len(text) else ""), False))
    return [piece for piece in pieces if piece[0]]
