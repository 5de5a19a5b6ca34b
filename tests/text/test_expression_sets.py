"""Sets tell which of many expressions match a text, and of wide ones which may."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from app.text import linear
from app.text.expression_sets import ExpressionSets

# More than one set holds.
_PATTERNS = [rf"(?i)\bword{number}\s\d{{1,3}}\b" for number in range(80)] + [r"[A-Z]\w+\sé", r"^\s*§", r"x$"]
_SETS = ExpressionSets(_PATTERNS, wide={3, 80})
_EXPRESSIONS = [linear.compile(pattern) for pattern in _PATTERNS]
_PIECES = st.sampled_from(
    ["word3 12", "Word40 7", "word79 1234", "word7", " 5", "A\u00d1\u00c9 é", "§ 2", "x", "\n", "word0 1,"]
)


@given(st.lists(_PIECES, max_size=8).map(" ".join))
def test_what_is_told_is_what_each_finds(text: str) -> None:
    told = _SETS.may_match(text)
    found = {place for place, one in enumerate(_EXPRESSIONS) if one.search(text) is not None}
    assert told - {3, 80} == found - {3, 80}
    assert found <= told


def test_letters_alone_pass_a_wide_expression_and_no_other() -> None:
    assert _SETS.may_match("word3 and word4, without a number") == {3}


def test_without_wide_ones_nothing_is_asked_for_letters() -> None:
    assert ExpressionSets(_PATTERNS).may_match("word3 and word4 4") == {4}
    assert ExpressionSets([]).may_match("anything") == frozenset()
