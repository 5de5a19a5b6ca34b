"""Expressions over text of one byte a character find what `re2` finds in the same text."""

from __future__ import annotations

import pytest
import re2
from hypothesis import given
from hypothesis import strategies as st

from app.text.expressions import compiled, group_span

SOURCES = (
    r"\b(?P<sum>\d{1,3}(?:[.,]\d{3})*)(?: ?(?P<sign>[€$£])| (?P<word>euros?))?",
    r"[^a-z ]+",
    r"(?:º|ª|•)\s*",
    r"a*",
    r"\w+$",
    r".",
)
# What folding leaves, what only documents have, and what Windows-1252 or UTF-8 cannot write.
TEXTS = st.text(st.sampled_from("ab 1.,€º•ñ£\n?中\ud800\x81"), max_size=30)


def _spans(found: object) -> list[list[tuple[int, int]]]:
    return [[one.span(group) for group in range(one.re.groups + 1)] for one in found]  # type: ignore[attr-defined]


@pytest.mark.parametrize("source", SOURCES)
@given(text=TEXTS.filter(lambda text: "\ud800" not in text), start=st.integers(0, 31), end=st.integers(0, 31))
def test_matches_are_those_of_re2(source: str, text: str, start: int, end: int) -> None:
    ours, theirs = compiled(source), re2.compile(source)
    assert _spans(ours.finditer(text, start, end)) == _spans(theirs.finditer(text, start, end))
    for method in ("search", "match", "fullmatch"):
        one, other = (getattr(each, method)(text, start, end) for each in (ours, theirs))
        assert (one is None) == (other is None)
        if one is not None:
            assert _spans([one]) == _spans([other])
            assert one.groups() == other.groups()
            assert one.groupdict() == other.groupdict()


@pytest.mark.parametrize("source", SOURCES)
@given(text=TEXTS)
def test_no_text_is_too_strange(source: str, text: str) -> None:
    assert all(text[found.start() : found.end()] == found[0] for found in compiled(source).finditer(text))


def test_groups_are_known_by_name_and_number() -> None:
    found = compiled(SOURCES[0]).search("por 1.200 €.")
    assert found.group() == found[0] == "1.200 €"
    assert found["sum"] == found.group("sum") == found[1] == "1.200"
    assert found.group("sum", "word") == ("1.200", None)
    assert group_span(found, "sign") == (10, 11)
    assert group_span(found, "word") == (-1, -1)


def test_a_mistake_is_refused() -> None:
    with pytest.raises(re2.error):
        compiled("(a")
