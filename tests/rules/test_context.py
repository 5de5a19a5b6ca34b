"""A fact of an earlier contract plays no part in this one, and a bound is not told as an amount."""

import pytest

from app.rules import RulesEngine
from app.rules.brief import Brief
from app.rules.draft import Section
from app.rules.facts.context import bound_before, of_earlier_relation
from app.text.sentences import FoldedText

CONTRACT = """CONTRATO DE TRABAJO

En Burgos, a 2 de marzo de 2026, entre TALLERES ARLANZÓN, S.L., como empresa, y doña Lucía Peña Sanz, como
trabajadora.

PRIMERA. La trabajadora laboró para Fundiciones Ubierna, S.A., hasta el 31 de enero de 2025, con un salario de
1.310,00 euros mensuales.

SEGUNDA. La empresa pagará un salario de 1.720,00 euros mensuales.

TERCERA. Además podrá recibir un incentivo de hasta 400,00 euros al año.
"""


def told(section: Section) -> list[str]:
    draft = RulesEngine().analyse(Brief(CONTRACT, "ES", "laboral", "es"))
    return [one.text for one in draft.statements if one.section is section]


@pytest.mark.parametrize(
    "sentence",
    [
        "La señora Sanz trabajó antes para la Empresa, con contrato temporal desde el 3 de febrero de 2025.",
        "Antes lo hizo, como dependienta, para Calzados Ubierna, hasta el 30 de junio de 2009.",
        "Con la arrendataria anterior se pactó una renta de 900 euros.",
        "Under her previous employment she was paid £31,500 a year.",
    ],
)
def test_an_earlier_relation_is_told_by_its_words_in_any_document(sentence: str) -> None:
    assert of_earlier_relation(FoldedText(sentence), 0, contract=False)


@pytest.mark.parametrize(
    "sentence",
    [
        "La señora laboró para Frutas del Sur hasta el 15 de diciembre de 2025.",
        "The Consultant worked for the Company from 5 May 2014 to 31 August 2018.",
        "El local estuvo arrendado por 1.400 euros mensuales hasta 2025.",
    ],
)
def test_the_past_is_of_another_relation_in_a_contract_only(sentence: str) -> None:
    reading = FoldedText(sentence)
    assert of_earlier_relation(reading, 0, contract=True)
    assert not of_earlier_relation(reading, 0, contract=False)


@pytest.mark.parametrize(
    "sentence",
    [
        "El trabajador percibirá por su trabajo 1.200 euros al mes.",
        "El contratista terminará los trabajos antes del 30 de mayo de 2026.",
        "The Employee shall work for the Company from 5 May 2026.",
    ],
)
def test_what_the_contract_itself_agrees_is_no_earlier_relation(sentence: str) -> None:
    assert not of_earlier_relation(FoldedText(sentence), 0, contract=True)


@pytest.mark.parametrize(
    ("sentence", "figure", "bound"),
    [
        ("un incentivo de hasta 600 euros", "600", "at_most"),
        ("liability of no more than 300 euros", "300", "at_most"),
        ("comprará al menos 140.000 euros", "140", "at_least"),
        ("los pedidos inferiores a 60 euros", "60", "below"),
        ("orders over 500 euros", "500", "above"),
        ("una mora de más de 30 días obliga a pagar 500 euros", "500", None),
        ("pagará 600 euros", "600", None),
    ],
)
def test_a_bound_is_read_from_the_words_that_touch_the_figure(
    sentence: str, figure: str, bound: str | None
) -> None:
    assert bound_before(FoldedText(sentence), sentence.index(figure)) == bound


def test_the_statements_name_only_what_this_contract_agrees() -> None:
    amounts = told(Section.AMOUNTS)
    assert any(text.endswith("1.720 € al mes.") and not text.startswith("Importe") for text in amounts), (
        amounts
    )
    assert not any("1.310" in text for text in amounts)  # what another relation paid is told nowhere
    assert any("hasta 400 € al año" in text for text in amounts), amounts
    assert not any("31 de enero de 2025" in text for text in told(Section.DATES))
