"""Find the words of a text for which it was found. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence

from app.search.analyzer import words_read
from app.search.query import ParsedQuery

MOST = 10
_WORD = re.compile(r"\w+")
# Of a wording of the law, this share has to be there.
_ENOUGH = 0.6

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
    said = _WORD.findall(text)
    read = words_read(asked.language)
    asked_for = asked.telling | asked.said
    found = {word: stems for word in set(said) if not asked_for.isdisjoint(stems := read[word])}
    there = {stem for stems in found.values() for stem in stems}
    wanted = set(asked.telling)
    for concept in asked.concepts:
        for phrase in concept.phrases:
            if len(there.intersection(phrase)) >= _ENOUGH * len(phrase):
                wanted.update(phrase)
    marked = {word for word, stems in found.items() if not wanted.isdisjoint(stems)}
    # Places as their first and last words, each with how often it was said before, and all their stems.
    places: list[tuple[tuple[str, int], tuple[str, int], set[str]]] = []
    before = dict.fromkeys(marked, 0)
    going_on = False
    for word in said:
        if word in marked:
            one = (word, before[word])
            before[word] += 1
            if going_on:
                first, _, named = places.pop()
                places.append((first, one, named.union(found[word])))
            else:
                places.append((one, one, set(found[word])))
            going_on = True
        elif going_on and read[word]:
            going_on = False
    chosen = sorted(places, key=lambda place: -len(place[2]))[:MOST]
    starts = {word: _starts(text, word) for first, last, _ in chosen for word, _ in (first, last)}
    return sorted(
        (starts[first][of_first], starts[last][of_last] + len(last))
        for (first, of_first), (last, of_last), _ in chosen
    )


def _starts(text: str, word: str) -> list[int]:
    """Return where a word begins, in order; a part of another is no word."""
    found = []
    at = text.find(word)
    while at >= 0:
        end = at + len(word)
        if not ((at and _is_letter(text[at - 1])) or (end < len(text) and _is_letter(text[end]))):
            found.append(at)
        at = text.find(word, end)
    return found


def _is_letter(character: str) -> bool:
    return character.isalnum() or character == "_"


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
