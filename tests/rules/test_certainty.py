"""A figure or date gets the name of a part only where its clause gives it that part and no other.

Pairs: the words that name it, and words that look alike and do not. A wrong name under a lock misleads.
"""

from __future__ import annotations

import pytest

from app.rules import RulesEngine
from app.rules.brief import Brief
from app.rules.draft import Section

_LEASE = """CONTRATO DE ARRENDAMIENTO DE LOCAL

En Burgos, a 3 de febrero de 2026.

REUNIDOS

De una parte, doña Inés Ortuño Vega, como arrendadora. De otra, Talleres Ebro, S.L., como arrendataria.

CLÁUSULAS

PRIMERA. Renta. La renta será de 1.250 euros mensuales.
"""
_AGREEMENT = """SERVICES AGREEMENT

This Agreement is made on 3 February 2026 between Alder Ltd (the Provider) and Birch Ltd (the Client).

1. Fee. The fee is EUR 900 a month.
"""


def _told(text: str, language: str = "es") -> list[str]:
    draft = RulesEngine().analyse(Brief(text, "ES", "civil", language))  # type: ignore[arg-type]
    facts = (Section.AMOUNTS, Section.DATES, Section.DEADLINES, Section.PARTIES, Section.OBLIGATIONS)
    return [one.text for one in draft.statements if one.section in facts]


@pytest.mark.parametrize(
    ("words", "label"),
    [
        ("SEGUNDA. Fianza. Se entregan 2.500 euros en concepto de fianza.", "Fianza: 2.500 €."),
        ("SEGUNDA. Duración. El contrato durará del 1 de marzo de 2026 al 28 de febrero de 2029.",
         "Fecha de fin o de vencimiento: 28 de febrero de 2029."),
        ("SEGUNDA. Preaviso. La arrendataria podrá desistir con un preaviso de treinta días.",
         "Preaviso o aviso: 30 días."),
        ("SEGUNDA. Entrega. El plazo de entrega de las llaves es de diez días.", "Entrega: 10 días."),
    ],
)  # fmt: skip
def test_a_clause_that_names_a_value_gives_it_its_name(words: str, label: str) -> None:
    assert label in _told(_LEASE + words)


@pytest.mark.parametrize(
    ("words", "plain", "wrong"),
    [
        # Another role stands nearer to the subject, or a limit makes another thing of the figure.
        ("SEGUNDA. Agencia. Los honorarios de la agencia que ha gestionado este alquiler, de "
         "943 euros, los paga "
         "la arrendataria.", "Importe: 943 €.", "Renta: 943 €."),
        ("SEGUNDA. Penas. La suma de las penas no superará el diez por ciento del precio, esto "
         "es, 840 euros.",
         "840 €", "Precio: 840 €."),
        ("SEGUNDA. Otro local. La arrendataria compra un local cuyo precio es de 85.000 euros.",
         "Importe: 85.000 €.", "Precio: 85.000 €."),
        # Dates of something else than the contract.
        ("SEGUNDA. Seguro. El seguro estará vigente hasta el 31 de diciembre de 2027.",
         "Fecha: 31 de diciembre de 2027.", "Fecha de fin o de vencimiento: 31 de diciembre de 2027."),
        ("SEGUNDA. Aval. Antes del 20 de febrero de 2026 se entregará un aval.",
         "Fecha: 20 de febrero de 2026.", "Fecha de fin o de vencimiento: 20 de febrero de 2026."),
        ("SEGUNDA. Poder. Representa a la arrendataria un apoderado, en virtud de poder "
         "otorgado el 9 de julio "
         "de 2025.", "Fecha: 9 de julio de 2025.", "Fecha de firma: 9 de julio de 2025."),
        # What a period is counted from is not what it is for.
        ("SEGUNDA. Defectos. Se avisarán en los catorce días siguientes a la entrega.",
         "14 días", "Entrega: 14 días."),
    ],
)  # fmt: skip
def test_words_that_leave_a_doubt_name_nothing(words: str, plain: str, wrong: str) -> None:
    told = _told(_LEASE + words)
    assert wrong not in told
    assert any(plain in one for one in told), told


def test_a_power_or_a_right_is_no_duty() -> None:
    text = _AGREEMENT + (
        "2. Arbitrator. The Client alone shall appoint the arbitrator and may replace him at any time.\n"
        "3. Credit. The Client shall receive a service credit of 5 per cent for each day of delay.\n"
        "4. Records. The Client shall keep complete records of every use of the platform.\n"
    )
    assert _told(text, "en").count("Binds the client.") == 1


def test_a_duty_is_that_of_whom_the_parties_agree_on() -> None:
    text = _LEASE + "SEGUNDA. Daños. Las partes pactan que la arrendataria responderá de los daños del local."
    told = _told(text)
    assert "Obliga a ambas partes." not in told
    assert "Obliga al arrendatario." in told


def test_who_acts_in_his_own_name_represents_nobody() -> None:
    text = """CONTRATO DE COMPRAVENTA

REUNIDOS

De una parte, DON PABLO SEGURA LEAL, mayor de edad. De otra, DOÑA LEONOR VÁZQUEZ QUIROGA, mayor de edad (en
adelante, la Compradora). El primero lo hace en nombre y representación de Alcor, S.L. (la Vendedora).
"""
    assert "Representante: LEONOR VÁZQUEZ QUIROGA." not in _told(text)


def test_a_day_before_which_something_is_due_is_not_vouched_for() -> None:
    text = _LEASE + "SEGUNDA. Pago. La renta se ingresará antes del día 5 de cada mes."
    draft = RulesEngine().analyse(Brief(text, "ES", "civil", "es"))
    (day,) = [one for one in draft.statements if "el día 5 de cada mes" in one.text]
    assert day.proposed.value == "L4"


def test_words_under_a_heading_about_another_clause_are_no_clause() -> None:
    text = _AGREEMENT + (
        "2. Confidentiality. Orders are secret; either party may terminate on thirty days' written notice.\n"
        "3. Force majeure. Neither party answers for events beyond its control.\n"
    )
    locks = _locks_of_clauses(text, "ES")
    assert locks["Force majeure: section 3."] == "L1"
    assert not any(text.startswith("Notice to terminate") for text in locks)


def test_abroad_words_in_the_middle_of_a_sentence_are_no_clause() -> None:
    text = (
        _AGREEMENT
        + "2. Confidentiality. Orders are secret; either party may terminate on thirty days' notice.\n"
    )
    locks = _locks_of_clauses(text, "GB")
    assert locks["Confidentiality: section 2."] == "L1"
    assert not any(name.startswith("Notice to terminate") for name in locks)


def _locks_of_clauses(text: str, jurisdiction: str) -> dict[str, str]:
    draft = RulesEngine().analyse(Brief(text, jurisdiction, "mercantil", "en"))
    told = [one for one in draft.statements if one.section is Section.CLAUSES_PRESENT]
    return {one.text: one.proposed.value for one in told}
