"""Leases, sales and loans on homes: which rules each meets, among clauses that are lawful though alarming."""

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
    "mortgage_defective_es": (
        "loan",
        "mortgage_auction_value mortgage_fein_few_days mortgage_act_same_day mortgage_floor "
        "mortgage_margin_at_will mortgage_early_fee_variable mortgage_early_notice mortgage_default_points "
        "mortgage_costs mortgage_acceleration_few mortgage_interest_cover mortgage_guarantor_not_informed "
        "loan_late_capitalisation mortgage_tied_products mortgage_acceleration_grounds con_forum",
    ),
    "mortgage_fair_es": ("loan", ""),
    "housing_lease_fair_company_es": (
        "housing_lease",
        "lau_preemption_waiver",
    ),
    "housing_lease_lay_es": (
        "housing_lease",
        "lau_no_extension lau_need_relatives lau_months_at_signing lau_withdrawal_cost "
        "lau_fees_to_tenant lau_repairs lau_entry lau_own_hand lau_rent_at_will "
        "lau_charges_unquantified lau_sale_ends_lease lau_deposit lau_cash_in_hand "
        "lease_costs_always_tenant lease_forum",
    ),
    "private_loan_es": (
        "loan",
        "loan_difference_kept loan_thing_becomes_lenders loan_called_at_pleasure "
        "ack_prescription loan_usury loan_default_per_day "
        "loan_early_repayment_denied loan_compound surety_extensions surety_unlimited "
        "loan_blank_note loan_own_forum_waived",
    ),
    "private_loan_fair_es": (
        "loan",
        "loan_guarantor_waiver",
    ),
    "arras_fair_es": (
        "real_estate_sale",
        "",
    ),
    "arras_reservation_es": (
        "real_estate_sale",
        "sale_spouse_not_signing arras_one_sided sale_financing_no_condition "
        "sale_let_to_tenant sale_preemption_unnotified sale_price_understated "
        "sale_earnest_unqualified sale_warranty_waiver sale_deed_at_will "
        "sale_community_debts_buyer sale_plusvalia_buyer",
    ),
    "consumer_credit_fair_es": (
        "loan",
        "",
    ),
}


def _ids(text: str) -> tuple[str, set[str]]:
    facts = extract_facts(text)
    document = Document(text, facts.source)
    kind = recognise(document, RULES).id
    quantities = find_quantities(document, facts.amounts, RULES.terms, kind, facts.dates)
    quantities = with_ranges(document, quantities, facts.deadlines, kind)
    flags = circumstances(document, facts, kind, "civil")
    found = find_risks(document, RULES, kind, quantities, flags, facts.dated("contract"))
    met = (finding.risk.id for finding in found if not finding.alike)
    return kind, {rule for rule in met if not rule.startswith("dl_")}


@pytest.mark.parametrize("name", sorted(DOCUMENTS))
def test_a_document_about_a_home_meets_exactly_these_rules(name: str) -> None:
    kind, rules = DOCUMENTS[name]
    assert _ids((TEXTS / f"{name}.txt").read_text("utf-8")) == (kind, set(rules.split()))


@pytest.mark.parametrize(
    ("words", "value"),
    [
        ("un interés del tres coma veinticinco por ciento", "3.25"),
        ("el cero con noventa por ciento", "0.90"),
        ("un dos y medio por ciento cada mes", "2.5"),
        ("el treinta y cinco por ciento", "35"),
        ("el uno coma cincuenta por ciento (1,50 %)", "1.50"),
    ],
)
def test_decimals_of_a_percentage_are_read_in_words(words: str, value: str) -> None:
    amounts = extract_facts(words).amounts
    assert [str(amount.value) for amount in amounts] == [value]
    assert amounts[0].flag is None
