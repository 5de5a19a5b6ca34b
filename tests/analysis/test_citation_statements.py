"""A law is named by its whole title once, and by its rank, number and date after that."""

from __future__ import annotations

import pytest

from app.analysis.answer.citation_statements import _short_title
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
