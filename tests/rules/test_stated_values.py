"""The values that a text states, in a form that two versions can be compared by."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.rules import StatedValue, extract_facts, read_values


def values(text: str) -> tuple[StatedValue, ...]:
    return read_values(extract_facts(text))


@pytest.mark.parametrize(
    ("text", "kind", "value", "unit"),
    [
        ("La renta es de 1.200,50 euros al mes.", "money", "1200.5", "EUR month"),
        ("Un interés del 4,5 %.", "percentage", "4.5", ""),
        ("Se entregará el 3 de mayo de 2026.", "date", "2026-05-03", ""),
        ("Con un preaviso de dos meses.", "duration", "P2M", ""),
        ("En el plazo de diez días hábiles.", "duration", "P10D", "business"),
        ("Trabajará 38,5 horas a la semana.", "duration", "PT38.5H", ""),
        ("Se dedicarán 1.200 horas al proyecto.", "duration", "PT1200H", ""),
        ("Se pagará en los cinco primeros días de cada mes.", "day_of_month", "1-5", ""),
    ],
)
def test_a_value_has_a_plain_form(text: str, kind: str, value: str, unit: str) -> None:
    assert (kind, value, unit) in [(one.kind, one.value, one.unit) for one in values(text)]


def test_the_same_value_written_in_another_way_is_the_same() -> None:
    [figures], [words] = values("Precio: 1.200 euros."), values("El precio es de mil doscientos euros.")
    assert figures.same(words)
    assert figures.said.es == words.said.es == "1.200 €"


def test_a_value_is_named_as_the_subject_of_a_sentence() -> None:
    [rent] = values("La renta es de 900 euros al mes.")
    assert (rent.subject.es, rent.subject.en) == ("la renta", "the rent")
    assert (rent.said.es, rent.said.en) == ("900 € al mes", "€900 per month")


def test_a_party_is_named_by_its_part() -> None:
    text = "Entre doña Ana Gil Rey (la Arrendadora) y don Luis Mora Paz (el Arrendatario)."
    assert [(one.value, one.role) for one in values(text) if one.kind == "party"] == [
        ("Ana Gil Rey", "landlord"),
        ("Luis Mora Paz", "tenant"),
    ]


@given(st.text(alphabet="15.,€% díasmes\n", max_size=60))
def test_every_value_quotes_the_text(text: str) -> None:
    assert all(text[one.start : one.end] == one.quote for one in values(text))
