"""Tell word by word what changed between two texts, in bounded time.

Invariant: the texts of `equal` and `delete` together are the first text, those of `equal` and `insert` the
second, code point by code point.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal, get_args

from rapidfuzz.distance import Levenshtein

Operation = Literal["equal", "insert", "delete"]
OPERATIONS: tuple[Operation, ...] = get_args(Operation)

# A figure with its separators is one word: "1.000" is not changed into "5.000" by its first digit.
_TOKEN = re.compile(r"\d+(?:[.,'’]\d+)*|[^\W\d_]+|\s+|.", re.DOTALL)
_WORD = re.compile(r"\w")
_SENTENCE = re.compile(r"[^.;\n]*(?:[.;\n]+\s*|$)", re.DOTALL)
# Time grows with the product of both lengths: this many pairs of words take some 20 ms.
_MOST_PAIRS = 20_000_000
# With a smaller share of equal words a text was written anew, and what is equal is so by chance.
_ANEW = 0.3
# An equal run of so few words between two changes is read more easily as changed, too.
_ISLAND, _SEA = 2, 3


@dataclass(frozen=True, slots=True)
class Run:
    """Words that are equal, inserted or deleted. `repr` shows none of them."""

    op: Operation
    text: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class WordDiff:
    """What changed between two texts.

    Attributes:
        runs: in order; of a replacement, what is deleted comes first.
        coarse: whether some part was too long to be compared word by word, and is told as replaced whole.
        similarity: the share of words that are equal, from 0 to 1.
    """

    runs: tuple[Run, ...]
    coarse: bool
    similarity: float


def diff_words(before: str, after: str) -> WordDiff:
    """Compare two texts word by word; above a bound, sentence by sentence where words are too many."""
    if before == after:
        return WordDiff((Run("equal", before),) if before else (), False, 1.0)
    one, other = _TOKEN.findall(before), _TOKEN.findall(after)
    runs, coarse = _bounded(one, other, before, after)
    pairs = _without_islands(_grouped(runs))
    tidy = tuple(_joined(pairs))
    similarity = _similarity(tidy)
    if similarity < _ANEW and len(pairs) > 1:
        tidy = tuple(_joined([(before, after)]))
    return WordDiff(tidy, coarse, similarity)


def _bounded(one: list[str], other: list[str], before: str, after: str) -> tuple[list[Run], bool]:
    """Return runs, and whether some were not compared word by word."""
    head = _common(one, other)
    tail = _common(one[head:][::-1], other[head:][::-1])
    middle_one, middle_other = one[head : len(one) - tail], other[head : len(other) - tail]
    first, last = "".join(one[:head]), "".join(one[len(one) - tail :])
    if len(middle_one) * len(middle_other) <= _MOST_PAIRS:
        runs, coarse = list(_runs(middle_one, middle_other)), False
    else:
        runs, coarse = _by_sentences("".join(middle_one), "".join(middle_other))
    return [Run("equal", first), *runs, Run("equal", last)], coarse


def _by_sentences(before: str, after: str) -> tuple[list[Run], bool]:
    """Compare sentence by sentence, and word by word within what was replaced as long as it is short."""
    one, other = _SENTENCE.findall(before), _SENTENCE.findall(after)
    if len(one) * len(other) > _MOST_PAIRS:
        return [Run("delete", before), Run("insert", after)], True
    found: list[Run] = []
    coarse, left = False, _MOST_PAIRS
    for tag, a, b, c, d in _opcodes(one, other):
        old, new = "".join(one[a:b]), "".join(other[c:d])
        if tag != "replace":
            found += _run_of(tag, old, new)
            continue
        words, others = _TOKEN.findall(old), _TOKEN.findall(new)
        pairs = len(words) * len(others)
        if pairs <= left:
            left -= pairs
            found += _runs(words, others)
        else:
            coarse = True
            found += (Run("delete", old), Run("insert", new))
    return found, coarse


def _runs(one: Sequence[str], other: Sequence[str]) -> Iterator[Run]:
    for tag, a, b, c, d in _opcodes(one, other):
        yield from _run_of(tag, "".join(one[a:b]), "".join(other[c:d]))


def _opcodes(one: Sequence[str], other: Sequence[str]) -> Iterator[tuple[str, int, int, int, int]]:
    for op in Levenshtein.opcodes(one, other):
        yield op.tag, op.src_start, op.src_end, op.dest_start, op.dest_end


def _run_of(tag: str, old: str, new: str) -> Iterator[Run]:
    if tag == "equal":
        yield Run("equal", old)
        return
    yield Run("delete", old)
    yield Run("insert", new)


def _common(one: Sequence[str], other: Sequence[str]) -> int:
    """Return how many words both begin with."""
    count = 0
    for a, b in zip(one, other, strict=False):
        if a != b:
            break
        count += 1
    return count


def _grouped(runs: Iterable[Run]) -> list[tuple[str, str]]:
    """Return what stands in each text between two changes: equal pairs, and pairs of old and new words."""
    found: list[tuple[str, str]] = []
    equal: list[str] = []
    old: list[str] = []
    new: list[str] = []

    def close() -> None:
        if old or new:
            found.append(("".join(old), "".join(new)))
            old.clear()
            new.clear()

    for run in runs:
        if not run.text:
            continue
        if run.op == "equal":
            close()
            equal.append(run.text)
            continue
        if equal:
            text = "".join(equal)
            found.append((text, text))
            equal.clear()
        (old if run.op == "delete" else new).append(run.text)
    close()
    if equal:
        text = "".join(equal)
        found.append((text, text))
    return found


def _without_islands(pairs: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Join changes that only a blank, a comma or a word or two keep apart."""
    found: list[tuple[str, str]] = []
    for at, pair in enumerate(pairs):
        inner = 0 < at < len(pairs) - 1 and pair[0] == pair[1]
        island = inner and _is_island(pair[0], pairs[at - 1], pairs[at + 1])
        after_change = bool(found) and found[-1][0] != found[-1][1]
        if island or (after_change and pair[0] != pair[1]):
            found[-1] = (found[-1][0] + pair[0], found[-1][1] + pair[1])
        else:
            found.append(pair)
    return found


def _is_island(equal: str, earlier: tuple[str, str], later: tuple[str, str]) -> bool:
    if "\n" in equal:
        return False
    words = len(equal.split()) if _WORD.search(equal) else 0
    if words == 0:
        # Only where both sides lose and gain something: a comma between two insertions stands.
        return all(_WORD.search(side) for side in (*earlier, *later)) and len(equal) <= _SEA
    sea = min(max(len(old.split()), len(new.split())) for old, new in (earlier, later))
    return words <= _ISLAND and sea >= _SEA * words


def _joined(pairs: Iterable[tuple[str, str]]) -> Iterator[Run]:
    """Yield the runs of pairs, no two of the same kind in a row."""
    equal: list[str] = []
    for old, new in pairs:
        # What joining made equal at both ends is told as equal.
        one, other = _TOKEN.findall(old), _TOKEN.findall(new)
        head = _common(one, other)
        tail = _common(one[head:][::-1], other[head:][::-1])
        equal += one[:head]
        gone, come = one[head : len(one) - tail], other[head : len(other) - tail]
        if (gone or come) and equal:
            yield Run("equal", "".join(equal))
            equal.clear()
        if gone:
            yield Run("delete", "".join(gone))
        if come:
            yield Run("insert", "".join(come))
        equal += one[len(one) - tail :]
    if equal:
        yield Run("equal", "".join(equal))


def _similarity(runs: Sequence[Run]) -> float:
    sizes = dict.fromkeys(OPERATIONS, 0)
    for run in runs:
        sizes[run.op] += sum(1 for token in _TOKEN.findall(run.text) if _WORD.match(token))
    total = 2 * sizes["equal"] + sizes["insert"] + sizes["delete"]
    return 2 * sizes["equal"] / total if total else 1.0
