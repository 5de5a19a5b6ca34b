"""Find the best passages of a query without scoring all of them (MaxScore). Pure.

The score of a passage is that of the words of the query (BM25, `bm25.inverse_frequency`), and of each matter
how well the passage says it in any of its wordings: seven tenths by the wording it has most of, three by all
together. The laws of a branch that is asked about gain; articles of entries of the index of subjects and of
institutions gain what these weigh.

A query is widened to hundreds of stems, of which the frequent ones stand in a large part of all passages and
tell little. So (Turtle and Flood 1995, "Query Evaluation: Strategies and Optimizations"):

1. Each stem gets the most that it can add to any passage. All but the frequent ones that can add little are
   summed up over their passages, once for each stem and not for each wording: an upper bound of the score.
2. The passages with the highest bounds are scored exactly; the last of the best ones is the mark to beat.
3. What cannot reach the mark, with all that was left out, is dropped. The rest is scored exactly.

The result is the same as if all had been scored, ties in the order of ordinals included.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from app.search.bm25 import inverse_frequency
from app.search.postings import Postings
from app.search.query import ParsedQuery

Scores: TypeAlias = npt.NDArray[np.float32]
Ordinals: TypeAlias = npt.NDArray[np.uint32]

# Of a matter's wordings: the second and later ones, by length of a wording, all but the best one; and what
# the laws of the branch that is asked about gain. Chosen on questions of five countries; none is sharp.
_OTHER_WORDING, _LENGTH, _OTHERS, _BRANCH = 0.7, 0.35, 0.3, 0.4
# How much less an entry of many articles tells about each.
_SHARED = 0.3
# How many passages are scored to find the mark, at least; of how many at once scores are computed.
_PROBED, _AT_ONCE = 48, 4_096
# Of what all stems can add at most, the share that may be left out at first.
_LEFT_OUT = 0.04
# Summing up the postings of a stem costs as much as this many postings, besides; so many passages are
# looked at again before they are scored.
_A_CALL, _MANY = 3_000, 1_024
# No score above 0 is lower.
_LEAST = 1e-9
_NONE = np.zeros(0, np.uint32), np.zeros(0, np.float32)
# Sums in another order differ in the last places: bounds are this much higher.
_ROUNDING = 1e-5


@dataclass(frozen=True, slots=True)
class _Bound:
    """What a stem adds to a passage at most: `factor` for each unit of its weight, `most` anywhere."""

    postings: Postings
    factor: float

    @property
    def most(self) -> float:
        return self.factor * self.postings.most

    @property
    def cost(self) -> int:
        return len(self.postings.table) // 5 if self.postings.table is not None else self.postings.count


class Query:
    """A query on one collection: exact scores of some passages, and the best passages of all."""

    def __init__(self, parsed: ParsedQuery, postings: Mapping[str, Postings], size: int) -> None:
        """Weigh the terms of a query.

        Args:
            parsed: The query.
            postings: Postings of each of its terms.
            size: Number of passages, one more than the highest ordinal.
        """
        self._size = size
        rows: dict[str, int] = {}
        bounds: dict[str, float] = defaultdict(float)
        self._words: list[tuple[int, np.float32]] = []
        for stem, weight in parsed.stems.items():
            if postings[stem].count:
                factor = weight * inverse_frequency(postings[stem].count, size) / 255
                self._words.append((rows.setdefault(stem, len(rows)), np.float32(factor)))
                bounds[stem] += factor
        # Of each matter its weight, and first and last of its wordings among all.
        self._matters: list[tuple[float, int, int]] = []
        wordings: list[list[tuple[int, float]]] = []
        for concept in parsed.concepts:
            first = len(wordings)
            most: dict[str, float] = {}
            for place, phrase in enumerate(concept.phrases):
                there = [stem for stem in phrase if postings[stem].count]
                share = (_OTHER_WORDING if place else 1.0) / max(1, len(there)) ** _LENGTH
                wording = []
                for stem in there:
                    factor = share * inverse_frequency(postings[stem].count, size) / 255
                    wording.append((rows.setdefault(stem, len(rows)), factor))
                    most[stem] = max(factor, most.get(stem, 0.0))
                    bounds[stem] += concept.weight * _OTHERS * factor
                if wording:
                    wordings.append(wording)
            for stem, factor in most.items():
                bounds[stem] += concept.weight * (1 - _OTHERS) * factor
            if len(wordings) > first:
                self._matters.append((concept.weight, first, len(wordings)))
        self._rows = [postings[stem] for stem in rows]
        self._bounds = [_Bound(postings[stem], factor) for stem, factor in bounds.items()]
        longest = max(map(len, wordings), default=0)
        self._stems = np.zeros((len(wordings), longest), np.intp)
        self._factors = np.zeros((len(wordings), longest))
        for at, wording in enumerate(wordings):
            self._stems[at, : len(wording)], self._factors[at, : len(wording)] = zip(*wording, strict=True)
        self._branches = [
            (postings[mark], np.float32(share))
            for mark, share in parsed.branches.items()
            if postings[mark].count
        ]
        self._most_share = max((float(share) for _, share in self._branches), default=0.0)
        self._subjects = _best_of(parsed.subjects, postings, size)
        self._institutions = _best_of(parsed.institutions, postings, size)

    def scores(self, ordinals: Ordinals) -> Scores:
        """Return the scores of some passages, whose ordinals are ascending."""
        parts = [self._scored(ordinals[at : at + _AT_ONCE]) for at in range(0, len(ordinals), _AT_ONCE)]
        return np.concatenate(parts) if parts else np.zeros(0, np.float32)

    def _scored(self, ordinals: Ordinals) -> Scores:
        weights = np.empty((len(self._rows), len(ordinals)), np.uint8)
        for row, found in enumerate(self._rows):
            weights[row] = found.weights_of(ordinals)
        total = np.zeros(len(ordinals), np.float32)
        for row, factor in self._words:
            total += factor * weights[row]
        said = np.zeros((len(self._stems), len(ordinals)))
        for place in range(self._stems.shape[1]):
            said += weights[self._stems[:, place]] * self._factors[:, place, None]
        for weight, first, end in self._matters:
            best, together = said[first:end].max(axis=0), said[first:end].sum(axis=0)
            total += (weight * ((1 - _OTHERS) * best + _OTHERS * together)).astype(np.float32)
        total *= 1 + np.float32(_BRANCH) * self._shares(ordinals)
        total += self._subjects.of(ordinals)
        total += self._institutions.of(ordinals)
        return total

    def _shares(self, ordinals: Ordinals) -> Scores:
        """Return of each passage the share of the likeliest branch to which its law belongs."""
        shares = np.zeros(len(ordinals), np.float32)
        for found, share in self._branches:
            np.maximum(shares, share * (found.weights_of(ordinals) > 0), out=shares)
        return shares

    def best(self, allowed: npt.NDArray[np.bool_], most: int) -> list[tuple[int, float]]:
        """Return the `most` best ordinals with their scores, best first; ties in order of ordinal.

        Args:
            allowed: Which ordinals may be returned.
            most: How many at most; passages with score 0 are left out.
        """
        found = self._candidates(allowed, most, _LEFT_OUT)
        # Where few passages have any of the words, one that has only what was left out may be among the best.
        ordinals, scores = found or self._candidates(allowed, most, 0.0) or _NONE
        order = np.lexsort((ordinals, -scores))[:most]
        return [(int(ordinals[at]), float(scores[at])) for at in order if scores[at] > 0]

    def _candidates(
        self, allowed: npt.NDArray[np.bool_], most: int, left_out: float
    ) -> tuple[Ordinals, Scores] | None:
        """Return passages among which the best are, with their scores.

        Returns:
            `None` where something was left out and fewer than `most` have anything of the rest.
        """
        summed, later = self._apart(left_out)
        factor = 1 + _BRANCH * self._most_share
        highest = self._summed(summed, factor * (1 + _ROUNDING))
        for marked in (self._subjects, self._institutions):
            highest[marked.ordinals] += marked.added
        if not allowed.all():
            highest *= allowed
        probed = _leading(highest, max(_PROBED, 2 * most))
        scores = self.scores(probed)
        if len(probed) < most:
            return None if later else (probed, scores)
        mark = float(np.partition(scores, len(scores) - most)[len(scores) - most])
        further = factor * sum(one.most for one in later)
        highest[probed] = -np.inf
        likely = np.flatnonzero(highest >= np.float32((mark - further) * (1 - _ROUNDING)))
        others: Ordinals = likely[allowed[likely]].astype(np.uint32)
        if len(others) > _MANY:
            others = self._reaching(others, highest, factor, later, mark)
        return np.concatenate([probed, others]), np.concatenate([scores, self.scores(others)])

    def _reaching(
        self, likely: Ordinals, highest: Scores, factor: float, later: Sequence[_Bound], mark: float
    ) -> Ordinals:
        """Return which passages can reach a mark by what they have of the stems that were left out."""
        added = np.zeros(len(likely), np.float32)
        for one in later:
            added += np.float32(one.factor) * one.postings.weights_of(likely)
        beside = self._subjects.of(likely) + self._institutions.of(likely)
        words = (highest[likely] - beside) / np.float32(factor) + added
        words *= 1 + np.float32(_BRANCH) * self._shares(likely)
        return likely[words + beside >= np.float32(mark * (1 - 4 * _ROUNDING))]

    def _apart(self, left_out: float) -> tuple[list[_Bound], list[_Bound]]:
        """Return the stems to be summed up, and those that cost most for what they can add."""
        room = left_out * sum(one.most for one in self._bounds)
        summed, later = [], []
        for one in sorted(self._bounds, key=lambda one: one.most / (one.cost + _A_CALL)):
            if one.most <= room and one.cost > _A_CALL:
                room -= one.most
                later.append(one)
            else:
                summed.append(one)
        return summed, later

    def _summed(self, bounds: Sequence[_Bound], times: float) -> Scores:
        """Return what stems add to each passage at most, multiplied."""
        total = np.zeros(self._size, np.float32)
        scratch = np.empty(self._size, np.float32)
        rare = [one for one in bounds if one.postings.table is None and one.postings.count <= _A_CALL]
        for one in bounds:
            table = one.postings.table
            if table is not None:
                there = min(len(table), self._size)
                np.multiply(table[:there], np.float32(times * one.factor), out=scratch[:there])
                total[:there] += scratch[:there]
            elif one.postings.count > _A_CALL:
                found = one.postings.before(self._size)
                np.add.at(total, found.ordinals, np.float32(times * one.factor) * found.weights)
        if rare:
            parts = [one.postings.before(self._size) for one in rare]
            factors = np.array([times * one.factor for one in rare], np.float32)
            np.add.at(
                total,
                np.concatenate([found.ordinals for found in parts]),
                np.repeat(factors, [found.count for found in parts])
                * np.concatenate([found.weights for found in parts]),
            )
        return total


@dataclass(frozen=True, slots=True)
class _Marked:
    """What marks add to the scores of the passages that have one; ordinals are ascending."""

    ordinals: Ordinals
    added: Scores

    def of(self, ordinals: Ordinals) -> Scores:
        """Return what is added to the scores of some passages."""
        if not len(self.ordinals):
            return np.zeros(len(ordinals), np.float32)
        at = self.ordinals.searchsorted(ordinals)
        found: Scores = self.added.take(at, mode="clip")
        found *= self.ordinals.take(at, mode="clip") == ordinals
        return found


def _best_of(weights: Mapping[str, float], postings: Mapping[str, Postings], size: int) -> _Marked:
    """Return the best weight of the marks that a passage has; one of many passages tells less of each."""
    found = []
    for mark, weight in weights.items():
        marked = postings[mark].before(size)
        if marked.count:
            found.append((weight / marked.count**_SHARED, marked))
    if not found:
        return _Marked(*_NONE)
    found.sort(key=lambda one: one[0])  # of the marks of a passage the best is the last
    ordinals = np.concatenate([marked.ordinals for _, marked in found])
    added = np.repeat(np.array([one for one, _ in found], np.float32), [marked.count for _, marked in found])
    order = np.argsort(ordinals, kind="stable")
    ordinals, added = ordinals[order], added[order]
    last = np.append(ordinals[1:] != ordinals[:-1], True)
    return _Marked(ordinals[last], added[last])


def _leading(scores: Scores, most: int) -> Ordinals:
    """Return the ordinals with the highest scores above 0, `most` or more, or all there are, ascending."""
    rows = max(1, len(scores) // (16 * most))
    columns = len(scores) // rows
    highest = scores[: rows * columns].reshape(rows, columns).max(axis=0)
    # Each of so many columns has one passage at least that reaches the floor.
    floor = float(np.partition(highest, columns - most)[columns - most]) if columns > most else 0.0
    return np.flatnonzero(scores >= np.float32(max(floor, _LEAST))).astype(np.uint32)
