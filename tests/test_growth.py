"""The measure that tests of hostile texts go by: `tests.growth`."""

import re

import pytest

from tests import growth


def test_a_pattern_that_starts_again_at_every_character_is_found_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(growth, "TRIES", 1)
    quadratic = re.compile(r"(?:a|c)+b")
    with pytest.raises(AssertionError, match="seconds for"):
        growth.assert_linear(quadratic.search, "a")


def test_a_pattern_that_reads_once_passes() -> None:
    growth.assert_linear(re.compile(r"b+").findall, "a")
