"""Administrative, tax and procedural documents: their kind, and exactly the rules that each of them meets."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.rules.document import Document
from app.rules.facts.document_facts import extract_facts
from app.rules.rulebook.kinds import recognise
from app.rules.rulebook.loader import rulebook
from app.rules.rulebook.quantities import find_quantities
from app.rules.rulebook.risks import Finding, circumstances, find_risks

RULES = rulebook()
TEXTS = Path(__file__).parent / "texts"


def _findings(text: str, kind: str, branch: str) -> tuple[Finding, ...]:
    document, facts = Document(text), extract_facts(text)
    quantities = find_quantities(document, facts.amounts, RULES.terms, kind, facts.dates)
    flags = circumstances(document, facts, kind, branch)
    dated = facts.dated(RULES.kind(kind).family)
    found = find_risks(document, RULES, kind, quantities, flags, dated)
    return tuple(finding for finding in found if finding.risk.section == "risks")


@pytest.mark.parametrize(
    ("name", "kind", "expected"),
    [
        (
            "admin_penalty_es",
            "administrative_decision",
            "adm_lapse_six adm_barred_minor adm_reposicion_time adm_allegations_short adm_reduction_low "
            "adm_evidence_refused adm_burden adm_strict_liability adm_formula_reasons adm_aggravated "
            "adm_enforced_at_once",
        ),
        ("admin_penalty_fair_es", "administrative_decision", ""),
        (
            "admin_denial_es",
            "administrative_decision",
            "adm_reference_reasons adm_revocation adm_retroactive_act adm_silence_passed "
            "adm_no_end_but_court",
        ),
        (
            "traffic_fine_es",
            "traffic_fine",
            "traffic_barred traffic_no_instrument traffic_amount_serious traffic_no_photo traffic_time "
            "traffic_discount traffic_pay_and_contest traffic_alzada",
        ),
    ],
)
def test_a_document_meets_exactly_these_rules(name: str, kind: str, expected: str) -> None:
    text = (TEXTS / f"{name}.txt").read_text("utf-8")
    assert recognise(Document(text), RULES).id == kind
    assert {finding.risk.id for finding in _findings(text, kind, "contencioso")} == set(expected.split())
