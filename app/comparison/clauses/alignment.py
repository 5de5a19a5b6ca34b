"""Pair the clauses of two versions: in order first, then those that moved, then those split or merged.

The order-aware part maximises the sum of likeness over all pairs that do not cross (Needleman and Wunsch,
1970), where leaving a clause without a partner costs nothing. Likeness is the cosine of the clauses' words
weighted by how rare they are in both versions (tf-idf). Time grows with the product of the numbers of
clauses, which `splitting.MOST_CLAUSES` bounds.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import log

import numpy as np
from numpy.typing import NDArray

from app.comparison.clauses.splitting import Clause
from app.text.sentences import fold

Likeness = NDArray[np.float32]

# Less alike than this, two clauses are two clauses, and one that moved must be more alike.
_LEAST, _LEAST_MOVED = 0.35, 0.6
# Under the same heading a clause is the same one, however its words were changed.
_SAME_HEADING = 0.5
_SAME_NUMBER = 0.02
# Between the same two neighbours less will do, and still less for clauses of one number.
_LEAST_BETWEEN, _LEAST_NUMBERED = 0.18, 0.1
# A clause is a part of another one if that has so much of its words, and it has some.
_CONTAINED, _FEWEST_WORDS = 0.7, 4
# Words are counted in so many columns; beyond that the rarest share one, which only makes pairs likelier.
_COLUMNS = 1_024
_WORD = re.compile(r"[a-z0-9]+")


@dataclass(frozen=True, slots=True)
class Pair:
    """Clauses of each version that belong together, as ranges of their indexes; one range may be empty.

    `moved` says that they stand elsewhere among the others than they did.
    """

    before: range
    after: range
    moved: bool = False


def align(before: str, after: str, old: Sequence[Clause], new: Sequence[Clause]) -> tuple[Pair, ...]:
    """Pair the clauses of two texts; every clause is in exactly one pair.

    In the order of `after`; what was removed stands where it stood in `before`.
    """
    one, other = _Side(before, old), _Side(after, new)
    likeness = _likeness(one, other)
    sizes = _sizes(one, other)
    pairs = dict(_in_order(likeness, sizes, _LEAST))
    pairs |= _between(pairs, likeness, sizes)
    pairs |= _of_one_number(pairs, likeness, one, other)
    moved: dict[int, int] = {}
    groups = {(i, j): (range(i, i + 1), range(j, j + 1)) for i, j in pairs.items()}
    free_old = set(range(len(old))) - pairs.keys()
    free_new = set(range(len(new))) - set(pairs.values())
    # What is almost the same elsewhere has moved; only then are parts of clauses looked for.
    for least in (0.8, _LEAST_MOVED):
        for i, j in list(_alike(likeness, free_old, free_new, least)):
            moved[i] = j
            groups[i, j] = (range(i, i + 1), range(j, j + 1))
            free_old.discard(i)
            free_new.discard(j)
        groups = _with_parts(groups, one, other, free_old, free_new)
    found = [Pair(a, b, moved=moved.get(i) == j) for (i, j), (a, b) in groups.items()]
    found += [Pair(range(i, i + 1), range(0)) for i in free_old]
    found += [Pair(range(0), range(j, j + 1)) for j in free_new]
    return _ordered(found)


class _Side:
    """The words of the clauses of one version, without their numbers."""

    def __init__(self, text: str, clauses: Sequence[Clause]) -> None:
        self.clauses = clauses
        folded = fold(text)
        self.words = [_WORD.findall(folded[one.label_end : one.end]) for one in clauses]
        self.counts = [Counter(words) for words in self.words]
        self.weights: Mapping[str, float] = {}
        self.headings = [fold(one.heading) if one.opens else "" for one in clauses]


def _likeness(one: _Side, other: _Side) -> Likeness:
    """Return how alike each clause of one side is to each of the other, from 0 to 1."""
    if not one.words or not other.words:
        return np.zeros((len(one.words), len(other.words)), np.float32)
    documents = Counter(word for side in (one, other) for words in side.counts for word in words)
    total = len(one.words) + len(other.words)
    weights = {word: log(1 + total / count) for word, count in documents.items()}
    one.weights = other.weights = weights
    # The commonest words have a column of their own.
    columns = {word: at % _COLUMNS for at, (word, _) in enumerate(documents.most_common())}
    left, right = _vectors(one.counts, weights, columns), _vectors(other.counts, weights, columns)
    found: Likeness = left @ right.T
    for i, j in _shared(one.headings, other.headings):
        found[i, j] = _SAME_HEADING + (1 - _SAME_HEADING) * found[i, j]
    numbers = ([clause.number for clause in side.clauses] for side in (one, other))
    for i, j in _shared(*numbers):
        found[i, j] += _SAME_NUMBER
    return found


def _shared(one: Iterable[str], other: Iterable[str]) -> Iterable[tuple[int, int]]:
    """Yield the places of equal words in two lists, those that stand once in each."""
    places: list[dict[str, list[int]]] = []
    for words in (one, other):
        where: dict[str, list[int]] = defaultdict(list)
        for at, word in enumerate(words):
            if word:
                where[word].append(at)
        places.append(where)
    for word in places[0].keys() & places[1].keys():
        if len(places[0][word]) == len(places[1][word]) == 1:
            yield places[0][word][0], places[1][word][0]


def _vectors(counts: Sequence[Counter[str]], weights: dict[str, float], columns: dict[str, int]) -> Likeness:
    width = max(columns.values(), default=0) + 1
    found = np.zeros((len(counts), width), np.float32)
    for row, words in zip(found, counts, strict=True):
        for word, count in words.items():
            row[columns[word]] += weights[word] * (1 + log(count))
    norms = np.linalg.norm(found, axis=1, keepdims=True)
    norms[norms == 0] = 1
    found /= norms
    return found


def _sizes(one: _Side, other: _Side) -> Likeness:
    """Return how much a pair of clauses counts: a longer one counts more."""
    left, right = (
        np.log2(2 + np.array([len(words) for words in side.words], np.float32)) for side in (one, other)
    )
    found: Likeness = np.minimum.outer(left, right)
    return found


def _in_order(likeness: Likeness, sizes: Likeness, least: float) -> Iterable[tuple[int, int]]:
    """Return the pairs that do not cross and are the most alike together, each above `least`."""
    rows, columns = likeness.shape
    if not rows or not columns:
        return []
    gains = np.maximum(likeness - least, 0) * sizes
    best = np.zeros((rows + 1, columns + 1), np.float32)
    for i in range(rows):
        taken = np.maximum(best[i, 1:], best[i, :-1] + gains[i])
        np.maximum.accumulate(taken, out=best[i + 1, 1:])
    found = []
    i, j = rows, columns
    while i and j:
        if best[i, j] == best[i - 1, j]:
            i -= 1
        elif best[i, j] == best[i, j - 1]:
            j -= 1
        else:
            i, j = i - 1, j - 1
            found.append((i, j))
    return found


def _gaps(pairs: Mapping[int, int], shape: tuple[int, ...]) -> Iterable[tuple[slice, slice]]:
    """Yield the clauses of both sides that have no partner and stand between the same two pairs."""
    for (i, j), (next_i, next_j) in pairwise([(-1, -1), *sorted(pairs.items()), (shape[0], shape[1])]):
        if next_i - i > 1 and next_j - j > 1:
            yield slice(i + 1, next_i), slice(j + 1, next_j)


def _between(pairs: Mapping[int, int], likeness: Likeness, sizes: Likeness) -> dict[int, int]:
    """Return further pairs, less alike, of clauses between the same two pairs."""
    return {
        rows.start + i: columns.start + j
        for rows, columns in _gaps(pairs, likeness.shape)
        for i, j in _in_order(likeness[rows, columns], sizes[rows, columns], _LEAST_BETWEEN)
    }


def _of_one_number(pairs: Mapping[int, int], likeness: Likeness, one: _Side, other: _Side) -> dict[int, int]:
    """Return further pairs of clauses of one number between the same two pairs, none with another heading."""
    found: dict[int, int] = {}
    for rows, columns in _gaps(pairs, likeness.shape):
        places = {other.clauses[at].number: at for at in range(columns.stop - 1, columns.start - 1, -1)}
        last = columns.start - 1
        for at in range(rows.start, rows.stop):
            number = one.clauses[at].number
            twin = places.get(number, -1) if number and one.clauses[at].opens else -1
            if twin <= last or likeness[at, twin] < _LEAST_NUMBERED:
                continue
            headings = {one.headings[at], other.headings[twin]}
            # "6.1" of another "6" is another clause.
            above = places.get(number.rpartition(".")[0])
            if ("" in headings or len(headings) == 1) and (above is None or above in found.values()):
                found[at] = last = twin
    return found


def _alike(
    likeness: Likeness, free_old: set[int], free_new: set[int], least: float
) -> Iterable[tuple[int, int]]:
    """Yield pairs of clauses that found no partner in order, the most alike first."""
    if not free_old or not free_new:
        return
    rows, columns = sorted(free_old), sorted(free_new)
    part = likeness[np.ix_(rows, columns)]
    places = np.flatnonzero(part >= least)
    used_rows, used_columns = set[int](), set[int]()
    for place in places[np.argsort(-part.flat[places], kind="stable")].tolist():
        i, j = divmod(place, len(columns))
        if i not in used_rows and j not in used_columns:
            used_rows.add(i)
            used_columns.add(j)
            yield rows[i], columns[j]


def _with_parts(
    groups: dict[tuple[int, int], tuple[range, range]],
    one: _Side,
    other: _Side,
    free_old: set[int],
    free_new: set[int],
) -> dict[tuple[int, int], tuple[range, range]]:
    """Return pairs with the neighbours that are parts of them: of a clause split in two, or of two merged."""
    found = {}
    for key, (old, new) in groups.items():
        if len(old) == 1:
            new = _grown(new, free_new, one.counts[old.start], other)
        if len(new) == 1:
            old = _grown(old, free_old, other.counts[new.start], one)
        found[key] = (old, new)
    return found


def _grown(group: range, free: set[int], whole: Counter[str], side: _Side) -> range:
    """Return a range of clauses with those beside it whose words `whole` has and the range has not."""
    rest = whole - sum((side.counts[at] for at in group), Counter[str]())
    while True:
        for at in (group.stop, group.start - 1):
            if at in free and _is_part(side.counts[at], rest, side.weights):
                free.discard(at)
                rest -= side.counts[at]
                group = range(min(group.start, at), max(group.stop, at + 1))
                break
        else:
            return group


def _is_part(part: Counter[str], rest: Counter[str], weights: Mapping[str, float]) -> bool:
    if part.total() < _FEWEST_WORDS:
        return False
    whole, held = (sum(weights[word] * count for word, count in each.items()) for each in (part, part & rest))
    return held >= _CONTAINED * whole


def _ordered(pairs: Sequence[Pair]) -> tuple[Pair, ...]:
    """Return pairs in the order of the new version, removed clauses behind what they stood behind."""
    kept = sorted((one for one in pairs if one.after), key=lambda one: one.after.start)
    anchors = {one.before.start: at for at, one in enumerate(kept) if one.before and not one.moved}
    place = -1
    removed = sorted((one for one in pairs if not one.after), key=lambda one: one.before.start)
    starts = sorted(anchors)
    ranked: list[tuple[int, int, Pair]] = [(at, -1, one) for at, one in enumerate(kept)]
    index = 0
    for one in removed:
        while index < len(starts) and starts[index] < one.before.start:
            place = anchors[starts[index]]
            index += 1
        ranked.append((place, one.before.start, one))
    return tuple(one for _, _, one in sorted(ranked, key=lambda item: item[:2]))
