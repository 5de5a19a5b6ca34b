"""Risks: which rules a document meets, on which words, and where they must stay silent."""

from __future__ import annotations

from decimal import Decimal
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.platform.data_files import read_entry
from app.rules.document import Document, Span
from app.rules.facts.document_facts import Facts, extract_facts
from app.rules.rulebook.comparisons import CHECKS
from app.rules.rulebook.kinds import recognise
from app.rules.rulebook.loader import rulebook
from app.rules.rulebook.quantities import Quantity, find_quantities
from app.rules.rulebook.risks import Finding, circumstances, find_risks, meets
from app.rules.rulebook.schema import Risk, RuleFileError

RULES = rulebook()
TEXTS = Path(__file__).parent / "texts"
LEASE = "CONTRATO DE ARRENDAMIENTO DE VIVIENDA. La renta mensual será de 800 euros. {}"
JOB = "CONTRATO DE TRABAJO INDEFINIDO. {}"


@lru_cache(maxsize=1)
def _read(text: str) -> tuple[Document, Facts]:
    """Read a text once where it is asked about as every kind."""
    return Document(text), extract_facts(text)


def _findings(text: str, kind: str, branch: str = "civil") -> tuple[Finding, ...]:
    document, facts = _read(text)
    quantities = find_quantities(document, facts.amounts, RULES.terms, kind, facts.dates)
    flags = circumstances(document, facts, kind, branch)
    # What patterns find; what is like a passage is the matter of `test_passages`.
    found = find_risks(document, RULES, kind, quantities, flags)
    return tuple(finding for finding in found if not finding.alike)


def _ids(text: str, kind: str, branch: str = "civil") -> set[str]:
    return {
        finding.risk.id for finding in _findings(text, kind, branch) if not finding.risk.id.startswith("dl_")
    }


def _text(name: str) -> str:
    return (TEXTS / f"{name}.txt").read_text("utf-8")


def test_the_spanish_lease_meets_exactly_these_rules() -> None:
    assert _ids(_text("housing_lease_es"), "housing_lease") == {
        "lau_no_extension",
        "lau_withdrawal_time",
        "lau_guarantee",
        "lau_repairs",
        "lau_agency_costs",
        "lau_entry",
        "lau_deposit",
        "lau_rent_fixed_rise",
        "lau_expenses_without_amount",
        "lau_preemption_waiver",
        "lease_forum",
    }


def test_the_employment_contract_meets_exactly_these_rules() -> None:
    assert _ids(_text("employment_es"), "employment") == {
        "et_hours",
        "et_trial_six",
        "et_overtime_unpaid",
        "et_holidays",
        "et_non_compete_unpaid",
        "et_non_compete_time",
        "et_waiver",
        "et_exclusive",
        "et_change_at_will",
    }


def test_the_consumer_terms_meet_exactly_these_rules() -> None:
    assert _ids(_text("consumer_terms_es"), "consumer_terms") == {
        "con_unilateral_change",
        "con_withdrawal_short",
        "con_warranty",
        "con_liability",
        "con_burden_of_proof",
        "con_forum",
        "con_cancellation_fee",
        "con_bundled_consent",
        "con_delivery_indicative",
        "con_auto_renewal",
        "con_presumed_acceptance",
    }


def test_the_loan_meets_exactly_these_rules() -> None:
    assert _ids(_text("loan_es"), "loan") == {
        "loan_pactum_commissorium",
        "loan_usury",
        "loan_default_interest_consumer",
        "loan_acceleration",
        "loan_sum_not_received",
        "loan_guarantor_waiver",
        "loan_without_withdrawal",
        "loan_apr_missing",
        "con_forum",
    }


def test_the_services_agreement_meets_exactly_these_rules() -> None:
    assert _ids(_text("services_en"), "services", "mercantil") == {
        "b2b_payment_term",
        "b2b_no_late_interest",
        "civil_wilful_breach",
        "civil_one_sided_change",
        "b2b_auto_renewal",
    }


LAWFUL = {
    "consumer_terms_fair_es": "consumer_terms",
    "distribution_fair_es": "distribution",
    "housing_lease_fair_es": "housing_lease",
    "loan_fair_es": "loan",
    "real_estate_sale_fair_es": "real_estate_sale",
    "services_fair_es": "services",
    "business_lease_es": "business_lease",
    "consumer_fair_es": "consumer_terms",
    "distribution_es": "distribution",
    "employment_en": "employment",
    "employment_fixed_es": "employment",
    "goods_sale_en": "goods_sale",
    "housing_lease_firm_en": "housing_lease",
    "housing_lease_one_paragraph_es": "housing_lease",
    "loan_private_es": "loan",
    "nda_es": "nda",
    "real_estate_sale_es": "real_estate_sale",
    "seasonal_lease_es": "seasonal_lease",
    "services_es": "services",
    "services_firm_en": "services",
}


@pytest.mark.parametrize("name", sorted(LAWFUL))
def test_a_lawful_document_of_usual_drafting_raises_no_alarm(name: str) -> None:
    assert _ids(_text(name), LAWFUL[name]) == set()


@pytest.mark.parametrize(
    ("name", "kind", "expected"),
    [
        (
            "housing_lease_abusive_es",
            "housing_lease",
            "lau_no_extension lau_guarantee lau_advance_rent lau_withdrawal_cost lau_repairs "
            "lau_agency_costs lau_entry lau_self_help lau_rent_fixed_rise "
            "lau_expenses_without_amount lease_forum",
        ),
        (
            "employment_abusive_en",
            "employment",
            "et_temporary_without_cause et_trial_six et_hours et_overtime_unpaid et_holidays et_end_at_will "
            "et_non_compete_unpaid et_non_compete_time et_wage_fine et_exclusive",
        ),
        (
            "consumer_terms_en",
            "consumer_terms",
            "con_unilateral_change con_withdrawal_denied con_termination con_arbitration con_liability "
            "con_foreign_law con_auto_renewal con_bundled_consent",
        ),
        (
            "supply_es",
            "goods_sale",
            "b2b_payment_term b2b_no_late_interest civil_wilful_breach civil_one_sided_change "
            "insolvency_termination",
        ),
        (
            "dismissal_objective_es",
            "objective_dismissal",
            "dismissal_deadline objective_copy_to_representatives",
        ),
        (
            "loan_consumer_en",
            "loan",
            "loan_pactum_commissorium loan_usury loan_default_interest_consumer loan_acceleration "
            "loan_without_withdrawal",
        ),
    ],
)
def test_abusive_documents_of_other_drafting_meet_exactly_these_rules(
    name: str, kind: str, expected: str
) -> None:
    text = _text(name)
    assert recognise(Document(text), RULES).id == kind
    assert _ids(text, kind) == set(expected.split())


PENALTY = "La renta será de 900 euros al mes. El retraso devengará una penalización de {} por cada día."


@pytest.mark.parametrize(
    ("penalty", "found"), [("60 euros", False), ("61 euros", True), ("99 libras", False)]
)
def test_a_daily_penalty_is_measured_against_one_days_rent(penalty: str, found: bool) -> None:
    assert ("lease_daily_penalty" in _ids(PENALTY.format(penalty), "housing_lease")) is found


FORUM = "Se arrienda el piso sito en la calle Mayor, 3, de Soria. Las partes se someten a los juzgados de {}."


@pytest.mark.parametrize(("place", "found"), [("Soria", False), ("Madrid", True)])
def test_the_courts_of_the_place_of_the_property_are_no_risk(place: str, found: bool) -> None:
    assert ("lease_forum" in _ids(FORUM.format(place), "housing_lease")) is found


def test_a_longer_lease_may_have_more_security() -> None:
    text = LEASE.format("Como garantía adicional entrega un depósito de 4.800 euros. {}")
    assert "lau_guarantee" in _ids(text.format(""), "housing_lease")
    longer = text.format("La duración del contrato será de diez años.")
    assert "lau_guarantee" not in _ids(longer, "housing_lease")


def test_gross_negligence_is_told_as_doubtful_and_wilful_breach_as_void() -> None:
    text = "El prestador no responderá de daño alguno, incluso en caso de {}."
    assert _ids(text.format("culpa grave"), "services") == {"civil_gross_negligence"}
    assert _ids(text.format("dolo o culpa grave"), "services") == {"civil_wilful_breach"}


def test_a_lawful_lease_meets_no_rule_but_the_information_on_its_term() -> None:
    lawful = (
        "CONTRATO DE ARRENDAMIENTO DE VIVIENDA. La duración del contrato será de cinco años. La renta "
        "mensual será de 800 "
        "euros y se actualizará cada año conforme al IPC, sin que pueda exceder del límite legal. Fianza: "
        "el arrendatario "
        "entrega 800 euros en concepto de fianza. El arrendatario podrá desistir pasados seis meses con "
        "treinta días de "
        "preaviso, abonando una mensualidad por cada año que reste por cumplir. Las pequeñas reparaciones "
        "por el desgaste "
        "del uso ordinario serán de cuenta del arrendatario. Los gastos de gestión inmobiliaria y de "
        "formalización serán a "
        "cargo del arrendador. El arrendador podrá visitar la vivienda con el consentimiento del "
        "arrendatario."
    )
    assert _ids(lawful, "housing_lease") == set()


def test_a_lawful_employment_contract_meets_no_rule() -> None:
    lawful = JOB.format(
        "Periodo de prueba de dos meses. La jornada será de 40 horas semanales. 30 días naturales de "
        "vacaciones. Las horas "
        "extraordinarias se compensarán con descanso. Convenio colectivo de oficinas."
    )
    assert _ids(lawful, "employment") == set()


@pytest.mark.parametrize(
    ("amount", "expected"),
    [
        ("800 euros", set()),
        ("1.600 euros", {"lau_deposit"}),
        ("2.400 euros", {"lau_deposit"}),
        ("4.000 euros", {"lau_deposit_excessive"}),
    ],
)
def test_the_deposit_is_judged_against_the_rent(amount: str, expected: set[str]) -> None:
    ids = _ids(LEASE.format(f"La fianza es de {amount}."), "housing_lease")
    assert ids & {"lau_deposit", "lau_deposit_excessive"} == expected


def test_a_deposit_stated_in_months_needs_no_amount() -> None:
    text = "Arrendamiento de vivienda. El arrendatario entrega una fianza equivalente a dos mensualidades."
    assert "lau_deposit" in _ids(text, "housing_lease")


def test_amounts_in_different_currencies_are_not_compared() -> None:
    text = "Arrendamiento de vivienda. La renta mensual es de 800 euros. La fianza es de 4.000 libras."
    assert not {"lau_deposit", "lau_deposit_excessive"} & _ids(text, "housing_lease")


def test_a_yearly_rent_is_divided_by_twelve_before_it_is_compared() -> None:
    text = "Arrendamiento de vivienda. La renta anual será de 9.600 euros al año. La fianza es de 800 euros."
    assert "lau_deposit" not in _ids(text, "housing_lease")


@pytest.mark.parametrize(
    ("clause", "found"),
    [
        ("La duración del contrato será de sesenta y cinco meses.", False),
        ("La duración del contrato será de cincuenta y nueve (59) meses.", True),
        ("La duración del contrato será de siete años.", False),
    ],
)
def test_durations_in_compound_words_are_read_whole(clause: str, found: bool) -> None:
    assert ("lau_term" in _ids(LEASE.format(clause), "housing_lease")) is found


@pytest.mark.parametrize(
    ("landlord", "expected"),
    [
        ("D. Juan Ruiz Gil, con DNI [ES_DNI_1], en lo sucesivo el ARRENDADOR", "lau_term"),
        ("INMUEBLES SOL, S.L., con CIF [ES_CIF_1], en lo sucesivo la ARRENDADORA", "lau_term_company"),
    ],
)
def test_the_minimum_term_depends_on_who_lets(landlord: str, expected: str) -> None:
    parties = f"De una parte, {landlord}. De otra parte, D. Luis Vega Mas, el ARRENDATARIO."
    text = f"{parties}\n\nLa duración del contrato será de dos años."
    assert _ids(text, "housing_lease") & {"lau_term", "lau_term_company"} == {expected}


@pytest.mark.parametrize(
    ("clause", "expected"),
    [
        ("Periodo de prueba de dos meses.", set()),
        ("Periodo de prueba de seis meses.", {"et_trial_two"}),
        ("Periodo de prueba de siete meses.", {"et_trial_six"}),
    ],
)
def test_the_trial_period_has_two_limits(clause: str, expected: set[str]) -> None:
    assert _ids(JOB.format(clause), "employment") & {"et_trial_two", "et_trial_six"} == expected


@pytest.mark.parametrize(
    ("clause", "found"),
    [
        ("Disfrutará de 30 días naturales de vacaciones.", False),
        ("Disfrutará de 22 días laborables de vacaciones.", False),
        ("Disfrutará de 23 días hábiles de vacaciones.", False),
        ("Disfrutará de 20 días laborables de vacaciones.", True),
        ("Disfrutará de 25 días naturales de vacaciones.", True),
    ],
)
def test_holidays_in_working_days_are_not_compared_with_calendar_days(clause: str, found: bool) -> None:
    assert ("et_holidays" in _ids(JOB.format(clause), "employment")) is found


@pytest.mark.parametrize(
    ("clause", "found"),
    [
        ("Las facturas se abonarán a los 60 días de su fecha.", False),
        ("Las facturas se abonarán a los 90 días de su fecha.", True),
        ("Las facturas se abonarán en el plazo de dos meses.", False),
        ("Las facturas se abonarán en el plazo de tres meses.", True),
    ],
)
def test_payment_beyond_sixty_days_is_a_risk_between_businesses(clause: str, found: bool) -> None:
    text = f"CONTRATO DE PRESTACIÓN DE SERVICIOS. {clause}"
    assert ("b2b_payment_term" in _ids(text, "services")) is found
    assert "b2b_payment_term" not in _ids(f"{text} El cliente es consumidor.", "services")


def test_the_surcharge_is_judged_against_the_debt() -> None:
    act = "PROVIDENCIA DE APREMIO\nPrincipal: 1.000,00 euros\nRecargo de apremio ordinario: {} euros\n"
    assert "enforcement_surcharge" not in _ids(act.format("200,00"), "enforcement_order")
    assert "enforcement_surcharge" in _ids(act.format("250,00"), "enforcement_order")


def test_the_claim_needs_prior_negotiation_in_civil_matters_only() -> None:
    text = _text("claim_es")
    assert "claim_without_negotiation" in _ids(text, "claim")
    assert "claim_without_negotiation" not in _ids(text, "claim", "contencioso")
    assert "claim_without_negotiation" not in _ids(text + "Se intentó la mediación.", "claim")


def test_high_risks_come_first_and_critical_ones_before_the_rest() -> None:
    findings = _findings(_text("housing_lease_es"), "housing_lease")
    ranks = [({"high": 0, "medium": 1, "low": 2}[f.risk.severity], not f.risk.critical) for f in findings]
    assert ranks == sorted(ranks)


def test_every_finding_by_words_stands_on_words_and_every_comparison_on_quantities() -> None:
    for path in TEXTS.glob("*.txt"):
        text = path.read_text("utf-8")
        for kind in RULES.kinds:
            for finding in _findings(text, kind.id):
                if finding.risk.patterns:
                    assert finding.spans
                elif finding.risk.check not in ("", "always"):
                    assert finding.comparison.evidence
                for quantity in finding.comparison.evidence:
                    assert quantity.quote in text


def _months(number: int, unit: str = "month") -> Quantity:
    days = {"day": Decimal(1), "month": Decimal(365) / 12, "year": Decimal(365)}[unit] * number
    return Quantity("x", "duration", days, "q", Span(0, 1), number=number, unit=unit)


@given(st.integers(1, 200), st.integers(1, 200))
def test_a_duration_is_above_or_below_a_limit_but_not_both(number: int, limit: int) -> None:
    quantities = {"x": _months(number)}
    above = CHECKS["duration_above"](quantities, {"of": "x", "months": limit})
    below = CHECKS["duration_below"](quantities, {"of": "x", "months": limit})
    assert (above is not None) == (number > limit)
    assert (below is not None) == (number < limit)


@given(st.sampled_from(sorted(CHECKS)))
def test_a_check_on_a_document_that_states_nothing_concludes_nothing(name: str) -> None:
    parameters = {
        "of": "a",
        "to": "b",
        "money": "a",
        "months": 1 if "duration" in name else "c",
        "rent": "r",
        "limit": 1,
        "points": 1,
        "natural": 30,
        "working": 22,
        "rates": (),
    }
    found = CHECKS[name]({}, parameters)
    assert (found is None) == (name != "always")


_RULE = {
    "id": "rule", "kinds": ["loan"], "severity": "low", "advice": {"es": "a", "en": "b"},
    "title": {"es": "a", "en": "b"}, "text": {"es": "a", "en": "b"},
    "basis": [{"boe": "BOE-A-1889-4763", "article": "6", "cite": "art. 6 CC"}],
}  # fmt: skip
_TWO_CLAUSES = """
1. Plazo. El contrato dura un año. Cabe el desistimiento.

2. Penalidad. Quien desiste paga mil euros. Cabe su moderación por el juez.
"""


@pytest.mark.parametrize(
    ("conditions", "expected"),
    [
        ({"patterns": ["mil euros"]}, True),
        ({"patterns": ["mil euros"], "unless": ["moderacion"]}, True),
        ({"patterns": ["mil euros"], "unless_clause": ["moderacion"]}, False),
        ({"patterns": ["mil euros"], "unless_clause": ["un ano"]}, True),
        ({"patterns": ["mil euros"], "all_of": ["desiste\\b", "moderacion"]}, True),
        ({"patterns": ["mil euros"], "all_of": ["moderacion", "un ano"]}, False),
        ({"patterns": ["mil euros"], "requires": ["un ano", "moderacion"]}, True),
        ({"patterns": ["mil euros"], "requires": ["un ano", "dos anos"]}, False),
        ({"patterns": ["mil euros"], "elsewhere": ["un ano"]}, False),
        ({"elsewhere": ["preaviso"]}, True),
        ({"elsewhere": ["desistimiento"]}, False),
        ({"elsewhere": ["preaviso"], "requires": ["penalidad"]}, True),
        ({"elsewhere": ["preaviso"], "requires": ["fianza"]}, False),
    ],
)  # fmt: skip
def test_a_rule_is_met_where_all_that_it_asks_for_holds(conditions: dict[str, Any], expected: bool) -> None:
    assert meets(Document(_TWO_CLAUSES), read_entry(Risk, "rule", {**_RULE, **conditions})) is expected


@pytest.mark.parametrize(
    ("sentence", "pattern", "expected"),
    [
        ("El fiador renuncia a la excusión.", "renuncia", True),
        ("El fiador no renuncia a la excusión.", "renuncia", False),
        ("No se le podrá cortar la luz.", "cortar la luz", False),
        ("Se cobra sin que se haya utilizado grabación alguna.", "grabacion", False),
        ("Ni el cliente ni la empresa lo harán. La empresa cortará la luz.", "cortara la luz", True),
        ("Si no paga, cortará la luz.", "cortara la luz", True),
        ("Quien no se subrogue pagará los gastos.", "(quien )?no se subrog", True),
        ("De no renunciar, pagará.", "renunciar", True),
        ("No tiene nada que reclamar.", "nada que reclamar", True),
        ("The tenant does not waive the right.", "waive", False),
    ],
)
def test_words_that_a_negation_denies_do_not_count(sentence: str, pattern: str, expected: bool) -> None:
    rule = read_entry(Risk, "rule", {**_RULE, "patterns": [pattern]})
    assert meets(Document(sentence), rule) is expected


@pytest.mark.parametrize("conditions", [{}, {"all_of": ["a"], "elsewhere": ["b"]}, {"requires": ["a"]}])
def test_a_rule_that_nothing_can_meet_is_refused(conditions: dict[str, Any]) -> None:
    with pytest.raises(RuleFileError):
        read_entry(Risk, "rule", {**_RULE, **conditions})


@pytest.mark.parametrize("separator", ["\n\n", "\n", "\n   "])
def test_a_clause_ends_where_the_next_number_begins(separator: str) -> None:
    text = separator.join(["PRIMERA.- Uno. Dos", "SEGUNDA.- Tres. Cuatro", "3. Cinco", "4.1 Seis. Siete."])
    document = Document(text)
    clauses = [
        document.clause(Span(text.index(word), text.index(word) + 4)) for word in ("Dos", "Tres", "Siete")
    ]
    assert [text[clause.start : clause.end].strip("\n.") for clause in clauses] == [
        "PRIMERA.- Uno. Dos", "SEGUNDA.- Tres. Cuatro", "4.1 Seis. Siete",
    ]  # fmt: skip


def test_a_document_without_clauses_is_not_one_clause() -> None:
    text = "Una frase cualquiera sobre nada. " * 300
    clause = Document(text).clause(Span(5_000, 5_004))
    assert 2_000 < clause.end - clause.start < 2_600


def test_an_exception_that_is_denied_excuses_nothing() -> None:
    rule = next(risk for risk in RULES.risks if risk.id == "minutes_preemption_no_report")
    text = (
        "Se acuerda ampliar capital suprimiendo el derecho de asunción preferente. {} de los administradores."
    )
    assert meets(Document(text.format("No se ha hecho informe")), rule)
    assert not meets(Document(text.format("Se ha leído el informe")), rule)


@pytest.mark.parametrize(
    ("hours", "wage", "found"),
    [("20 horas semanales", 560, True), ("20 horas semanales", 900, False), ("", 560, False)],
)
def test_part_time_pay_is_measured_by_the_hours_worked(hours: str, wage: int, found: bool) -> None:
    text = (
        "CONTRATO DE TRABAJO A TIEMPO PARCIAL entre la empresa y la trabajadora. "
        "En Soria, a 1 de abril de 2026.\n"
        f"Primera. La jornada será de {hours or 'media jornada'}.\n"
        f"Segunda. El salario bruto será de {wage} euros mensuales en catorce pagas.\n"
    )
    assert ("et_wage_below_minimum_part_time" in _ids(text, "employment", "laboral")) is found


@pytest.mark.parametrize(("sent", "found"), [("doce de junio", True), ("dos de junio", False)])
def test_a_notice_without_its_year_is_of_the_year_of_the_meeting(sent: str, found: bool) -> None:
    text = (
        "ACTA DE LA JUNTA GENERAL DE TALLERES RUIZ, S.L. En Burgos, a las diez horas del día "
        "veinticuatro de junio de dos mil veintiséis se reúne la junta. El anuncio de la convocatoria "
        f"se remitió a los socios el {sent} por correo certificado.\n"
    )
    assert ("minutes_called_late_by_dates" in _ids(text, "company_minutes", "mercantil")) is found
