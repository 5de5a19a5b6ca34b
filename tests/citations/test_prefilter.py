"""A grammar that is skipped would have found nothing."""

from __future__ import annotations

from contextlib import nullcontext

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.citations import extract, extraction, prefilter, protected, protected_spans
from app.text import linear
from app.text.normalize import CITATIONS

_PIECES = (
    "art. 36 LAU", "arts. 1 a 5 de la Ley 29/1994", "STS 123/2020, de 4 de marzo", "C-415/11",
    "T-760 de 2008",
    "ECLI:ES:TS:2013:1916", "BOE-A-1994-26003", "§ 433 Abs. 2 BGB", "[2015] UKSC 11", "410 U.S. 113 (1973)",
    "Reglamento (UE) 2016/679", "Cass. civ., sez. III, 12/3/2020, n. 1234", "V1234-20", "1.200,50 euros",
    "12 de mayo de 2021", "3,5 %", "2020-01-02", "autos 123/2020", "décret n° 2020-12", "Ley 100 de 1993",
    "12345678Z", "y", "conforme al", "\n", "(", "É", "ß", "Ω",
)  # fmt: skip


@given(
    st.lists(st.sampled_from(_PIECES), max_size=12).map(" ".join), st.sampled_from(["ES", "CO", "US", "DE"])
)
def test_sifting_changes_nothing_that_is_found(text: str, jurisdiction: str) -> None:
    sifted = extract(text, jurisdiction), protected_spans(text, jurisdiction)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(extraction, "prefiltered", lambda _: nullcontext())
        patch.setattr(protected.prefilter, "prefiltered", lambda _: nullcontext())
        assert (extract(text, jurisdiction), protected_spans(text, jurisdiction)) == sifted


def test_a_grammar_without_its_letters_is_not_run() -> None:
    grammar = prefilter.compile(r"\bnowhere-\d{3}\b")
    with prefilter.prefiltered("a text without it 123"):
        assert grammar.search("a text without it 123") is None
        # Of another text nothing is known, so it is read.
        assert grammar.search("elsewhere nowhere-123")


def test_a_grammar_whose_letters_alone_stand_there_is_not_run() -> None:
    grammar, wide = prefilter.compile(r"\bsomewhere-\d{3}\b"), prefilter.compile(r"\bwide-\d{3}\b", wide=True)
    text = "somewhere-12, wide-12"
    with prefilter.prefiltered(text):
        assert grammar._hopeless(text)
        # In no set: its letters stand there, so it is run.
        assert not wide._hopeless(text)
        assert wide.search(text) is None
    text = "somewhere-123 wide-123"
    with prefilter.prefiltered(text):
        assert grammar.search(text)[0] == "somewhere-123"
        assert wide.search(text)[0] == "wide-123"


def test_what_the_sets_tell_is_what_each_expression_finds() -> None:
    text = CITATIONS.normalize(" ".join(_PIECES)).text
    passed = prefilter._filter().may_match(text)
    for number, pattern in enumerate(prefilter._patterns):
        if number not in prefilter._wide:
            assert (linear.compile(pattern).search(text) is not None) == (number in passed)
    assert 5 < len(passed) < len(prefilter._patterns) / 2
