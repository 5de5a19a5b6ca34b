"""Locks are earned: the invariants of decisions 6, for any draft whatever."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from app.analysis.locks import Literal, Lowered, judge
from app.analysis.statements import Lock, Section, Statement

DOCUMENT = "La renta será de  900\neuros   mensuales.\nEl arrendatario dijo: “no pagaré”."


def _judge(statement: Statement, holds: bool | None = None) -> tuple[Lock, Lowered | None]:
    (judged,) = judge([statement], DOCUMENT, lambda _: holds)
    return judged.lock, judged.lowered


def test_l1_is_earned_by_literal_words_whatever_their_spacing_quotes_and_case() -> None:
    for quote in ("900 euros mensuales", "LA RENTA SERÁ DE 900", 'dijo: "no pagaré"'):
        assert _judge(Statement(Section.AMOUNTS, "x", (quote,), proposed=Lock.L1)) == (Lock.L1, None)


def test_l1_is_refused_for_words_that_do_not_stand_in_the_document() -> None:
    made = Statement(Section.AMOUNTS, "x", ("La renta será de 901 euros",), proposed=Lock.L1)
    assert _judge(made) == (Lock.L4, Lowered.NOT_FOUND)


def test_l1_is_refused_when_one_of_several_quotes_is_missing() -> None:
    made = Statement(Section.AMOUNTS, "x", ("900 euros", "901 euros"), proposed=Lock.L1)
    assert _judge(made) == (Lock.L4, Lowered.NOT_FOUND)


def test_l1_is_refused_without_any_quote_and_for_trivial_ones() -> None:
    assert _judge(Statement(Section.AMOUNTS, "x", proposed=Lock.L1)) == (Lock.L4, Lowered.NO_QUOTE)
    assert _judge(Statement(Section.AMOUNTS, "x", ("a",), proposed=Lock.L1))[0] is Lock.L4
    assert _judge(Statement(Section.AMOUNTS, "x", (" ",), proposed=Lock.L1))[0] is Lock.L4


def test_a_critical_risk_needs_high_severity_a_reason_and_a_basis_that_is_not_broken() -> None:
    def risk(**changed: object) -> Statement:
        whole: dict[str, object] = {"severity": "high", "reason": "because", "proposed": Lock.L5C}
        return Statement(Section.RISKS, "x", **{**whole, **changed})  # type: ignore[arg-type]

    assert _judge(risk()) == (Lock.L5C, None)
    assert _judge(risk(severity="low")) == (Lock.L4, Lowered.NO_REASON)
    assert _judge(risk(reason=None)) == (Lock.L4, Lowered.NO_REASON)
    assert _judge(risk(quotes=("not there",))) == (Lock.L4, Lowered.NOT_FOUND)
    assert _judge(risk(citations=("art. 9999 LAU",)), holds=False) == (Lock.L4, Lowered.NO_BASIS)
    assert _judge(risk(citations=("art. 6 LAU",)), holds=None) == (Lock.L5C, None)


def test_a_judgment_lock_is_never_given_without_a_corpus() -> None:
    for lock in (Lock.L2J, Lock.L2JV):
        made = Statement(Section.REASONING, "x", ("900 euros",), ("STS 1/2020",), proposed=lock)
        assert _judge(made, holds=True) == (Lock.L4, Lowered.NO_JUDGMENT)


@given(document=st.text(), start=st.integers(0, 50), length=st.integers(0, 50))
def test_evidence_is_always_a_slice_of_the_document(document: str, start: int, length: int) -> None:
    found = Literal(document).find(document[start : start + length])
    if found is not None:
        assert document[found.start : found.end] == found.text


@given(document=st.text(), quote=st.text())
def test_no_l1_without_literal_words(document: str, quote: str) -> None:
    statement = Statement(Section.AMOUNTS, "x", (quote,), proposed=Lock.L1)
    (judged,) = judge([statement], document, lambda _: None)
    if judged.lock is Lock.L1:
        assert _plain(quote) in _plain(document)


def _plain(text: str) -> str:
    text = re.sub(r"[“”„«»]", '"', re.sub(r"[’‘‚]", "'", text))
    return " ".join(text.casefold().split())
