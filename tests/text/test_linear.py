"""Linear expressions over any text find what `re2` finds in it, at the same offsets."""

from __future__ import annotations

from itertools import chain

import pytest
import re2
from hypothesis import given
from hypothesis import strategies as st

from app.text import linear

SOURCES = (
    r"\b(?P<sum>\d{1,3}(?:[.,]\d{3})*)(?: ?(?P<sign>[€$£])| (?P<word>euros?))?",
    r"[^a-z ]+",
    r"(?:º|ª|•)\s*",
    r"(?i)ñ|(a)|(é)",
    r"a*",
    r"\w+$",
    r".",
    r"",
)
# One, two, three and four bytes of UTF-8.
TEXTS = st.text(st.sampled_from("ab 1.,€º•ñÉ£\n?中😀"), max_size=30)
OFFSETS = st.none() | st.integers(-2, 32)


def _spans(found: object) -> list[list[tuple[int, int]]]:
    return [[one.span(group) for group in range(one.re.groups + 1)] for one in found]  # type: ignore[attr-defined]


@pytest.mark.parametrize("source", SOURCES)
@given(text=TEXTS, start=OFFSETS, end=OFFSETS)
def test_matches_are_those_of_re2(source: str, text: str, start: int | None, end: int | None) -> None:
    for pattern, searched in ((source, text), (source.encode(), text.encode())):
        ours, theirs = linear.compile(pattern), re2.compile(pattern)
        assert _spans(ours.finditer(searched, start, end)) == _spans(theirs.finditer(searched, start, end))
        for method in ("search", "match", "fullmatch"):
            one, other = (getattr(each, method)(searched, start, end) for each in (ours, theirs))
            assert (one is None) == (other is None)
            if one is not None:
                assert _spans([one]) == _spans([other])
                assert (one.group(), one.groups(), one.groupdict()) == (
                    other.group(),
                    other.groups(),
                    other.groupdict(),
                )
                names = tuple(theirs.groupindex)
                assert names == tuple(ours.groupindex)
                assert [one[name] for name in names] == [other[name] for name in names]
                assert one.group(0, *names) == other.group(0, *names)


@pytest.mark.parametrize("source", SOURCES)
@given(text=TEXTS)
def test_what_is_built_on_matches_is_that_of_re2(source: str, text: str) -> None:
    ours, theirs = linear.compile(source), re2.compile(source)
    assert ours.sub("<>", text) == theirs.sub("<>", text)
    assert ours.split(text) == theirs.split(text)
    assert ours.findall(text) == theirs.findall(text)


def test_many_matches_of_a_long_text_are_found_where_they_stand() -> None:
    text = "ñ€ 12 😀 " * 5_000
    found = [one.span() for one in linear.compile(r"\d+").finditer(text)]
    assert found == list(chain((at + 3, at + 5) for at in range(0, len(text), 8)))


def test_half_a_surrogate_pair_is_refused_as_re2_refuses_it() -> None:
    for expression in (linear.compile("a"), re2.compile("a")):
        with pytest.raises(UnicodeEncodeError):
            expression.search("\ud800")
