"""Compare parts of a document with the passages of rules: shared words, weighed by how rare they are.

The measure is the cosine of weighted words, stems, groups of synonyms, pairs of neighbours and letter
5-grams. Features that many passages have say little about which rule is meant and are not compared; they are
read for how a defect is worded, and how a lawful clause.
"""

from __future__ import annotations

import io
import math
import threading
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.rules.clause_types.exemplars import Subject, archive
from app.rules.clause_types.features import PAIR_SCALE, find, word_features
from app.rules.clause_types.part_words import MOST_WORDS, PartWords, WordTable, distinct
from app.text.tongues import Tongue

Floats = NDArray[np.float32]
NGRAMS = (5,)
_MOST_SUBSETS = 100  # one for each kind of document, of half a megabyte
_LEAST = 0.05  # a cosine below it is chance
_PROMISING = 0.15  # a part less like every passage than this is like none
_CONSIDERED = 40  # the nearest passages of a part; what comes behind them changes no sum of three
FEW = 3_000
"""An index of so many passages is one of few: those of one or two authors for some hundred rules."""
# Of score, lead, nearest, lawful, defect, length, and one.
_CURVE = (0.26, 6.7, 2.8, -6.5, 0.74, 1.37, -1.65)
_CURVE_OF_FEW = (9.26, 1.94, 1.17, -10.67, 0.99, 1.55, -1.72)
_SHORT, _LONG = 20, 400  # characters: beyond them length says no more
_NEAREST = (1.0, 0.5, 0.25)  # one passage may be like a part by chance, three are not


@dataclass(frozen=True, slots=True)
class Likeness:
    """The rule whose passages a part of a document is most like, and the cosines behind it, 0 to 1.

    `score` sums the three nearest passages of the rule, each counting half of the one before it, and `rival`
    is the same sum for the next rule about something else. `nearest` is the nearest passage of the rule,
    `lawful` the nearest lawful one of any rule. `defect` is above 0 where the part is worded as defects are,
    below where as lawful clauses. `length` is that of the part, in characters: a few words are like much.
    `few` tells that the index has few passages of each rule, where the same cosines say something else.
    """

    rule: str
    score: float
    rival: float
    nearest: float
    lawful: float
    defect: float
    length: int
    few: bool = False

    @property
    def probability(self) -> float:
        """How probable it is that a part with these cosines states the defect of the rule, 0 to 1.

        A logistic curve over passages of authors whom the index did not know, and over sentences of documents
        that have no defect; `benchmarks.passages --fit` prints its coefficients.
        """
        curve = _CURVE_OF_FEW if self.few else _CURVE
        speaks_for = sum(factor * amount for factor, amount in zip(curve, self.amounts, strict=True))
        return 1 / (1 + math.exp(-speaks_for))

    @property
    def amounts(self) -> tuple[float, ...]:
        """What the curve is made of."""
        length = math.log(min(max(self.length, _SHORT), _LONG) / 100)
        lead = self.score - self.rival
        return (self.score, lead, self.nearest, self.lawful, self.defect, length, 1.0)


_MOST_FEATURES = 25  # of one word: itself, its stem, its group and the letters of a word of 24
# What one word brings: its compared features, what else lengthens a part, and its part in `defect`. `unknown`
# is the squared length of features that no passage has, `whole` that of all features.
_WORD = [
    ("places", np.int32, _MOST_FEATURES),
    ("weights", np.float32, _MOST_FEATURES),
    ("size", np.int32),
    ("unknown", np.float64),
    ("whole", np.float64),
    ("defect", np.float64),
]


class _Subset(NamedTuple):
    """The passages of some rules by their features: where those of a feature start, whose, how much.

    `rule_of` and `lawful` are of each passage; `about` is a number for what each rule is about.
    """

    starts: NDArray[np.int64]
    owners: NDArray[np.int32]
    values: Floats
    rule_of: NDArray[np.int32]
    lawful: NDArray[np.bool_]
    about: NDArray[np.int64]


class Index:
    """The passages of all rules by their features."""

    def __init__(self, learnt: bytes) -> None:
        with np.load(io.BytesIO(learnt), allow_pickle=False) as held:
            self._hashes, self._rarity, self._unseen = held["hashes"], held["rarity"], float(held["unseen"])
            self._compared, self._defect = held["compared"], held["defect"]
            self._bias = float(held["defect_bias"][0])
            self._all = _Subset(
                held["starts"].astype(np.int64),
                held["owners"],
                held["values"].astype(np.float32),
                held["rule_of"],
                held["lawful"],
                np.zeros(0, np.int64),
            )
            self.rules: tuple[str, ...] = tuple(held["rules"].tolist())
            self.tongues: frozenset[str] = frozenset(held["tongues"].tolist())
        self.few = len(self._all.rule_of) <= FEW
        self._number = {rule: at for at, rule in enumerate(self.rules)}
        self._words: dict[Tongue, WordTable] = {}
        self._subsets: dict[frozenset[tuple[str, str]], _Subset] = {}
        self._room = threading.Lock()

    def nearest(
        self, words: PartWords, rules: Mapping[str, str], given: Collection[str]
    ) -> list[Likeness | None]:
        """Return for each part of a document the rule whose passages it is most like, if it is like any.

        Args:
            words: the words of the parts.
            rules: the rules of documents of this kind and what each is about, such as its article: two about
                one matter are no rivals.
            given: those of them that come into question for this document.
        """
        subset = self._subset(frozenset(rules.items()))
        part, place, weight, defects = self._features(words)
        size = len(subset.rule_of)
        lengths = subset.starts[place + 1] - subset.starts[place]
        ends = np.cumsum(lengths)
        at = np.arange(int(lengths.sum())) + np.repeat(subset.starts[place] - (ends - lengths), lengths)
        sums = np.bincount(
            np.repeat(part, lengths) * size + subset.owners[at],
            subset.values[at] * np.repeat(weight, lengths),
        )
        asked = np.zeros(len(self.rules), bool)
        asked[[self._number[rule] for rule in given if rule in self._number]] = True
        part, passage = np.divmod(np.flatnonzero(sums > _LEAST), max(size, 1))
        mine = asked[subset.rule_of[passage]]
        part, passage = part[mine], passage[mine]
        cosines = sums[part * size + passage].astype(np.float32)
        found: list[Likeness | None] = [None] * len(words.parts)
        ranked = _ranked(part, cosines, subset.rule_of[passage], subset.lawful[passage], subset.about)
        for number, rule, score, rival, nearest, lawful in ranked:
            start, end = words.parts[number]
            defect = float(defects[number])
            found[number] = Likeness(
                self.rules[rule], score, rival, nearest, lawful, defect, end - start, self.few
            )
        return found

    def _subset(self, rules: frozenset[tuple[str, str]]) -> _Subset:
        """Return the passages of some rules, given with what each is about, made at its first use."""
        kept = self._subsets.get(rules)
        if kept is None:
            matters = {matter: number for number, matter in enumerate(sorted({one for _, one in rules}))}
            about = np.full(len(self.rules), -1, np.int64)
            for rule, matter in rules:
                if rule in self._number:
                    about[self._number[rule]] = matters[matter]
            passages = (about >= 0)[self._all.rule_of]
            mine = passages[self._all.owners]
            before = np.concatenate([[0], np.cumsum(mine)])
            renumbered = (np.cumsum(passages) - 1).astype(np.int32)
            kept = _Subset(
                before[self._all.starts],
                renumbered[self._all.owners[mine]],
                self._all.values[mine],
                self._all.rule_of[passages],
                self._all.lawful[passages],
                about,
            )
            with self._room:
                if len(self._subsets) >= _MOST_SUBSETS:
                    self._subsets.clear()
                self._subsets[rules] = kept
        return kept

    def _features(self, words: PartWords) -> tuple[NDArray[np.int64], NDArray[np.int64], Floats, Floats]:
        """Return the compared features of all parts, each once in its part, and how each part is worded.

        The first three arrays are as long as there are features: the part, the place in the vocabulary, and
        the weight, by which all features of a part together have length one. The last has one for each part.
        """
        parts = len(words.parts)
        rows, places = self._words_of(words.tongue).find(words)
        part, word = words.once
        word = places[word]
        unknown, whole, defect = (
            np.bincount(part, rows[name][word], parts) for name in ("unknown", "whole", "defect")
        )
        sizes = rows["size"][word]
        held = np.arange(_MOST_FEATURES) < sizes[:, None]
        owner = np.repeat(part, sizes)
        places = rows["places"][word][held].astype(np.int64)
        # What a feature weighs depends on nothing else.
        weight_of = np.zeros(len(self._hashes), np.float32)
        weight_of[places] = rows["weights"][word][held]
        part, hashes = words.pairs
        pair_places, known = find(self._hashes, hashes)
        amounts = np.where(known, self._rarity[pair_places], self._unseen) * PAIR_SCALE
        whole += np.bincount(part, amounts**2, parts)
        unknown += np.bincount(part[~known], amounts[~known] ** 2, parts)
        defect += np.bincount(part[known], self._defect[pair_places[known]] * PAIR_SCALE, parts)
        mine = known & self._compared[pair_places]
        weight_of[pair_places[mine]] = amounts[mine]
        # Two words may share a stem or letters: a feature counts once.
        owner, places = distinct(
            np.concatenate([owner, part[mine]]),
            np.concatenate([places, pair_places[mine]]),
            len(self._hashes),
        )
        weights = weight_of[places]
        length = np.sqrt(np.maximum(np.bincount(owner, weights**2, parts) + unknown, 1e-9))
        worded = defect / np.sqrt(np.maximum(whole, 1e-9)) + self._bias
        return owner, places, (weights / length[owner]).astype(np.float32), worded.astype(np.float32)

    def _words_of(self, tongue: Tongue) -> WordTable:
        """Return what is known of the words of a language."""
        with self._room:
            if tongue not in self._words:
                self._words[tongue] = WordTable(_WORD, partial(self._word, tongue=tongue), MOST_WORDS)
            return self._words[tongue]

    def _word(self, token: bytes, tongue: Tongue) -> tuple[object, ...]:
        """Return what a word of a language brings."""
        word = word_features(token, NGRAMS, tongue)
        places, known = find(self._hashes, word.hashes)
        weights = np.where(known, self._rarity[places], self._unseen).astype(np.float32) * word.scales
        mine = known & self._compared[places]
        spare = _MOST_FEATURES - int(mine.sum())
        return (
            np.pad(places[mine], (0, spare)),
            np.pad(weights[mine], (0, spare)),
            mine.sum(),
            (weights[~known] ** 2).sum(),
            (weights**2).sum(),
            self._defect[places[known]] @ word.scales[known],
        )


def _ranked(
    part: NDArray[np.int64],
    cosines: Floats,
    rules: NDArray[np.int32],
    lawful: NDArray[np.bool_],
    about: NDArray[np.int64],
) -> Iterator[tuple[int, int, float, float, float, float]]:
    """Yield for each part that is like a rule: the part, the rule, and the cosines of its `Likeness`.

    Args:
        part: the part of each comparison, ascending.
        cosines: how alike the part and the passage are.
        rules: the rule of the passage.
        lawful: whether the passage is lawful.
        about: the number of what each rule is about.
    """
    best = np.zeros(int(part.max(initial=-1)) + 1, np.float32)
    np.maximum.at(best, part[~lawful], cosines[~lawful])
    order = np.flatnonzero(best[part] >= _PROMISING)
    order = order[np.lexsort((-cosines[order], part[order]))]
    order = order[_place_in_run(part[order]) < _CONSIDERED]
    part, rules, lawful, near = part[order], rules[order], lawful[order], cosines[order].astype(np.float64)
    most_lawful, rival, matter = np.zeros(len(best)), np.zeros(len(best)), np.zeros(len(best), np.int64)
    np.maximum.at(most_lawful, part[lawful], near[lawful])
    # The passages of a rule together, the nearest first.
    order = np.flatnonzero(~lawful)
    order = order[np.lexsort((rules[order], part[order]))]
    part, rules, near = part[order], rules[order], near[order]
    place = _place_in_run(part * len(about) + rules)
    first = np.flatnonzero(place == 0)
    score = np.add.reduceat(near * np.append(_NEAREST, 0.0)[np.minimum(place, len(_NEAREST))], first)
    part, rules, near = part[first], rules[first], near[first]
    order = np.lexsort((-near, -score, part))
    leads = order[_place_in_run(part[order]) == 0]
    matter[part[leads]] = about[rules[leads]]
    other = about[rules] != matter[part]
    np.maximum.at(rival, part[other], score[other])
    rows = part[leads], rules[leads], score[leads], rival[part[leads]], near[leads], most_lawful[part[leads]]
    yield from zip(*(row.tolist() for row in rows), strict=True)


def _place_in_run(values: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return for each of some values, of which equal ones stand together, how many equal ones precede it."""
    starts = np.flatnonzero(np.diff(values, prepend=-1))
    return np.arange(len(values)) - np.repeat(starts, np.diff(starts, append=len(values)))


def load(subject: Subject) -> Index:
    """Return the index of the passages of a country.

    Raises:
        WeightsError: when it is missing, or is not of these passages.
    """
    return Index(archive(subject))
