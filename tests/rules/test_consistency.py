"""What in a document does not agree with itself, and what looks so and does agree."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.rules import find_inconsistencies
from app.rules.brief import Brief
from app.rules.draft import Section

LEASE = (
    "CONTRATO DE ARRENDAMIENTO DE VIVIENDA\nEntre el arrendador y el arrendatario de la vivienda habitual.\n"
)
CLAUSES = "\n".join(f"{number}. Pacto. Lo que se pacta aquí vale." for number in range(1, 7))


def found(text: str, language: str = "es") -> list[str]:
    """Return the sorts of inconsistency, each as often as it is told."""
    statements = find_inconsistencies(Brief(text, "ES", "civil", language))  # type: ignore[arg-type]
    for statement in statements:
        assert all(quote in text for quote in statement.quotes)
    risks = [one for one in statements if one.section is Section.RISKS]
    assert len(statements) == 2 * len(risks)
    return [one.facts["inconsistency"].split()[0] for one in risks]


@pytest.mark.parametrize(
    "text",
    [
        "Liquidación\nSalario: 1.200,00 €\nVacaciones: 300,00 €\nTotal: 1.550,00 €\n",
        "Principal: 4.500 euros\nIntereses: 120 euros\n\nImporte total: 4.700 euros",
        "Salario base 1.500,00 €\nIRPF 150,00 €\nLíquido a percibir 1.400,00 €",
        "El precio se paga en 12 cuotas mensuales de 100 euros, en total 1.300 euros.",
        "Se pactan 10 pagos de 250 € cada uno, que suman 2.600 €.",
        "Una penalización del 10 % de 1.200 euros, es decir, 150 euros.",
        "A fee of 5% of the price of EUR 20,000, that is, EUR 1,500.",
    ],
)
def test_a_sum_that_its_parts_do_not_make_is_found(text: str) -> None:
    assert found(text) == ["sum"]


@pytest.mark.parametrize(
    "text",
    [
        "Liquidación\nSalario: 1.200,00 €\nVacaciones: 300,00 €\nTotal: 1.500,00 €\n",
        "Salario base 1.500,00 €\nIRPF 150,00 €\nLíquido a percibir 1.350,00 €",
        "El precio se paga en 12 cuotas mensuales de 100 euros, en total 1.200 euros.",
        "Se devuelve en 60 cuotas de 215 euros el capital de 10.000 euros.",
        "Una penalización del 10 % de 1.200 euros, es decir, 120 euros.",
        "El 21 % de IVA se suma al precio de 1.000 euros y la fianza será de 2.000 euros.",
        "Precio: 1.000 €\nFianza: 500 €\nEl total de viviendas es de 12.",
        "Total: 500 €",
    ],
)
def test_a_sum_that_is_right_or_is_none_is_left_alone(text: str) -> None:
    assert found(text) == []


def test_a_weekday_is_compared_with_its_date() -> None:
    assert found("Se le cita el lunes 3 de marzo de 2026 en la sede.") == ["weekday"]
    assert found("Se le cita el martes, 3 de marzo de 2026, en la sede.") == []
    assert found("The hearing is on Monday, 3 March 2026.", "en") == ["weekday"]


def test_an_annex_that_is_not_in_the_text_is_named_once() -> None:
    text = (
        f"{LEASE}El inventario es el del Anexo I y las normas, las del Anexo II.\n\nANEXO I. "
        "Inventario\nUna mesa."
    )
    [risk, _] = find_inconsistencies(Brief(text, "ES", "civil", "es"))
    assert risk.text.endswith("no constan en el texto analizado: II.")
    assert found(LEASE + "Se aplica el Anexo III del Real Decreto 1000/2010.") == []


def test_a_clause_that_is_not_there_is_named() -> None:
    assert found(f"{LEASE}{CLAUSES}\n7. Fianza. La de la cláusula decimoquinta.") == ["clause"]
    assert found(f"{LEASE}{CLAUSES}\n7. Fianza. La de la cláusula tercera.") == []
    assert found(f"{LEASE}{CLAUSES}\n7. Fianza. La de la cláusula 12 del contrato de obra.") == []


def test_a_defined_term_that_nothing_uses_is_named() -> None:
    text = f'{LEASE}El piso (en adelante, la "Finca") y el trastero (en adelante, el "Anejo"). La Finca vale.'
    assert found(text) == ["term"]
    assert found(text + " Los anejos van con ella.") == []


def test_two_clauses_that_state_different_values_are_named() -> None:
    text = (
        f"{LEASE}1. Renta. La renta será de 900 euros mensuales.\n2. Pago. La renta es de 950 euros "
        "mensuales."
    )
    assert found(text) == ["rival"]
    assert found(text.replace("950", "900")) == []
    assert found(text.replace("La renta es", "A partir del segundo año la renta es")) == []


def test_courts_and_arbitration_for_the_same_disputes_are_named() -> None:
    both = (
        f"{LEASE}Las partes se someten a los Juzgados y Tribunales de Madrid. Toda controversia se "
        "resolverá mediante arbitraje."
    )
    assert found(both) == ["forum"]
    assert found(both + " Los juzgados lo serán para la formalización judicial del arbitraje.") == []


@given(st.text(max_size=400))
def test_any_text_is_read(text: str) -> None:
    find_inconsistencies(Brief(text, "ES", "civil", "es"))
