"""Count the words of passages, and learn how defects are worded and how lawful clauses are."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from app.rules.clause_types.features import (
    PAIR_SCALE,
    Word,
    find,
    pair_hashes,
    readable,
    tokens,
    word_features,
)
from app.rules.clause_types.training import Row, fit
from app.rules.passages.index import FEW, NGRAMS
from app.rules.passages.texts import Passage
from app.text.normalize import RULES
from app.text.tongues import Tongue

_LEAST_SEEN = 2  # a feature of one passage, where there are many, is an accident
_MOST_SEEN = 0.014  # share of the passages beyond which a feature does not tell which rule is meant
# Where one or two authors wrote of a hundred rules, a word that one passage has is often the only one of its
# subject, and what all passages of a rule have is a large share of all.
_LEAST_SEEN_OF_FEW, _MOST_SEEN_OF_FEW = 1, 0.2
_UNSEEN_SHARE = 0.3  # unknown words make the known ones count for less, but not for as much as they are rare


def features(text: str, tongue: Tongue = "es") -> dict[int, float]:
    """Return the features of a text in some language, each once, and how much the family of each counts."""
    found = tokens(readable(RULES.fold(text).encode("ascii")))
    words: dict[bytes, Word] = {token: word_features(token, NGRAMS, tongue) for token in found}
    scales: dict[int, float] = {}
    for word in words.values():
        scales.update(zip(word.hashes.tolist(), word.scales.tolist(), strict=True))
    if found:
        pairs = pair_hashes([words[token].stem for token in found])
        scales.update(dict.fromkeys(pairs.tolist(), PAIR_SCALE))
    return scales


def train(passages: Sequence[Passage], made_of: str) -> bytes:
    """Return the file of the index of `passages`: a line with `made_of`, a NumPy archive."""
    texts = [features(one.text, one.language) for one in passages]
    few = len(texts) <= FEW
    least, most = (_LEAST_SEEN_OF_FEW, _MOST_SEEN_OF_FEW) if few else (_LEAST_SEEN, _MOST_SEEN)
    seen = Counter(feature for text in texts for feature in text)
    hashes = np.array(sorted(feature for feature, times in seen.items() if times >= least), np.uint32)
    often = np.array([seen[int(feature)] for feature in hashes], np.float64)
    rarity = np.log((1 + len(texts)) / (1 + often)) + 1
    unseen = _UNSEEN_SHARE * (float(np.log((1 + len(texts)) / 2)) + 1)
    compared = np.where(often > max(_LEAST_SEEN, most * len(texts)), 0.0, rarity)
    rows = [_row(text, hashes, compared, unseen) for text in texts]
    owner = np.repeat(np.arange(len(rows)), [len(row.places) for row in rows])
    place = np.concatenate([row.places for row in rows])
    value = np.concatenate([row.values for row in rows])
    order = np.lexsort((owner, place))
    rules = sorted({one.rule for one in passages})
    defect, bias = _defect_model(passages, texts, hashes, rarity, unseen)
    held = io.BytesIO()
    np.savez_compressed(
        held,
        hashes=hashes,
        rarity=rarity.astype(np.float32),
        compared=(compared > 0),
        unseen=np.float32(unseen),
        starts=np.searchsorted(place[order], np.arange(len(hashes) + 1)).astype(np.int32),
        owners=owner[order].astype(np.int32),
        values=value[order].astype(np.float16),
        rules=np.array(rules),
        rule_of=np.array([rules.index(one.rule) for one in passages], np.int32),
        lawful=np.array([one.lawful for one in passages], bool),
        tongues=np.array(sorted({one.language for one in passages})),
        defect=defect,
        defect_bias=bias,
    )
    return made_of.encode("ascii") + b"\n" + held.getvalue()


def _row(
    text: dict[int, float], hashes: NDArray[np.uint32], rarity: NDArray[np.float64], unseen: float
) -> Row:
    """Return a text by the features of a vocabulary; unknown ones only make the others count for less."""
    keys = np.array(sorted(text), np.uint32)
    scales = np.array([text[key] for key in keys.tolist()], np.float64)
    places, known = find(hashes, keys)
    weights = np.where(known, rarity[places], unseen) * scales
    length = float(np.sqrt((weights**2).sum())) or 1.0
    kept = known & (weights > 0)
    return Row(places[kept], (weights / length)[kept])


def _defect_model(
    passages: Sequence[Passage],
    texts: Sequence[dict[int, float]],
    hashes: NDArray[np.uint32],
    rarity: NDArray[np.float64],
    unseen: float,
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Learn how defects are worded, from authors who wrote both.

    Of an author who wrote no lawful passages every word would be one of defects. Rules of which one author
    alone wrote, where others have several, would move how much speaks for a defect in all.
    """
    both = {one.author for one in passages if one.lawful}
    authors: dict[str, set[str]] = {}
    for one in passages:
        authors.setdefault(one.rule, set()).add(one.author)
    several = {rule for rule, mine in authors.items() if len(mine) > 1} or set(authors)
    chosen = [at for at, one in enumerate(passages) if one.author in both and one.rule in several]
    rows = [_row(texts[at], hashes, rarity, unseen) for at in chosen]
    signs = np.array([[-1.0 if passages[at].lawful else 1.0] for at in chosen]).reshape(-1, 1)
    model = fit(rows, signs, len(hashes))
    return (model.weights[:, 0] * rarity).astype(np.float32), model.bias.astype(np.float32)
