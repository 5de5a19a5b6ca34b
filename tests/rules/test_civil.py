"""Civil documents: which rules each meets, among clauses that are lawful though they look alarming."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.rules.document import Document
from app.rules.facts.document_facts import extract_facts
from app.rules.rulebook.kinds import recognise
from app.rules.rulebook.loader import rulebook
from app.rules.rulebook.quantities import find_quantities, with_ranges
from app.rules.rulebook.risks import circumstances, find_risks

RULES = rulebook()
TEXTS = Path(__file__).parent / "texts"

DOCUMENTS = {
    "will_es": (
        "will",
        "will_disinherit_wrong_cause will_share_burdened will_care_home will_private_papers "
        "will_executor_coheir will_no_contest will_irrevocable",
    ),
    "will_holographic_es": (
        "will",
        "will_not_handwritten will_carer_private will_delegated will_fideicommissum_grades "
        "will_witnesses_no_notary will_witness_beneficiary will_left_nothing will_token_share "
        "will_sole_heir_not_child will_perpetual_prohibition will_no_form",
    ),
    "donation_es": (
        "donation",
        "donation_private_form donation_promise donation_future_goods donation_revocation_waiver "
        "donation_reduction_waiver future_inheritance_waiver",
    ),
    "power_of_attorney_es": (
        "power_of_attorney",
        "power_private_form power_preventive_private power_preventive_no_safeguards power_personal_acts "
        "power_after_death power_gifts power_self_dealing power_no_accounts power_irrevocable "
        "power_price_at_will",
    ),
    "divorce_agreement_es": (
        "divorce_agreement",
        "future_inheritance_waiver divorce_contact_at_will divorce_move_alone "
        "divorce_support_until_majority divorce_support_not_updated divorce_support_set_off "
        "divorce_unequal_liquidation "
        "divorce_no_modification divorce_compensatory_waiver divorce_mortgage_creditor",
    ),
    "community_minutes_es": (
        "community_minutes",
        "community_tourist_majority community_accessibility_refused community_essential_services "
        "community_president_not_owner community_challenge_time community_reserve_fund "
        "community_equal_shares",
    ),
    "suretyship_es": (
        "suretyship",
        "surety_unlimited loan_guarantor_waiver surety_extensions surety_void_debt ack_prescription",
    ),
    "debt_acknowledgement_es": (
        "debt_acknowledgement",
        "loan_money_overstated loan_compound loan_acceleration_business ack_no_defence ack_prescription "
        "loan_legal_costs loan_forfeiture_by_sale",
    ),
    "mortgage_es": (
        "loan",
        "mortgage_floor mortgage_default_base mortgage_early_fee_variable mortgage_acceleration_few "
        "mortgage_costs mortgage_tied_products",
    ),
    "off_plan_sale_es": (
        "real_estate_sale",
        "sale_price_open offplan_no_guarantee offplan_delivery_indicative offplan_changes offplan_costs "
        "offplan_notary offplan_forfeit offplan_licence sale_only_buyer_forfeits",
    ),
    "housing_lease_company_es": (
        "housing_lease",
        "lau_stressed_zone_rent lau_need_company lau_need_notice lau_rent_ipc_plus lau_withdrawal_notice "
        "lau_extraordinary_levies lau_repairs lau_deposit_return_late lau_preemption_waiver",
    ),
    "room_lease_es": (
        "room_lease",
        "lau_entry lease_rent_at_will room_ends_at_will lease_private_life room_joint_liability room_fines",
    ),
}


@pytest.mark.parametrize("name", sorted(DOCUMENTS))
def test_a_civil_document_meets_exactly_these_rules(name: str) -> None:
    kind, expected = DOCUMENTS[name]
    text = (TEXTS / f"{name}.txt").read_text("utf-8")
    document, facts = Document(text), extract_facts(text, "ES")
    recognition = recognise(document, RULES)
    assert recognition.id == kind
    quantities = find_quantities(document, facts.amounts, RULES.terms, kind)
    quantities = with_ranges(document, quantities, facts.deadlines, kind)
    flags = circumstances(document, facts, kind, "civil")
    found = find_risks(document, RULES, kind, quantities, flags, facts.dated(recognition.family))
    met = (finding.risk.id for finding in found if not finding.alike)
    assert {rule for rule in met if not rule.startswith("dl_")} == set(expected.split())
