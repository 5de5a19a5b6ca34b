"""The embedded model: latent semantic analysis of the shelf itself. No key, no network, nothing downloaded.

A passage is the sum of what its stems add, each by its logarithmic frequency times inverse document
frequency,
turned into 256 dimensions (Deerwester et al. 1990). Dimensions are divided by the square root of their
singular
value: measured on Spanish law, recall at 10 rises from .60 to .69 by it, since the first dimensions otherwise
say little but "this is law". Pure but for its arguments.
"""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from app.search.embeddings.sparse import Dense, Sparse, principal

DIMENSIONS = 256
# A stem of one passage says nothing of likeness; one of every third passage, nothing of meaning.
_RAREST, _COMMONEST = 2, 0.3
_MOST_STEMS = 40_000

Weights = Mapping[str, Dense]


def fitted(passages: Sequence[Mapping[str, float]], dimensions: int = DIMENSIONS) -> dict[str, Dense]:
    """What each stem adds to a vector, learnt from weighted term frequencies of passages.

    `dimensions` is how many are learnt, 256 at most; vectors have 256 whatever that is.

    Empty where there are too few passages to learn anything from.
    """
    counts = Counter(stem for passage in passages for stem in passage)
    most = max(_RAREST, _COMMONEST * len(passages))
    kept = [(count, stem) for stem, count in counts.items() if _RAREST <= count <= most]
    vocabulary = {stem: place for place, (_, stem) in enumerate(sorted(kept, reverse=True)[:_MOST_STEMS])}
    if len(vocabulary) < 2 or len(passages) < 3:
        return {}
    inverse = np.array([math.log(len(passages) / counts[stem]) for stem in vocabulary], np.float32)
    matrix = _matrix(passages, vocabulary, inverse)
    projection = principal(matrix, min(dimensions, len(vocabulary), len(passages)))
    projection = np.pad(projection, ((0, 0), (0, DIMENSIONS - projection.shape[1])))
    scaled = projection * inverse[:, None]
    scaled /= max(float(np.abs(scaled).max()), 1e-9)
    return {stem: scaled[place] for stem, place in vocabulary.items()}


def _matrix(passages: Sequence[Mapping[str, float]], vocabulary: Mapping[str, int], inverse: Dense) -> Sparse:
    starts = np.zeros(len(passages) + 1, np.int64)
    columns: list[int] = []
    values: list[float] = []
    for row, passage in enumerate(passages):
        known = [
            (vocabulary[stem], math.log1p(value)) for stem, value in passage.items() if stem in vocabulary
        ]
        weighed = [value * float(inverse[place]) for place, value in known]
        norm = math.sqrt(sum(value * value for value in weighed)) or 1.0
        columns.extend(place for place, _ in known)
        values.extend(value / norm for value in weighed)
        starts[row + 1] = len(columns)
    return Sparse(starts, np.array(columns, np.int32), np.array(values, np.float32), len(vocabulary))


def vector(frequencies: Mapping[str, float], weights: Weights) -> Dense | None:
    """The vector of length one of a passage or a question; `None` where the model knows none of its stems."""
    total = np.zeros(DIMENSIONS, np.float32)
    for stem, value in frequencies.items():
        row = weights.get(stem)
        if row is not None:
            total += np.float32(math.log1p(value)) * row
    norm = float(np.linalg.norm(total))
    return total / np.float32(norm) if norm > 0 else None


def name(weights: Weights) -> str:
    """The model's identifier: its kind and a digest of what it learnt, so that no two are taken for one."""
    return f"lsa-{DIMENSIONS}-{_digest(weights.items())}"


def _digest(rows: Iterable[tuple[str, Dense]]) -> str:
    found = hashlib.sha256()
    for stem, row in rows:
        found.update(stem.encode())
        found.update(row.astype(np.float16).tobytes())
    return found.hexdigest()[:12]
