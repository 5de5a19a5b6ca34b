"""Measures of employers and settlements: a faulty and a lawful document of each kind."""

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
EXPECTED = {
    ("sanction_es", "disciplinary_sanction"): (
        "measure_reprisal measure_waiver sanction_deadline sanction_known_too_long sanction_representative "
        "sanction_rest_or_fine sanction_undated_facts"
    ),
    ("sanction_lawful_es", "disciplinary_sanction"): "sanction_deadline",
    ("conditions_es", "conditions_change"): (
        "conditions_below_agreement conditions_called_minor conditions_deadline conditions_no_cause "
        "conditions_notice_short conditions_part_time_forced conditions_refusal_resigns "
        "dl_conditions_notice measure_collective_skipped measure_reprisal measure_waiver"
    ),
    ("conditions_lawful_es", "conditions_change"): "conditions_deadline dl_conditions_notice",
    ("transfer_es", "geographic_mobility"): (
        "conditions_deadline dl_transfer_notice mobility_compensation_short mobility_costs_shifted "
        "mobility_no_cause "
        "mobility_notice_short mobility_refusal_resigns mobility_representative"
    ),
    ("transfer_lawful_es", "geographic_mobility"): "conditions_deadline dl_transfer_notice",
    ("suspension_es", "work_suspension"): (
        "conditions_deadline measure_waiver suspension_indefinite suspension_overtime "
        "suspension_reduction_range suspension_still_working suspension_without_procedure"
    ),
    ("suspension_lawful_es", "work_suspension"): "conditions_deadline",
    ("settlement_es", "settlement_agreement"): (
        "settlement_crime settlement_enforced_directly settlement_fraud_waived settlement_future_support "
        "settlement_general_waiver settlement_minor settlement_no_date settlement_without_power"
    ),
    ("settlement_lawful_es", "settlement_agreement"): "",
}


def _met(text: str, kind: str) -> set[str]:
    document, facts = Document(text), extract_facts(text)
    quantities = find_quantities(document, facts.amounts, RULES.terms, kind, facts.dates)
    quantities = with_ranges(document, quantities, facts.deadlines, kind)
    flags = circumstances(document, facts, kind, "laboral")
    family = RULES.kind(kind).family
    found = find_risks(document, RULES, kind, quantities, flags, facts.dated(family))
    return {finding.risk.id for finding in found}


@pytest.mark.parametrize(("name", "kind"), EXPECTED)
def test_a_document_is_of_its_kind_and_meets_exactly_these_rules(name: str, kind: str) -> None:
    text = (TEXTS / f"{name}.txt").read_text("utf-8")
    assert recognise(Document(text), RULES).id == kind
    assert _met(text, kind) == set(EXPECTED[name, kind].split())


@pytest.mark.parametrize(
    ("text", "met"),
    [
        ("Tolosa, 30 de mayo de 2026. Falta grave. La empresa tuvo conocimiento el 4 de mayo de 2026.", True),
        (
            "Tolosa, 30 de mayo de 2026. Falta grave. La empresa tuvo conocimiento el 14 de mayo de 2026.",
            False,
        ),
        (
            "Tolosa, 30 de mayo de 2026. Falta muy grave. La empresa tuvo conocimiento el 4 de mayo de 2026.",
            False,
        ),
    ],
    ids=["after twenty days", "within twenty days", "very serious"],
)
def test_serious_faults_are_barred_twenty_days_after_they_were_known(text: str, met: bool) -> None:
    assert ("sanction_serious_known_too_long" in _met(text, "disciplinary_sanction")) is met
