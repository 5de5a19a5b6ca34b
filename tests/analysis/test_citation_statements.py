"""A law is named by its whole title once, and by its rank, number and date after that."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from app import corpus
from app.analysis.answer.citation_statements import _short_title, citation_statements, without_cited_dates
from app.analysis.checks.citation_findings import CheckedCitation
from app.analysis.support.quote_finder import QuoteFinder
from app.citations import extract
from app.rules import Lock, Section, Statement
from tools import golden


@pytest.mark.parametrize(
    ("title", "short"),
    [
        ("Ley 58/2003, de 17 de diciembre, General Tributaria", "Ley 58/2003, de 17 de diciembre"),
        (
            "Real Decreto Legislativo 1/2007, de 16 de noviembre, por el que se aprueba el texto refundido",
            "Real Decreto Legislativo 1/2007, de 16 de noviembre",
        ),
        (
            "Real Decreto de 24 de julio de 1889 por el que se publica el Código Civil",
            "Real Decreto de 24 de julio de 1889",
        ),
        ("Ley Orgánica 3/2018, de 5 de diciembre, de Protección", "Ley Orgánica 3/2018, de 5 de diciembre"),
        ("Constitución Española", "Constitución Española"),
        (
            "Reglamento (UE) 2016/679 del Parlamento Europeo",
            "Reglamento (UE) 2016/679 del Parlamento Europeo",
        ),
    ],
)
def test_a_title_is_shortened_to_what_lawyers_know_it_by(title: str, short: str) -> None:
    assert _short_title(title) == short


def test_the_whole_title_stands_once_in_an_answer(configured: object) -> None:
    [case] = golden.cases(["enforcement_order"])
    page = golden.analysis_of(case).report.markdown
    assert page.count("Existe: Ley 58/2003, de 17 de diciembre, General Tributaria:") == 1
    assert page.count("Existe: Ley 58/2003, de 17 de diciembre:") >= 2


def _cited(text: str, status: str) -> CheckedCitation:
    citation = SimpleNamespace(text=text)
    return CheckedCitation(citation, SimpleNamespace(status=status), in_document=True)  # type: ignore[arg-type]


def test_an_impossible_date_is_told_once_where_a_broken_citation_has_it() -> None:
    about = {"defect": "impossible"}
    risk = Statement(Section.RISKS, "No existe: «30 de febrero de 2019».", facts=about)
    tip = Statement(Section.RECOMMENDATIONS, "Decir qué día es.", facts=about)
    other = Statement(Section.RISKS, "Otro riesgo.", facts={"rule": "x"})
    cited = "sentencia del Tribunal Supremo de 30 de\nfebrero de 2019"
    assert without_cited_dates((risk, other, tip), [_cited(cited, "not_found")]) == (other,)
    assert without_cited_dates((risk, other, tip), [_cited(cited, "verified")]) == (risk, other, tip)
    assert without_cited_dates((risk, tip), [_cited("Ley 1/2020", "not_found")]) == (risk, tip)


_CLAUSE = "No cabe desistir, conforme al artículo 103 del Real Decreto Legislativo 1/2007."
_DOCUMENT = f"{_CLAUSE} Rige además el artículo 7 de la Ley 34/2002."


def _statements(depth: corpus.Depth, risks: tuple[Statement, ...] = ()) -> list[Statement]:
    cited = [
        CheckedCitation(
            one, corpus.Verdict("verified", "Está.", "It is there.", depth=depth), in_document=True
        )
        for one in extract(_DOCUMENT, "ES")
    ]
    return list(citation_statements(cited, "es", risks, QuoteFinder(_DOCUMENT)))


def test_an_article_whose_content_was_not_compared_is_only_said_to_exist() -> None:
    assert [one.text for one in _statements("article")] == ["Existe: Está."] * 2
    assert [one.text for one in _statements("words")] == ["Verificada: Está."] * 2


def test_an_article_invoked_where_a_risk_finds_fault_is_not_vouched_for() -> None:
    risk = Statement(Section.RISKS, "Niega el desistimiento.", quotes=(_CLAUSE,), severity="high")
    doubted, other = _statements("article", (risk,))
    assert doubted.text == "Existe: Está. El pasaje que la invoca se discute entre los riesgos."
    assert (doubted.proposed, other.proposed) == (Lock.L4, Lock.L1)
    assert other.text == "Existe: Está."
