"""Split a contract into clauses that together are the whole text.

A clause is a numbered or titled part. What stands before the first of them, what stands below a mere title
and what is too long for one clause is split into its paragraphs, and a long paragraph into its sentences.

Invariant: each clause begins where the one before ends, the first at 0 and the last ends with the text.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from app.rules import Block, Facts
from app.text.sentences import FoldedText

# In characters: a numbered clause above the first is split into paragraphs, a paragraph above the second into
# sentences.
_LONG_CLAUSE, _LONG_PARAGRAPH = 2_500, 4_000
# More clauses than this are put together, neighbour by neighbour: what pairs them grows with their square.
MOST_CLAUSES = 2_000
_FEW_WORDS = 3
_BLANK_LINE = re.compile(r"\n[^\S\n]*\n\s*")
_LINE_BREAK = re.compile(r"\n\s*")
# A line that is longer was not wrapped by hand: lines are paragraphs there.
_PAGE_WIDTH = 130
_LIST_ITEM = re.compile(r"\s*(?:[a-z]\)|\(?[ivx]{1,4}\)|[-*•])\s")


@dataclass(frozen=True, slots=True)
class Clause:
    """One clause: `text[start:end]`, white space behind it included.

    Attributes:
        start: offset of its first character, in code points.
        end: offset at which the next clause begins.
        number: its number in plain form ("7", "4.2"), of the clause that it is a part of; else "".
        heading: the words of its heading, likewise.
        noun: the folded word that introduces the number ("articulo"), likewise.
        label_end: offset behind its number as written; `start` where it has none of its own.
        opens: whether number and heading are written here, not in an earlier paragraph of the same clause.
    """

    start: int
    end: int
    number: str = ""
    heading: str = ""
    noun: str = ""
    label_end: int = 0
    opens: bool = True


def split_clauses(facts: Facts) -> tuple[Clause, ...]:
    """Return the clauses of a text whose facts were read; one at least, unless the text is empty."""
    source = facts.source
    length = len(source.text)
    if not length:
        return ()
    paragraphs = _paragraphs(source.text)
    opened: list[tuple[int, Block, bool]] = []
    for block in facts.sections:
        starts = list(_starts(block, paragraphs, source))
        opened += ((start, block, at == 0) for at, start in enumerate(starts))
    if not opened:
        return (Clause(0, length),)
    step = -(-len(opened) // MOST_CLAUSES)
    opened = opened[::step]
    found = []
    for at, (start, block, opens) in enumerate(opened):
        end = opened[at + 1][0] if at + 1 < len(opened) else length
        found.append(_clause(0 if at == 0 else start, end, block, opens))
    return tuple(found)


def _clause(start: int, end: int, block: Block, opens: bool) -> Clause:
    if block.style == "preamble":
        return Clause(start, end, label_end=start)
    label_end = block.start + len(block.label) if opens and block.label else start
    return Clause(start, end, block.number, block.heading, block.noun, min(label_end, end), opens)


def _starts(block: Block, paragraphs: list[int], source: FoldedText) -> Iterator[int]:
    """Yield where the clauses of a block begin."""
    if block.style not in ("preamble", "title") and block.end - block.start <= _LONG_CLAUSE:
        yield block.start
        return
    inside = paragraphs[bisect_right(paragraphs, block.start) : bisect_left(paragraphs, block.end)]
    begun = [block.start]
    for start in inside:
        # A title stands with what follows it; a list with the words that open it.
        if _few_words(source.text[begun[-1] : start]) or _LIST_ITEM.match(source.text, start):
            continue
        begun.append(start)
    for start, end in pairwise([*begun, block.end]):
        yield start
        if end - start > _LONG_PARAGRAPH:
            yield from _sentences(start, end, source)


def _sentences(start: int, end: int, source: FoldedText) -> Iterator[int]:
    limits = source.limits[bisect_right(source.limits, start) : bisect_left(source.limits, end)]
    last = start
    for limit in limits:
        while limit < end and source.text[limit].isspace():
            limit += 1
        if limit < end and not _few_words(source.text[last:limit]):
            yield limit
            last = limit


def _paragraphs(text: str) -> list[int]:
    """Return where paragraphs begin, but for the first."""
    starts = [match.end() for match in _BLANK_LINE.finditer(text)]
    lines = [match.end() for match in _LINE_BREAK.finditer(text)]
    width = max((after - before for before, after in pairwise([0, *lines, len(text)])), default=0)
    return lines if width > _PAGE_WIDTH or not starts else starts


def _few_words(text: str) -> bool:
    return len(text.split(maxsplit=_FEW_WORDS)) <= _FEW_WORDS
