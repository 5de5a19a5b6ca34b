"""Learn the weights of the clause classifier: one linear support vector machine a type, then its calibration.

Dual coordinate descent with squared hinge loss (Hsieh et al., 2008), what liblinear does, for all types at
once. Scores become probabilities by a logistic curve (Platt, 1999), fitted on the scores that each author's
clauses get from a model which has seen none of that author: that is how strangers' clauses will score. There
is no chance in it: the same exemplars give the same bytes.
"""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from app.rules.clause_types.exemplars import NONE, Exemplar
from app.rules.clause_types.features import (
    PAIR_SCALE,
    Word,
    find,
    pair_hashes,
    readable,
    tokens,
    word_features,
)
from app.text.normalize import RULES

Floats = NDArray[np.float64]

_COST_OF_TYPE, _COST_OF_OTHERS = 4.0, 1.0  # some sixty clauses of a type stand against thousands of others
_EPOCHS, _EPOCHS_AGAIN = 12, 4
_LEAST_STEP = 1e-4
_LITTLE = 0.5  # an author who wrote less than this share of what the busiest wrote of a type is no fold
_FOLDS = 4
_LEAST_SEEN = 2  # a feature of one exemplar teaches its author's words
_UNSEEN_SHARE = 0.3  # unknown words make the known ones count for less, but not for as much as they are rare
_STRIDE = 7919  # a prime: the order in which exemplars are visited, mixed but always the same
_CALIBRATION_STEPS = 60


@dataclass(frozen=True, slots=True)
class Row:
    """The features of one exemplar: places in the vocabulary, each once, and values of length one."""

    places: NDArray[np.int64]
    values: Floats


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The features that are learnt: hashes in order, how rare each is, and how rare what is unknown is."""

    hashes: NDArray[np.uint32]
    rarity: Floats
    unseen: float


@dataclass(frozen=True, slots=True)
class Linear:
    """One linear model a type: weights (features x types), a constant each, and duals (exemplars x types)."""

    weights: Floats
    bias: Floats
    duals: Floats


@lru_cache(maxsize=100_000)
def _word(token: bytes) -> Word:
    return word_features(token)


def counted(text: str) -> dict[int, tuple[float, float]]:
    """Return how much of each feature a text has, by its hash: times and scale, times and squared scale.

    A word counts once, however often it is repeated.
    """
    found = tokens(readable(RULES.fold(text).encode("ascii")))
    read = {token: _word(token) for token in found}
    pairs = set(pair_hashes([read[token].stem for token in found]).tolist()) if found else set()
    times = Counter(pairs)
    scales = dict.fromkeys(pairs, PAIR_SCALE)
    for word in read.values():
        hashes = word.hashes.tolist()
        times.update(hashes)
        scales.update(zip(hashes, word.scales.tolist(), strict=True))
    return {key: (count * scales[key], count * scales[key] ** 2) for key, count in times.items()}


def learn_vocabulary(texts: Sequence[dict[int, tuple[float, float]]]) -> Vocabulary:
    """Return the features that several exemplars have, with the usual measure of how rare each is."""
    seen = Counter(key for text in texts for key in text)
    kept = sorted(key for key, times in seen.items() if times >= _LEAST_SEEN)
    often = np.array([seen[key] for key in kept], np.float64)
    rarity = np.log((1 + len(texts)) / (1 + often)) + 1
    unseen = _UNSEEN_SHARE * (float(np.log((1 + len(texts)) / 2)) + 1)
    return Vocabulary(np.array(kept, np.uint32), rarity, unseen)


def row(text: dict[int, tuple[float, float]], vocabulary: Vocabulary) -> Row:
    """Return a text by the features of a vocabulary; unknown ones only make the others count for less."""
    keys = np.array(sorted(text), np.uint32)
    amounts = np.array([text[key] for key in keys.tolist()], np.float64).reshape(-1, 2)
    places, known = find(vocabulary.hashes, keys)
    rarity = np.where(known, vocabulary.rarity[places], vocabulary.unseen)
    length = float(np.sqrt((amounts[:, 1] * rarity**2).sum())) or 1.0
    return Row(places[known], (amounts[:, 0] * rarity / length)[known])


def fit(rows: Sequence[Row], signs: Floats, features: int, duals: Floats | None = None) -> Linear:
    """Return the linear models that separate each type from all others.

    Args:
        rows: the exemplars.
        signs: exemplars x types, 1 where it is of the type and -1 where it is not.
        features: the size of the vocabulary.
        duals: those of a model of these and more exemplars, from which fewer rounds lead to the same end.
    """
    weights, bias = np.zeros((features, signs.shape[1])), np.zeros(signs.shape[1])
    rounds = _EPOCHS if duals is None else _EPOCHS_AGAIN
    duals = np.zeros_like(signs) if duals is None else duals.copy()
    for one, sign, dual in zip(rows, signs, duals, strict=True):
        if dual.any():
            weights[one.places] += np.outer(one.values, dual * sign)
            bias += dual * sign
    slack = 0.5 / np.where(signs > 0, _COST_OF_TYPE, _COST_OF_OTHERS)
    lengths = [float(one.values @ one.values) + 1.0 for one in rows]
    order = sorted(range(len(rows)), key=lambda at: (at * _STRIDE) % (len(rows) or 1))
    for _ in range(rounds):
        for at in order:
            one, sign = rows[at], signs[at]
            held = weights.take(one.places, axis=0)
            slope = sign * (one.values @ held + bias) - 1 + slack[at] * duals[at]
            dual = np.maximum(duals[at] - slope / (lengths[at] + slack[at]), 0)
            step = (dual - duals[at]) * sign
            if np.abs(step).max() > _LEAST_STEP:
                duals[at] = dual
                weights[one.places] = held + np.outer(one.values, step)
                bias += step
    return Linear(weights, bias, duals)


def score(rows: Sequence[Row], model: Linear) -> Floats:
    """Return the score of each row (rows x types) under `model`."""
    return np.array([one.values @ model.weights[one.places] + model.bias for one in rows])


def folds(exemplars: Sequence[Exemplar]) -> NDArray[np.int64]:
    """Return the fold of each exemplar: each author of a type has a fold, so that strangers judge a stranger.

    What one author alone wrote of a type is dealt to the folds in turn, as is what an author of little wrote
    and what is of no type: a fold without all of it would leave nothing to learn from.
    """
    written = Counter((one.type, one.author) for one in exemplars if one.type != NONE)
    most = {
        name: max(number for (of, _), number in written.items() if of == name)
        for name in {name for name, _ in written}
    }
    authors: dict[str, list[str]] = {name: [] for name in most}
    for (name, author), number in sorted(written.items()):
        if number >= _LITTLE * most[name]:
            authors[name].append(author)
    folds = max([_FOLDS, *map(len, authors.values())])
    found = []
    for at, one in enumerate(exemplars):
        of_type = authors.get(one.type, [])
        own = len(of_type) > 1 and one.author in of_type
        found.append(of_type.index(one.author) if own else at % folds)
    return np.array(found, np.int64)


def held_out_scores(rows: Sequence[Row], signs: Floats, model: Linear, fold: NDArray[np.int64]) -> Floats:
    """Return the score that each exemplar gets from a model that has learnt nothing from its fold.

    Args:
        rows: the exemplars.
        signs: as for `fit`.
        model: the model of all of them.
        fold: the fold of each.
    """
    scores = np.zeros_like(signs)
    for held in np.unique(fold):
        judged = np.flatnonzero(fold == held)
        # Where one author wrote everything, there is nobody else to learn from.
        learnt = np.flatnonzero(fold != held) if (fold != held).any() else judged
        other = fit(
            [rows[at] for at in learnt.tolist()], signs[learnt], len(model.weights), model.duals[learnt]
        )
        scores[judged] = score([rows[at] for at in judged.tolist()], other)
    return scores


def calibrate(scores: Floats, positive: NDArray[np.bool_]) -> tuple[float, float]:
    """Return slope and constant of the logistic curve that makes scores of one type probabilities.

    Newton's method on Platt's targets, which keep the curve from becoming a step.
    """
    yes, no = int(positive.sum()), int((~positive).sum())
    target = np.where(positive, (yes + 1) / (yes + 2), 1 / (no + 2))
    slope, constant = 1.0, float(np.log((yes + 1) / (no + 1)))
    for _ in range(_CALIBRATION_STEPS):
        probability = 1 / (1 + np.exp(-np.clip(slope * scores + constant, -30, 30)))
        error, spread = probability - target, probability * (1 - probability)
        gradient = np.array([error @ scores, error.sum()])
        cross = spread @ scores
        curvature = np.array([[spread @ scores**2, cross], [cross, spread.sum()]]) + np.eye(2) * 1e-6
        change = np.clip(np.linalg.solve(curvature, gradient), -2, 2)
        slope, constant = slope - change[0], constant - change[1]
        if np.abs(change).max() < 1e-9:
            break
    return float(max(slope, 0.0)), float(constant)


def signs_of(exemplars: Sequence[Exemplar], types: Sequence[str]) -> Floats:
    """Return 1 where an exemplar is of a type and -1 where it is not (exemplars x types)."""
    return np.where(np.array([one.type for one in exemplars])[:, None] == np.array(types)[None, :], 1.0, -1.0)


def train(exemplars: Sequence[Exemplar], digest: str) -> bytes:
    """Return the file of weights for the types of `exemplars`: a line with `digest`, a NumPy archive."""
    types = sorted({one.type for one in exemplars} - {NONE})
    texts, signs = [counted(one.text) for one in exemplars], signs_of(exemplars, types)
    vocabulary = learn_vocabulary(texts)
    rows = [row(text, vocabulary) for text in texts]
    model = fit(rows, signs, len(vocabulary.hashes))
    scores = held_out_scores(rows, signs, model, folds(exemplars))
    curves = np.array([calibrate(scores[:, at], signs[:, at] > 0) for at in range(len(types))])
    # What a feature adds is its weight times its rarity, kept as one of 255 steps.
    added = model.weights * vocabulary.rarity[:, None]
    step = np.maximum(np.abs(added).max(axis=0), 1e-9) / 127
    held = io.BytesIO()
    np.savez_compressed(
        held,
        types=np.array(types),
        hashes=vocabulary.hashes,
        added=np.rint(added / step).astype(np.int8),
        step=step.astype(np.float32),
        rarity=vocabulary.rarity.astype(np.float32),
        unseen=np.float32(vocabulary.unseen),
        bias=model.bias.astype(np.float32),
        curves=curves.astype(np.float32),
    )
    return digest.encode("ascii") + b"\n" + held.getvalue()
