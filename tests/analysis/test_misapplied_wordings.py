"""Misquotations told in other words than 'según el artículo': behind it, in a next sentence, or quoted."""

from __future__ import annotations

import pytest

from app.analysis.checks.misapplied import misapplied
from app.analysis.support.attributed_claims import claims
from app.analysis.support.quote_finder import QuoteFinder
from app.citations import extract
from app.text.normalize import LAW


@pytest.mark.parametrize(
    "text",
    [
        "Claims lapse if not brought within three months, as laid down in Article 31 of Act 12/1992.",
        "Dice, citando el artículo 238.1 de la Ley de Sociedades de Capital, que la acción solo puede "
        "acordarse cuando figure en el orden del día.",
        "De acuerdo con el artículo 56.1 LOTC, el recurso suspende la sentencia, por lo que el desahucio "
        "queda sin efecto.",
        "El artículo 348 bis de la Ley de Sociedades de Capital sólo es de aplicación a las cotizadas.",
        "Se excluye la del artículo 34 de la LAU. Dicho artículo exige avisar con un mes.",
    ],
)
def test_what_an_article_does_not_say_is_heard(text: str) -> None:
    assert list(misapplied(tuple(extract(text, "ES")), {}, QuoteFinder(text)))


@pytest.mark.parametrize(
    "text",
    [
        "Claims lapse after one year, as laid down in Article 31 of Act 12/1992.",
        "De acuerdo con el artículo 56.1 LOTC, el recurso no suspende la sentencia, por lo que la pedimos.",
        "Se excluye la del artículo 34 de la LAU. Dicho contrato exige avisar con un mes.",
    ],
)
def test_what_it_says_is_left_alone(text: str) -> None:
    assert not list(misapplied(tuple(extract(text, "ES")), {}, QuoteFinder(text)))


@pytest.mark.parametrize(
    ("text", "figure"),
    [
        (
            "Concurre la agravación del artículo 250.1.5.º del Código Penal, por ser lo defraudado "
            "superior a cuarenta mil euros.",
            "cuarenta mil euros",
        ),
        (
            "Se avisará con un preaviso de veinticuatro horas, tal como dispone el art. 12.5.d) del "
            "Estatuto de los Trabajadores.",
            "veinticuatro horas",
        ),
        (
            "Se condena por el artículo 250.1.5.º del Código Penal, por vender el piso en 90.000 euros.",
            "",
        ),
    ],
)
def test_a_figure_by_which_an_article_is_said_to_be_met(text: str, figure: str) -> None:
    found = [claim.figure for _, claim in claims(LAW.fold(text), text, tuple(extract(text, "ES")))]
    assert found == ([figure] if figure else [])
