"""Papers of Argentina, Chile and Peru: what breaks the law is told with its article, what is lawful not."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.rules import Brief, Draft, RulesEngine
from app.rules.draft import Section

TEXTS = Path(__file__).parent / "texts" / "south"

# Each paper: branch, kind in English, and the rules that it breaks with an article of each.
UNLAWFUL = [
    (
        "ar_employment",
        "laboral",
        "employment contract",
        {
            "ar_weekly_hours": "art. 1 Ley 11.544",
            "ar_trial_too_long": "art. 92 bis LCT",
            "ar_trial_without_rights": "art. 92 bis LCT",
            "ar_cash_off_the_books": "art. 124 LCT",
            "ar_overtime_unpaid": "art. 201 LCT",
            "ar_deductions": "art. 131 LCT",
            "ar_holidays_short": "art. 150 LCT",
            "ar_pregnancy_marriage": "art. 178 LCT",
            "ar_unilateral_change": "art. 66 LCT",
            "ar_rights_waived": "art. 12 LCT",
            "ar_noncompete": "art. 14 CN",
        },
    ),
    (
        "ar_lease",
        "civil",
        "housing lease",
        {
            "ar_lease_early_exit": "art. 1221 CCyC",
            "ar_lease_expenses": "art. 1209 CCyC",
            "ar_lease_repairs": "art. 1201 CCyC",
            "ar_penalty_interest": "art. 771 CCyC",
            "ar_lease_self_help": "art. 1223 CCyC",
            "ar_lease_exclusion": "art. 1195 CCyC",
            "ar_lease_repealed_law": "art. 1198 CCyC",
        },
    ),
    (
        "ar_dismissal",
        "laboral",
        "dismissal letter",
        {
            "ar_dismissal_vague": "art. 243 LCT",
            "ar_no_severance": "art. 245 LCT",
            "ar_dismissal_sick": "art. 213 LCT",
            "ar_certificates_refused": "art. 80 LCT",
        },
    ),
    (
        "ar_terms",
        "civil",
        "consumer terms and conditions",
        {
            "ar_withdrawal_denied": "art. 34 Ley 24.240",
            "ar_warranty_short": "art. 11 Ley 24.240",
            "ar_liability_limited": "art. 37 Ley 24.240",
            "ar_unilateral_terms": "art. 988 CCyC",
            "ar_negative_option": "art. 35 Ley 24.240",
            "ar_consumer_forum": "art. 1109 CCyC",
        },
    ),
    (
        "ar_loan",
        "civil",
        "loan or credit agreement",
        {
            "ar_compound_interest": "art. 770 CCyC",
            "ar_commissory_pact": "art. 2198 CCyC",
            "ar_wage_assigned": "art. 148 LCT",
            "ar_credit_information": "art. 36 Ley 24.240",
        },
    ),
    (
        "ar_settlement",
        "laboral",
        "settlement receipt (finiquito)",
        {"ar_mutual_agreement_form": "art. 241 LCT", "ar_settlement_unapproved": "art. 15 LCT"},
    ),
    (
        "cl_employment",
        "laboral",
        "employment contract",
        {
            "cl_weekly_hours": "art. 22 CT",
            "cl_overtime_unpaid": "art. 32 CT",
            "cl_wage_below_minimum": "art. 44 CT",
            "cl_deductions": "art. 58 CT",
            "cl_holidays_short": "art. 67 CT",
            "cl_pregnancy": "art. 194 CT",
            "cl_no_gratification": "art. 50 CT",
            "cl_trial_period": "art. 168 CT",
            "cl_renewals": "art. 159 CT",
            "cl_union": "art. 215 CT",
            "cl_rights_waived": "art. 5 CT",
        },
    ),
    (
        "cl_dismissal",
        "laboral",
        "dismissal letter",
        {
            "cl_severance_cut": "art. 163 CT",
            "cl_letter_vague": "art. 162 CT",
            "cl_sick_leave": "art. 161 CT",
            "cl_fuero": "art. 174 CT",
            "cl_notice_short": "art. 162 CT",
            "cl_settlement_late": "art. 177 CT",
            "cl_needs_no_amount": "art. 162 CT",
            "cl_contributions_unpaid": "art. 162 CT",
        },
    ),
    (
        "cl_lease",
        "civil",
        "housing lease",
        {
            "cl_lease_self_help": "art. 19 Ley 18.101",
            "cl_lease_eviction_short": "art. 3 Ley 18.101",
            "cl_lease_rights_waived": "art. 19 Ley 18.101",
            "cl_lease_repairs": "art. 1927 CC",
        },
    ),
    (
        "cl_terms",
        "civil",
        "consumer terms and conditions",
        {
            "cl_unilateral_terms": "art. 16 Ley 19.496",
            "cl_liability_excluded": "art. 16 Ley 19.496",
            "cl_warranty": "art. 20 Ley 19.496",
            "cl_withdrawal": "art. 3 bis Ley 19.496",
            "cl_silence": "art. 3 Ley 19.496",
            "cl_forum": "art. 50 A Ley 19.496",
            "cl_new_consent_silent": "art. 12 Ley 19.628",
        },
    ),
    (
        "cl_loan",
        "civil",
        "loan or credit agreement",
        {
            "cl_interest_monthly": "art. 8 Ley 18.010",
            "cl_pledge_forfeit": "art. 2397 CC",
            "cl_prepayment": "art. 10 Ley 18.010",
            "cl_collection_fees": "art. 37 Ley 19.496",
        },
    ),
    (
        "cl_settlement",
        "laboral",
        "settlement receipt (finiquito)",
        {
            "cl_settlement_unratified": "art. 177 CT",
        },
    ),
    (
        "pe_employment",
        "laboral",
        "employment contract",
        {
            "pe_weekly_hours": "art. 25 Constitución",
            "pe_weekly_rest": "art. 1 D. Leg. 713",
            "pe_overtime_unpaid": "art. 10 D. Leg. 854",
            "pe_wage_below_minimum": "art. 24 Constitución",
            "pe_benefits_denied": "art. 2 D.S. 001-97-TR",
            "pe_holidays_short": "art. 10 D. Leg. 713",
            "pe_probation_again": "art. 10 LPCL",
            "pe_renewals": "art. 74 LPCL",
            "pe_no_objective_cause": "art. 72 LPCL",
            "pe_unilateral_change": "art. 30 LPCL",
        },
    ),
    (
        "pe_dismissal",
        "laboral",
        "dismissal letter",
        {
            "pe_letter_vague": "art. 32 LPCL",
            "pe_severance_cut": "art. 38 LPCL",
            "pe_null_dismissal": "art. 29 LPCL",
            "pe_settlement_late": "art. 3 D.S. 001-97-TR",
        },
    ),
    (
        "pe_lease",
        "civil",
        "housing lease",
        {
            "pe_lease_self_help": "art. 585 CPC",
            "pe_lease_one_month": "art. 1697 CC",
            "pe_penalty_excessive": "art. 1346 CC",
            "pe_future_surrender": "art. 594 CPC",
        },
    ),
    (
        "pe_terms",
        "civil",
        "consumer terms and conditions",
        {
            "pe_liability_excluded": "art. 50 CPDC",
            "pe_waiver": "art. 50 CPDC",
            "pe_unilateral_end": "art. 50 CPDC",
            "pe_terms_changed": "art. 56 CPDC",
            "pe_no_refund": "art. 97 CPDC",
            "pe_complaints": "art. 24 CPDC",
            "pe_data_consent": "art. 5 Ley 29733",
        },
    ),
    (
        "pe_loan",
        "civil",
        "loan or credit agreement",
        {
            "pe_interest_monthly": "art. 1243 CC",
            "pe_commissory_pact": "art. 1111 CC",
            "pe_compound_interest": "art. 1249 CC",
            "pe_wages_charged": "art. 648 CPC",
        },
    ),
    (
        "pe_settlement",
        "laboral",
        "settlement receipt (finiquito)",
        {
            "pe_settlement_waiver": "art. 26 Constitución",
            "pe_cts_touched": "art. 37 D.S. 001-97-TR",
        },
    ),
]
LAWFUL = [
    ("ar_employment", "laboral", "employment contract"),
    ("ar_lease", "civil", "housing lease"),
    ("ar_dismissal", "laboral", "dismissal letter"),
    ("ar_terms", "civil", "consumer terms and conditions"),
    ("ar_loan", "civil", "loan or credit agreement"),
    ("cl_employment", "laboral", "employment contract"),
    ("cl_dismissal", "laboral", "dismissal letter"),
    ("cl_lease", "civil", "housing lease"),
    ("cl_terms", "civil", "consumer terms and conditions"),
    ("cl_loan", "civil", "loan or credit agreement"),
    ("pe_employment", "laboral", "employment contract"),
    ("pe_dismissal", "laboral", "dismissal letter"),
    ("pe_lease", "civil", "housing lease"),
    ("pe_terms", "civil", "consumer terms and conditions"),
    ("pe_loan", "civil", "loan or credit agreement"),
    ("ar_employment_plain", "laboral", "employment contract"),
    ("ar_lease_plain", "civil", "housing lease"),
    ("ar_terms_plain", "civil", "consumer terms and conditions"),
    ("cl_employment_plain", "laboral", "employment contract"),
    ("cl_lease_plain", "civil", "housing lease"),
    ("cl_terms_plain", "civil", "consumer terms and conditions"),
    ("pe_employment_plain", "laboral", "employment contract"),
    ("pe_lease_plain", "civil", "housing lease"),
    ("pe_terms_plain", "civil", "consumer terms and conditions"),
]


def _analysed(name: str, branch: str) -> Draft:
    text = (TEXTS / f"{name}.txt").read_text("utf-8")
    return RulesEngine().analyse(Brief(text, name[:2].upper(), branch, "en"))


def _risks(draft: Draft) -> dict[str, tuple[str, ...]]:
    return {
        str(one.facts["rule"]): one.citations
        for one in draft.statements
        if one.section is Section.RISKS and "rule" in one.facts
    }


@pytest.mark.parametrize(("name", "branch", "kind", "wrong"), UNLAWFUL, ids=[one[0] for one in UNLAWFUL])
def test_what_breaks_the_law_is_told_with_its_article(
    name: str, branch: str, kind: str, wrong: dict[str, str]
) -> None:
    draft = _analysed(f"{name}_unlawful", branch)
    assert draft.document_kind == kind
    found = _risks(draft)
    assert {rule: article for rule, article in wrong.items() if article not in found.get(rule, ())} == {}


@pytest.mark.parametrize(("name", "branch", "kind"), LAWFUL, ids=[one[0] for one in LAWFUL])
def test_the_lawful_version_of_a_paper_raises_no_alarm(name: str, branch: str, kind: str) -> None:
    draft = _analysed(f"{name}_lawful", branch)
    assert draft.document_kind == kind
    assert _risks(draft) == {}


@pytest.mark.parametrize("name", [one[0] for one in UNLAWFUL])
def test_a_rule_of_one_country_is_not_told_of_another(name: str) -> None:
    text = (TEXTS / f"{name}_unlawful.txt").read_text("utf-8")
    draft = RulesEngine().analyse(Brief(text, "UY", "civil", "es"))
    own = f"{name[:2]}_"
    assert [rule for rule in _risks(draft) if rule.startswith(own)] == []


def test_a_long_week_that_is_averaged_is_not_held_against_a_contract_of_chile() -> None:
    contract = (
        "CONTRATO DE TRABAJO\n\nEn Santiago, a 4 de mayo de 2026, entre Comercial Andes SpA, el empleador, y"
        " don Luis Soto, el trabajador, se conviene:\n\n"
        "PRIMERO. El trabajador se desempeñará como bodeguero.\n\n"
        "SEGUNDO. La jornada de trabajo será de 45 horas semanales{}.\n\n"
        "TERCERO. El sueldo será de $ 900.000 mensuales.\n"
    )

    def told(clause: str) -> bool:
        brief = Brief(contract.format(clause), "CL", "laboral", "es")
        return "cl_weekly_hours" in _risks(RulesEngine().analyse(brief))

    assert told("")
    assert not told(", con un promedio semanal de cuarenta y dos horas en un ciclo de cuatro semanas")
