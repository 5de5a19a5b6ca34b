"""Worked-out figures, days and names: what is told, and what lawful neighbours must not raise."""

from __future__ import annotations

import pytest

from app.rules.brief import Brief
from app.rules.engine import RulesEngine

DIVORCE = """CONVENIO REGULADOR DE DIVORCIO

En Soria, a 3 de marzo de 2026, los cónyuges doña Ana Ruiz y don Luis Vega, casados en gananciales, con dos
hijos menores, acuerdan la guarda y custodia de los hijos, que corresponde a la madre, y
el régimen de visitas.

La madre ingresa {mother} euros netos al mes y el padre {father} euros netos al mes.

Los gastos de colegio y comedor de los hijos se pagan por mitad.

LIQUIDACIÓN DE GANANCIALES
Vivienda de la calle Real ............ 200.000 €
Vehículo ............................. 10.000 €
Cuenta de ahorro ..................... 30.000 €
Préstamo hipotecario pendiente ....... 80.000 €

La vivienda y el préstamo son para la madre, y el resto para el padre. Para compensar el exceso, la madre
abonará al padre {paid} euros.
"""

LETTER = """Soria, a 10 de marzo de 2026

Muy señores nuestros: les requerimos el pago de las facturas impagadas que siguen.

Factura    Fecha         Vencimiento    Importe
A-1        01/02/{year}    03/03/{year}     2.000,00 €
A-2        01/05/2024    30/05/2024     3.000,00 €
A-3        01/06/2024    30/06/2024     1.500,00 €
Principal reclamado                     {total} €

Si no pagan en diez días ejercitaremos acciones judiciales. Les invitamos a negociar una solución.
"""

WILL = """TESTAMENTO ABIERTO. En Soria, a 3 de marzo de 2026, a las diez horas. Ante mí, Eva Sanz, Notaria de
Soria, comparece don Juan Mora, de vecindad civil común, que tiene dos hijos: Pedro y Lucía Mora Gil.

PRIMERA. Instituye {heirs}.

SEGUNDA. Lega a su hermana el reloj de la familia, con cargo al tercio de libre disposición. {more}
"""


def _told(text: str, branch: str = "civil") -> dict[str, str]:
    draft = RulesEngine().analyse(Brief(text=text, jurisdiction="ES", branch=branch, language="es"))
    return {str(one.facts.get("rule")): one.text for one in draft.statements if one.section == "risks"}


@pytest.mark.parametrize(
    ("paid", "unequal"), [("40.000", False), ("20.000", True), ("4.000", True), ("40.300", False)]
)
def test_lots_are_unequal_where_no_division_is_equalised_by_the_sum_agreed(paid: str, unequal: bool) -> None:
    told = _told(DIVORCE.format(mother="1.500", father="1.600", paid=paid))
    assert ("divorce_lots_unequal" in told) is unequal
    assert not unequal or "80.000 €" in told["divorce_lots_unequal"]


@pytest.mark.parametrize(("mother", "father", "told"), [("1.500", "1.900", False), ("900", "3.800", True)])
def test_halves_are_a_risk_only_where_the_incomes_stated_are_unequal(
    mother: str, father: str, told: bool
) -> None:
    found = _told(DIVORCE.format(mother=mother, father=father, paid="40.000"))
    assert ("divorce_support_disproportion" in found) is told


@pytest.mark.parametrize(("total", "wrong"), [("6.500,00", False), ("7.500,00", True)])
def test_the_principal_is_compared_with_the_invoices(total: str, wrong: bool) -> None:
    told = _told(LETTER.format(year=2024, total=total))
    assert ("items_do_not_add_up" in told) is wrong
    assert not wrong or (
        "6.500 €" in told["items_do_not_add_up"] and "7.500 €" in told["items_do_not_add_up"]
    )


@pytest.mark.parametrize(
    ("year", "rule"), [(2019, "debt_barred_by_date"), (2020, "debt_barred_by_date"), (2024, None)]
)
def test_the_oldest_invoice_is_judged_by_its_own_due_day(year: int, rule: str | None) -> None:
    told = _told(LETTER.format(year=year, total="6.500,00"))
    assert ("debt_barred_by_date" in told) is (rule is not None)


def test_a_debt_about_to_be_barred_is_told_with_its_last_day() -> None:
    text = LETTER.format(year=2021, total="6.500,00").replace("03/03/2021", "03/05/2021")
    assert "3 de mayo de 2026" in _told(text)["debt_barred_soon"]


@pytest.mark.parametrize(
    ("heirs", "told"),
    [
        ("heredero a su hijo Pedro", True),
        ("herederos a sus hijos por partes iguales", False),
        ("herederos a sus hijos Pedro y Lucía", False),
    ],
)
def test_a_child_named_once_and_called_nowhere_is_passed_over(heirs: str, told: bool) -> None:
    assert ("will_child_unmentioned" in _told(WILL.format(heirs=heirs, more=""))) is told


def test_a_stepchild_takes_no_part_of_the_improvement() -> None:
    more = "Su esposa tiene un hijo de otra relación, don Iván Soto. {} el tercio de mejora a don {}."
    heirs = "herederos a sus hijos Pedro y Lucía"
    assert "will_stepchild_improved" in _told(WILL.format(heirs=heirs, more=more.format("Deja", "Iván Soto")))
    assert "will_stepchild_improved" not in _told(WILL.format(heirs=heirs, more=more.format("Deja", "Pedro")))
