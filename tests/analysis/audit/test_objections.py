"""Objections of a model: code drops, upholds or leaves open, and a sound statement is not argued away."""

from __future__ import annotations

import pytest

from app.analysis.audit.objections import Fault, Judge, Objection
from app.analysis.checks import locks
from app.analysis.support.quote_finder import QuoteFinder
from app.rules import Brief, RulesEngine
from app.rules import Document as Sentences
from app.rules.draft import Lock, Origin, Section, Source, Statement
from tests.rules.documents import HOUSING_LEASE

DOCUMENT = (
    "CONTRATO DE ARRENDAMIENTO\n\nSEGUNDA. El arrendatario pagará una renta de 1.200 euros mensuales."
    "\n\nCUARTA. El arrendatario no podrá realizar obras sin permiso escrito del arrendador."
)
RENT = "El arrendatario pagará una renta de 1.200 euros mensuales"
WORKS = "El arrendatario no podrá realizar obras sin permiso escrito del arrendador"
LAW = Source("x1", "art. 20 LAU: La renta se actualizará solo si se pacta.", "art. 20 LAU")
JUDGE = Judge(DOCUMENT, [LAW])


def judged(
    text: str, quote: str, section: Section = Section.AMOUNTS, origin: Origin = "model"
) -> locks.JudgedStatement:
    stated = Statement(section, text, quotes=(quote,), proposed=Lock.L1, origin=origin)
    [found] = locks.judge([stated], QuoteFinder(DOCUMENT))
    return found


def objection(
    words: str, fault: Fault = "misread", *, passage: str = "d1", place: int | None = 0
) -> Objection:
    return Objection(place, passage, words, fault, "high", "It says something else.", "withdraw")


@pytest.mark.parametrize(
    ("text", "quote", "section"),
    [
        ("Renta: 2.200 euros mensuales.", RENT, Section.AMOUNTS),
        ("El arrendador pagará una renta de 1.200 euros mensuales.", RENT, Section.OBLIGATIONS),
        (
            "El arrendatario podrá realizar obras sin permiso escrito del arrendador.",
            WORKS,
            Section.REASONING,
        ),
    ],
)
def test_words_that_disagree_with_a_models_statement_uphold_an_objection(
    text: str, quote: str, section: Section
) -> None:
    [kept] = JUDGE.kept([objection(quote)], [judged(text, quote, section)])
    assert kept.standing == "upheld"


def test_a_statement_that_restates_the_words_named_answers_the_objection() -> None:
    assert not JUDGE.kept([objection(RENT, "figure")], [judged("Renta: 1.200 euros mensuales.", RENT)])


@pytest.mark.parametrize(
    "wrong",
    [
        objection("words that stand nowhere"),
        objection(""),
        objection(RENT, passage="d7"),
        objection(RENT, place=5),
        objection(RENT, place=None),
        objection(RENT, passage="x1"),
    ],
)
def test_what_names_nothing_that_exists_is_dropped(wrong: Objection) -> None:
    assert not JUDGE.kept([wrong], [judged("Renta: 2.200 euros mensuales.", RENT)])


def test_an_omission_needs_no_statement_and_law_can_be_named() -> None:
    omitted = objection(RENT, "omission", place=None)
    by_law = objection("La renta se actualizará solo si se pacta", "exception", passage="[x1]")
    kept = JUDGE.kept([omitted, by_law], [judged("Renta: 1.200 euros mensuales.", RENT)])
    assert [(one.passage.id, one.standing) for one in kept] == [("d1", "open"), ("x1", "open")]


def test_no_sentence_of_the_document_upholds_an_objection_to_a_sound_rule() -> None:
    draft = RulesEngine().analyse(Brief(HOUSING_LEASE, "ES", "civil", "es"))
    finder = QuoteFinder(HOUSING_LEASE)
    statements = locks.judge(draft.statements, finder)
    judge = Judge(HOUSING_LEASE, [])
    wild = [
        Objection(place, passage.id, HOUSING_LEASE[one.start : one.end], "misread", "high", "No.", "withdraw")
        for place in range(0, len(statements), 3)
        for one in list(Sentences(HOUSING_LEASE).sentences())[::2]
        for passage in judge.document
    ]
    assert len(judge.kept(wild, statements)) > 20
    assert not [one for one in judge.kept(wild, statements) if one.standing == "upheld"]
