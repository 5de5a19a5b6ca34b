"""Documents of Great Britain, the United States and the Union, in English, as people write them.

What is wrong in one is found by the rule that says so; its lawful twin stays silent.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from app.rules import Brief, RulesEngine

TEXTS = Path(__file__).with_name("texts")
# File, jurisdiction, branch, kind, and the rules that must be met.
PAPERS: tuple[tuple[str, str, str, str, frozenset[str]], ...] = (
    (
        "gb_employment", "GB", "laboral", "employment contract",
        frozenset({
            "gb_wage_below_minimum", "gb_work_unpaid", "gb_rights_waived", "gb_union_ban", "gb_week_over_48",
            "gb_leave_inclusive_low", "gb_leave_forfeited_at_end", "gb_sick_pay_denied", "gb_tips_kept",
            "gb_notice_none", "gb_pay_secrecy", "gb_terms_changed_alone",
        }),
    ),
    (
        "gb_lease", "GB", "civil", "housing lease",
        frozenset({
            "gb_deposit_over_cap", "gb_deposit_kept_by_landlord", "gb_deposit_unprotected",
            "gb_prohibited_fees", "gb_repairs_on_tenant", "gb_self_help_eviction", "gb_no_fault_notice",
            "gb_fixed_term", "gb_rent_in_advance", "gb_rent_review_clause", "gb_entry_without_notice",
            "gb_late_rent_charge", "gb_pets_banned",
        }),
    ),
    (
        "gb_terms", "GB", "civil", "consumer terms and conditions",
        frozenset({
            "gb_consumer_refund_refused", "gb_cancel_right_excluded", "gb_injury_liability_excluded",
            "gb_consumer_price_change", "gb_card_surcharge", "gb_delivery_risk", "gb_consumer_arbitration",
            "gb_consumer_foreign_law",
        }),
    ),
    (
        "gb_dismissal", "GB", "laboral", "dismissal letter",
        frozenset({
            "gb_pregnancy_ends_job", "gb_leave_forfeited_at_end", "gb_final_pay_withheld",
            "gb_reasons_refused", "gb_hearing_denied",
        }),
    ),
    (
        "gb_services", "GB", "mercantil", "services agreement",
        frozenset({
            "gb_rights_waived", "gb_self_employed_sham", "gb_liability_all_excluded",
            "gb_late_interest_excluded", "gb_payment_over_60_days",
        }),
    ),
    (
        "us_employment_ca", "US", "laboral", "employment contract",
        frozenset({
            "us_ca_minimum_wage", "us_overtime_denied", "us_ca_expenses_on_employee", "us_ca_noncompete",
            "us_ca_meal_breaks", "us_ca_vacation_lost", "us_ca_inventions_all", "us_ca_wage_secrecy",
            "us_ca_foreign_forum", "us_ca_final_pay_late", "us_arbitration_harassment",
            "us_trade_secret_notice_missing",
        }),
    ),
    (
        "us_lease_ny", "US", "civil", "housing lease",
        frozenset({
            "us_ny_deposit_figures", "us_ny_habitability_waived", "us_family_status_housing",
            "us_ny_late_fee",
        }),
    ),
    (
        "us_loan_tx", "US", "civil", "loan or credit agreement",
        frozenset({"us_tx_usury", "us_judgment_confessed"}),
    ),
    (
        "us_debt", "US", "civil", "letter of demand",
        frozenset({"us_debt_threat", "us_debt_validation_missing"}),
    ),
    (
        "us_baa", "US", "mercantil", "data processing agreement",
        frozenset({
            "us_baa_own_use", "us_baa_breach_late", "us_baa_subcontractors", "us_baa_return",
            "us_baa_books", "us_baa_safeguards",
        }),
    ),
    (
        "eu_processing", "EU", "mercantil", "data processing agreement",
        frozenset({
            "eu_processor_without_instructions", "eu_subprocessors_free", "eu_breach_notice_late",
            "eu_data_kept_after_end", "eu_transfer_without_safeguards", "eu_audit_denied",
            "eu_processor_contract_incomplete",
        }),
    ),
    (
        "eu_privacy", "EU", "mercantil", "privacy notice",
        frozenset({
            "eu_consent_forced", "eu_data_sold_freely", "eu_rights_denied_or_charged",
            "eu_retention_unlimited", "eu_automated_decision_unchecked", "eu_notice_complaint_missing",
        }),
    ),
    (
        "eu_terms", "EU", "civil", "consumer terms and conditions",
        frozenset({
            "eu_withdrawal_excluded", "eu_conformity_short", "eu_preticked_boxes", "eu_consumer_forum",
            "eu_unfair_change", "eu_content_removed_at_will", "eu_card_fee", "eu_consumer_law_choice",
        }),
    ),
    (
        "eu_ict", "EU", "mercantil", "software or cloud services agreement",
        frozenset({
            "eu_dora_audit_refused", "eu_dora_subcontract_free", "eu_dora_locations",
            "eu_dora_service_levels", "eu_dora_termination",
        }),
    ),
    (
        "eu_employment", "EU", "laboral", "employment contract",
        frozenset({
            "eu_emotion_recognition", "eu_probation_long", "eu_employee_forum", "eu_employee_law_choice",
            "eu_parallel_work_banned", "eu_training_charged",
        }),
    ),
)  # fmt: skip
NAMED = [pytest.param(*paper, id=paper[0]) for paper in PAPERS]


@cache
def _analysed(name: str, code: str, branch: str) -> tuple[str, frozenset[str]]:
    text = (TEXTS / f"{name}_en.txt").read_text("utf-8")
    draft = RulesEngine().analyse(Brief(text, code, branch, "en"))
    return draft.document_kind, frozenset(
        str(one.facts["rule"]) for one in draft.statements if "rule" in one.facts
    )


@pytest.mark.parametrize(("name", "code", "branch", "kind", "rules"), NAMED)
def test_what_is_wrong_in_a_document_is_found(
    name: str, code: str, branch: str, kind: str, rules: frozenset[str]
) -> None:
    recognised, found = _analysed(name, code, branch)
    assert recognised == kind
    assert rules - found == frozenset()


@pytest.mark.parametrize(("name", "code", "branch", "kind", "rules"), NAMED)
def test_its_lawful_twin_stays_silent(
    name: str, code: str, branch: str, kind: str, rules: frozenset[str]
) -> None:
    recognised, found = _analysed(f"{name}_fair", code, branch)
    assert recognised == kind
    # That a period runs from a dismissal, a demand or a deposit is no defect of the paper.
    assert found <= {"gb_tribunal_time_limit", "gb_ld_deposit"}


@pytest.mark.parametrize(("name", "code", "branch", "kind", "rules"), NAMED)
def test_the_law_of_one_country_is_not_applied_in_another(
    name: str, code: str, branch: str, kind: str, rules: frozenset[str]
) -> None:
    for other in {"ES", "ZW", "GB", "US"} - {code}:
        _, found = _analysed(name, other, branch)
        assert not {one for one in found if one.startswith(f"{code.lower()}_")}


def test_the_law_of_a_state_is_told_only_where_the_document_names_it() -> None:
    text = (TEXTS / "us_employment_ca_en.txt").read_text("utf-8")
    elsewhere = text.replace("San Jose, California", "Boise, Idaho")
    draft = RulesEngine().analyse(Brief(elsewhere, "US", "laboral", "en"))
    found = {str(one.facts["rule"]) for one in draft.statements if "rule" in one.facts}
    assert "us_overtime_denied" in found
    assert not {one for one in found if one.startswith("us_ca_")}


def test_a_sum_in_pounds_stays_in_its_sentence() -> None:
    text = "TENANCY AGREEMENT between the landlord and the tenant of the flat. 1. The rent is £900 per month."
    draft = RulesEngine().analyse(Brief(text, "GB", "civil", "en"))
    assert any("£900" in quote for one in draft.statements for quote in one.quotes)


def test_the_lower_wage_of_the_young_is_not_held_against_an_employer() -> None:
    text = (
        "EMPLOYMENT AGREEMENT\n\n"
        "Between Bayline Robotics, Inc., Austin, Texas (the Employer) and Dana Lee (the Employee), "
        "dated March 2, 2026.\n"
        "1. Position. The Employee works in Austin as a technician, 40 hours per week, at $5.00 per hour{}.\n"
    )

    def met(more: str) -> bool:
        draft = RulesEngine().analyse(Brief(text.format(more), "US", "laboral", "en"))
        return "us_wage_below_federal" in {one.facts.get("rule") for one in draft.statements}

    assert met("")
    assert not met(", the youth wage for the first ninety days of employment")
