"""Load the weights of the clause types and say how probable each type is for parts of a document."""

from __future__ import annotations

import io
import threading
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from app.rules.clause_types.exemplars import COMMAND, Subject, WeightsError, digest
from app.rules.clause_types.features import PAIR_SCALE, pair_hashes, readable, tokens, word_features

Floats = NDArray[np.float32]
_MOST_WORDS = 30_000  # a word takes some 300 bytes
_MOST_TOKENS = 20_000  # scored at once


class Classifier:
    """Linear models of all types of clause, with what each word adds to them."""

    def __init__(self, archive: bytes) -> None:
        with np.load(io.BytesIO(archive), allow_pickle=False) as held:
            self.types: tuple[str, ...] = tuple(held["types"].tolist())
            self._hashes, self._rarity, self._unseen = held["hashes"], held["rarity"], float(held["unseen"])
            self._added, self._step = held["added"], held["step"]
            self._bias, curves = held["bias"], held["curves"]
        self._slope, self._constant = curves[:, 0], curves[:, 1]
        # What a word adds, by a hash with this process's random key: no word of a document stays in memory.
        self._words: dict[int, tuple[bytes, int]] = {}
        self._room = threading.Lock()

    def probabilities(self, folded: bytes, parts: Sequence[tuple[int, int]]) -> Floats:
        """Return the probability of each type for parts of a folded text (parts x types).

        Time is linear in the length of the text.
        """
        text = readable(folded)
        scored = [self._scores(batch, sizes) for batch, sizes in _batches(text, parts)]
        scores = np.concatenate(scored) if scored else np.zeros((0, len(self.types)), np.float32)
        curve = np.clip(self._slope * scores + self._constant, -30, 30)
        probabilities: Floats = (1 / (1 + np.exp(-curve))).astype(np.float32)
        return probabilities

    def _scores(self, batch: Sequence[bytes], sizes: Sequence[int]) -> Floats:
        """Return the scores of parts whose tokens follow one another in `batch`, `sizes` of them each."""
        counts = np.array(sizes, np.int64)
        scores: Floats = np.zeros((len(sizes), len(self.types)), np.float32)
        scores += self._bias
        if not batch:
            return scores
        numbers: dict[bytes, int] = {}
        order = np.array([numbers.setdefault(token, len(numbers)) for token in batch], np.int64)
        found = [self._word(token) for token in numbers]
        by_word = np.frombuffer(b"".join(row for row, _ in found), np.float32).reshape(len(found), -1)
        stems = np.array([stem for _, stem in found], np.uint64)
        part = np.repeat(np.arange(len(sizes)), counts)
        # A word counts once in its part, however often it is repeated. The last column is the squared length.
        once = np.unique(part * len(found) + order, return_index=True)[1]
        sums = np.zeros((len(order), by_word.shape[1]), np.float32)
        sums[once] = by_word[order[once]]
        self._add_pairs(sums, stems[order], part)
        filled = np.flatnonzero(counts)
        starts = (np.cumsum(counts) - counts)[filled]
        totals = np.add.reduceat(sums, starts, axis=0)
        scores[filled] += totals[:, :-1] / np.sqrt(np.maximum(totals[:, -1:], 1e-9))
        return scores

    def _add_pairs(self, sums: Floats, stems: NDArray[np.uint64], part: NDArray[np.int64]) -> None:
        """Add to each token what it and the next one of its part add as a pair, the first time."""
        together = np.flatnonzero(part[:-1] == part[1:])
        hashes = pair_hashes(stems)[together]
        first = np.unique((part[together] << 32) + hashes, return_index=True)[1]
        together = together[first]
        places, known = self._find(hashes[first])
        rarity = np.where(known, self._rarity[places], self._unseen)
        sums[together, -1] += (rarity * PAIR_SCALE) ** 2
        sums[together[known], :-1] += self._added[places[known]] * (self._step * PAIR_SCALE)

    def _word(self, token: bytes) -> tuple[bytes, int]:
        """Return what a word adds to each type and to the squared length, as bytes, and its stem's hash."""
        key = hash(token)
        kept = self._words.get(key)
        if kept is None:
            word = word_features(token)
            places, known = self._find(word.hashes)
            rarity = np.where(known, self._rarity[places], self._unseen)
            row = np.empty(len(self.types) + 1, np.float32)
            row[:-1] = (word.scales[known] @ self._added[places[known]].astype(np.float32)) * self._step
            row[-1] = ((rarity * word.scales) ** 2).sum()
            kept = (row.tobytes(), word.stem)
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


def _batches(text: bytes, parts: Sequence[tuple[int, int]]) -> Iterator[tuple[list[bytes], list[int]]]:
    """Yield tokens of several parts at once, with the number of tokens of each part."""
    batch: list[bytes] = []
    sizes: list[int] = []
    for start, end in parts:
        found = tokens(text, start, end)
        batch += found
        sizes.append(len(found))
        if len(batch) > _MOST_TOKENS:
            yield batch, sizes
            batch, sizes = [], []
    if sizes:
        yield batch, sizes


def load(subject: Subject) -> Classifier:
    """Return the classifier of a subject.

    Raises:
        WeightsError: when its weights are missing, or are not of these exemplars.
    """
    try:
        made_of, _, archive = subject.weights.read_bytes().partition(b"\n")
    except FileNotFoundError:
        raise WeightsError(f"The weights of the clause types are missing. Run: {COMMAND}") from None
    if made_of != digest(subject).encode("ascii"):
        raise WeightsError(f"The weights of the clause types are not of these exemplars. Run: {COMMAND}")
    return Classifier(archive)
