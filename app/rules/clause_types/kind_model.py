"""Tell what kind of document a text is by all of its words: complement naive Bayes over excerpts.

A document speaks in hundreds of words, each of which says little; what the kinds differ in is their sum. So
it is not judged part by part, as clauses are, but by the words of the whole (Rennie et al., 2003).
"""

from __future__ import annotations

import io
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from app.rules.clause_types.exemplars import NONE, Exemplar, Subject, archive
from app.rules.clause_types.features import find, pair_hashes
from app.rules.clause_types.part_words import PartWords
from app.text.normalize import RULES

Floats = NDArray[np.float64]
_SMOOTHING = 8.0  # much: some twenty short excerpts of a kind have few of its words
_MOST_WORDS = 8_000


def _terms(words: PartWords) -> tuple[NDArray[np.uint32], NDArray[np.uint32]]:
    """Return the stems of a text and the pairs of neighbours, each as often as it stands there."""
    stems = words.stems["stem"][words.order[:_MOST_WORDS]]
    return stems, pair_hashes(stems)


def train(exemplars: Sequence[Exemplar], made_of: str) -> bytes:
    """Return the file of weights for the kinds of `exemplars`: a line with `made_of`, a NumPy archive."""
    seen: Counter[int] = Counter()
    counted: dict[str, Counter[int]] = defaultdict(Counter)
    for exemplar in exemplars:
        folded = RULES.fold(exemplar.text).encode("ascii")
        stems, pairs = _terms(PartWords(folded, [(0, len(folded))], exemplar.language))
        times = Counter([*stems.tolist(), *pairs.tolist()])
        seen.update(times.keys())
        for term, number in times.items():
            counted[exemplar.type][term] += float(np.log1p(number))  # type: ignore[assignment]
    vocabulary = np.array(sorted(seen), np.uint32)
    rarity = np.log(len(exemplars) / np.array([seen[int(term)] for term in vocabulary], np.float64))
    kinds = sorted(counted)
    amounts = np.array([[counted[kind][int(term)] for term in vocabulary] for kind in kinds]) * rarity
    others = amounts.sum(axis=0) - amounts + _SMOOTHING
    weights = -np.log(others / others.sum(axis=1, keepdims=True))
    weights -= weights.mean(axis=0)
    weights *= len(vocabulary) / np.abs(weights).sum(axis=1, keepdims=True)
    step = np.maximum(np.abs(weights).max(axis=1), 1e-9) / 127
    held = io.BytesIO()
    np.savez_compressed(
        held,
        kinds=np.array(kinds),
        vocabulary=vocabulary,
        rarity=rarity.astype(np.float32),
        weights=np.rint(weights / step[:, None]).astype(np.int8),
        step=step.astype(np.float32),
    )
    return made_of.encode("ascii") + b"\n" + held.getvalue()


class KindClassifier:
    """The weight of each word for each kind of document."""

    def __init__(self, learnt: bytes) -> None:
        with np.load(io.BytesIO(learnt), allow_pickle=False) as held:
            self.kinds: tuple[str, ...] = tuple(held["kinds"].tolist())
            self._vocabulary, self._rarity = held["vocabulary"], held["rarity"]
            self._weights, self._step = np.ascontiguousarray(held["weights"].T), held["step"]
        self._unknown = float(self._rarity.max()) ** 2

    def scores(self, words: PartWords) -> Mapping[str, float]:
        """Return for each kind how much the words of a text speak for it; 0 says nothing.

        Words that no excerpt has make all of them speak less.
        """
        stems, pairs = _terms(words)
        of_stems, of_pairs = self._amounts(stems), self._amounts(pairs)
        places, amounts = (np.concatenate(both) for both in zip(of_stems[:2], of_pairs[:2], strict=True))
        length = float((amounts**2).sum() + (of_stems[2] ** 2).sum() * self._unknown) ** 0.5
        if not length:
            return dict.fromkeys(self.kinds, 0.0)
        scores = (amounts @ self._weights[places].astype(np.float32)) * self._step / length
        return dict(zip(self.kinds, scores.tolist(), strict=True))

    def _amounts(self, terms: NDArray[np.uint32]) -> tuple[NDArray[np.int64], Floats, Floats]:
        """Return the places of terms in the vocabulary, how much each says, and how often strange ones stand.

        How often is told by its logarithm.
        """
        terms = np.sort(terms)
        starts = np.flatnonzero(np.diff(terms, prepend=~terms[:1]))
        times = np.log1p(np.diff(starts, append=len(terms)))
        places, known = find(self._vocabulary, terms[starts])
        return places[known], times[known] * self._rarity[places[known]], times[~known]


def load(subject: Subject) -> KindClassifier:
    """Return the classifier of kinds of document; one of them is `NONE`, a text that is none.

    Raises:
        WeightsError: when its weights are missing, or are not of these exemplars.
    """
    return KindClassifier(archive(subject))


__all__ = ["NONE", "KindClassifier", "load", "train"]
