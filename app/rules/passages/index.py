"""Compare parts of a document with the passages of rules: shared words, weighed by how rare they are.

The measure is the cosine of weighted words, stems, groups of synonyms, pairs of neighbours and letter
5-grams. Features that many passages have say little about which rule is meant and are not compared; they are
read for how a defect is worded, and how a lawful clause.
"""

from __future__ import annotations

import io
import math
import threading
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.rules.clause_types.exemplars import COMMAND, PASSAGES, WeightsError, digest
from app.rules.clause_types.features import PAIR_SCALE, pair_hashes, readable, tokens, word_features

Floats = NDArray[np.float32]
NGRAMS = (5,)
_MOST_WORDS = 30_000  # a word takes some 500 bytes
_MOST_SUBSETS = 100  # one for each kind of document, of half a megabyte
_LEAST = 0.05  # a cosine below it is chance
_PROMISING = 0.15  # a part less like every passage than this is like none
_CONSIDERED = 40  # the nearest passages of a part; what comes behind them changes no sum of three
_CURVE = (0.26, 6.7, 2.8, -6.5, 0.74, 1.37, -1.65)  # of score, lead, nearest, lawful, defect, length, and one
_SHORT, _LONG = 20, 400  # characters: beyond them length says no more
_NEAREST = (1.0, 0.5, 0.25)  # one passage may be like a part by chance, three are not


@dataclass(frozen=True, slots=True)
class Likeness:
    """The rule whose passages a part of a document is most like, and the cosines behind it, 0 to 1.

    `score` sums the three nearest passages of the rule, each counting half of the one before it, and `rival`
    is the same sum for the next rule about something else. `nearest` is the nearest passage of the rule,
    `lawful` the nearest lawful one of any rule. `defect` is above 0 where the part is worded as defects are,
    below where as lawful clauses. `length` is that of the part, in characters: a few words are like much.
    """

    rule: str
    score: float
    rival: float
    nearest: float
    lawful: float
    defect: float
    length: int

    @property
    def probability(self) -> float:
        """How probable it is that a part with these cosines states the defect of the rule, 0 to 1.

        A logistic curve over passages of authors whom the index did not know, and over sentences of documents
        that have no defect; `benchmarks.passages --fit` prints its coefficients.
        """
        speaks_for = sum(factor * amount for factor, amount in zip(_CURVE, self.amounts, strict=True))
        return 1 / (1 + math.exp(-speaks_for))

    @property
    def amounts(self) -> tuple[float, ...]:
        """What the curve is made of."""
        length = math.log(min(max(self.length, _SHORT), _LONG) / 100)
        lead = self.score - self.rival
        return (self.score, lead, self.nearest, self.lawful, self.defect, length, 1.0)


class _Known(NamedTuple):
    """What one word brings: its compared features, what else lengthens a part, and its part in `defect`.

    `unknown` is the squared length of features that no passage has, `whole` that of all features.
    """

    places: NDArray[np.int64]
    weights: Floats
    unknown: float
    whole: float
    defect: float
    stem: int


class _Subset(NamedTuple):
    """The passages of some rules by their features: where those of a feature start, whose, how much."""

    starts: NDArray[np.int64]
    owners: NDArray[np.int32]
    values: Floats
    rule_of: NDArray[np.int32]
    lawful: NDArray[np.bool_]


class Index:
    """The passages of all rules by their features."""

    def __init__(self, archive: bytes) -> None:
        with np.load(io.BytesIO(archive), allow_pickle=False) as held:
            self._hashes, self._rarity, self._unseen = held["hashes"], held["rarity"], float(held["unseen"])
            self._compared, self._defect = held["compared"], held["defect"]
            self._bias = float(held["defect_bias"][0])
            self._all = _Subset(
                held["starts"].astype(np.int64),
                held["owners"],
                held["values"].astype(np.float32),
                held["rule_of"],
                held["lawful"],
            )
            self.rules: tuple[str, ...] = tuple(held["rules"].tolist())
        self._number = {rule: at for at, rule in enumerate(self.rules)}
        # By a hash with this process's random key: no word of a document stays in memory.
        self._words: dict[int, _Known] = {}
        self._subsets: dict[frozenset[str], _Subset] = {}
        self._room = threading.Lock()

    def nearest(
        self,
        folded: bytes,
        parts: Sequence[tuple[int, int]],
        rules: Mapping[str, str],
        given: Collection[str],
    ) -> list[Likeness | None]:
        """Return for each part of a document the rule whose passages it is most like, if it is like any.

        Args:
            folded: the document, as `Document.folded` has it.
            parts: start and end of each part.
            rules: the rules of documents of this kind and what each is about, such as its article: two about
                one matter are no rivals.
            given: those of them that come into question for this document.
        """
        if not parts:
            return []
        subset = self._subset(frozenset(rules))
        part, place, weight, defects = self._features(readable(folded), parts)
        size = len(subset.rule_of)
        lengths = subset.starts[place + 1] - subset.starts[place]
        ends = np.cumsum(lengths)
        at = np.arange(int(lengths.sum())) + np.repeat(subset.starts[place] - (ends - lengths), lengths)
        sums = np.bincount(
            np.repeat(part, lengths) * size + subset.owners[at],
            subset.values[at] * np.repeat(weight, lengths),
            len(parts) * size,
        )
        cosines: Floats = sums.astype(np.float32).reshape(len(parts), size)
        numbers = {self._number[rule]: about for rule, about in rules.items() if rule in self._number}
        asked = np.zeros(len(self.rules), bool)
        asked[[self._number[rule] for rule in given if rule in self._number]] = True
        cosines[:, ~asked[subset.rule_of]] = 0.0
        promising = np.where(subset.lawful, 0.0, cosines).max(axis=1, initial=0.0) >= _PROMISING
        return [
            self._ranked(row, subset, numbers, defect, end - start) if worth else None
            for (start, end), row, worth, defect in zip(
                parts, cosines, promising.tolist(), defects.tolist(), strict=True
            )
        ]

    def _ranked(
        self, cosines: Floats, subset: _Subset, numbers: Mapping[int, str], defect: float, length: int
    ) -> Likeness | None:
        """Return the rule that one part is most like, of those that may be given."""
        near = np.argpartition(-cosines, min(_CONSIDERED, len(cosines) - 1))[:_CONSIDERED]
        near = near[np.argsort(-cosines[near])]
        met: dict[int, list[float]] = {}
        lawful = 0.0
        for rule, is_lawful, cosine in zip(
            subset.rule_of[near].tolist(), subset.lawful[near].tolist(), cosines[near].tolist(), strict=True
        ):
            if cosine <= _LEAST:
                break
            if is_lawful:
                lawful = max(lawful, cosine)
            else:
                met.setdefault(rule, []).append(cosine)
        if not met:
            return None
        sums = {
            rule: sum(weight * score for weight, score in zip(_NEAREST, scores, strict=False))
            for rule, scores in met.items()
        }
        best = max(sums, key=lambda rule: sums[rule])
        rival = max((sums[rule] for rule in sums if numbers[rule] != numbers[best]), default=0.0)
        return Likeness(self.rules[best], sums[best], rival, met[best][0], lawful, defect, length)

    def _subset(self, rules: frozenset[str]) -> _Subset:
        """Return the passages of some rules, made at its first use."""
        kept = self._subsets.get(rules)
        if kept is None:
            wanted = np.zeros(len(self.rules), bool)
            wanted[[self._number[rule] for rule in rules if rule in self._number]] = True
            passages = wanted[self._all.rule_of]
            mine = passages[self._all.owners]
            before = np.concatenate([[0], np.cumsum(mine)])
            renumbered = (np.cumsum(passages) - 1).astype(np.int32)
            kept = _Subset(
                before[self._all.starts],
                renumbered[self._all.owners[mine]],
                self._all.values[mine],
                self._all.rule_of[passages],
                self._all.lawful[passages],
            )
            with self._room:
                if len(self._subsets) >= _MOST_SUBSETS:
                    self._subsets.clear()
                self._subsets[rules] = kept
        return kept

    def _features(
        self, text: bytes, parts: Sequence[tuple[int, int]]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64], Floats, Floats]:
        """Return the compared features of all parts, each once in its part, and how each part is worded.

        The first three arrays are as long as there are features: the part, the place in the vocabulary, and
        the weight, by which all features of a part together have length one. The last has one for each part.
        """
        numbers: dict[bytes, int] = {}
        found = [tokens(text, start, end) for start, end in parts]
        order = np.array(
            [numbers.setdefault(token, len(numbers)) for part in found for token in part], np.int64
        )
        words = [self._word(token) for token in numbers]
        part = np.repeat(np.arange(len(parts)), [len(row) for row in found])
        stems = np.array([word.stem for word in words], np.uint64)
        # Each word once in its part.
        once = np.unique(part * max(len(words), 1) + order)
        of, word_at = np.divmod(once, max(len(words), 1))
        sums = np.array([[word.unknown, word.whole, word.defect] for word in words]).reshape(-1, 3)[word_at]
        unknown, whole, defect = (np.bincount(of, column, len(parts)) for column in sums.T)
        sizes = np.array([len(word.places) for word in words], np.int64)
        starts = np.cumsum(sizes) - sizes
        lengths = sizes[word_at]
        at = np.arange(int(lengths.sum())) + np.repeat(
            starts[word_at] - (np.cumsum(lengths) - lengths), lengths
        )
        places = np.concatenate([np.zeros(0, np.int64), *(word.places for word in words)])[at]
        weights = np.concatenate([np.zeros(0, np.float32), *(word.weights for word in words)])[at]
        owner = np.repeat(of, lengths)
        # Pairs of neighbours, each once in its part.
        together = np.flatnonzero(part[:-1] == part[1:])
        hashes = pair_hashes(stems[order])[together] if len(order) > 1 else np.zeros(0, np.uint32)
        first = np.unique((part[together] << 32) + hashes, return_index=True)[1]
        pair_part, (pair_places, known) = part[together][first], self._find(hashes[first])
        amounts = np.where(known, self._rarity[pair_places], self._unseen) * PAIR_SCALE
        whole += np.bincount(pair_part, amounts**2, len(parts))
        unknown += np.bincount(pair_part[~known], amounts[~known] ** 2, len(parts))
        defect += np.bincount(pair_part[known], self._defect[pair_places[known]] * PAIR_SCALE, len(parts))
        mine = known & self._compared[pair_places]
        owner = np.concatenate([owner, pair_part[mine]])
        places = np.concatenate([places, pair_places[mine]])
        weights = np.concatenate([weights, amounts[mine]])
        # Two words may share a stem or letters: a feature counts once.
        first = np.unique(owner * len(self._hashes) + places, return_index=True)[1]
        owner, places, weights = owner[first], places[first], weights[first]
        length = np.sqrt(np.maximum(np.bincount(owner, weights**2, len(parts)) + unknown, 1e-9))
        worded = defect / np.sqrt(np.maximum(whole, 1e-9)) + self._bias
        return owner, places, (weights / length[owner]).astype(np.float32), worded.astype(np.float32)

    def _word(self, token: bytes) -> _Known:
        """Return what a word brings."""
        key = hash(token)
        kept = self._words.get(key)
        if kept is None:
            word = word_features(token, NGRAMS)
            places, known = self._find(word.hashes)
            weights = np.where(known, self._rarity[places], self._unseen).astype(np.float32) * word.scales
            mine = known & self._compared[places]
            kept = _Known(
                places[mine],
                weights[mine],
                float((weights[~known] ** 2).sum()),
                float((weights**2).sum()),
                float(self._defect[places[known]] @ word.scales[known]),
                word.stem,
            )
            with self._room:
                if len(self._words) >= _MOST_WORDS:
                    self._words.clear()
                self._words[key] = kept
        return kept

    def _find(self, hashes: NDArray[np.uint32]) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        """Return the place of each feature in the vocabulary, and whether it is there."""
        places = np.searchsorted(self._hashes, hashes)
        places[places == len(self._hashes)] = 0
        return places, self._hashes[places] == hashes


def load() -> Index:
    """Return the index of the passages.

    Raises:
        WeightsError: when it is missing, or is not of these passages.
    """
    try:
        made_of, _, archive = PASSAGES.weights.read_bytes().partition(b"\n")
    except FileNotFoundError:
        raise WeightsError(f"The index of the passages is missing. Run: {COMMAND}") from None
    if made_of != digest(PASSAGES).encode("ascii"):
        raise WeightsError(f"The index of the passages is not of these passages. Run: {COMMAND}")
    return Index(archive)
