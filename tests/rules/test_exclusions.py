"""Relations that a law leaves to another law: its rules are not told of their documents."""

from __future__ import annotations

import pytest

from app.rules import Brief, RulesEngine, Section
from app.rules.document import Document
from app.rules.rulebook.exclusions import excluded_laws
from app.rules.rulebook.loader import rulebook

HOUSEHOLD = """CONTRATO DE TRABAJO

Entre Julia Ibarra (la Empleadora) y Marta Ríos (la Empleada) se conviene
el 4 de mayo de 2026:

Primero. La Empleada ingresa como personal de casas particulares, con retiro, según la Ley 26.844.
Segundo. Las horas extras quedan incluidas en el sueldo mensual.
Tercero. El período de prueba será de diez meses.
"""
SHOP = """CONTRATO DE TRABAJO

Entre Ibarra Hermanos S.A. (la Empleadora) y Marta Ríos (la Empleada) se conviene
el 4 de mayo de 2026:

Primero. La Empleada ingresa como vendedora, según la Ley 20.744.
Segundo. Las horas extras quedan incluidas en el sueldo mensual.
Tercero. El período de prueba será de diez meses.
"""
FEES = """CONTRATO DE PRESTACIÓN DE SERVICIOS

Entre Aurora Ltda. (la Empresa) y Rosa Pinto (la Prestadora), contra boleta de honorarios.
Primero. La Prestadora cumplirá turnos de 9:00 a 19:00 horas y registro de asistencia.
Segundo. Las cotizaciones previsionales son de su cargo, y libera a la Empresa de toda responsabilidad.
Tercero. No hay relación laboral entre las partes.
"""
ALARM = """CONTRATO DE PRESTACIÓN DE SERVICIOS

Entre Aurora Ltda. (la Empresa) y Rosa Pinto (la Cliente).
Primero. La Empresa vigilará la casa de la Cliente.
Segundo. La Cliente libera a la Empresa de toda responsabilidad.
"""


def _rules(text: str, jurisdiction: str) -> set[str]:
    said = RulesEngine().analyse(Brief(text, jurisdiction, "laboral", "es")).statements
    return {one.facts.get("rule", "") for one in said if one.section is Section.RISKS}


def test_the_general_law_of_employment_is_not_told_of_domestic_work() -> None:
    told = _rules(HOUSEHOLD, "AR")
    assert {"ar_home_overtime", "ar_home_trial"} <= told
    assert not {"ar_overtime_unpaid", "ar_trial_too_long"} & told


@pytest.mark.parametrize(
    "aside",
    [
        "cuya esposa presta servicio doméstico en casas particulares",
        "con domicilio en la casa particular de sus padres",
    ],
)
def test_the_law_of_domestic_work_is_not_told_of_who_only_names_it(aside: str) -> None:
    told = _rules(SHOP.replace("(la Empleada)", f"(la Empleada), {aside},"), "AR")
    assert {"ar_overtime_unpaid", "ar_trial_too_long"} <= told
    assert not any(rule.startswith("ar_home_") for rule in told)


def test_it_is_told_of_other_work() -> None:
    told = _rules(SHOP, "AR")
    assert {"ar_overtime_unpaid", "ar_trial_too_long"} <= told
    assert not {"ar_home_overtime", "ar_home_trial"} & told


def test_a_contract_of_before_the_law_left_domestic_work_out_is_not_left_out() -> None:
    exclusions = rulebook("AR").exclusions
    assert "AR:ley:20744" in excluded_laws(Document(HOUSEHOLD), exclusions, "2026-05-04")
    assert "AR:ley:20744" not in excluded_laws(Document(HOUSEHOLD), exclusions, "2024-05-04")


def test_the_law_of_consumers_is_not_told_of_work_for_a_company() -> None:
    assert "cl_liability_excluded" not in _rules(FEES, "CL")
    assert "cl_liability_excluded" in _rules(ALARM, "CL")


@pytest.mark.parametrize(
    ("code", "law", "work"),
    [
        ("BR", "BR:CDC", "Sem vínculo empregatício. INSS e FGTS a cargo do prestador, sem férias."),
        ("MX", "MX:LFPC", "Recibo de honorarios, sin relación laboral, aguinaldo ni vacaciones."),
        ("CO", "CO:ley:1480/2011", "Sin vínculo laboral, vacaciones ni aportes a la seguridad social."),
    ],
)
def test_work_is_known_by_several_of_its_words(code: str, law: str, work: str) -> None:
    exclusions = rulebook(code).exclusions
    assert law in excluded_laws(Document(work), exclusions, None)
    assert law not in excluded_laws(Document(work.partition(",")[0].partition(".")[0]), exclusions, None)
    assert law not in excluded_laws(Document(f"{work} El consumidor. O consumidor."), exclusions, None)
