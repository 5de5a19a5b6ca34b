"""What readers found false in answers to documents that nobody had seen, by the step that decided it."""

from __future__ import annotations

import pytest

from app.rules import Brief, RulesEngine, Section
from app.rules.draft import Statement
from app.text.bilingual import Language


def _statements(text: str, branch: str = "civil", language: Language = "es") -> list[Statement]:
    return list(RulesEngine().analyse(Brief(text, "ES", branch, language)).statements)


def _texts(section: Section, text: str, branch: str = "civil", language: Language = "es") -> list[str]:
    return [one.text for one in _statements(text, branch, language) if one.section is section]


def _rules(text: str, branch: str = "civil", language: Language = "es") -> set[str]:
    found = _statements(text, branch, language)
    return {one.facts.get("rule", "") for one in found if one.section is Section.RISKS}


FINE = (
    "AYUNTAMIENTO DE VILLAR\nRESOLUCIÓN SANCIONADORA\n\nEl procedimiento se inició por acuerdo de 4 de mayo "
    "de 2026, notificado al interesado el 11 de mayo de 2026. Se impone una multa de 400 euros por "
    "infracción leve.\nNotificada al interesado el {served}.\n"
)


@pytest.mark.parametrize(
    ("served", "told"), [("2 de julio de 2026", False), ("9 de noviembre de 2026", True)]
)
def test_a_limit_that_the_act_kept_is_nobodys_deadline(served: str, told: bool) -> None:
    deadlines = " ".join(_texts(Section.DEADLINES, FINE.format(served=served), "contencioso"))
    assert ("Caducidad del procedimiento sancionador" in deadlines) is told


def test_a_length_of_time_that_a_law_is_said_to_set_is_no_deadline_of_an_act() -> None:
    text = FINE.format(served="2 de julio de 2026")
    law = (
        "Las grabaciones se borran en el plazo de cinco meses desde su captación, como dispone el artículo "
        "22 de la Ley 3/2018."
    )
    assert not any("5 meses" in one for one in _texts(Section.DEADLINES, text + law, "contencioso"))


def test_a_period_of_which_the_contract_does_not_say_from_when_it_runs_has_no_last_day() -> None:
    text = (
        "CONTRATO DE COMPRAVENTA\n\nEn Soria, a 2 de marzo de 2026.\nLas partes otorgarán la escritura "
        "pública en el plazo de veinte días{begun}."
    )
    from_signing = _texts(Section.DEADLINES, text.format(begun=" desde la firma de este contrato"))
    assert any("22 de marzo de 2026" in one for one in from_signing)
    assert not any("marzo de 2026" in one for one in _texts(Section.DEADLINES, text.format(begun="")))


@pytest.mark.parametrize(
    ("words", "label"),
    [
        ("Anticipo a cuenta recibido el 3 de junio de 2026: 200 euros.", "Fecha de notificación"),
        ("Fecha de ingreso en la empresa: 3 de junio de 2016.", "Fecha de pago"),
        ("Decreto de Alcaldía publicado el 3 de junio de 2026.", "Fecha de una resolución"),
    ],
)
def test_a_day_has_the_role_that_its_own_words_give_it(words: str, label: str) -> None:
    text = f"CARTA DE DESPIDO\n\nMuy señor nuestro: le comunicamos su despido. {words}\n"
    assert not any(one.startswith(label) for one in _texts(Section.DATES, text, "laboral"))


def test_the_days_of_an_earlier_contract_are_not_this_ones() -> None:
    text = (
        "CONTRATO DE TRABAJO\n\nEn Lugo, a 7 de septiembre de 2026.\nLa trabajadora tuvo contrato desde el 2 "
        "de febrero de 2026 hasta el 30 de abril de 2026. El contrato dura hasta el 6 de marzo de 2027.\n"
    )
    dates = _texts(Section.DATES, text, "laboral")
    assert "Fecha de fin o de vencimiento: 6 de marzo de 2027." in dates
    assert "Fecha de fin o de vencimiento: 30 de abril de 2026." not in dates


@pytest.mark.parametrize(
    "words",
    [
        "The Seller shall not provide any guarantee or insurance for those sums.",
        "The Seller shall keep all sums paid up to that day as a penalty.",
    ],
)
def test_what_one_need_not_do_or_takes_is_no_duty(words: str) -> None:
    text = "SALE AGREEMENT\n\nThe Seller shall deliver the goods to the Buyer within ten days of the order.\n"
    assert len(_texts(Section.OBLIGATIONS, text, language="en")) == 1
    assert len(_texts(Section.OBLIGATIONS, text + words, language="en")) == 1


def test_a_party_named_behind_a_preposition_does_not_act() -> None:
    text = (
        "CONTRATO DE SERVICIOS\n\nLos precios serán los fijados por el Cliente y deberá respetarlos quien "
        "facture en su nombre durante todo el plazo.\n"
    )
    assert _texts(Section.OBLIGATIONS, text) == []


def test_advice_not_to_sign_supposes_that_nothing_is_signed() -> None:
    text = (
        "RECIBO DE LIQUIDACIÓN Y FINIQUITO\n\nEl trabajador declara haber recibido 900 euros y se da por "
        "saldado y finiquitado; la indemnización se abonará en cuatro plazos el próximo año.\n"
    )
    advice = [one for one in _texts(Section.RECOMMENDATIONS, text, "laboral") if "no firmar" in one]
    assert advice
    assert all("si aún no se ha firmado" in one for one in advice)


def test_who_received_a_demand_is_told_what_he_can_do() -> None:
    text = (
        "REQUERIMIENTO DE PAGO\n\nMuy señor mío: le requiero el pago de la factura de 3.000 euros, que usted "
        "adeuda, con un interés del 24 % anual. En otro caso acudiré a los tribunales. Atentamente.\n"
    )
    advice = " ".join(_texts(Section.RECOMMENDATIONS, text))
    assert "quien recibió la carta puede" in advice


@pytest.mark.parametrize(
    ("text", "rule", "told"),
    [
        (
            "CONTRATO DE AGENCIA\n\nCualquiera podrá resolver el contrato sin preaviso si la otra no cumple "
            "lo que le incumbe.",
            "agency_no_notice",
            False,
        ),
        (
            "CONTRATO DE AGENCIA\n\nEl empresario podrá resolver el contrato sin preaviso cuando quiera.",
            "agency_no_notice",
            True,
        ),
        (
            "CONTRATO DE PRÉSTAMO\n\nEl prestatario, autónomo, devolverá el capital de una sola vez al "
            "vencimiento del préstamo.",
            "loan_acceleration_business",
            False,
        ),
        (
            "CONTRATO DE COMPRAVENTA\n\nLa compradora "
            "renuncia a toda acción por vicios ocultos de la máquina.",
            "agr_everything_waived",
            False,
        ),
        (
            "CONTRATO DE COMPRAVENTA\n\nLa compradora "
            "renuncia a toda acción y derecho frente a la otra parte.",
            "agr_everything_waived",
            True,
        ),
    ],
)
def test_a_rule_asks_for_the_word_that_makes_the_defect(text: str, rule: str, told: bool) -> None:
    assert (rule in _rules(text)) is told


def test_an_act_is_no_agreement_whatever_words_it_has() -> None:
    from app.rules.document import Document
    from app.rules.rulebook.loader import rulebook
    from app.rules.rulebook.risks import natures_of

    text = Document("Resolución: se resuelve el contrato de obras conforme a sus cláusulas.")
    found = {one.id for one in natures_of(text, "act", rulebook().natures)}
    assert "agreement" not in found
    assert "agreement" in {one.id for one in natures_of(text, "contract", rulebook().natures)}


def test_the_parents_are_no_children_who_come_of_age() -> None:
    text = (
        "PROPUESTA DE CONVENIO REGULADOR DE DIVORCIO\n\nEn Soria, a 4 de mayo de 2026. Don Ciro Vela, nacido "
        "el 2 de marzo de 1980, y doña Eva Rey. Tienen una hija, Ana, nacida el 9 de junio de 2015.\n"
    )
    told = " ".join(_texts(Section.DEADLINES, text))
    assert "9 de junio de 2033" in told
    assert "1998" not in told


def test_a_year_below_the_heading_of_a_column_is_no_sum() -> None:
    text = (
        "DEMANDA\n\nAl Juzgado. Se reclaman las sumas que siguen.\nAño   Importe en euros\n2019   14.200\n"
        "2020   18.900\n"
    )
    assert not any("2.019" in one for one in _texts(Section.AMOUNTS, text))
