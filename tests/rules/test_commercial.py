"""Commercial documents: which rules a whole document meets, and that its lawful clauses raise no alarm.

Each text holds clauses that a lawyer must object to among lawful ones that look alike.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from app.rules.document import Document
from app.rules.facts.document_facts import extract_facts
from app.rules.rulebook.kinds import recognise
from app.rules.rulebook.loader import rulebook
from app.rules.rulebook.quantities import find_quantities
from app.rules.rulebook.risks import circumstances, find_risks

RULES = rulebook()
TEXTS = Path(__file__).parent / "texts" / "commercial"

# The kind of each document, and the rules it meets.
EXPECTED = {
    "academy_terms_es": (
        "consumer_terms",
        "con_biometric_entry con_cancellation_fee con_closed_but_charged "
        "con_consent_tied con_credit_expires con_exit_harder con_extra_preselected "
        "con_image_taken con_liability con_means_of_payment_charge con_renewal_window "
        "con_returned_receipt con_reviews_gagged con_termination con_unilateral_change "
        "con_withdrawal_refused",
    ),
    "agency_food_es": (
        "agency",
        "agency_accounts_waived agency_commission_lost agency_commission_on_collection "
        "agency_commission_paid_late agency_damages_waived agency_direct_sales_excluded "
        "agency_goodwill_cut agency_no_later_commission agency_non_compete "
        "agency_non_compete_scope agency_notice_flat",
    ),
    "agency_wine_en": (
        "agency",
        "agency_accounts_waived agency_ban_reach agency_ban_short_contract agency_bears_risk "
        "agency_claim_cut agency_direct_business agency_goodwill_waiver agency_later_orders "
        "agency_notice agency_paid_on_collection agency_taken_back",
    ),
    "bylaws_es": (
        "bylaws",
        "call_proxy_barred lsc_director_compete lsc_director_pay lsc_director_removal "
        "lsc_exclusion_at_will lsc_exit_price lsc_liability_action_limited lsc_majority_too_low "
        "lsc_rights_waived lsc_transfer_free",
    ),
    "company_call_es": (
        "company_call",
        "call_accounts_right call_bylaws_right call_notice_short call_proxy_barred call_second_limited",
    ),
    "company_minutes_es": (
        "company_minutes",
        "lsc_director_pay lsc_liability_action_limited minutes_blanket_assistance "
        "minutes_challenge_time minutes_conflicted_vote minutes_dividend_unlawful "
        "minutes_exclusion_large minutes_not_universal minutes_preemption_no_report",
    ),
    "data_processing_es": (
        "data_processing",
        "dpa_audit_barred dpa_general_subprocessors dpa_late_breach_notice "
        "dpa_no_compliance_assistance dpa_no_instructions dpa_no_rights_assistance "
        "dpa_own_purposes dpa_subprocessor_unliable",
    ),
    "data_processing_payroll_en": (
        "data_processing",
        "data_to_third_country dpa_breach_slow dpa_checks_refused dpa_data_for_itself "
        "dpa_health_ordinary dpa_keeps_data dpa_no_compliance_assistance "
        "dpa_no_staff_confidentiality dpa_partner_alone_answers dpa_partners_free "
        "dpa_processor_decides dpa_rights_unassisted dpa_security_at_will",
    ),
    "demand_letter_es": (
        "payment_demand",
        "demand_collection_costs demand_criminal_threat demand_disputed_debt_file "
        "demand_exposure_threat demand_interest_without_basis demand_no_negotiation "
        "demand_no_proof demand_seizure_without_court demand_time_barred",
    ),
    "distribution_coffee_en": (
        "distribution",
        "b2b_payment_term civil_wilful_breach dispute_arbitration_and_courts "
        "dispute_arbitrator_one_sided distribution_stock_left penalty_any_breach "
        "signatory_without_power vertical_exclusivity_emptied vertical_investment_unprotected "
        "vertical_non_compete_after vertical_non_compete_term vertical_only_supplier_leaves "
        "vertical_passive_online vertical_resale_price vertical_short_notice",
    ),
    "franchise_es": (
        "franchise",
        "civil_negligence_indemnity civil_prepaid_kept distribution_abrupt_end "
        "distribution_claims_direct_customers distribution_non_compete distribution_online_ban "
        "distribution_resale_price distribution_stock_left franchise_forecast_disclaimer "
        "franchise_information_late franchise_levy_unaccounted",
    ),
    "gym_terms_es": (
        "consumer_terms",
        "con_agents_word con_assignment_free con_conformity_proof con_exit_formalities "
        "con_extra_payments con_late_delivery_borne con_long_lock_in con_price_on_delivery "
        "con_refund_late con_repair_at_traders_choice con_return_packaging con_rounding "
        "con_trader_interprets con_warranty con_withdrawal_formality con_withdrawal_from_order",
    ),
    "intercompany_loan_es": (
        "loan",
        "loan_call_at_will loan_compound loan_unilateral_change security_appropriated",
    ),
    "nda_battery_en": (
        "nda",
        "civil_wilful_breach data_to_third_country dispute_arbitrator_one_sided "
        "dispute_interim_no_security entry_without_consent ip_future_works ip_moral_rights "
        "limitation_waived nda_business_ban nda_gag_even_if_required nda_personal_data "
        "penalty_cumulative",
    ),
    "nda_startup_es": (
        "nda",
        "nda_gag_on_authorities nda_hidden_non_compete nda_ip_grab nda_penalty nda_perpetual "
        "penalty_cumulative penalty_no_moderation",
    ),
    "sale_of_goods_en": (
        "goods_sale",
        "b2b_low_late_interest b2b_no_recovery_costs b2b_payment_term civil_one_sided_change "
        "civil_wilful_breach goods_accepted_on_receipt goods_complaint_short "
        "goods_delivery_not_binding security_appropriated",
    ),
    "services_between_companies_es": (
        "services",
        "b2b_acceptance_long b2b_no_late_interest b2b_payment_term civil_change_scope_at_will "
        "civil_one_sided_exit civil_performance_at_will ip_assignment_bare ip_moral_rights "
        "penalty_daily_percent penalty_no_moderation",
    ),
    "shareholders_agreement_en": (
        "shareholders_agreement",
        "lsc_board_of_two lsc_drag_any_terms lsc_executive_pay lsc_financial_assistance "
        "lsc_loyalty_released lsc_preemption_disproportionate lsc_removal_majority "
        "lsc_shares_with_interest lsc_transfer_banned lsc_unanimity_words sha_binds_company "
        "sha_founder_ban sha_leaver_one_euro",
    ),
    "shareholders_agreement_es": (
        "shareholders_agreement",
        "lsc_director_compete lsc_director_removal lsc_drag_without_floor lsc_leonine "
        "lsc_no_dividends lsc_preemption_waived lsc_separation_waived lsc_transfer_banned "
        "lsc_unanimity penalty_excessive sha_binds_company sha_director_instructed "
        "sha_leaver_one_euro",
    ),
    "software_crm_en": (
        "software_services",
        "b2b_no_late_interest b2b_payment_term_words civil_one_sided_change civil_wilful_breach "
        "data_to_third_country dpa_data_for_itself insolvency_termination saas_exit_fee "
        "saas_no_processing_terms saas_short_retrieval saas_switch_off software_backup_barred",
    ),
    "software_services_en": (
        "software_services",
        "b2b_payment_term civil_cap_reaches_wilful civil_no_exit_on_breach civil_one_sided_change "
        "dpa_transfers_free saas_as_is saas_data_lost_at_end saas_exit_fee saas_long_notice "
        "saas_suspension_at_will saas_use_of_client_data services_processor_thin",
    ),
    "streaming_terms_en": (
        "consumer_terms",
        "con_closed_but_charged con_consent_tied con_content_licence "
        "con_credit_expires con_exit_harder con_extra_preselected con_liability "
        "con_means_of_payment_charge con_remaining_fees con_renewal_window con_returned_receipt "
        "con_reviews_gagged con_termination con_thirteen_payments con_trial_converts "
        "con_unilateral_change con_withdrawal_denied",
    ),
}


def _ids(text: str) -> tuple[str, set[str]]:
    document, facts = Document(text), extract_facts(text)
    recognition = recognise(document, RULES)
    quantities = find_quantities(document, facts.amounts, RULES.terms, recognition.id)
    flags = circumstances(document, facts, recognition.id, "mercantil")
    dated = facts.dated(recognition.family)
    found = find_risks(document, RULES, recognition.id, quantities, flags, dated)
    met = (finding.risk.id for finding in found if not finding.alike)
    return recognition.id, {rule for rule in met if not rule.startswith("dl_")}


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_a_whole_document_meets_exactly_these_rules(name: str) -> None:
    kind, rules = EXPECTED[name]
    assert _ids((TEXTS / f"{name}.txt").read_text("utf-8")) == (kind, set(rules.split()))


def test_every_text_is_expected() -> None:
    assert {path.stem for path in TEXTS.glob("*.txt")} == set(EXPECTED)


CALL = """CONVOCATORIA DE JUNTA GENERAL DE {name}
El administrador único convoca a los {members} a la junta general que se celebrará el día {day},
a las 10 horas, con el siguiente ORDEN DEL DÍA: Primero. Cese del gerente.
En Sevilla, a 1 de marzo de 2026. El administrador único."""


@pytest.mark.parametrize(
    ("name", "members", "day", "rule"),
    [
        ("LUNA, S.L.", "socios", "15 de marzo de 2026", "call_notice_short"),
        ("LUNA, S.L.", "socios", "16 de marzo de 2026", None),
        ("LUNA, S.A.", "accionistas", "31 de marzo de 2026", "call_notice_short_public"),
        ("LUNA, S.A.", "accionistas", "1 de abril de 2026", None),
    ],
)
def test_the_days_between_notice_and_meeting_are_counted(
    name: str, members: str, day: str, rule: str | None
) -> None:
    kind, rules = _ids(CALL.format(name=name, members=members, day=day))
    assert kind == "company_call"
    assert {one for one in rules if one.startswith("call_notice")} == ({rule} if rule else set())


DEMAND = """Burofax. En Madrid, a 3 de marzo de 2026.
Estimado señor: nos adeuda 900 euros de la factura vencida el {day}. {more} Le requerimos el pago
en diez días."""


@pytest.mark.parametrize(
    ("day", "more", "found"),
    [
        ("1 de marzo de 2021", "", True),
        ("4 de marzo de 2021", "", False),
        ("1 de marzo de 2019", "La prescripción se interrumpió con nuestra carta de 2023.", False),
    ],
)
def test_the_age_of_a_debt_is_counted_from_its_due_date(day: str, more: str, found: bool) -> None:
    assert ("demand_time_barred" in _ids(DEMAND.format(day=day, more=more))[1]) is found
