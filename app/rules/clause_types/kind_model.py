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

from app.rules.clause_types.exemplars import COMMAND, KINDS, NONE, Exemplar, WeightsError, digest
from app.rules.clause_types.features import pair_hashes, readable, stem_hashes, tokens
from app.text.normalize import RULES

_SMOOTHING = 8.0  # much: some twenty short excerpts of a kind have few of its words
_MOST_WORDS = 8_000


def _terms(folded: bytes) -> tuple[NDArray[np.uint32], NDArray[np.uint32]]:
    """Return the stems of a text and the pairs of neighbours, each as often as it stands there."""
    stems = stem_hashes(tokens(readable(folded))[:_MOST_WORDS])
    return stems.astype(np.uint32), pair_hashes(stems) if len(stems) else np.zeros(0, np.uint32)


def train(exemplars: Sequence[Exemplar], made_of: str) -> bytes:
    """Return the file of weights for the kinds of `exemplars`: a line with `made_of`, a NumPy archive."""
    seen: Counter[int] = Counter()
    counted: dict[str, Counter[int]] = defaultdict(Counter)
    for exemplar in exemplars:
        stems, pairs = _terms(RULES.fold(exemplar.text).encode("ascii"))
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

    def __init__(self, archive: bytes) -> None:
        with np.load(io.BytesIO(archive), allow_pickle=False) as held:
            self.kinds: tuple[str, ...] = tuple(held["kinds"].tolist())
            self._vocabulary, self._rarity = held["vocabulary"], held["rarity"]
            self._weights, self._step = held["weights"], held["step"]
        self._unknown = float(self._rarity.max()) ** 2

    def scores(self, folded: bytes) -> Mapping[str, float]:
        """Return for each kind how much the words of a folded text speak for it; 0 says nothing.

        Words that no excerpt has make all of them speak less.
        """
        stems, pairs = _terms(folded)
        terms, times = np.unique(np.concatenate([stems, pairs]), return_counts=True)
        places = np.searchsorted(self._vocabulary, terms)
        places[places == len(self._vocabulary)] = 0
        known = self._vocabulary[places] == terms
        strange = ~known & np.isin(terms, stems)
        amounts = np.log1p(times[known]) * self._rarity[places[known]]
        length = float((amounts**2).sum() + (np.log1p(times[strange]) ** 2).sum() * self._unknown) ** 0.5
        if not length:
            return dict.fromkeys(self.kinds, 0.0)
        weights = self._weights[:, places[known]].astype(np.float32)
        scores = (weights @ amounts) * self._step / length
        return dict(zip(self.kinds, scores.tolist(), strict=True))


def load() -> KindClassifier:
    """Return the classifier of kinds of document; one of them is `NONE`, a text that is none.

    Raises:
        WeightsError: when its weights are missing, or are not of these exemplars.
    """
    try:
        made_of, _, archive = KINDS.weights.read_bytes().partition(b"\n")
    except FileNotFoundError:
        raise WeightsError(f"The weights of the kinds of document are missing. Run: {COMMAND}") from None
    if made_of != digest(KINDS).encode("ascii"):
        raise WeightsError(f"The weights of the kinds are not of these exemplars. Run: {COMMAND}")
    return KindClassifier(archive)


__all__ = ["NONE", "KindClassifier", "load", "train"]
