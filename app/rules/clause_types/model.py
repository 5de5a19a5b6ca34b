"""Load the weights of the clause types and say how probable each type is for parts of a document."""

from __future__ import annotations

import io

import numpy as np
from numpy.typing import NDArray

from app.rules.clause_types.exemplars import Subject, archive
from app.rules.clause_types.features import PAIR_SCALE, find, word_features
from app.rules.clause_types.part_words import MOST_WORDS, PartWords, WordTable

Floats = NDArray[np.float32]


class Classifier:
    """Linear models of all types of clause, with what each word adds to them."""

    def __init__(self, learnt: bytes) -> None:
        with np.load(io.BytesIO(learnt), allow_pickle=False) as held:
            self.types: tuple[str, ...] = tuple(held["types"].tolist())
            self._hashes, self._rarity, self._unseen = held["hashes"], held["rarity"], float(held["unseen"])
            self._added, self._step = held["added"], held["step"]
            self._bias, curves = held["bias"], held["curves"]
        self._slope, self._constant = curves[:, 0], curves[:, 1]
        # What a word adds to each type and, last, to the squared length of its part.
        self._words = WordTable((np.float32, len(self.types) + 1), self._word, MOST_WORDS)

    def probabilities(self, words: PartWords) -> Floats:
        """Return the probability of each type for parts of a text (parts x types).

        Time is linear in the length of the text.
        """
        curve = np.clip(self._slope * self._scores(words) + self._constant, -30, 30)
        probabilities: Floats = (1 / (1 + np.exp(-curve))).astype(np.float32)
        return probabilities

    def _scores(self, words: PartWords) -> Floats:
        """Return the score of each type for each part."""
        # A word counts once in its part, however often it is repeated.
        part, word = words.once
        rows, places = self._words.find(words)
        totals = _sums(rows[places[word]], part, len(words.parts))
        part, hashes = words.pairs
        places, known = find(self._hashes, hashes)
        rarity = np.where(known, self._rarity[places], self._unseen)
        totals[:, -1] += np.bincount(part, (rarity * PAIR_SCALE) ** 2, len(words.parts))
        added = self._added[places[known]] * (self._step * PAIR_SCALE)
        totals[:, :-1] += _sums(added, part[known], len(words.parts))
        scores: Floats = totals[:, :-1] / np.sqrt(np.maximum(totals[:, -1:], 1e-9)) + self._bias
        return scores

    def _word(self, token: bytes) -> Floats:
        """Return what a word adds to each type and to the squared length."""
        word = word_features(token)
        places, known = find(self._hashes, word.hashes)
        rarity = np.where(known, self._rarity[places], self._unseen)
        row = np.empty(len(self.types) + 1, np.float32)
        row[:-1] = (word.scales[known] @ self._added[places[known]].astype(np.float32)) * self._step
        row[-1] = ((rarity * word.scales) ** 2).sum()
        return row


def _sums(rows: Floats, part: NDArray[np.int64], parts: int) -> Floats:
    """Return for each part the sum of its rows, which stand together in the order of the parts."""
    sums = np.zeros((parts, rows.shape[1]), np.float32)
    starts = np.flatnonzero(np.diff(part, prepend=-1))
    if len(starts):
        sums[part[starts]] = np.add.reduceat(rows, starts, axis=0)
    return sums


def load(subject: Subject) -> Classifier:
    """Return the classifier of a subject.

    Raises:
        WeightsError: when its weights are missing, or are not of these exemplars.
    """
    return Classifier(archive(subject))
