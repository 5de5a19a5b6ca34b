"""Civil documents of lay and hasty drafters, and lawful neighbours of each: exactly what is told of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.rules.brief import Brief
from app.rules.engine import RulesEngine

TEXTS = Path(__file__).parent / "texts"
TOLD = {
    "divorce_lay_es": (
        "divorce_compensatory_waiver divorce_contact_at_will divorce_contact_conditioned "
        "divorce_home_disposal divorce_home_use_forever divorce_mortgage_creditor divorce_move_alone "
        "divorce_new_partner divorce_no_modification divorce_notary_minors divorce_pets "
        "divorce_relatives_barred divorce_support_right_waived divorce_support_set_off "
        "divorce_support_until_majority divorce_unequal_liquidation divorce_update_excluded "
        "divorce_without_approval"
    ),
    "will_lay_es": (
        "will_carer_private will_fideicommissum_share will_irrevocable will_left_nothing will_no_contest "
        "will_not_handwritten will_one_child_only will_perpetual_prohibition will_predeceased_child "
        "will_private_papers will_unlawful_condition"
    ),
    "claim_hasty_es": (
        "claim_amount_undetermined claim_documents_later claim_expert_kept_back claim_interim_no_security "
        "claim_negotiation_denied claim_negotiation_unproved claim_no_power claim_own_forum "
        "claim_own_interrogation claim_unliquidated claim_verbal_over_limit debt_barred_by_date "
        "fifteen_years_repealed procedural_interest_early third_party_not_bound"
    ),
    "demand_lay_es": (
        "debt_barred_by_date demand_collection_costs demand_compound_interest demand_criminal_threat "
        "demand_debtor_file demand_exposure_threat demand_interest_without_basis "
        "demand_negotiation_refused demand_order_wrong_court demand_self_help demand_weak_proof "
        "third_party_not_bound"
    ),
    "works_es": (
        "services_discipline services_subcontract_unliable works_acceptance_waiver "
        "works_contractor_leaves works_defects_excluded works_delay_free works_extras_unwritten "
        "works_forum works_owner_cannot_withdraw works_paid_in_advance works_price_raised "
        "works_retention_of_home works_risk_on_owner works_without_licence"
    ),
    "power_lay_es": (
        "power_after_death power_internment power_irrevocable power_no_accounts power_no_liability "
        "power_personal_acts power_price_at_will power_self_dealing power_substitution"
    ),
    "donation_lay_es": (
        "donation_accept_later donation_common_property donation_creditors donation_everything "
        "donation_future_goods donation_on_death donation_private_form donation_reduction_waiver "
        "donation_revocation_waiver future_inheritance_waiver will_perpetual_prohibition"
    ),
    "community_lay_es": (
        "community_accessibility_refused community_ban_by_majority community_cameras "
        "community_challenge_time community_charger_refused community_debtor_silenced "
        "community_debtors_published community_dissenter_charged community_equal_shares "
        "community_essential_services community_outside_agenda community_penalty_retroactive "
        "community_president_not_owner community_reserve_fund community_tourist_retroactive "
        "community_unanimity"
    ),
    "insolvency_hasty_es": (
        "insolvency_acts_rescindable insolvency_court insolvency_discharge_company insolvency_late "
        "insolvency_micro insolvency_no_report insolvency_papers_refused "
        "insolvency_power insolvency_state_missing"
    ),
    "appeal_hasty_es": (
        "appeal_civil_late appeal_evidence appeal_new_matter appeal_no_protest appeal_no_rulings "
        "appeal_papers_refused appeal_wrong_court"
    ),
    "divorce_second_es": (
        "divorce_before_three_months divorce_extra_expenses_shifted divorce_no_modification "
        "divorce_parental_authority_waived divorce_penalty_children divorce_personal_freedom "
        "divorce_rented_home divorce_shared_custody_violence divorce_support_replaced "
        "divorce_support_until_majority divorce_support_waived divorce_without_approval "
        "future_inheritance_waiver"
    ),
    "claim_accident_es": (
        "claim_facts_reserved claim_negotiation_denied claim_no_amount claim_tort_barred "
        "claim_unliquidated old_threshold_ordinary tort_year_misquoted"
    ),
    "demand_lawyer_es": (
        "demand_collection_costs demand_compound_interest demand_criminal_threat demand_director_liable "
        "demand_exposure_threat demand_interest_without_basis demand_negotiation_refused "
        "demand_short_limitation demand_weak_proof fifteen_years_repealed termination_and_performance "
        "third_party_not_bound"
    ),
}
LAWFUL = ("divorce", "will", "claim", "demand", "works", "community")


def _told(name: str) -> set[str]:
    text = (TEXTS / f"{name}.txt").read_text("utf-8")
    draft = RulesEngine().analyse(Brief(text=text, jurisdiction="ES", branch="civil", language="es"))
    risks = [one.facts for one in draft.statements if one.section == "risks"]
    return {str(facts["rule"]) for facts in risks if "rule" in facts and "found_by" not in facts}


@pytest.mark.parametrize("name", sorted(TOLD))
def test_a_document_of_a_lay_drafter_meets_exactly_these_rules(name: str) -> None:
    assert _told(name) == set(TOLD[name].split())


@pytest.mark.parametrize("name", LAWFUL)
def test_a_lawful_document_with_the_same_subjects_meets_none(name: str) -> None:
    assert _told(f"{name}_lawful_es") == set()
