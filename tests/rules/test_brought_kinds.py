"""Kinds whose rules a document of another kind meets as well, by what it treats of."""

from __future__ import annotations

import pytest

from app.rules import Brief, RulesEngine
from app.rules.document import Document
from app.rules.draft import Section
from app.rules.rulebook.loader import codes, rulebook
from app.rules.rulebook.risks import brought, natures_of

RULES = rulebook()


def test_every_kind_that_is_brought_exists_and_is_another() -> None:
    known = {kind.id for kind in RULES.kinds}
    for kind in RULES.kinds:
        assert {one.kind for one in kind.brings} <= known - {kind.id}, kind.id


@pytest.mark.parametrize(
    ("kind", "text", "expected"),
    [
        ("enforcement_order", "Se embarga la totalidad del saldo.", ("seizure_order",)),
        ("enforcement_order", "Se requiere el pago de la deuda.", ()),
        ("room_lease", "Este subarriendo de habitación se pacta por un año.", ("housing_lease",)),
        ("room_lease", "La habitación se alquila durante el curso.", ()),
    ],
)
def test_a_kind_is_brought_by_the_words_of_the_document(
    kind: str, text: str, expected: tuple[str, ...]
) -> None:
    assert brought(Document(text), RULES.kind(kind)) == expected


def test_a_document_of_no_known_kind_brings_none() -> None:
    assert brought(Document("Se embarga la nómina."), None) == ()
    assert brought(Document("El contrato del piso lo firmamos mañana."), None) == ()


def test_a_contract_of_no_known_kind_is_asked_the_rules_on_any_contract() -> None:
    text = "CONTRATO DE PATROCINIO. Reunidos, de una parte, BEBIDAS RÍA, S.L., y de otra, el Club Mar."
    assert brought(Document(text), None) == ("services",)
    assert brought(Document(f"{text} El club actúa como consumidor."), None) == ("services", "consumer_terms")


def test_an_enforcement_order_that_seizes_a_joint_account_is_told_of_it() -> None:
    text = (
        "AGENCIA TRIBUTARIA. PROVIDENCIA DE APREMIO Y DILIGENCIA DE EMBARGO. Se apremia la deuda con el "
        "recargo de apremio. Se embarga la totalidad del saldo de la cuenta de titularidad indistinta del "
        "obligado y de su hermana, sin dividirlo."
    )
    draft = RulesEngine().analyse(Brief(text, "ES", "contencioso", "es"))
    told = [one for one in draft.statements if one.section is Section.RISKS]
    assert any(one.facts.get("rule") == "seizure_joint_account" for one in told)


def test_a_decision_that_assesses_a_tax_is_asked_the_rules_on_assessments() -> None:
    text = (
        "AYUNTAMIENTO DE PEDROSA. RESOLUCIÓN. Expediente 4/2026. Incremento de valor de los terrenos: "
        "liquidación del impuesto. Tipo de gravamen: 34 %. La Alcaldía RESUELVE aprobarla."
    )
    assert "plusv_rate" in _assessed(text)
    fine = text.replace("liquidación del impuesto", "licencia").replace("gravamen", "interés")
    assert "plusv_rate" not in _assessed(fine)


def _assessed(text: str) -> set[str | None]:
    draft = RulesEngine().analyse(Brief(text, "ES", "contencioso", "es"))
    return {one.facts.get("rule") for one in draft.statements}


MEXICO = rulebook("MX")


def test_natures_of_other_countries_name_kinds_of_some_country() -> None:
    known = {kind.id for code in codes() for kind in rulebook(code).kinds}
    assert MEXICO.natures
    for nature in MEXICO.natures:
        assert {*nature.of, *nature.brings} <= known, nature.id


def _natures(text: str, family: str = "unknown") -> set[str]:
    return {one.id for one in natures_of(Document(text), family, RULES.natures)}


def test_natures_of_spain_are_of_any_document_and_each_has_rules() -> None:
    known = {kind.id for kind in RULES.kinds}
    for nature in RULES.natures:
        assert nature.of == (), nature.id
        assert nature.branches, nature.id
        assert set(nature.brings) <= known, nature.id
    named = {one for risk in RULES.risks for one in risk.natures}
    assert named <= {nature.id for nature in RULES.natures}
    assert sum(bool(risk.natures) for risk in RULES.risks) > 100


def test_what_a_document_is_by_nature_is_told_by_its_words() -> None:
    act = "UNIVERSIDAD DE LA VEGA. Este Rectorado resuelve la expulsión definitiva del alumno."
    assert "act_of_authority" in _natures(act)
    assert "act_of_authority" not in _natures("Querida Ana: he estado en el ayuntamiento.")
    assert "constitutional_appeal" in _natures("DEMANDA DE AMPARO. AL TRIBUNAL CONSTITUCIONAL")
    assert "civil_procedure" not in _natures("AL JUZGADO DE INSTRUCCIÓN. QUERELLA por delito de estafa")
    assert _natures("Mañana iremos a comer con la abuela.") == set()


def _told(text: str, branch: str) -> list[tuple[str, str]]:
    draft = RulesEngine().analyse(Brief(text, "ES", branch, "es"))
    return [(one.facts.get("rule", ""), one.text) for one in draft.statements if one.section is Section.RISKS]


def test_a_document_of_a_kind_without_rules_of_its_own_is_asked_those_of_its_nature() -> None:
    expelled = (
        "UNIVERSIDAD DEL VALLE. Expediente 4/26. El instructor del expediente es hermano del denunciante. "
        "Este Rectorado RESUELVE la expulsión definitiva, sin que se facilite copia del expediente. "
        "Se concede un plazo de cinco días naturales para formular alegaciones."
    )
    told = {rule for rule, _ in _told(expelled, "contencioso")}
    assert {"act_interested_officer", "act_disproportionate", "act_calendar_days"} <= told
    annuity = (
        "CONTRATO DE RENTA VITALICIA. REUNIDOS, de una parte doña Ana Ruiz y de otra don Luis Gil. "
        "ESTIPULACIONES. Primera. Doña Ana cede el piso y don Luis le prestará servicios de cuidado toda la "
        "vida, por toda la vida. Segunda. Don Luis pagará la renta cuando pueda."
    )
    told = {rule for rule, _ in _told(annuity, "civil")}
    assert {"services_for_life", "agr_pays_when_he_likes"} <= told


def test_a_rule_by_nature_is_silent_where_one_of_the_kind_says_the_same() -> None:
    lease = (
        "CONTRATO DE ARRENDAMIENTO DE VIVIENDA. Entre don Luis Gil, arrendador, y doña Ana Ruiz, inquilina. "
        "Si no paga, el arrendador podrá entrar en la vivienda y cambiar la cerradura sin ir a juicio."
    )
    told = {rule for rule, _ in _told(lease, "civil")}
    assert "lau_self_help" in told
    assert "agr_takes_by_own_hand" not in told


@pytest.mark.parametrize(
    ("kind", "text", "expected"),
    [
        ("loan", "La consumidora pagará el préstamo personal en doce cuotas.", "consumer_terms"),
        ("goods_sale", "BON DE COMMANDE signé hors établissement au domicile du client.", "consumer_terms"),
        ("services", "The Provider processes personal data of patients for the Customer.", "data_processing"),
        ("loan", "O fiador renuncia ao benefício de ordem.", "suretyship"),
        ("services", "El locador cumple horario y no tendrá vacaciones ni CTS.", "employment"),
        ("employment", "Al cese el trabajador firmará su finiquito.", "settlement_receipt"),
        ("loan", "Si no paga se le denunciará por fraude y se avisará a sus vecinos.", "payment_demand"),
    ],
)
def test_what_a_document_treats_of_beside_its_kind_brings_rules(kind: str, text: str, expected: str) -> None:
    assert expected in brought(Document(text), MEXICO.kind(kind), MEXICO.natures)


@pytest.mark.parametrize(
    ("kind", "text", "absent"),
    [
        (
            "goods_sale",
            "Neither party deals as a consumer; this is a sale between businesses.",
            "consumer_terms",
        ),
        ("services", "El locador organiza su propio horario.", "employment"),
        ("services", "Servicio de limpieza de oficinas, con factura mensual.", "data_processing"),
    ],
)
def test_a_denied_or_single_sign_brings_none(kind: str, text: str, absent: str) -> None:
    assert absent not in brought(Document(text), MEXICO.kind(kind), MEXICO.natures)


def test_a_consumer_loan_of_argentina_is_asked_the_rules_of_consumers() -> None:
    text = (
        "CONTRATO DE PRÉSTAMO PERSONAL. Entre Créditos del Sur S.A. (el prestamista) y Ana Ruiz (la "
        "consumidora). El prestamista entrega $ 800.000 que se devolverán en doce cuotas. La consumidora "
        "renuncia al derecho de revocación de diez días."
    )
    draft = RulesEngine().analyse(Brief(text, "AR", "civil", "es"))
    told = [one.facts.get("rule") for one in draft.statements if one.section is Section.RISKS]
    assert "ar_withdrawal_denied" in told


CARD = (
    "CONTRATO DE EMISIÓN DE TARJETA DE CRÉDITO. Banco del Sur S.A., en adelante «el Emisor», y la señora "
    "Alba Ponce, en adelante «la Titular», convienen el otorgamiento de un crédito con intereses y cuotas. "
    "SEXTA. Para todo conflicto la Titular acepta los tribunales ordinarios de la Capital Federal, con "
    "renuncia a cualquier otro fuero."
)


def test_a_credit_card_that_names_no_consumer_is_asked_the_rules_on_consumers() -> None:
    told = RulesEngine().analyse(Brief(CARD, "AR", "civil", "es")).statements
    assert "ar_consumer_forum" in {one.facts.get("rule") for one in told}


def test_a_paper_of_no_known_kind_is_asked_the_rules_on_what_it_treats_of() -> None:
    text = (
        "Constancia que firma don Luis Rey con la empresa. El trabajador cumplirá el horario que se le "
        "asigne por el sueldo convenido en este papel y trabajará sesenta horas por semana. El trabajador "
        "comprará de su bolsillo el casco y los guantes. Se firma en Talca el 3 de marzo de 2026."
    )
    asked = {one.id for one in natures_of(Document(text), "unknown", rulebook("CL").natures)}
    assert "any_labour_paper" in asked


def test_the_rules_of_a_workplace_are_asked_those_of_a_contract_of_employment() -> None:
    rules = rulebook("MX")
    kind = rules.kind("workplace_rules")
    text = "Reglamento interior de trabajo: los trabajadores serán puntuales."
    assert {"employment", "disciplinary_sanction"} <= set(brought(Document(text), kind, rules.natures))


def test_the_rules_of_a_building_and_its_minutes_are_asked_each_others_rules() -> None:
    rules = rulebook("AR")
    text = "Los propietarios del consorcio pagan las expensas."
    assert brought(Document(text), rules.kind("community_rules"), rules.natures) == ("community_minutes",)
    assert brought(Document(text), rules.kind("community_minutes"), rules.natures) == ("community_rules",)
