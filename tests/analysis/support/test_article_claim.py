"""What a statement says of an article, apart from what it says of the document."""

from __future__ import annotations

from app.analysis.support import support
from app.analysis.support.claim_parts import is_told, parts_of

ARTICLE = """Artículo 40. Multas del taller
1. Las multas por retraso no podrán exceder de la quinta parte del salario de un día.
2. El operario podrá dejar el taller pasados tres meses, siempre que lo avise con doce días de antelación.
3. Quedarán sin efecto las multas si el aviso no se presentare en los ocho días siguientes al retraso."""
PARAGRAPHS = ARTICLE.splitlines()
FINE = "Por cada retraso se pagará una multa igual al salario de un día."
FINED = "La multa equivale al salario de un día, y el artículo 40"
BOUND = "El operario no podrá dejar el taller antes de un año."
IS_BOUND = "El contrato prohíbe dejar el taller antes de un año. El artículo 40 permite al operario"
NOTICE = "Se dará aviso dentro de los veinte días."
NOTIFIED = "La carta da veinte días para el aviso, y el artículo 40 deja sin efecto las multas"


def _verdict(claim: str, own: str, paragraph: int) -> str:
    passage = f"{PARAGRAPHS[0]}\n{PARAGRAPHS[paragraph]}"
    return support(claim, own, passage, citations=("artículo 40",), article=ARTICLE).verdict


def test_the_clause_on_the_article_is_told_from_the_clause_on_the_document() -> None:
    for claim, of_document, of_law in (
        (
            "La multa es alta, y el lexcit fija un quinto.",
            "La multa es alta.",
            ", y el lexcit fija un quinto",
        ),
        ("Aunque se niega, el lexcit lo permite.", "Aunque se niega.", ", el lexcit lo permite"),
        ("The fee is late. Now lexcit allows it", "The fee is late", ". Now lexcit allows it"),
        ("El plazo excede los dos años que fija el lexcit.", "", ""),
    ):
        document, law = parts_of(claim)
        assert (document, law) == (of_document, of_law), claim


def test_a_clause_that_restates_the_article_is_supported_whatever_the_document_denies() -> None:
    for claim, own, paragraph in (
        (f"{FINED} no deja que la multa exceda de la quinta parte del salario de un día.", FINE, 1),
        (f"{IS_BOUND} dejar el taller pasados tres meses, con doce días de antelación.", BOUND, 2),
        (f"{NOTIFIED} si el aviso no se presenta en los ocho días siguientes al retraso.", NOTICE, 3),
    ):
        assert _verdict(claim, own, paragraph) == "supported", claim


def test_one_point_of_the_article_told_wrongly_is_not_supported() -> None:
    for claim, own, paragraph in (
        (f"{FINED} deja que la multa exceda de la quinta parte del salario de un día.", FINE, 1),
        (f"{FINED} no deja que la multa exceda de la quinta parte del salario de tres días.", FINE, 1),
        (f"{IS_BOUND.replace('permite', 'no permite')} dejar el taller pasados tres meses.", BOUND, 2),
        (f"{IS_BOUND} dejar el taller pasados seis meses, con doce días de antelación.", BOUND, 2),
        (f"{NOTIFIED} si el aviso no se presenta en los nueve días siguientes al retraso.", NOTICE, 3),
        (f"{NOTIFIED} si el aviso no se presenta en los ocho días siguientes al retraso.", NOTICE, 1),
    ):
        assert _verdict(claim, own, paragraph) != "supported", claim


def test_a_claim_about_a_document_that_says_nothing_of_it_is_not_supported() -> None:
    premise = "Se negó a Baldomero la copia firmada del inventario anual"
    assert not is_told(premise, FINE)
    claim = (
        f"{premise}, y el artículo 40 no deja que la multa exceda de la quinta parte del salario de un día."
    )
    assert _verdict(claim, FINE, 1) == "silent"
