"""What readers found false in whole answers, by kind: rules beside facts that they do not meet."""

from __future__ import annotations

import pytest

from app.rules import Brief, RulesEngine, Section
from app.rules.document import Document
from app.rules.rulebook.kinds import recognise
from app.rules.rulebook.loader import rulebook
from app.rules.rulebook.risks import natures_of

_RULES = rulebook()


def _told(text: str, branch: str = "civil") -> set[str]:
    draft = RulesEngine().analyse(Brief(text, "ES", branch, "es"))
    return {one.facts.get("rule", "") for one in draft.statements if one.section is Section.RISKS}


def _kind(text: str) -> str:
    return recognise(Document(text), _RULES).id


def test_a_contract_is_no_act_of_an_authority() -> None:
    text = Document("El Ayuntamiento comunica que se notifica la resolución del expediente.")
    assert "act_of_authority" in {one.id for one in natures_of(text, "unknown", _RULES.natures)}
    assert "act_of_authority" not in {one.id for one in natures_of(text, "contract", _RULES.natures)}


def test_withholdings_for_tax_are_no_wage_kept_as_security() -> None:
    text = (
        "CONTRATO DE TRABAJO\n\nLa trabajadora percibirá un salario de 1.400 euros, del que se harán las "
        "retenciones y cotizaciones legales hasta la baja de la trabajadora."
    )
    assert "et_wage_retained" not in _told(text, "laboral")
    kept = (
        "CONTRATO DE TRABAJO\n\nLa empresa retendrá una mensualidad de salario como garantía hasta el cese."
    )
    assert "et_wage_retained" in _told(kept, "laboral")


def test_a_letter_that_dismisses_for_economic_causes_is_an_objective_dismissal() -> None:
    text = (
        "Muy señor nuestro:\nPor la presente le comunicamos que la empresa ha decidido despedirle por causas "
        "económicas, con efectos de hoy. Como sabe, desde septiembre disfruta de reducción de jornada por "
        "cuidado de su hija. Dispone de treinta días para reclamar."
    )
    assert _kind(text) == "objective_dismissal"


def test_an_estate_agents_mandate_is_no_sale() -> None:
    text = (
        "ENCARGO DE MEDIACIÓN EN EXCLUSIVA PARA LA VENTA DE VIVIENDA\n\nLa propietaria encarga a la agencia "
        "la venta del piso, finca registral 12.884 del Registro de la Propiedad, libre de cargas. Honorarios "
        "del 6 % del precio. Las arras que entregue el comprador quedarán en la agencia."
    )
    assert _kind(text) == "brokerage"


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        ("adm_generic_remedies", "Contra ella cabe recurso de alzada en el plazo de un mes."),
        ("co_challenge_misstated", "Reunida la junta de la comunidad de propietarios."),
        ("complaint_no_proceedings", "Se libre oficio al banco."),
        ("adm_enforced_at_once", "La expulsión del territorio español se ejecuta conforme a la ley."),
        ("lab_deadline_told_wrong", "Se le comunica el traslado al centro de Lugo."),
        ("loan_own_forum_waived", "Contrato de arrendamiento financiero."),
    ],
)
def test_words_that_settle_the_matter_undo_a_rule(rule: str, words: str) -> None:
    [found] = [one for one in _RULES.risks if one.id == rule]
    assert any(Document(words).find(pattern.compiled) for pattern in found.elsewhere)


@pytest.mark.parametrize(
    ("rule", "sentence"),
    [
        ("trade_payment_long", "La comisión se pagará a noventa días de la factura."),
        ("imm_long_term", "Su esposa tiene autorización de residencia de larga duración."),
        ("civil_full_exclusion", "The liability of the processor is limited to 500 euros."),
        ("adm_not_responsible", "Alegó que vendió con pérdida y aportó ambas escrituras."),
        ("signed_for_another", "La agencia queda autorizada para firmar en su nombre."),
        ("claim_period_from_event", "La acción contra el despido caduca a los diez días."),
    ],
)
def test_words_of_another_matter_undo_a_rule_in_their_sentence(rule: str, sentence: str) -> None:
    [found] = [one for one in _RULES.risks if one.id == rule]
    assert any(Document(sentence).find(pattern.compiled) for pattern in found.unless)


def test_a_withdrawal_from_a_timeshare_is_none_from_a_credit() -> None:
    text = (
        "CONTRATO DE PRÉSTAMO\n\nLa entidad presta a la consumidora 11.900 euros. El plazo para arrepentirse "
        "es de siete días."
    )
    assert "credit_withdrawal_hampered" in _told(text)
    bought = f"{text} Con él paga su aprovechamiento por turno."
    assert "credit_withdrawal_hampered" not in _told(bought)


def test_rights_to_goods_are_not_told_of_a_flight() -> None:
    def told(text: str) -> set[str]:
        draft = RulesEngine().analyse(Brief(text, "GB", "civil", "en"))
        return {one.facts.get("rule", "") for one in draft.statements if one.section is Section.RISKS}

    terms = "TERMS AND CONDITIONS OF SALE for consumers. The consumer buys in our online shop. No refunds."
    assert "gb_consumer_refund_refused" in told(terms)
    assert "gb_consumer_refund_refused" not in told(f"{terms} Your flight was cancelled.")
