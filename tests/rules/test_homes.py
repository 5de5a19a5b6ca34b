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
}


def _ids(text: str) -> tuple[str, set[str]]:
    facts = extract_facts(text)
    document = Document(text, facts.source)
    kind = recognise(document, RULES).id
    quantities = find_quantities(document, facts.amounts, RULES.terms, kind, facts.dates)
    quantities = with_ranges(document, quantities, facts.deadlines, kind)
    flags = circumstances(document, facts, kind, "civil")
    found = find_risks(document, RULES, kind, quantities, flags, facts.dated("contract"))
    return kind, {finding.risk.id for finding in found if not finding.risk.id.startswith("dl_")}


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
