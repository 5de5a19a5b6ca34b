"""What readers found false in answers on papers of other countries than Spain, by the step that erred."""

from __future__ import annotations

import pytest

from app.rules import Brief, RulesEngine, Section
from app.rules.document import Document
from app.rules.draft import Statement
from app.rules.reading import Reading
from app.rules.rulebook.defect_words import names_defect
from app.rules.rulebook.loader import rulebook
from app.rules.rulebook.risks import matches
from app.text.bilingual import Language


def _said(text: str, jurisdiction: str, branch: str = "civil", language: Language = "es") -> list[Statement]:
    return list(RulesEngine().analyse(Brief(text, jurisdiction, branch, language)).statements)


def _of(section: Section, told: list[Statement], name: str) -> list[str]:
    return [one.facts.get(name, "") for one in told if one.section is section]


LEASE_FR = """CONTRAT DE LOCATION - RÉSIDENCE PRINCIPALE

Bailleur : M. Paul Arnaud. Locataire : Mme Léa Morin.

ARTICLE 1. LOYER
Le loyer est de 700 euros par mois.

ARTICLE 2. CONDITIONS
{}
"""


def test_a_clause_that_no_heading_names_is_told_where_its_words_open_the_sentence() -> None:
    """A word in the middle of a sentence on something else is no clause on it."""
    terms = "TERMS OF SALE\n\nThese terms bind the buyer. {}\n\nThe goods are sold as seen."
    in_passing = terms.format("The seller keeps records, and its arbitration of internal complaints is free.")
    opening = terms.format("Arbitration of all disputes takes place in Leeds under the Arbitration Act 1996.")
    assert "arbitration" not in _of(Section.CLAUSES_PRESENT, _said(in_passing, "GB", language="en"), "clause")
    assert "arbitration" in _of(Section.CLAUSES_PRESENT, _said(opening, "GB", language="en"), "clause")


def test_a_clause_that_says_that_it_is_excluded_is_not_told_as_there() -> None:
    contract = "ARBEITSVERTRAG\n\nFrau Kern wird als Köchin eingestellt. Das Gehalt beträgt 2.600 Euro. {}\n"
    none = _said(contract.format("Tarifverträge finden keine Anwendung."), "DE", "laboral")
    some = _said(contract.format("Tarifvertrag ist der Manteltarif des Gastgewerbes."), "DE", "laboral")
    assert "collective_agreement" not in _of(Section.CLAUSES_PRESENT, none, "clause")
    assert "collective_agreement" in _of(Section.CLAUSES_PRESENT, some, "clause")


@pytest.mark.parametrize("jurisdiction", ["CL", "PE", "AR"])
def test_what_the_law_does_not_supply_is_not_told_as_missing(jurisdiction: str) -> None:
    terms = (
        "TÉRMINOS Y CONDICIONES DE USO DEL ESTACIONAMIENTO\n\nEl consumidor acepta estas "
        "condiciones. Tarifa: "
        "mil por hora. El consumidor puede escribir al mostrador ante cualquier problema."
    )
    assert not _of(Section.CLAUSES_MISSING, _said(terms, jurisdiction), "clause")


@pytest.mark.parametrize(
    "words",
    [
        "Le loyer augmentera de plein droit de 3 % chaque année, quel que soit l'indice.",
        "Le paiement se fera exclusivement par prélèvement automatique sur le compte du locataire.",
    ],
)
def test_two_rules_on_one_matter_of_one_sentence_are_told_once(words: str) -> None:
    assert len(_of(Section.RISKS, _said(LEASE_FR.format(words), "FR"), "rule")) == 1


def test_a_directive_and_a_figure_repeat_no_law_of_the_country() -> None:
    """The rule of the country that compares the figure tells what its neighbour and the directive say."""
    letter = "LETTERA DI ASSUNZIONE\n\nLa lavoratrice è assunta come impiegata. {}"
    told = _said(letter.format("Il periodo di prova è fissato in nove mesi."), "IT", "laboral")
    trial = {"it_trial_too_long", "it_trial_long", "eu_probation_long"}
    assert trial.intersection(_of(Section.RISKS, told, "rule")) == {"it_trial_too_long"}


def test_two_defects_of_one_sentence_are_both_told() -> None:
    """Their articles and the words of their titles are not the same."""
    both = (
        "Le loyer augmentera de plein droit de 3 % chaque année et se paiera exclusivement par prélèvement "
        "automatique sur le compte du locataire."
    )
    assert len(_of(Section.RISKS, _said(LEASE_FR.format(both), "FR"), "rule")) == 2


def _parties(
    text: str, jurisdiction: str, branch: str = "civil", language: Language = "es"
) -> set[tuple[str, str]]:
    told = [one for one in _said(text, jurisdiction, branch, language) if one.section is Section.PARTIES]
    return {(one.facts["role"], one.quotes[0]) for one in told}


def test_where_a_party_lives_and_whom_it_married_are_no_parties() -> None:
    text = (
        "CONTRATO DE MÚTUO\n\nEntre RUI BARROS PINTO, viúvo, residente na Rua de Santa Clara, 12, "
        "adiante MUTUANTE; "
        "e ALICE MOTA NEVES, casada em comunhão de adquiridos com Jorge Neves, adiante MUTUÁRIA."
    )
    assert _parties(text, "PT") == {("lender", "RUI BARROS PINTO"), ("borrower", "ALICE MOTA NEVES")}


def test_parts_in_brackets_are_heard_and_what_somebody_works_as_is_none() -> None:
    text = (
        "ARBEITSVERTRAG\n\nzwischen der Tannhof Möbel GmbH, Am Markt 3, 30159 Hannover "
        "(Arbeitgeberin, 40 Beschäftigte)\n"
        "und Frau Jutta Wendt, wohnhaft in Celle (Arbeitnehmerin)\n\n§ 1 Tätigkeit\nFrau Wendt wird als "
        "Fachverkäuferin eingestellt. Dieses Formular wird für alle Verträge verwendet."
    )
    assert _parties(text, "DE", "laboral") == {
        ("employer", "Tannhof Möbel GmbH"),
        ("employee", "Jutta Wendt"),
    }


def test_the_nearest_part_is_that_of_a_name() -> None:
    text = (
        "CONTRAT DE LOCATION\n\nEntre les soussignés :\nM. Luc Perrin, demeurant 4 rue Haute, "
        "Aurillac, ci-après le bailleur,\net Mme Awa Diallo, ci-après la locataire,\n\nil a été convenu."
    )
    assert _parties(text, "FR") == {("landlord", "Luc Perrin"), ("tenant", "Awa Diallo")}


def test_of_two_persons_on_two_sides_neither_is_given_the_part_of_one() -> None:
    text = (
        "CONTRAT DE LOCATION\n\nEntre les soussignés :\nM. Luc Perrin, demeurant 4 rue Haute, "
        "15000 Aurillac, "
        "propriétaire du bien loué,\net Mme Awa Diallo, infirmière, ci-après la locataire,\n\nil a "
        "été convenu."
    )
    assert ("tenant", "Luc Perrin") not in _parties(text, "FR")


def test_who_is_written_to_does_not_act_for_the_writers_client() -> None:
    text = (
        "Northgate Lettings Ltd\n\n3 March 2026\n\nMs Ruth Mensah\n(by email)\n\nDear Ms "
        "Mensah\n\nWe write on "
        "behalf of your landlord, Mr T. Hale. Your deposit was 900 pounds."
    )
    assert "representative" not in {role for role, _ in _parties(text, "GB", language="en")}
    text = (
        "Tunja, 3 de marzo de 2026\n\nRespetada señora Nubia Rojas:\n\nEn nombre del propietario "
        "le comunico el desahucio."
    )
    assert "representative" not in {role for role, _ in _parties(text, "CO")}


def test_whom_a_borrower_works_for_is_no_borrower() -> None:
    text = (
        "CONTRATO DE MUTUO\n\nEntre los suscritos, CRÉDITOS DEL NORTE S.A.S., NIT 900.111.222-3 "
        "(EL MUTUANTE), y Ana Lucía "
        "Gómez Ruiz, identificada con cédula 51.222.333, operaria de costura en Textiles Andinos "
        "S.A. (LA MUTUARIA), se "
        "celebra el presente contrato."
    )
    assert ("borrower", "Textiles Andinos S.A.") not in _parties(text, "CO")


def test_words_in_capitals_before_a_name_are_none_of_it() -> None:
    text = (
        "CONTRATO DE TRABAJO\n\nCONSTE POR EL PRESENTE DOCUMENTO EL CONTRATO QUE CELEBRAN MOLINOS "
        "DEL SUR S.A.C., CON RUC "
        "20608841275, EN ADELANTE EL EMPLEADOR; Y LA SRA. ROSA PAREDES TORO, CON DNI 43116508, EN "
        "ADELANTE LA TRABAJADORA."
    )
    assert ("employer", "MOLINOS DEL SUR S.A.C.") in _parties(text, "PE", "laboral")


def test_a_short_name_of_ones_own_is_followed_by_that_of_another() -> None:
    text = (
        'CONTRATO DE TRABAJO\n\nEntre Carlos Ibarra, DNI 20.111.222 ("la Familia") y Rosa Delia PAZ, '
        'DNI 30.111.222 ("la Empleada"), se conviene lo siguiente.'
    )
    assert ("employee", "Carlos Ibarra") not in _parties(text, "AR", "laboral")
    called = text.replace('("la Familia")', '("el Empleador")')
    assert ("employer", "Carlos Ibarra") in _parties(called, "AR", "laboral")


def test_who_is_designated_by_a_party_is_not_that_party() -> None:
    text = "CONTRAT DE LOCATION\n\nL'assurance est souscrite auprès de la compagnie {}."
    insurer = text.format("Mutuelle Limousine Habitat désignée par le bailleur")
    assert not _parties(insurer, "FR")
    assert _parties(text.format("Mutuelle Limousine Habitat, désignée « le bailleur »"), "FR")


def test_a_name_behind_a_conjunction_ends_the_side_before() -> None:
    text = (
        "CONTRAT DE LOCATION\n\nEntre Monsieur Luc PERRIN, né en 1957, demeurant 9 rue Haute, bailleur\n"
        "Et Madame Awa Diallo et Monsieur Jean Roy, colocataires, ci-après « le locataire ».\n"
    )
    assert ("tenant", "Luc PERRIN") not in _parties(text, "FR")


def test_the_title_of_a_paper_for_the_reader_is_no_name() -> None:
    text = "TERMS OF SERVICE\n\nThese terms and {} as a Customer disclosure make up the contract."
    assert not _parties(text.format("Your Rights"), "US", language="en")
    assert _parties(text.format("John Wells"), "US", language="en")


def _texts(section: Section, told: list[Statement]) -> list[str]:
    return [one.text for one in told if one.section is section]


def test_a_price_in_months_is_no_period() -> None:
    text = (
        "TÉRMINOS Y CONDICIONES\n\nEl cliente es consumidor. Para la baja el cliente avisará por "
        "escrito y pagará dos meses. "
        "No podrá pagar anticipadamente durante los primeros diez meses. Si no se paga dentro de "
        "nueve días, se corta."
    )
    periods = [one.facts.get("length") for one in _said(text, "CL") if one.section is Section.DEADLINES]
    assert "2 month" not in periods
    assert "10 month" not in periods
    named = [one.facts.get("role") for one in _said(text, "CL") if one.section is Section.DEADLINES]
    assert "payment" not in named


@pytest.mark.parametrize("opening", ["Versión vigente desde el", "Estas condiciones rigen desde el"])
def test_the_day_of_the_terms_is_not_that_of_each_contract(opening: str) -> None:
    text = (
        f"CONDICIONES DEL SERVICIO\n{opening} 4 de mayo de 2026\n\nEl consumidor acepta.\n\nPlazo. "
        f"El contrato dura doce meses."
    )
    told = [one for one in _said(text, "AR") if one.section is Section.DEADLINES]
    assert not any("2027-05-03" in one.facts.values() for one in told)
    signed = "CONTRATO DE SERVICIOS\nComienza el 4 de mayo de 2026\n\nPlazo. El contrato dura doce meses."
    told = [one for one in _said(signed, "AR") if one.section is Section.DEADLINES]
    assert any("2027-05-03" in one.facts.values() for one in told)


def test_the_day_of_a_law_is_no_day_of_the_document() -> None:
    text = LEASE_FR.format(
        "Le bail est soumis à la loi n° 89-462 du 6 juillet 1989. Il prend effet le 1er mai 2026."
    )
    days = [one.facts["date"] for one in _said(text, "FR") if one.section is Section.DATES]
    assert days == ["2026-05-01"]


def test_the_second_day_of_a_range_is_its_end_and_who_enters_is_not_paid() -> None:
    text = "SERVICES AGREEMENT\n\nTerm. From March 2, 2026 to June 11, 2027. The Contractor invoices monthly."
    roles = {
        one.facts["date"]: one.facts["role"]
        for one in _said(text, "US-CA", language="en")
        if one.section is Section.DATES
    }
    assert roles["2027-06-11"] != "start"
    text = (
        "CONTRATO DE TRABAJO\n\nEl trabajador tendrá como fecha de ingreso el 2 de marzo de 2026 "
        "en la planta."
    )
    roles = {
        one.facts["date"]: one.facts["role"]
        for one in _said(text, "MX", "laboral")
        if one.section is Section.DATES
    }
    assert roles["2026-03-02"] != "payment"


def test_a_share_of_the_pay_is_not_the_pay_and_a_rate_keeps_its_period() -> None:
    text = (
        "CONTRATO DE TRABAJO\n\nLa trabajadora percibirá una prima vacacional del treinta por "
        "ciento sobre los salarios."
    )
    assert any(one == "Porcentaje: 30 %." for one in _texts(Section.AMOUNTS, _said(text, "MX", "laboral")))
    text = (
        "CONTRATTO DI MUTUO\n\nIl mutuatario paga interessi nella misura del tre per cento al mese "
        "sulla somma."
    )
    told = _texts(Section.AMOUNTS, _said(text, "IT"))
    assert any(one.endswith("3 % al mes.") for one in told), told


def test_a_charge_for_lateness_is_no_instalment_and_months_of_rent_no_rent() -> None:
    text = (
        "PROMISSORY NOTE\n\nBorrower repays in monthly installments. An installment paid late "
        "incurs a late charge of $40."
    )
    told = [one for one in _said(text, "US-NY", language="en") if one.section is Section.AMOUNTS]
    assert {one.facts["role"] for one in told if one.facts["value"] == "40"} == {"other"}
    text = LEASE_FR.format("Le locataire verse ce jour 2 100 euros, soit trois mois de loyer.")
    told = [one for one in _said(text, "FR") if one.section is Section.AMOUNTS]
    assert {one.facts["role"] for one in told if one.facts["value"] == "2100"} == {"other"}


def test_a_row_of_a_table_is_quoted_with_what_it_is_for() -> None:
    text = (
        "Dear Ms Mensah\n\nDeductions from the deposit:\n\n   Rent at 8% a month, unpaid "
        "............ £900.00\n"
        "   Cleaning, clause 31 ................... £240.00\n"
    )
    told = [one for one in _said(text, "GB", language="en") if one.section is Section.AMOUNTS]
    quotes = {one.facts["value"]: one.quotes[0] for one in told}
    assert quotes["240"].startswith("Cleaning, clause 31")
    assert all("month" not in one.text for one in told if one.facts["value"] == "900")


def test_a_party_that_something_belongs_to_is_not_bound_by_what_follows() -> None:
    text = (
        "CONTRATO DE TRABAJO\n\nSe entrega un equipo al trabajador. El equipo es propiedad de la "
        "empresa y deberá devolverlo "
        "limpio el último día de labores."
    )
    assert "the employer" not in _of(Section.OBLIGATIONS, _said(text, "MX", "laboral"), "bearer")
    text = (
        "CONTRATO DE ADESÃO\n\nEm caso de incumprimento da Prestadora, pagará o cliente de "
        "imediato todas as prestações em dívida."
    )
    assert not _of(Section.OBLIGATIONS, _said(text, "PT"), "bearer")
    text = (
        "SERVICES AGREEMENT\n\nIf it prevails, Client shall recover its attorney's fees from the "
        "other party at once."
    )
    assert not _of(Section.OBLIGATIONS, _said(text, "US-CA", language="en"), "bearer")


def test_what_is_alike_is_told_only_with_words_of_the_defect() -> None:
    """A subject alone is no defect: a ticket paid before leaving is no loan that may not be paid early."""
    known = {risk.id: risk for risk in rulebook("CL").risks}
    early = known["cl_prepayment"]
    ticket = "pago. efectivo, debito o aplicacion, antes de retirar el vehiculo"
    assert not names_defect(early, ticket, "es")
    assert names_defect(early, "se prohibe el prepago, y toda comision la fija el acreedor", "es")
    fees = known["cl_collection_fees"]
    assert not names_defect(fees, "quien pierda el ticket pagara una tarifa unica de $25.000", "es")
    assert names_defect(fees, "los gastos de cobranza extrajudicial seran del veinte por ciento", "es")


# A rule, words that have its subject and not its defect, words that have the defect.
SCOPES = [
    ("EU", "eu_rights_denied_or_charged",
     "The firm may suspend access for overdue fees.",
     "Access to your data costs a fee."),
    ("GB", "gb_rights_denied_or_charged",
     "The seller may deliver what you request at a cost.",
     "A copy of your data is sent for a fee."),
    ("GB", "gb_liability_all_excluded",
     "We are not liable for any loss that results only from your failure to update.",
     "We are not liable for any loss whatsoever."),
    ("GB", "gb_consumer_arbitration",
     "Both sides waive trial by jury in any court.",
     "You waive your right to sue in any court."),
    ("GB", "gb_whistleblowing_gag",
     "No person shall not be held liable for telling an authority of a secret.",
     "You shall not disclose this to any authority."),
    ("CO", "co_prison_threat",
     "El deudor que sea victima de un robo dará aviso a la policía.",
     "Si no paga daremos parte a la policía."),
    ("MX", "mx_debt_prison_threat",
     "La central dará aviso a la policía del disparo.",
     "Si no paga, su fraude se denunciará."),
    ("MX", "mx_dismissal_few_absences",
     "Cada retardo se sanciona con multa de cien pesos.",
     "Por sus retardos queda usted despedido."),
    ("MX", "mx_unilateral_change",
     "La empresa podrá variar el turno dentro de criterios de razonabilidad.",
     "La empresa podrá variar el turno cuando quiera."),
    ("CO", "co_unilateral_change",
     "La empresa podrá variar el turno dentro de criterios de razonabilidad.",
     "La empresa podrá variar el turno cuando quiera."),
    ("AR", "ar_unilateral_change",
     "La empresa podrá trasladarlo a otra línea de igual categoría y salario.",
     "La empresa podrá trasladarlo sin límite."),
    ("CL", "cl_unilateral_change",
     "La empresa podrá cambiar de línea con la misma remuneración.",
     "La empresa podrá cambiar la remuneración."),
    ("PE", "pe_dismissal_on_the_spot",
     "Durante la prueba se podrá resolver sin preaviso.",
     "La empresa podrá despedir en el acto."),
    ("MX", "mx_compensation_short",
     "Las vacaciones no gozadas se pierden sin indemnización.",
     "Se le separa sin indemnización."),
    ("MX", "mx_blank_resignation",
     "La ley autoriza dicha renuncia anticipada a la clientela.",
     "Entregará su renuncia en blanco."),
    ("CL", "cl_silence",
     "La empresa no está obligada a enviar aviso del cargo.",
     "Si no se opone se entenderá aceptado."),
    ("PE", "pe_silence",
     "La empresa no está obligada a enviar aviso del cargo.",
     "Si no se opone se entenderá aceptado."),
    ("CO", "co_usury_monthly",
     "Se devuelve el valor restando 4 % cada mes de uso.",
     "La mora causa 4 % mensual."),
    ("MX", "mx_hidden_defects_waived",
     "El arrendador no responde de los daños que cause con dolo.",
     "El arrendador no responde de los vicios."),
    ("MX", "mx_notice_form",
     "Los cambios de turno se comunican por teléfono.",
     "El despido se le comunica por teléfono."),
    ("MX", "mx_wage_paid_monthly", "Se entregará boleta de pago cada mes.", "El salario se paga cada mes."),
    ("AR", "ar_wage_assigned",
     "Las horas que excedan quedan incluidas en la remuneración.",
     "El trabajador cede sus haberes al acreedor."),
    ("MX", "mx_notice_changed_untold",
     "Podrá modificar el precio sin aviso y sin que deba notificar.",
     "El aviso podrá modificarse sin que deba notificar."),
    ("AR", "ar_bld_common_private",
     "Pide cerrar la terraza de uso privativo.",
     "La terraza es de propiedad exclusiva de la unidad 1."),
    ("PE", "pe_cause_generic",
     "Se podrá poner fin al contrato por necesidades de la empresa. Es a plazo fijo.",
     "El contrato a plazo fijo responde a necesidades de la empresa."),
    ("DE", "de_dismissal_form",
     "Der Vertrag wird per E-Mail ausgetauscht.",
     "Die Kündigung erfolgt per E-Mail."),
    ("PT", "pt_defect_presumed",
     "Cabe ao cliente provar que o serviço foi mal executado.",
     "Cabe ao cliente provar o defeito."),
    ("BR", "br_refund_denied", "Não devolvemos fones deslacrados por higiene.", "Não devolvemos o valor."),
    ("GB", "gb_consumer_refund_refused",
     "You may cancel without charge and be refunded for unused months.",
     "You may leave without any refund."),
    ("GB", "gb_rights_denied_or_charged",
     "A refundable access card deposit of £10 applies.",
     "A fee of £10 is charged for each access request."),
    ("FR", "fr_deposit_late",
     "La solidarité du sortant et de sa caution s'éteint six mois après son congé.",
     "La caution est rendue six mois après le départ."),
    ("MX", "mx_debt_prison_threat",
     "De no pagar, la multa se permutará por arresto de treinta y seis horas.",
     "De no pagar, irá a la cárcel."),
]  # fmt: skip


@pytest.mark.parametrize(("code", "rule", "subject", "defect"), SCOPES, ids=[one[1] for one in SCOPES])
def test_a_rule_is_met_by_its_defect_and_not_by_its_subject(
    code: str, rule: str, subject: str, defect: str
) -> None:
    risk = next(one for one in rulebook(code).risks if one.id == rule)
    assert not matches(_document(subject, code), risk)
    assert matches(_document(defect, code), risk)


def _document(text: str, code: str) -> Document:
    return Reading(text, code).document
