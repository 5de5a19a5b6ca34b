"""What in a document does not agree with itself, and what looks so and does agree."""

from __future__ import annotations

import re
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.citations import extract
from app.corpus import verify
from app.rules import consistency, find_inconsistencies, leave_out_repeats
from app.rules.brief import Brief
from app.rules.draft import Section, Statement

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


@pytest.mark.parametrize(
    "written", ["la cláusula 4ª", "la cláusula cuarta", "la cláusula 4", "la cláusula 4.ª"]
)
def test_a_clause_that_a_contract_of_three_does_not_have_is_named(written: str) -> None:
    text = (
        f"{LEASE}\n\n1ª. Renta. 900 euros, según {written}.\n\n2ª. Duración. Un año.\n\n3ª. Fianza. Un mes."
    )
    assert "clause" in found(text)
    assert "clause" not in found(text.replace("4", "3").replace("cuarta", "tercera"))


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


TABLE = "Socio      Participaciones  Porcentaje\nAna Ruiz   {0}   {1} %\nLuis Gil   {2}   {3} %\n"


def test_shares_that_are_not_the_whole_are_named() -> None:
    head = "El capital se divide en mil participaciones, repartidas así:\n\n"
    assert found(head + TABLE.format(600, 60, 450, 45)) == ["shares"]
    assert found(head + TABLE.format(600, 60, 400, 40)) == []


def test_a_list_is_compared_with_the_price_that_it_pays() -> None:
    text = (
        "CONTRATO DE COMPRAVENTA DE VIVIENDA\nLa vendedora vende la vivienda. El precio, en total 200.000 "
        "euros, se abonará "
        "así:\n\na) A la firma ............ 20.000,00 €\nb) En la escritura ....... {} €\n"
    )
    assert found(text.format("190.000,00")) == ["sum"]
    assert found(text.format("180.000,00")) == []


def test_columns_of_a_table_are_added_up_each() -> None:
    table = "CLAVE   PRINCIPAL  RECARGO  SUMA\nUno   100,00   20,00   120,00\nDos   200,00   40,00   240,00\n"
    assert found(f"{table}TOTALES   300,00   60,00   360,00\n") == []
    assert found(f"{table}TOTALES   300,00   70,00   370,00\n") == ["sum"]


def test_lots_of_a_divorce_are_made_equal_by_what_is_paid() -> None:
    text = (
        "CONVENIO REGULADOR DE DIVORCIO\nLos cónyuges acuerdan la liquidación de la sociedad de "
        "gananciales.\n"
        "   1. Vivienda ............ 200.000 €\n   2. Coche ............... 10.000 €\n   3. Cuenta "
        ".............. 30.000 €\n"
        "   PASIVO\n   1. Préstamo hipotecario  100.000 €\n"
        "Se adjudica a doña Eva la vivienda, y asume sola el préstamo. Se adjudican a don Juan el coche y la "
        "cuenta. Para "
        "igualar los lotes doña Eva entregará a don Juan {} euros."
    )
    assert found(text.format("10.000")) == ["lots"]
    assert found(text.format("30.000")) == []


def test_a_monthly_rate_is_compared_with_the_yearly_one() -> None:
    text = "CONTRATO DE CRÉDITO AL CONSUMO\nTipo deudor mensual ..... 2,00 %\nTAE ..... {} %\n"
    assert found(text.format("24,00")) == ["apr"]
    assert found(text.format("26,82")) == []


LOAN = "CONTRATO DE PRÉSTAMO\nEl prestamista y el prestatario acuerdan:\n"


def test_a_loan_that_says_more_was_received_than_was_handed_over_is_named() -> None:
    text = (
        f"{LOAN}1. El prestatario reconoce haber recibido 20.000 euros.\n2. La entrega se hace por "
        f"transferencia de "
        "{} euros. La diferencia cubre los gastos del prestamista.\n"
    )
    assert found(text.format("17.000")) == ["received"]


def test_instalments_end_when_the_document_says() -> None:
    text = (
        f"{LOAN}1. Se devolverá en veinticuatro cuotas mensuales de 500 euros, la primera el 1 de febrero de "
        f"2024 y la "
        "última el {}."
    )
    assert found(text.format("1 de julio de 2025")) == ["term"]
    assert found(text.format("1 de enero de 2026")) == []
    unpaid = "Si deja de pagar tres cuotas mensuales seguidas, la primera "
    unpaid += "vence el 1 de mayo de 2025 y la última el 1 de mayo de 2030."
    assert found(f"{LOAN}{unpaid}") == []


def test_hours_of_a_timetable_are_added_up() -> None:
    text = "CONTRATO DE TRABAJO\nLa empresa contrata a la trabajadora. "
    text += "Horario: de lunes a viernes de 9:00 a 14:00 y de 16:00 a {}."
    assert found(text.format("20:00")) == ["hours"]
    assert found(text.format("19:00")) == []
    assert found(text.format("20:00, con una hora de descanso")) == []


def test_one_person_may_not_instruct_and_decide() -> None:
    text = (
        "AYUNTAMIENTO DE VILLANUEVA\nEXPEDIENTE SANCIONADOR\nSe nombró instructora a Dª Rosa Gil Prado. "
        "RESUELVO imponer una "
        "multa de 300 euros por infracción leve. Contra esta resolución cabe recurso de reposición.\nLa "
        "Concejala Delegada: {}"
    )
    assert found(text.format("Rosa Gil Prado")) == ["roles"]
    assert found(text.format("Ana Mora Sanz")) == []


def test_two_clauses_that_deny_each_other_are_named() -> None:
    sale = "CONTRATO DE ARRAS\nLa vendedora vende y la compradora compra el piso. "
    assert found(
        f"{sale}El piso se vende libre de cargas. Queda una hipoteca de la que faltan 83.000 euros."
    ) == ["encumbered"]
    assert (
        found(
            f"{sale}El piso se vende libre de cargas. Queda una hipoteca, que se cancelará en la escritura."
        )
        == []
    )
    both = "La señal se da como arras penitenciales y también como confirmatorias."
    assert found(f"{sale}{both}") == ["earnest"]
    assert found(f"{sale}La señal se da como arras penitenciales.") == []


def test_no_article_is_named_where_spanish_law_does_not_judge() -> None:
    text = "Principal: 4.500 euros\nIntereses: 120 euros\n\nImporte total: 4.700 euros"
    assert not any(one.citations for one in find_inconsistencies(Brief(text, "MX", "civil", "es")))


@given(st.text(max_size=400))
def test_any_text_is_read(text: str) -> None:
    find_inconsistencies(Brief(text, "ES", "civil", "es"))


def test_what_a_statement_says_already_is_left_out() -> None:
    text = "Principal: 4.500 euros\nIntereses: 120 euros\n\nImporte total: 4.700 euros"
    added = find_inconsistencies(Brief(text, "ES", "civil", "es"))
    told = Statement(Section.RISKS, "Las partidas suman 4.620 € y se piden 4.700 €.")
    assert leave_out_repeats(added, [told]) == ()
    assert leave_out_repeats(added, [Statement(Section.RISKS, "Se piden 4.700 €.")]) == added
    assert leave_out_repeats(added, [Statement(Section.AMOUNTS, told.text)]) == added


_CITED = sorted(
    {
        cite
        for module in Path(consistency.__file__).parent.glob("*.py")
        for cite in re.findall(r'"(art\. [^"]+)"', module.read_text("utf-8"))
    }
)


@pytest.mark.parametrize("cite", _CITED)
def test_each_article_that_a_fault_names_is_one_that_the_verifier_confirms(cite: str) -> None:
    found = extract(cite, "ES")
    assert len(found) == 1
    assert verify(found[0], date(2026, 11, 21)).status == "verified"


def test_columns_apart_are_added_up_apart() -> None:
    text = (
        "RECIBO DE SALDO Y FINIQUITO\n"
        "Salario                 1.000,00 €\n"
        "Vacaciones                200,00 €\n"
        "Anticipo                                   300,00 €\n"
        "Cotización                                  50,00 €\n"
        "TOTAL DEVENGADO         {} €\n"
    )
    assert found(text.format("1.200,00")) == []
    assert found(text.format("1.250,00")) == ["sum"]


def test_severance_is_counted_from_the_day_on_which_work_began() -> None:
    text = (
        "CARTA DE DESPIDO OBJETIVO\nPor causas objetivas del art. 52.c) del Estatuto de los Trabajadores se "
        "extingue su "
        "contrato, con indemnización de veinte días por año.\nFecha de ingreso en la empresa: "
        "{}.\nAntigüedad "
        "computada: 01/09/2019.\n"
    )
    assert found(text.format("03/03/2014")) == ["seniority"]
    assert found(text.format("01/09/2019")) == []
