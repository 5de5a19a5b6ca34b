"""Administrative, tax and procedural documents: their kind, and exactly the rules that each of them meets."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pytest

from app.rules import RulesEngine
from app.rules.brief import Brief
from app.rules.document import Document
from app.rules.draft import Section
from app.rules.facts.document_facts import extract_facts
from app.rules.rulebook.kinds import recognise
from app.rules.rulebook.loader import rulebook
from app.rules.rulebook.penalties import same_person, worked_out
from app.rules.rulebook.quantities import find_quantities
from app.rules.rulebook.risks import Finding, circumstances, find_risks

RULES = rulebook()
TEXTS = Path(__file__).parent / "texts"


def _findings(text: str, kind: str, branch: str) -> tuple[Finding, ...]:
    document, facts = Document(text), extract_facts(text)
    quantities = find_quantities(document, facts.amounts, RULES.terms, kind, facts.dates)
    quantities = {**quantities, **worked_out(document, facts.amounts, facts.dates, kind, quantities)}
    flags = circumstances(document, facts, kind, branch)
    dated = facts.dated(RULES.kind(kind).family)
    found = find_risks(document, RULES, kind, quantities, flags, dated)
    return tuple(finding for finding in found if finding.risk.section == "risks" and not finding.alike)


def _branch(kind: str) -> str:
    return {"claim": "civil", "appeal": "civil", "insolvency_petition": "mercantil"}.get(kind, "contencioso")


@pytest.mark.parametrize(
    ("name", "kind", "expected"),
    [
        (
            "admin_penalty_es",
            "administrative_decision",
            "adm_lapse_six adm_barred_minor adm_reposicion_time adm_allegations_short adm_reduction_low "
            "adm_evidence_refused adm_burden adm_strict_liability adm_formula_reasons adm_aggravated "
            "adm_enforced_at_once adm_fine_over_proposal",
        ),
        ("admin_penalty_fair_es", "administrative_decision", ""),
        ("subsidy_refund_fair_es", "administrative_decision", ""),
        (
            "consumer_penalty_es",
            "administrative_decision",
            "adm_barred_consumer_minor adm_lapse_consumer adm_consumer_amount_minor adm_evidence_ignored "
            "adm_fine_over_proposal adm_recidivism_time adm_strict_liability adm_aggravated "
            "adm_reduction_court_waiver adm_reduction_low adm_alzada_time adm_no_precept adm_publication "
            "adm_fine_payment_period",
        ),
        (
            "tax_liability_es",
            "tax_liability",
            "liability_penalty_included liability_director_status liability_barred tax_payment_days "
            "tax_wrong_remedy liability_not_failed liability_no_hearing liability_surcharge",
        ),
        (
            "subsidy_refund_es",
            "administrative_decision",
            "subsidy_barred subsidy_lapse subsidy_proportion adm_no_hearing adm_alzada_time subsidy_interest",
        ),
        ("local_penalty_fair_es", "administrative_decision", "adm_lapse_three"),
        ("tax_penalty_fair_es", "tax_penalty", ""),
        ("enforcement_fair_es", "enforcement_order", "enforcement_grounds"),
        ("traffic_fair_es", "traffic_fine", ""),
        ("claim_fair_es", "claim", ""),
        ("appeal_fair_es", "appeal", ""),
        ("insolvency_fair_es", "insolvency_petition", ""),
        (
            "admin_penalty_tourism_es",
            "administrative_decision",
            "adm_lapse_six adm_bis_in_idem adm_barred_serious adm_no_hearing adm_burden adm_same_body "
            "adm_maximum adm_service_means adm_alzada_time adm_analogy adm_enforced_at_once adm_no_proposal "
            "adm_fine_payment_period adm_reduction_not_told",
        ),
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
            "traffic_discount traffic_pay_and_contest traffic_alzada traffic_no_margin traffic_fine_high",
        ),
        (
            "tax_penalty_es",
            "tax_penalty",
            "taxpen_late_start taxpen_lapse taxpen_hearing taxpen_no_guilt taxpen_conformity "
            "taxpen_small_base taxpen_prompt_payment tax_payment_days taxpen_not_suspended",
        ),
        (
            "tax_assessment_es",
            "tax_assessment",
            "tax_lapse tax_allegations_short tax_bank_requests tax_penalty_in_assessment tax_payment_days "
            "tax_reposicion_time tax_interest_rate tax_both_remedies tax_formula_reasons",
        ),
        ("tax_assessment_fair_es", "tax_assessment", ""),
        (
            "enforcement_local_es",
            "enforcement_order",
            "apremio_too_early apremio_penalty_not_final apremio_surcharges_added apremio_period "
            "apremio_seized_at_once adm_remedies_denied apremio_twenty_now enforcement_grounds",
        ),
        (
            "seizure_es",
            "seizure_order",
            "seizure_too_early seizure_wages seizure_wage_exempt seizure_wage_account seizure_over_debt "
            "seizure_joint_account apremio_suspended",
        ),
        ("seizure_fair_es", "seizure_order", ""),
        (
            "admin_appeal_es",
            "administrative_appeal",
            "appeal_adm_late appeal_adm_no_power adm_alzada_time appeal_adm_paid_reduced "
            "appeal_adm_alzada_end appeal_adm_no_stay",
        ),
        ("admin_appeal_fair_es", "administrative_appeal", ""),
        (
            "judicial_review_es",
            "judicial_review",
            "court_review_late court_review_wrong_court_tear court_review_final_act court_review_company "
            "court_review_power court_review_no_interim",
        ),
        (
            "claim_tort_es",
            "claim",
            "claim_tort_barred claim_negotiation_unproved claim_offer_revealed claim_documents_later "
            "claim_submission_verbal claim_unliquidated claim_own_forum claim_no_power "
            "claim_amount_undetermined",
        ),
        (
            "appeal_eviction_es",
            "appeal",
            "appeal_civil_late appeal_tenant_rents appeal_wrong_court appeal_procedural appeal_new_matter "
            "appeal_evidence appeal_no_rulings appeal_no_copy appeal_no_deposit",
        ),
        (
            "insolvency_es",
            "insolvency_petition",
            "insolvency_court insolvency_micro insolvency_late insolvency_old_regime "
            "insolvency_discharge_company insolvency_public_debt "
            "insolvency_power insolvency_moved insolvency_plan_length insolvency_no_inventory",
        ),
    ],
)
def test_a_document_meets_exactly_these_rules(name: str, kind: str, expected: str) -> None:
    text = (TEXTS / f"{name}.txt").read_text("utf-8")
    assert recognise(Document(text), RULES).id == kind
    assert {
        finding.risk.id
        for finding in _findings(text, kind, _branch(kind))
        if not finding.risk.id.startswith("dl_")
    } == set(expected.split())


def test_points_beyond_the_table_are_told_with_both_numbers() -> None:
    text = (TEXTS / "traffic_fine_es.txt").read_text("utf-8").replace("Puntos: 0", "Puntos a detraer: 4")
    draft = RulesEngine().analyse(Brief(text, "ES", "contencioso", "es"))
    risks = [one for one in draft.statements if one.section is Section.RISKS]
    told = [one.text for one in risks if one.facts.get("rule") == "traffic_points_high"]
    assert len(told) == 1
    assert told[0].startswith("Se detraen 4 puntos y a la velocidad y el límite que constan corresponden 0.")


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("Instruye el expediente el Alcalde-Presidente. El Alcalde-Presidente RESUELVE imponer multa.", True),
        ("Instructora: Dª Ana Gil Roca. Imponer multa. LA CONCEJALA DELEGADA, Fdo.: Ana Gil Roca", True),
        ("Instructora: Dª Ana Gil Roca. Imponer multa. LA ALCALDESA, Fdo.: Eva Sanz Coll", False),
        ("Instructor: D. Luis Mas Pons. Fdo.: Luis Mas Pons, que eleva la propuesta al Alcalde.", False),
    ],
)
def test_who_instructs_and_decides_is_known_by_name_or_office(text: str, same: bool) -> None:
    assert same_person(Document(text)) is same


def test_a_total_that_is_not_the_sum_of_its_rows_is_found() -> None:
    text = "Cuota  2.410,25\nIntereses  310,10\nRecargo  120,00\nTotal a ingresar  2.940,35\n"
    found = worked_out(Document(text), (), (), "tax_assessment", {})
    assert (found["stated_total"].value, found["summed_total"].value) == (
        Decimal("2940.35"),
        Decimal("2840.35"),
    )
    right = text.replace("2.940,35", "2.840,35")
    assert not worked_out(Document(right), (), (), "tax_assessment", {})
