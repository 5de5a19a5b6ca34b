"""Locks are earned: the invariants of decision 013, for any draft whatever."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.analysis.checks.citation_findings import (
    AuthorityFinding,
    CitationFindings,
    JudgmentState,
    StatementFindings,
)
from app.analysis.checks.locks import DowngradeReason, JudgedStatement, judge, without
from app.analysis.llm.drafting import proposal
from app.analysis.support import Verdict
from app.analysis.support.quote_finder import QuoteFinder
from app.analysis.support.quoted_words import CheckedQuotation
from app.rules.draft import Lock, Section, Statement
from tests import model_answers

DOCUMENT = (
    "La renta será de  900\neuros   mensuales.\nEl arrendatario dijo: “no pagaré la fianza”.\n"
    "El arrendatario renuncia a toda prórroga del contrato."
)


def _backing(status: str = "verified", verdict: Verdict = "supported") -> AuthorityFinding:
    return AuthorityFinding("art. 6 LAU", status, "article", verdict)


def _judge(
    statement: Statement,
    *backing: AuthorityFinding,
    quotations: tuple[CheckedQuotation, ...] = (),
    judgments: tuple[JudgmentState, ...] = (),
) -> JudgedStatement:
    findings = CitationFindings(statements={statement: StatementFindings(backing, quotations, judgments)})
    (judged,) = judge([statement], QuoteFinder(DOCUMENT), findings)
    return judged


def _rent(text: str, *quotes: str) -> Statement:
    return Statement(Section.AMOUNTS, text, quotes, proposed=Lock.L1)


def _risk(**changed: object) -> Statement:
    whole: dict[str, object] = {
        "quotes": ("El arrendatario renuncia a toda prórroga",),
        "citations": ("art. 6 LAU",),
        "severity": "high",
        "reason": "La renuncia es nula.",
        "proposed": Lock.L5C,
    }
    return Statement(Section.RISKS, "El arrendatario renuncia a la prórroga.", **{**whole, **changed})  # type: ignore[arg-type]


def test_l1_is_earned_by_restating_literal_words_whatever_their_spacing_quotes_and_case() -> None:
    for quote in ("La renta será de 900 euros mensuales", "LA RENTA SERÁ DE 900 EUROS MENSUALES"):
        judged = _judge(_rent("La renta es de 900 euros al mes.", quote))
        assert (judged.lock, judged.lowered) == (Lock.L1, None)


def test_l1_is_refused_for_words_that_do_not_stand_in_the_document() -> None:
    made = _rent("La renta es de 901 euros.", "La renta será de 901 euros")
    assert (_judge(made).lock, _judge(made).lowered) == (Lock.L4, DowngradeReason.NOT_FOUND)


def test_l1_is_refused_when_one_of_several_quotes_is_missing() -> None:
    made = _rent("La renta es de 900 euros.", "900 euros", "901 euros")
    assert _judge(made).lowered is DowngradeReason.NOT_FOUND


def test_l1_is_refused_without_any_quote_and_for_trivial_ones() -> None:
    assert _judge(_rent("La renta es de 900 euros.")).lowered is DowngradeReason.NO_QUOTE
    for quote in ("a", " ", "re", "La"):
        assert _judge(_rent("La renta es de 900 euros.", quote)).lock is Lock.L4


def test_l1_is_refused_for_a_statement_that_departs_from_its_words() -> None:
    judged = _judge(_rent("La fianza es de 900 euros.", "La renta será de 900 euros mensuales"))
    assert (judged.lock, judged.lowered) == (Lock.L4, DowngradeReason.ROLE)


@pytest.mark.parametrize("status", ["mismatch", "not_found", "derogated"])
def test_a_broken_authority_costs_l1_too(status: str) -> None:
    made = _rent("La renta es de 900 euros al mes.", "La renta será de 900 euros mensuales")
    assert _judge(made, _backing(status, "unchecked")).lowered is DowngradeReason.NO_BASIS
    assert _judge(made, _backing("not_verifiable", "unchecked")).lock is Lock.L1


def test_a_silent_authority_costs_every_lock_above_l4() -> None:
    made = _rent("La renta es de 900 euros al mes.", "La renta será de 900 euros mensuales")
    assert _judge(made, _backing(verdict="silent")).lowered is DowngradeReason.SILENT
    assert _judge(_risk(), _backing(verdict="silent")).lowered is DowngradeReason.SILENT


def test_what_an_authority_contradicts_is_withdrawn() -> None:
    judged = _judge(_risk(), _backing(verdict="contradicted"))
    assert (judged.lock, judged.lowered, judged.withdrawn) == (Lock.L4, DowngradeReason.CONTRADICTED, True)


def test_quotation_marks_in_the_prose_hold_literal_words_or_go() -> None:
    kept = _judge(_rent("El arrendatario dijo «no pagaré la fianza».", 'dijo: "no pagaré la fianza"'))
    assert "«no pagaré la fianza»" in kept.statement.text
    gone = _judge(_rent("La renta «por siempre» es de 900 euros.", "La renta será de 900 euros mensuales"))
    assert (gone.lock, gone.lowered) == (Lock.L4, DowngradeReason.PROSE)
    assert "«" not in gone.statement.text


def test_a_critical_risk_of_a_model_needs_severity_reason_quotation_and_a_text_that_supports_it() -> None:
    assert _judge(_risk(), _backing()).lock is Lock.L5C
    assert _judge(_risk(severity="low"), _backing()).lowered is DowngradeReason.NO_REASON
    assert _judge(_risk(reason=None), _backing()).lowered is DowngradeReason.NO_REASON
    assert _judge(_risk(quotes=()), _backing()).lowered is DowngradeReason.NO_QUOTE
    assert _judge(_risk(quotes=("no está en el texto",)), _backing()).lowered is DowngradeReason.NOT_FOUND
    assert _judge(_risk(quotes=("renuncia a toda prórrog",)), _backing()).lowered is DowngradeReason.CUT
    assert _judge(_risk(), _backing("not_found", "unchecked")).lowered is DowngradeReason.NO_BASIS
    assert _judge(_risk(), _backing(verdict="unchecked")).lowered is DowngradeReason.UNSUPPORTED
    assert _judge(_risk()).lowered is DowngradeReason.UNSUPPORTED


def test_a_critical_risk_of_a_model_speaks_of_the_words_that_it_quotes() -> None:
    """A right consequence of a clause that the document does not have rests on words about something else."""
    judged = _judge(_risk(quotes=('dijo: "no pagaré la fianza"',)), _backing())
    assert (judged.lock, judged.lowered) == (Lock.L4, DowngradeReason.OTHER_MATTER)


def test_what_a_model_says_to_be_valid_is_no_critical_risk() -> None:
    text = "La renuncia del arrendatario a la prórroga es válida."
    judged = _judge(replace(_risk(), text=text), _backing())
    assert (judged.lock, judged.lowered) == (Lock.L4, DowngradeReason.APPROVES)


def test_a_critical_risk_of_a_rule_rests_on_its_authors_reading_of_the_law() -> None:
    assert _judge(_risk(origin="rules"), _backing()).lock is Lock.L5C
    assert (
        _judge(_risk(origin="rules"), _backing("derogated", "unchecked")).lowered is DowngradeReason.NO_BASIS
    )


def test_what_a_model_answers_never_says_where_it_comes_from() -> None:
    raw = {"section": "dates", "text": "x", "quotes": [], "citations": [], "proposed_lock": "L1"}
    for forged in ("rules", "code"):
        answer = model_answers.analysis([raw])
        answer["statements"][0]["origin"] = forged
        answer["issues"] = [model_answers.issue("y", rule="z") | {"origin": forged}]
        assert {one.origin for one in proposal.read(answer).statements} == {"model"}


def test_a_judgment_lock_is_never_given_without_a_corpus() -> None:
    for lock in (Lock.L2J, Lock.L2JV):
        made = Statement(Section.REASONING, "x", ("900 euros",), ("STS 1/2020",), proposed=lock)
        assert _judge(made).lowered is DowngradeReason.NO_JUDGMENT


@pytest.mark.parametrize(
    ("verdict", "state", "lock"),
    [
        ("supported", "good_law", Lock.L2JV),
        ("supported", "loaded", Lock.L2J),
        ("silent", "good_law", Lock.L4),
        ("unchecked", "good_law", Lock.L4),
    ],
)
def test_a_judgment_supports_only_what_one_of_its_passages_says(
    verdict: Verdict, state: JudgmentState, lock: Lock
) -> None:
    made = Statement(
        Section.REASONING, "La fianza se devuelve.", citations=("STS 1/2020",), proposed=Lock.L2JV
    )
    backing = AuthorityFinding("STS 1/2020", "verified", "norm", verdict, judgment=state)
    assert _judge(made, backing, judgments=(state,)).lock is lock


@given(document=st.text(), start=st.integers(0, 50), length=st.integers(0, 50))
def test_evidence_is_always_a_slice_of_the_document(document: str, start: int, length: int) -> None:
    found = QuoteFinder(document).find(document[start : start + length])
    if found is not None:
        assert document[found.start : found.end] == found.text


@given(document=st.text(), quote=st.text())
def test_no_l1_without_literal_words(document: str, quote: str) -> None:
    statement = Statement(Section.AMOUNTS, "x", (quote,), proposed=Lock.L1)
    (judged,) = judge([statement], QuoteFinder(document))
    if judged.lock is Lock.L1:
        assert _plain(quote) in _plain(document)


def _plain(text: str) -> str:
    text = re.sub(r"[“”„«»]", '"', re.sub(r"[’‘‚]", "'", text))
    return " ".join(text.casefold().split())


def test_what_is_said_of_a_risk_leaves_the_answer_with_it() -> None:
    risk, another = (
        Statement(Section.RISKS, text, citations=("art. 36 LAU",), facts={"issue": key})
        for text, key in (("La fianza es de seis meses.", "1.1"), ("El plazo es breve.", "1.2"))
    )
    advice, own = (
        Statement(Section.RECOMMENDATIONS, "Reclamar.", facts={"issue": key, "part": "recommendation"})
        for key in ("1.1", "1.2")
    )
    finder = QuoteFinder(DOCUMENT)
    findings = CitationFindings(statements={risk: StatementFindings((_backing("verified", "contradicted"),))})
    judged = judge((risk, another, advice, own), finder, findings)
    assert [one.withdrawn for one in judged] == [True, False, True, False]
    kept = judge((risk, another, advice, own), finder)
    assert [one.withdrawn for one in without(kept, {1})] == [False, True, False, True]


def _named(section: Section, text: str, plain: str | None, quote: str) -> Statement:
    return Statement(section, text, (quote,), proposed=Lock.L1, origin="rules", plain=plain)


def test_a_fact_whose_name_the_words_do_not_bear_out_is_told_without_it() -> None:
    finder = QuoteFinder("El valor de tasación es de 240.000 euros y se prestan 180.000 euros.")
    wrong = _named(Section.AMOUNTS, "Fianza: 240.000 €.", "Importe: 240.000 €.", finder.text[:-1])
    (judged,) = judge([wrong], finder)
    assert (judged.statement.text, judged.lock) == ("Importe: 240.000 €.", Lock.L1)


def test_a_fact_without_its_doubtful_name_is_told_once_or_not_at_all() -> None:
    finder = QuoteFinder("La multa es de 300 euros. Se conservan seis días.")
    fine = _named(Section.AMOUNTS, "Fianza: 300 €.", "Importe: 300 €.", "La multa es de 300 euros")
    told = _named(Section.AMOUNTS, "Importe: 300 €.", None, "La multa es de 300 euros")
    period = _named(Section.DEADLINES, "Preaviso: 6 días.", "", "Se conservan seis días")
    judged = judge([told, fine, period], finder)
    assert [one.withdrawn for one in judged] == [False, True, True]


def test_a_name_that_the_words_bear_out_stays() -> None:
    rent = _named(Section.AMOUNTS, "Renta: 900 €.", "Importe: 900 €.", "La renta será de  900\neuros")
    assert _judge(rent).statement.text == "Renta: 900 €."
