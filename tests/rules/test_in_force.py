"""Rules of law that came into force on a day do not govern documents dated before it."""

from app.rules import RulesEngine
from app.rules.brief import Brief
from app.rules.draft import Section

LEASE = (
    "CONTRATO DE ARRENDAMIENTO DE VIVIENDA\n\nEn Madrid, a {day}.\n\nDe una parte, D.ª Ana Gil Ros, con DNI "
    "[ES_DNI_1], arrendadora; de otra, D. Luis Paz Rey, con DNI [ES_DNI_2], arrendatario.\n\nPRIMERA. La "
    "duración del contrato será de cuatro años. SEGUNDA. La renta será de 800 euros mensuales.\n"
)
CLAIM = (
    "AL JUZGADO DE PRIMERA INSTANCIA DE LUGO\n\nD.ª Inés Ruiz, procuradora de los tribunales, en nombre de "
    "D. Juan Rey, formulo demanda de juicio ordinario contra D. Luis Paz Rey.\n\nHECHOS\n\nÚnico. "
    "El demandado debe 20.000 euros.\n\nFUNDAMENTOS DE DERECHO\n\nI. Artículo 1091 del Código Civil.\n\n"
    "SUPLICO que le condene a pagar la cantidad de 20.000 euros.\n\nEn Lugo, a {day}.\n"
)


def risks(text: str) -> str:
    draft = RulesEngine().analyse(Brief(text, "ES", "civil", "es"))
    return " ".join(item.text for item in draft.statements if item.section is Section.RISKS)


def test_the_term_of_five_years_governs_leases_made_since_it_is_law() -> None:
    told = "no impide que el arrendatario continúe hasta cinco años"
    assert told in risks(LEASE.format(day="7 de marzo de 2019"))
    assert told not in risks(LEASE.format(day="5 de marzo de 2019"))


def test_prior_negotiation_is_asked_of_claims_filed_since_it_is_law() -> None:
    told = "no dice que se haya intentado una negociación previa"
    assert told in risks(CLAIM.format(day="3 de abril de 2025"))
    assert told not in risks(CLAIM.format(day="2 de abril de 2025"))
