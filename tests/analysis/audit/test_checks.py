"""The deterministic auditor: what it objects to, what it leaves alone, and what holds for any draft."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.analysis.audit import FINDINGS, SEVERITIES, Case, Finding
from app.analysis.audit.checks import find_objections
from app.analysis.audit.finding import DESCRIPTION_MAX, merged, worst
from app.analysis.audit.quotation import Original
from app.analysis.checks import locks
from app.analysis.checks.citation_checker import check_by_registry
from app.analysis.support.quote_finder import QuoteFinder
from app.rules import RulesEngine, figures, numbers
from app.rules.brief import Brief
from app.rules.draft import Draft, Lock, Section, Statement
from tests.rules.documents import HOUSING_LEASE

ON = date(2026, 11, 21)
LEASE = HOUSING_LEASE + "\nEl arrendatario renuncia expresamente a toda prórroga."
BRIEF = Brief(LEASE, "ES", "civil", "es")
SOUND = RulesEngine().analyse(BRIEF)


def audited(*statements: Statement, brief: Brief = BRIEF, sound: Draft = SOUND) -> list[Finding]:
    """Findings about the sound analysis with `statements` added, but for those of the sound one."""
    draft = replace(sound, statements=(*sound.statements, *statements))
    finder = QuoteFinder(brief.text)
    found = check_by_registry(brief.text, draft.statements, brief.jurisdiction, ON, finder)
    judged = locks.judge(draft.statements, finder, found)
    return find_objections(
        Case(
            document=brief.text,
            jurisdiction=brief.jurisdiction,
            branch=brief.branch,
            language=brief.language,
            draft=draft,
            judged=judged,
            checks=found.checks,
            cited=found.authorities,
            reference=sound,
        )
    )


def reasoning(text: str, *citations: str, quotes: tuple[str, ...] = (), lock: Lock = Lock.L4) -> Statement:
    return Statement(Section.REASONING, text, quotes=quotes, citations=citations, proposed=lock)


def test_a_sound_analysis_draws_no_objection() -> None:
    assert audited() == []


@pytest.mark.parametrize(
    ("statement", "kind", "words"),
    [
        (reasoning("Consta.", quotes=("un dragón vuela",), lock=Lock.L1), "hallucination", "no constan"),
        (reasoning("Base.", "art. 999 LAU"), "citation_error", "no existe"),
        (reasoning("Base.", "art. 43 de la Ley 30/1992, de 26 de noviembre"), "citation_error", "derogada"),
        (reasoning("Base.", "art. 1602 del Código Civil colombiano"), "citation_error", "otra jurisdicción"),
        (reasoning("Base.", "STS 1876/2021"), "citation_error", "ni ha podido comprobarse"),
        (reasoning("Base.", "STS 98765/2021"), "citation_error", "Número inverosímil"),
        (reasoning("Base.", "la costumbre del lugar"), "citation_error", "no se reconoce"),
        (reasoning("El arrendador ganará siempre."), "weak_reasoning", "siempre"),
        (reasoning("Se debe una penalización de 48.321 euros."), "hallucination", "48321"),
        (reasoning("El plazo vence el 3 de marzo de 2031."), "hallucination", "2031-03-03"),
    ],
)  # fmt: skip
def test_each_fault_is_named(statement: Statement, kind: str, words: str) -> None:
    found = audited(statement)
    assert [finding.type for finding in found] == [kind]
    assert words in found[0].description
    assert found[0].statement == len(SOUND.statements)


def test_a_dropped_clause_and_a_dropped_risk_are_missed() -> None:
    missing = next(s for s in SOUND.statements if s.section is Section.CLAUSES_MISSING)
    risk = next(s for s in SOUND.statements if s.section is Section.RISKS and s.severity == "high")
    left = replace(SOUND, statements=tuple(s for s in SOUND.statements if s not in (missing, risk)))
    finder = QuoteFinder(LEASE)
    found = check_by_registry(LEASE, left.statements, "ES", ON, finder)
    case = Case(
        document=LEASE,
        jurisdiction="ES",
        branch="civil",
        language="es",
        draft=left,
        judged=locks.judge(left.statements, finder, found),
        checks=found.checks,
        cited=check_by_registry(LEASE, SOUND.statements, "ES", ON, finder).authorities,
        reference=SOUND,
    )
    assert {finding.type for finding in find_objections(case)} == {"missing_clause", "other"}


@pytest.mark.parametrize(
    ("quote", "change"),
    [
        ("El arrendatario no podrá ceder el contrato sin consentimiento", "negation"),
        ("El arrendatario deberá ceder el contrato sin consentimiento", "modal"),
        ("la renta será de 950 euros mensuales pagaderos", "number"),
        ("El arrendatario podrá ceder el contrato salvo consentimiento", "negation"),
    ],
)
def test_an_altered_quotation_is_told_by_what_was_altered(quote: str, change: str) -> None:
    document = (
        "PRIMERA. El arrendatario podrá ceder el contrato sin consentimiento del arrendador. "
        "SEGUNDA. La renta será de 900 euros mensuales pagaderos por anticipado."
    )
    discrepancy = Original(document).discrepancy(quote)
    assert discrepancy is not None
    assert discrepancy.change == change


def test_words_like_nothing_in_the_document_have_no_original() -> None:
    assert Original(HOUSING_LEASE).discrepancy("el dragón vuela sobre la torre del mago azul") is None


def test_figures_are_values_whatever_their_language() -> None:
    assert figures("1.150 euros").money == figures("€1,150.00").money
    assert figures("3 de marzo de 2031").dates == figures("3 March 2031").dates == {"2031-03-03"}
    assert numbers("1.000 1,000 1000,00 2.50") == {"1000", "2.50"}


WORDS = st.text(alphabet="abc áé.,:;[]()«»\"'0123456789 %€\n-#L1", max_size=120)
STATEMENTS = st.builds(
    Statement,
    section=st.sampled_from([section for section in Section if section is not Section.CITATIONS]),
    text=WORDS,
    quotes=st.lists(WORDS, max_size=2).map(tuple),
    citations=st.lists(st.sampled_from(["art. 9 LAU", "STS 1/2020", "x", "art. 5"]) | WORDS, max_size=2).map(
        tuple
    ),
    proposed=st.sampled_from(Lock),
    severity=st.sampled_from(["low", "medium", "high", None]),
)


@settings(max_examples=60)
@given(st.lists(STATEMENTS, max_size=4))
def test_whatever_is_audited_findings_keep_their_bounds(statements: list[Statement]) -> None:
    found = audited(*statements)
    for finding in found:
        assert finding.type in FINDINGS
        assert finding.severity in SEVERITIES
        assert 0 < len(finding.description) <= DESCRIPTION_MAX
        assert finding.statement is None or 0 <= finding.statement < len(SOUND.statements) + len(statements)
    assert found == audited(*statements)


FOUND = st.lists(
    st.builds(
        Finding,
        type=st.sampled_from(FINDINGS),
        severity=st.sampled_from(SEVERITIES),
        description=st.sampled_from(["a", "b", "c", "d" * 3_000]),
        statement=st.none() | st.integers(0, 3),
    ),
    max_size=8,
)


@given(FOUND, FOUND)
def test_what_code_found_survives_whatever_a_model_claims(
    certain: list[Finding], claimed: list[Finding]
) -> None:
    every = merged(certain, claimed)
    assert set(certain) <= set(every)
    assert all(SEVERITIES.index(worst(every)) >= SEVERITIES.index(one.severity) for one in every)
    assert len(every) == len(set(every))
