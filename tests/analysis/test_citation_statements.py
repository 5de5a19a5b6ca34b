"""A law is named by its whole title once, and by its rank, number and date after that."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from app.analysis.answer.citation_statements import _short_title, without_cited_dates
from app.analysis.checks.citation_findings import CheckedCitation
from app.rules import Section, Statement
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
    assert page.count("Verificada: Ley 58/2003, de 17 de diciembre, General Tributaria:") == 1
    assert page.count("Verificada: Ley 58/2003, de 17 de diciembre:") >= 2


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
