"""Percentiles from buckets: never off by more than the square root of two."""

from __future__ import annotations

import math
from bisect import bisect_right

from hypothesis import given
from hypothesis import strategies as st

from app.usage.histogram import BOUNDS, SIZE, percentiles, summed

LATENCIES = st.lists(st.integers(0, 900_000), min_size=1, max_size=200)


def _histogram(latencies: list[int]) -> list[int]:
    counts = [0] * SIZE
    for latency in latencies:
        counts[bisect_right(BOUNDS, latency)] += 1
    return counts


def test_bounds_grow_by_the_square_root_of_two_and_go_past_every_deadline() -> None:
    assert BOUNDS[:8] == (2, 3, 4, 6, 8, 12, 16, 23)
    assert BOUNDS[-1] == 2**20
    assert all(math.isclose(bound, 2 ** (i / 2), abs_tol=1) for i, bound in enumerate(BOUNDS, start=2))
    assert SIZE == 40


@given(LATENCIES, st.sampled_from([0.5, 0.95]))
def test_a_percentile_lies_in_the_bucket_of_the_exact_one(latencies: list[int], share: float) -> None:
    exact = sorted(latencies)[math.ceil(share * len(latencies)) - 1]
    found = percentiles(_histogram(latencies), share)[0]
    assert bisect_right(BOUNDS, found) == bisect_right(BOUNDS, exact)


@given(LATENCIES)
def test_the_median_is_never_above_the_95th(latencies: list[int]) -> None:
    counts = _histogram(latencies)
    half, most = percentiles(counts, 0.5, 0.95)
    assert half <= most


@given(LATENCIES, LATENCIES)
def test_histograms_of_parts_add_up(first: list[int], second: list[int]) -> None:
    assert summed([_histogram(first), _histogram(second)]) == _histogram(first + second)


def test_no_calls_have_no_latency_and_small_ones_are_exact() -> None:
    assert percentiles([0] * SIZE, 0.95) == [0]
    assert summed([]) == [0] * SIZE
    for latency in (2, 3):
        assert percentiles(_histogram([latency] * 7), 0.5) == [latency]
    assert percentiles(_histogram([10**7]), 0.5) == [2**20]
