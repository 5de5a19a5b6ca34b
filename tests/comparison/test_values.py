"""Amounts, dates, periods and parties that changed, each with what it was and what it is."""

from __future__ import annotations

import pytest

from app.comparison.values import ValueChange
from app.comparison.versions import Versions, compare_versions

HEAD = """CONTRATO DE ARRENDAMIENTO

Entre doña Ana Gil Rey (la Arrendadora) y don Luis Mora Paz (el Arrendatario).

"""


def compared(before: str, after: str) -> Versions:
    return compare_versions(before, after)


def told(before: str, after: str) -> list[tuple[str, str | None, str | None]]:
    return [
        (one.either.kind, one.before and one.before.value, one.after and one.after.value)
        for one in compared(before, after).values
    ]


def clause(words: str) -> str:
    return f"{HEAD}PRIMERA. Objeto. Se arrienda el local.\n\nSEGUNDA. {words}"


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("Penalización de 1.000 euros.", "Penalización de 5.000 euros.", ("money", "1000", "5000")),
        ("Un interés del 3 %.", "Un interés del 4,5 %.", ("percentage", "3", "4.5")),
        ("Acaba el 1 de mayo de 2026.", "Acaba el 3 de mayo de 2026.", ("date", "2026-05-01", "2026-05-03")),
        ("Preaviso de dos meses.", "Preaviso de 15 días.", ("duration", "P2M", "P15D")),
        ("Son 38,5 horas semanales.", "Son 40 horas semanales.", ("duration", "PT38.5H", "PT40H")),
        ("Los cinco primeros días de cada mes.", "Los diez primeros días de cada mes.",
         ("day_of_month", "1-5", "1-10")),
    ],
)  # fmt: skip
def test_a_value_that_changed_is_told_with_both(
    before: str, after: str, expected: tuple[str, str, str]
) -> None:
    assert told(clause(before), clause(after)) == [expected]


def test_values_for_the_same_matter_are_paired_though_their_order_is_another() -> None:
    before = "La renta es de 900 euros y la fianza es de 1.800 euros."
    after = "La fianza es de 2.000 euros y la renta es de 950 euros."
    assert set(told(clause(before), clause(after))) == {("money", "900", "950"), ("money", "1800", "2000")}


def test_a_value_that_came_or_went_has_no_other_side() -> None:
    with_fee = clause("La renta es de 900 euros. El retraso cuesta 40 euros.")
    without = clause("La renta es de 900 euros. El retraso cuesta poco.")
    assert told(without, with_fee) == [("money", None, "40")]
    assert told(with_fee, without) == [("money", "40", None)]


def test_a_value_that_is_written_in_another_way_did_not_change() -> None:
    assert (
        told(clause("La renta es de 1.200 euros."), clause("La renta es de mil doscientos euros (1.200 €)."))
        == []
    )


def test_a_value_of_an_added_clause_is_told_and_one_of_a_moved_clause_is_not() -> None:
    rent, term = "La renta es de 900 euros al mes.", "El contrato dura cinco años."
    before = f"{HEAD}PRIMERA. Renta. {rent}\n\nSEGUNDA. Duración. {term}"
    after = f"{HEAD}PRIMERA. Duración. {term}\n\nSEGUNDA. Renta. {rent}\n\nTERCERA. Mora. Multa de 30 euros."
    assert told(before, after) == [("money", None, "30")]


def test_a_party_that_was_exchanged_is_told_with_its_part() -> None:
    before = clause("Nada.")
    [change] = compared(before, before.replace("Luis Mora Paz", "Eva Sanz Cid")).values
    assert (change.either.kind, change.either.role) == ("party", "tenant")
    assert isinstance(change, ValueChange)
    assert change.before is not None
    assert change.before.quote == "Luis Mora Paz"


def test_each_value_names_the_clause_that_holds_it() -> None:
    found = compared(clause("Penalización de 1.000 euros."), clause("Penalización de 5.000 euros."))
    [change] = found.values
    assert found.changes[change.clause].place.number == "2"
