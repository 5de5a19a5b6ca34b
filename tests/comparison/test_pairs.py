"""Pairs of versions of realistic contracts: what a reader expects is what is told."""

from __future__ import annotations

import pytest

from benchmarks.compare import judge, pairs

PAIRS = pairs()


def test_there_are_a_dozen_pairs_in_both_languages() -> None:
    assert len(PAIRS) >= 12
    assert {one.language for one in PAIRS.values()} == {"es", "en"}


@pytest.mark.parametrize("name", PAIRS)
def test_clauses_numbers_and_values_are_those_that_a_reader_expects(name: str) -> None:
    scores = judge(PAIRS[name])
    for part in ("clauses", "renumbered", "values"):
        assert (scores[part].missed, scores[part].beyond) == ([], []), part


def test_nine_in_ten_risks_are_told_as_a_reader_expects() -> None:
    scores = [judge(pair)["risks"] for pair in PAIRS.values()]
    right, wrong = sum(one.right for one in scores), sum(len(one.missed + one.beyond) for one in scores)
    assert right / (right + wrong) >= 0.9
