"""What the words right beside a value call it, for statements of the rules and of a model (decision 109)."""

from __future__ import annotations

from app.analysis.support import Document, QuotedSpan, discrepancy

DOCUMENT = Document(
    """CONTRATO DE PRÉSTAMO

1. La Prestataria podrá devolver el capital antes del vencimiento avisando con siete días.
2. El recurso se dirige contra la sentencia de la Audiencia Provincial de Madrid de 14 de febrero de 2025.
3. El preaviso dado basta, porque el artículo 25.2 de la Ley 12/1992 fija «un plazo de preaviso de un mes».
5. La Prestataria podrá devolver las arras con un preaviso de nueve días.
4. La vista se celebrará en la Audiencia Provincial de Madrid el 9 de marzo de 2026.
"""
)


def _refused(statement: str, quoted: str) -> bool:
    start = DOCUMENT.text.index(quoted)
    span = QuotedSpan(start, start + len(quoted))
    return discrepancy(statement, [span], DOCUMENT, aligned=False) is not None


def test_a_value_is_what_the_words_right_beside_it_call_it() -> None:
    notice = "podrá devolver el capital antes del vencimiento avisando con siete días"
    assert _refused("Devolución o reembolso: 7 días.", notice)
    assert not _refused("Preaviso: 9 días.", "devolver las arras con un preaviso de nueve días")


def test_the_day_of_a_judgment_is_that_of_no_hearing() -> None:
    judgment = "sentencia de la Audiencia Provincial de Madrid de 14 de febrero de 2025"
    assert _refused("Fecha de juicio o comparecencia: 14 de febrero de 2025.", judgment)
    hearing = "La vista se celebrará en la Audiencia Provincial de Madrid el 9 de marzo de 2026"
    assert not _refused("Fecha de juicio o comparecencia: 9 de marzo de 2026.", hearing)


def test_a_figure_within_the_words_of_an_article_is_the_laws() -> None:
    assert _refused(
        "Preaviso: 1 mes.", "artículo 25.2 de la Ley 12/1992 fija «un plazo de preaviso de un mes»"
    )
