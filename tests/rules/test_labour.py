"""Employment: letters, receipts and contracts of usual drafting, with the rules that each must meet."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest

from app.rules.document import Document
from app.rules.facts.document_facts import extract_facts
from app.rules.rulebook.kinds import recognise
from app.rules.rulebook.loader import rulebook
from app.rules.rulebook.quantities import find_quantities, with_ranges
from app.rules.rulebook.risks import Finding, circumstances, find_risks
from app.rules.rulebook.severance import service_months, severance, unfair_dismissal

RULES = rulebook()
TEXTS = Path(__file__).parent / "texts"


def _findings(text: str, kind: str = "") -> tuple[Finding, ...]:
    document, facts = Document(text), extract_facts(text)
    found = recognise(document, RULES)
    kind = kind or found.id
    quantities = find_quantities(document, facts.amounts, RULES.terms, kind, facts.dates)
    quantities = with_ranges(document, quantities, facts.deadlines, kind)
    flags = circumstances(document, facts, kind, "laboral")
    met = find_risks(document, RULES, kind, quantities, flags, facts.dated(found.family))
    return tuple(finding for finding in met if not finding.alike)


def _ids(text: str, kind: str = "") -> set[str]:
    return {finding.risk.id for finding in _findings(text, kind) if not finding.risk.id.startswith("dl_")}


EXPECTED = {
    ("dismissal_disciplinary_es", "dismissal_letter"): (
        "dismissal_camera dismissal_deadline dismissal_known_too_long dismissal_no_hearing "
        "dismissal_performance dismissal_reprisal dismissal_setoff dismissal_stale_faults dismissal_waiver "
        "dismissal_wrong_time"
    ),
    ("dismissal_objective_defective_es", "objective_dismissal"): (
        "dismissal_deadline dismissal_objective_without_notice dismissal_waiver letter_admission "
        "objective_hidden_disciplinary objective_indemnity_deferred objective_indemnity_short "
        "objective_protected objective_selection"
    ),
    ("employment_defective_es", "employment"): (
        "et_daily_hours et_holidays_lost et_mobility et_other_duties et_pregnancy et_safety_cost "
        "et_short_call et_temporary_no_severance et_trial_in_short_contract et_wage_below_minimum "
        "et_wage_fine et_weekly_rest"
    ),
    ("employment_lawful_es", "employment"): "",
    ("settlement_receipt_es", "settlement_receipt"): (
        "dismissal_setoff ending_temporary_short receipt_action_waiver receipt_claim_time receipt_discharge "
        "receipt_future_rights receipt_no_holidays receipt_no_representative"
    ),
    ("contract_end_es", "contract_end_notice"): (
        "dismissal_deadline end_chain end_client end_notice_short end_overlong end_protected "
        "et_temporary_no_severance"
    ),
    ("services_employment_es", "services"): (
        "hidden_social_security services_exclusive services_false_self_employment "
        "services_waiver_of_employment"
    ),
    ("trade_contract_es", "trade_contract"): (
        "trade_condition_unstated trade_end_at_will trade_forum trade_helpers trade_interruption_short "
        "trade_justified_interruption trade_not_registered trade_overtime"
    ),
    ("labour_claim_es", "labour_claim"): (
        "claim_to_former_court labour_claim_accumulation labour_claim_interest labour_claim_late "
        "labour_claim_no_alternative labour_claim_no_office labour_claim_no_prosecutor "
        "labour_claim_no_quantum"
    ),
    ("employment_sales_es", "employment"): (
        "et_automatic_end et_blank_resignation et_change_at_will et_client_risk et_device_access "
        "et_exclusive et_forum et_geolocation et_holidays et_holidays_imposed et_holidays_lost "
        "et_holidays_wait et_hours et_mobility et_no_agreement et_no_time_record "
        "et_non_compete_option et_non_compete_penalty et_non_compete_time et_non_compete_unpaid "
        "et_other_duties et_overtime_unpaid et_own_expenses et_pay_period et_sanction_power "
        "et_sick_unpaid et_stay_penalty et_trial_no_rights et_trial_six et_wage_below_minimum"
    ),
    ("employment_bar_es", "employment"): (
        "et_blank_resignation et_extra_pays et_holidays_money et_late_registration et_many_extensions "
        "et_paid_leave et_parttime_overtime et_pregnancy et_short_call et_surveillance_rest "
        "et_temporary_cause_unspecified et_temporary_no_severance et_trial_no_rights et_union_strike "
        "et_wage_fine et_weekly_rest"
    ),
    ("employment_temporary_fair_es", "employment"): (""),
    ("dismissal_bakery_es", "dismissal_letter"): (
        "dismissal_deadline dismissal_illness dismissal_no_hearing dismissal_protected "
        "dismissal_reprisal dismissal_setoff dismissal_undated_facts dismissal_waiver "
        "dismissal_wrong_time letter_fine letter_pay_later letter_pay_on_signature "
        "letter_unemployment_denied"
    ),
    ("dismissal_fair_es", "dismissal_letter"): ("dismissal_deadline"),
    ("dismissal_objective_driver_es", "objective_dismissal"): (
        "dismissal_deadline dismissal_illness dismissal_no_settlement dismissal_waiver "
        "dismissal_wrong_time objective_cause_vague objective_collective_skipped "
        "objective_copy_to_representatives objective_indemnity_rate objective_indemnity_short "
        "objective_instalments objective_notice_denied objective_replaced objective_selection "
        "objective_setoff"
    ),
    ("dismissal_objective_fair_es", "objective_dismissal"): ("dismissal_deadline"),
    ("settlement_receipt_farm_es", "settlement_receipt"): (
        "receipt_claim_time receipt_discharge receipt_false_resignation receipt_future_rights "
        "receipt_no_breakdown receipt_no_extra_pay receipt_no_representative receipt_payment_later "
        "receipt_witness_refused"
    ),
    ("trade_courier_es", "trade_contract"): (
        "hidden_end_at_will hidden_fines hidden_forum hidden_holidays hidden_hours hidden_non_compete "
        "hidden_pregnancy hidden_social_security hidden_training_payback services_contributions_shift "
        "services_exclusive services_false_self_employment trade_condition_unstated trade_helpers "
        "trade_not_registered trade_payment_late trade_price_change"
    ),
    ("remote_work_es", "remote_work_agreement"): (
        "et_always_available et_monitoring et_remote_costs et_surveillance_rest td_home_entry "
        "td_imposed td_no_costs_stated td_own_devices td_pay_cut"
    ),
    ("services_professional_fair_es", "services"): ("ip_assignment_bare"),
    ("employment_defective_en", "employment"): (
        "et_any_duties et_change_at_will et_device_access et_end_at_will et_exclusive et_forum "
        "et_holidays_imposed et_holidays_lost et_many_extensions et_mobility et_no_agreement "
        "et_non_compete_penalty et_non_compete_time et_non_compete_unpaid et_overtime_unpaid "
        "et_pregnancy et_resign_penalty et_sick_unpaid et_stay_penalty et_surveillance_rest "
        "et_temporary_without_cause et_timetable_day et_timetable_week et_trial_extended et_trial_six "
        "et_wage_below_minimum et_wage_fine et_waiver"
    ),
    ("dismissal_objective_clinic_es", "objective_dismissal"): (
        "dismissal_deadline dismissal_illness dismissal_wrong_time ending_disability_automatic "
        "objective_adaptation_without_course objective_indemnity_deferred objective_indemnity_short "
        "objective_notice_denied"
    ),
    ("services_gym_es", "services"): (
        "hidden_end_at_will hidden_fines hidden_non_compete hidden_social_security "
        "labour_court_waived services_contributions_shift services_false_self_employment"
    ),
    ("settlement_mutual_es", "settlement_receipt"): (
        "letter_unemployment_denied receipt_action_waiver receipt_claim_time receipt_discharge "
        "receipt_false_resignation receipt_future_rights receipt_no_breakdown receipt_no_extra_pay "
        "receipt_no_representative receipt_non_compete receipt_payment_later "
        "receipt_representative_denied"
    ),
}


@pytest.mark.parametrize(("name", "kind"), EXPECTED)
def test_a_document_meets_exactly_these_rules(name: str, kind: str) -> None:
    text = (TEXTS / f"{name}.txt").read_text("utf-8")
    assert recognise(Document(text), RULES).id == kind
    assert _ids(text) == set(EXPECTED[name, kind].split())


@pytest.mark.parametrize(
    ("since", "until", "months"),
    [
        (date(2018, 3, 1), date(2026, 9, 30), 103),
        (date(2018, 3, 1), date(2018, 3, 31), 1),
        (date(2018, 3, 1), date(2018, 4, 1), 2),
        (date(2020, 1, 31), date(2020, 2, 29), 2),
        (date(2020, 1, 15), date(2021, 1, 14), 12),
    ],
)
def test_a_begun_month_of_service_counts_as_a_whole_one(since: date, until: date, months: int) -> None:
    assert service_months(since, until) == months


def test_severance_has_a_cap_in_months_of_pay() -> None:
    pay = Decimal(24_000)
    assert severance(pay, date(2018, 3, 1), date(2026, 9, 30), 20, 12).due == Decimal("11287.67")
    assert severance(pay, date(1990, 1, 1), date(2026, 9, 30), 20, 12).due == pay
    assert severance(pay, date(2026, 1, 1), date(2026, 6, 30), 12, None).due == Decimal("394.52")


def test_unfair_dismissal_counts_forty_five_days_before_the_reform() -> None:
    pay = Decimal(36_500)  # a hundred a day
    assert unfair_dismissal(pay, date(2022, 1, 1), date(2023, 12, 31)).due == Decimal("6600.00")
    assert unfair_dismissal(pay, date(2010, 2, 12), date(2014, 2, 11)).due == Decimal("15600.00")
    assert unfair_dismissal(pay, date(2000, 1, 1), date(2024, 12, 31)).due == Decimal("72000.00")


OFFER = (
    "Madrid, a 4 de mayo de 2026\n\nCARTA DE DESPIDO OBJETIVO\n\nLe comunicamos la extinción de su contrato "
    "por causas económicas, con efectos del 31 de mayo de 2026. Antigüedad: 1 de junio de 2020. Salario "
    "bruto {}. Ponemos a su disposición {}."
)


@pytest.mark.parametrize(
    ("pay", "offer", "expected"),
    [
        ("anual de 21.900 euros", "la indemnización de 7.200 euros", set()),
        ("anual de 21.900 euros", "la indemnización de 7.100 euros", set()),
        ("anual de 21.900 euros", "la indemnización de 6.000 euros", {"objective_indemnity_short"}),
        ("mensual de 1.825 euros", "la indemnización de 6.000 euros", {"objective_indemnity_short"}),
        ("diario de 60 euros", "la indemnización de 6.000 euros", {"objective_indemnity_short"}),
        ("anual de 21.900 euros", "la indemnización que le corresponde", {"objective_sum_unstated"}),
        ("anual según convenio", "la indemnización de 600 euros", set()),
    ],
)
def test_the_compensation_is_computed_from_seniority_and_pay(
    pay: str, offer: str, expected: set[str]
) -> None:
    found = _ids(OFFER.format(pay, offer)) & {"objective_indemnity_short", "objective_sum_unstated"}
    assert found == expected


def test_the_sum_due_is_told_with_what_it_is_computed_from() -> None:
    text = OFFER.format("anual de 21.900 euros", "la indemnización de 6.000 euros")
    (finding,) = [one for one in _findings(text) if one.risk.id == "objective_indemnity_short"]
    assert finding.comparison.limit == Decimal("7200.00")
    assert finding.comparison.times == 72
