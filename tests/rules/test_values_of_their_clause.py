"""A figure of one clause is not told of another, and what a risk tells already is not told as missing."""

from __future__ import annotations

import pytest

from app.rules import RulesEngine
from app.rules.brief import Brief
from app.rules.draft import Draft, Section
from app.text.bilingual import Language

SERVICES = """CONTRATO DE PRESTACIÓN DE SERVICIOS

En Valencia, a 3 de noviembre de 2026.
Mercados del Turia, S.L. (la "Empresa") y don Hugo Marzal (el "Profesional").

PRIMERA. El Profesional prestará servicios de diseño y sus obras, presentes y futuras, pertenecen a la Empresa
en todo el mundo y para siempre.
SEGUNDA. El Profesional percibirá 1.450 euros al mes, más IVA, {paid} desde la factura.
TERCERA. El Profesional deberá preavisar con tres meses, y en otro caso pagará 6.000 euros.
CUARTA. La Empresa podrá resolver en cualquier momento sin preaviso.
QUINTA. La Empresa tratará los datos del Profesional y podrá cederlos a terceros con fines comerciales.
"""


def _draft(text: str, language: Language = "es") -> Draft:
    return RulesEngine().analyse(Brief(text=text, jurisdiction="ES", branch="civil", language=language))


def _risks(text: str) -> dict[str, tuple[str, ...]]:
    return {
        one.facts["rule"]: one.quotes
        for one in _draft(text).statements
        if one.section is Section.RISKS and "rule" in one.facts
    }


def test_the_notice_is_not_the_term_of_payment() -> None:
    quotes = _risks(SERVICES.format(paid="pagaderos a noventa días"))["b2b_payment_term"]
    assert any("noventa días" in quote for quote in quotes)
    assert not any("tres meses" in quote for quote in quotes)
    assert "b2b_payment_term" not in _risks(SERVICES.format(paid="pagaderos a treinta días"))


def test_a_designers_contract_is_no_contract_of_building_works() -> None:
    risks = _risks(SERVICES.format(paid="pagaderos a treinta días"))
    assert "works_contractor_leaves" not in risks
    assert "saas_use_of_client_data" not in risks


def test_a_clause_whose_law_a_risk_states_is_not_told_as_missing() -> None:
    statements = _draft(SERVICES.format(paid="pagaderos a treinta días")).statements
    missing = [one.facts["clause"] for one in statements if one.section is Section.CLAUSES_MISSING]
    assert "intellectual_property" not in missing


@pytest.mark.parametrize(
    ("words", "language", "begins"),
    [
        ("Si el arrendatario se va antes pagará todas las rentas pendientes hasta el final.", "es", "Si el "),
        ("If the Tenant leaves early the Tenant shall pay all the rent that is left.", "en", "If the"),
        ("El arrendatario pagará todas las rentas pendientes hasta el final.", "es", "El arr"),
    ],
)
def test_a_duty_is_quoted_with_its_condition(words: str, language: Language, begins: str) -> None:
    title = "CONTRATO DE ARRENDAMIENTO DE VIVIENDA" if language == "es" else "HOUSING LEASE"
    text = f"{title}\n\nEn Soria, a 3 de marzo de 2026.\n\n{words}\n"
    duties = [one for one in _draft(text, language).statements if one.section is Section.OBLIGATIONS]
    assert [quote[:6] for one in duties for quote in one.quotes] == [begins]


def test_days_of_pay_for_each_year_are_no_time_limit() -> None:
    text = (
        "CARTA DE DESPIDO OBJETIVO\n\nGranollers, 5 de noviembre de 2026\n\nQueda extinguido su contrato por "
        "causas objetivas. Le corresponden 20 días por año, que se abonarán en seis plazos.\n"
    )
    said = [one.text for one in _draft(text).statements if one.section is Section.DEADLINES]
    assert not [one for one in said if one.endswith(": 20 días.")]
