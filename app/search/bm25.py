"""The sum of a BM25: inverse document frequency times the weight that each stem has in each passage. Pure."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from app.search.postings import Postings


def scored(
    wanted: Mapping[str, float], postings: Mapping[str, Postings], size: int
) -> npt.NDArray[np.float32]:
    """The score of each of `size` passages; `wanted` is how much each stem of the question counts."""
    total = np.zeros(size, np.float32)
    for stem, weight in wanted.items():
        found = postings[stem]
        if found.count:
            inverse = math.log(1 + (size - found.count + 0.5) / (found.count + 0.5))
            within = found.ordinals < size
            ordinals, weights = found.ordinals, found.weights
            if not within.all():  # a batch that was committed after the shelf was read
                ordinals, weights = ordinals[within], weights[within]
            total[ordinals] += np.float32(weight * inverse / 255) * weights
    return total


def best(
    scores: npt.NDArray[np.float32], standing: npt.NDArray[np.bool_], most: int
) -> list[tuple[int, float]]:
    """The `most` best ordinals with their scores, best first; equal ones in order of ordinal."""
    counted = np.where(standing, scores, np.float32(0))
    if most < len(counted):
        chosen = np.argpartition(-counted, most)[:most]
    else:
        chosen = np.arange(len(counted))
    chosen = chosen[counted[chosen] > 0]
    order = np.lexsort((chosen, -counted[chosen]))
    return [(int(ordinal), float(counted[ordinal])) for ordinal in chosen[order]]
