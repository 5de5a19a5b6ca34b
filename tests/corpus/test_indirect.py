"""What a sentence in indirect speech makes an article say, beside what the article says."""

from __future__ import annotations

import pytest

from app.corpus import contradiction, same_language

DEPOSIT = """1. Se prestará fianza de una mensualidad de renta en las viviendas y de dos en los locales.

2. Pasados cinco años, o siete años si el arrendador es una sociedad, la fianza podrá revisarse.

3. El saldo se devolverá en el plazo de treinta días naturales, con un interés del 3 por ciento."""
RESIGN = "El trabajador podrá desistir del contrato con un preaviso de quince días."
BAN = "Queda prohibido al arrendador exigir al arrendatario garantías adicionales de ninguna clase."


@pytest.mark.parametrize(
    ("sentence", "claimed"),
    [
        ("exige una fianza de tres mensualidades", "tres mensualidades"),
        ("exige 4 mensualidades de fianza", "4 mensualidades"),
        ("ordena devolver el saldo de la fianza en sesenta días", "sesenta dias"),
        ("ordena devolver el saldo en treinta (30) días hábiles", "treinta 30 dias habiles"),
        ("fija un interés del 10 % sobre el saldo", "10 %"),
        ("permite revisar la fianza pasados diez años", "diez anos"),
    ],
)
def test_another_figure_of_the_same_thing_is_a_contradiction(sentence: str, claimed: str) -> None:
    found = contradiction(sentence, DEPOSIT)
    assert found is not None
    assert (found.kind, found.reason) == ("meaning", "number")
    assert claimed.startswith(found.claimed)


@pytest.mark.parametrize(
    "sentence",
    [
        "exige una fianza de una mensualidad en las viviendas",
        "exige en los locales una fianza de dos mensualidades",
        "obliga a devolver el saldo dentro de los treinta días siguientes",
        "fija un interés del 3 %",
        "permite revisar la fianza a los siete años si arrienda una sociedad",
        "exige que el inquilino garantice sus obligaciones",
        "impone al arrendador doce horas de espera",
    ],
)
def test_a_paraphrase_and_what_the_article_is_silent_about_are_left_alone(sentence: str) -> None:
    assert contradiction(sentence, DEPOSIT) is None


def test_a_figure_that_is_attributed_as_a_noun_contradicts_the_only_one_of_its_unit() -> None:
    assert contradiction("El aviso de sesenta días previsto en el ", RESIGN) is not None
    assert contradiction("El preaviso de quince días previsto en el ", RESIGN) is None


def test_leave_where_the_article_bans_and_a_ban_where_it_gives_leave_are_contradictions() -> None:
    leave = contradiction("permite al arrendador exigir al arrendatario garantías adicionales", BAN)
    ban = contradiction("prohíbe al trabajador desistir del contrato de trabajo", RESIGN)
    assert leave is not None
    assert ban is not None
    assert (leave.reason, ban.reason) == ("modality", "modality")
    assert contradiction("prohíbe al arrendador exigir al arrendatario garantías adicionales", BAN) is None


def test_words_in_another_language_than_the_text_are_told_apart() -> None:
    spanish, english = (
        "El responsable del tratamiento lo notificará sin dilación a los interesados",
        ("The controller shall notify the data subject of that without undue delay and in any event"),
    )
    assert same_language(spanish, DEPOSIT)
    assert not same_language(spanish, english)
    assert same_language("vivienda habitual", english)


COSTS = "Cuando el deudor incurra en mora, el acreedor tendrá derecho a una cantidad fija de 40 euros."
SECRET = "Los pactos que se mantengan reservados entre los socios no serán oponibles a la sociedad."


def test_what_an_article_is_said_to_fix_is_its_one_figure_of_that_unit() -> None:
    found = contradiction(
        "fija en 400,00 euros por factura la indemnización por gastos de reclamación", COSTS
    )
    assert found is not None
    assert found.reason == "number"
    assert contradiction("fija en 40,00 euros por factura la indemnización por gastos", COSTS) is None
    assert contradiction("se aplica a la factura de 400,00 euros por gastos de reclamación", COSTS) is None


def test_a_quality_that_the_article_denies_is_a_contradiction() -> None:
    found = contradiction(", que declara oponibles a la sociedad los pactos reservados", SECRET)
    assert found is not None
    assert found.reason == "modality"
    assert contradiction(", que declara no oponibles a la sociedad los pactos reservados", SECRET) is None
    assert contradiction(", que declara reservados los pactos entre socios", SECRET) is None
