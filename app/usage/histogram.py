"""Latency histograms with 40 buckets whose bounds grow by the square root of two. Pure.

The first bucket holds 0 and 1 ms, the last everything from 2^20 ms (17 minutes), beyond any deadline. A
percentile read from it lies in the same bucket as the exact one, so it is off by less than that factor.
"""

from __future__ import annotations

import bisect
import itertools
import math
from collections.abc import Iterable, Sequence

# Upper bounds, exclusive, of every bucket but the last. ceil(sqrt(2^i)) in whole numbers: a float logarithm
# would put powers of two now on one side and now on the other.
BOUNDS: tuple[int, ...] = tuple(math.isqrt(2**i - 1) + 1 for i in range(2, 41))
SIZE = len(BOUNDS) + 1


def percentiles(counts: Sequence[int], *shares: float) -> list[int]:
    """Return, for each share (0 to 1), the latency in ms that this share of calls did not exceed.

    It is the nearest rank, spread evenly over the whole milliseconds of its bucket; 0 without calls.
    """
    # Up to and with each bucket. A year of days asks this hundreds of times.
    reached = list(itertools.accumulate(counts))
    calls = reached[-1] if reached else 0
    if not calls:
        return [0] * len(shares)
    found = []
    for share in shares:
        rank = max(1, math.ceil(share * calls))
        bucket = bisect.bisect_left(reached, rank)
        low = BOUNDS[bucket - 1] if bucket else 0
        high = BOUNDS[bucket] - 1 if bucket < len(BOUNDS) else low
        count = counts[bucket]
        found.append(round(low + (high - low) * (rank - reached[bucket] + count - 0.5) / count))
    return found


def summed(histograms: Iterable[Sequence[int]]) -> list[int]:
    """Return the sum of histograms."""
    return [sum(bucket) for bucket in zip([0] * SIZE, *histograms, strict=True)]
