"""Latencies as counts in 40 buckets whose bounds grow by the square root of two. Pure.

The first bucket holds 0 and 1 ms, the last everything from 2^20 ms (17 minutes), beyond any deadline. A
percentile read from it lies in the same bucket as the exact one, so it is off by less than that factor.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

# Upper bounds, exclusive, of every bucket but the last. ceil(sqrt(2^i)) in whole numbers: a float logarithm
# would put powers of two now on one side and now on the other.
BOUNDS: tuple[int, ...] = tuple(math.isqrt(2**i - 1) + 1 for i in range(2, 41))
SIZE = len(BOUNDS) + 1


def percentile(counts: Sequence[int], share: float) -> int:
    """The latency in ms that `share` (0 to 1) of the calls did not exceed; 0 where there were no calls.

    Nearest rank, spread evenly over the whole milliseconds of its bucket.
    """
    calls = sum(counts)
    if not calls:
        return 0
    rank = max(1, math.ceil(share * calls))
    for bucket, count in enumerate(counts):
        if rank <= count:
            low = BOUNDS[bucket - 1] if bucket else 0
            high = BOUNDS[bucket] - 1 if bucket < len(BOUNDS) else low
            return round(low + (high - low) * (rank - 0.5) / count)
        rank -= count
    raise AssertionError("the rank is at most the sum of the counts")


def added(histograms: Iterable[Sequence[int]]) -> list[int]:
    """The histogram of all the calls together."""
    return [sum(bucket) for bucket in zip([0] * SIZE, *histograms, strict=True)]
