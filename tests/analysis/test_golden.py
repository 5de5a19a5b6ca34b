"""The golden analyses: documents of every usual kind, whose analysis a lawyer has read.

The facts of each are kept as JSON and compared field by field, whatever their wording; beside them stands the
analysis as its reader gets it. `python -m tools.golden` writes both again and prints which facts changed.
"""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from app import corpus
from app.rules import RulesEngine
from app.rules.brief import Brief
from app.rules.draft import Draft, Lock, Section, Statement
from tools import golden

CASES = list(golden.cases())
NAMES = [f"{case.name}.{case.language}" for case in CASES]
LEASE = next(case for case in CASES if (case.name, case.language) == ("housing_lease", "es"))

analysis_of = cache(golden.analysis_of)


def stored(case: golden.Golden) -> Any:
    return golden.in_language(json.loads(case.facts_file.read_text("utf-8")), case.language)


@pytest.mark.parametrize("case", CASES, ids=NAMES)
def test_the_analysis_states_the_facts_that_were_reviewed(case: golden.Golden) -> None:
    found = golden.differences(stored(case), golden.facts_of(analysis_of(case)))
    assert not found, "\n".join(["python -m tools.golden, then read the diff:", *found])


def test_the_texts_for_a_lawyers_eye_are_up_to_date() -> None:
    stale = [
        case.file.name for case in CASES if golden.page_of(analysis_of(case)) != case.file.read_text("utf-8")
    ]
    assert stale == [], "run: python -m tools.golden"


@pytest.mark.parametrize("case", CASES, ids=NAMES)
def test_the_reviewed_analysis_is_fit_for_a_reader(case: golden.Golden) -> None:
    text = case.file.read_text("utf-8")
    assert not re.search(r"\[[A-Z_]{3,}_\d+\]", text), "a placeholder was left in"
    assert "{" not in text.partition("AUDIT-TRAIL-BEGIN")[0], "a slot was left unfilled"
    assert "review_flags: []" in text, "node B or a lock objects to an analysis held to be sound"


def test_every_stored_analysis_has_its_case() -> None:
    kept = {path.name for path in golden.FOLDER.glob("*.md")} | {
        path.name for path in golden.FOLDER.glob("*.json")
    }
    assert kept == {file.name for case in CASES for file in (case.file, case.facts_file)}


def test_masking_names_changes_what_leaves_the_process_and_not_what_the_reader_sees() -> None:
    masked, plain = (
        (golden.FOLDER / f"{name}.es.md").read_text("utf-8").splitlines()
        for name in ("housing_lease_masked", "housing_lease")
    )
    assert [line for line in masked if line not in plain and "enmascara" not in line] == []
    changed = golden.differences(
        *(
            golden.in_language(json.loads((golden.FOLDER / f"{name}.json").read_text("utf-8")), "es")
            for name in ("housing_lease", "housing_lease_masked")
        )
    )
    assert changed == ["masked.ADDRESS: new 3", "masked.PERSON: new 3", "notes: 1 -> 2"]


@pytest.mark.parametrize("case", CASES, ids=NAMES)
def test_every_statement_has_facts_by_which_it_is_known(case: golden.Golden) -> None:
    assert [one.text for one in analysis_of(case).report.statements if not one.facts] == []


Change = Callable[[Draft], Draft]


def changed(section: Section, rule: str, **to: Any) -> Change:
    """The statement of a section that says `rule` among its facts, with other fields; at least one has it."""

    def change(draft: Draft) -> Draft:
        met = [one for one in draft.statements if one.section is section and rule in one.facts.values()]
        assert met, rule
        done = {
            id(one): replace(one, **{k: v(one) if callable(v) else v for k, v in to.items()}) for one in met
        }
        return replace(draft, statements=tuple(done.get(id(one), one) for one in draft.statements))

    return change


def without(section: Section, rule: str) -> Change:
    """The draft without the statement of a section that says `rule`."""

    def change(draft: Draft) -> Draft:
        kept = [
            one for one in draft.statements if one.section is not section or rule not in one.facts.values()
        ]
        assert len(kept) == len(draft.statements) - 1
        return replace(draft, statements=tuple(kept))

    return change


def text_with(old: str, new: str) -> Callable[[Statement], str]:
    def reworded(one: Statement) -> str:
        assert old in one.text
        return one.text.replace(old, new)

    return reworded


def facts_with(**values: str) -> Callable[[Statement], Mapping[str, str]]:
    return lambda one: {**one.facts, **values}


RISKS, ADVICE, AMOUNTS = Section.RISKS, Section.RECOMMENDATIONS, Section.AMOUNTS
MUTATIONS: dict[str, tuple[Change, str]] = {
    "a risk is lost": (
        without(RISKS, "lau_guarantee"),
        'statements.risks: lost {"says": {"rule": "lau_guarantee"}',
    ),
    "advice is lost": (
        without(ADVICE, "lau_guarantee"),
        'statements.recommendations: lost {"says": {"rule":',
    ),
    "a clause is lost": (
        without(Section.CLAUSES_PRESENT, "deposit"),
        'statements.clauses_present: lost {"says": {"clause": "deposit"}',
    ),
    "a risk is told twice": (
        lambda draft: replace(draft, statements=(draft.statements[0], *draft.statements)),
        'statements.risks: new {"says": {"rule": "lau_no_extension"}',
    ),
    "a lock is lowered": (
        changed(RISKS, "lau_guarantee", proposed=Lock.L4),
        'statements.risks[lau_guarantee].lock: "L5-C" -> "L4"',
    ),
    "a lock is raised": (
        changed(RISKS, "lease_forum", proposed=Lock.L5C, severity="high", reason="Nula."),
        'statements.risks[lease_forum].lock: "L4" -> "L5-C"',
    ),
    "a severity": (
        changed(RISKS, "lease_forum", severity="medium"),
        'statements.risks[lease_forum].severity: "low" -> "medium"',
    ),
    "an article": (
        changed(RISKS, "lau_guarantee", citations=("art. 36.4 LAU",)),
        "statements.risks[lau_guarantee].law.art. 36.5 LAU: lost",
    ),
    "a law": (
        changed(RISKS, "lau_guarantee", citations=("art. 36.5 LAU", "art. 1255 CC")),
        "statements.risks[lau_guarantee].law.art. 1255 CC: new",
    ),
    "a figure in the text": (
        changed(AMOUNTS, "rent", text=text_with("950", "960"), plain=None),
        'statements.amounts[rent 950 EUR month].figures[950]: "950" -> "960"',
    ),
    "a date in the text": (
        changed(Section.DATES, "signature", text=text_with("enero", "marzo"), plain=None),
        '"2026-01-15" -> "2026-03-15"',
    ),
    "the unit of an amount": (
        changed(AMOUNTS, "rent", facts=facts_with(per="year")),
        'statements.amounts[rent 950 EUR month].says.per: "month" -> "year"',
    ),
    "the last day of a period": (
        changed(Section.DEADLINES, "2027-01-31", facts=facts_with(until="2027-02-01")),
        'says.until: "2027-01-31" -> "2027-02-01"',
    ),
    "the part of a party": (
        changed(Section.PARTIES, "landlord", facts=facts_with(role="tenant")),
        'says.role: "landlord" -> "tenant"',
    ),
    "the name of a party": (
        changed(Section.PARTIES, "landlord", text=text_with("Pilar", "Piedad")),
        'says.named: "Pilar Lanuza Abós, 12345678Z." -> "Piedad Lanuza Abós, 12345678Z."',
    ),
    "the words quoted": (
        changed(RISKS, "lau_guarantee", quotes=("La renta será de 950 euros mensuales",)),
        "statements.risks[lau_guarantee].quotes: lost",
    ),
    "the kind of document": (
        lambda draft: replace(draft, document_kind="préstamo"),
        'kind: "housing_lease" -> ',
    ),
    "a figure in the summary": (
        lambda draft: replace(draft, summary=draft.summary.replace("950 € al mes", "850 € al mes")),
        'summary.figures[950]: "950" -> "850"',
    ),
}


def mutated(change: Change, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The differences of the lease's analysis whose draft was changed."""
    honest = RulesEngine.analyse

    def analyse(engine: RulesEngine, brief: Brief) -> Draft:
        return change(honest(engine, brief))

    monkeypatch.setattr(RulesEngine, "analyse", analyse)
    return golden.differences(stored(LEASE), golden.facts_of(golden.analysis_of(LEASE)))


@pytest.mark.parametrize("name", MUTATIONS)
def test_a_fact_that_changes_is_named_by_its_place(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    change, expected = MUTATIONS[name]
    found = mutated(change, monkeypatch)
    assert any(expected in line for line in found), found


def test_a_verdict_that_changes_is_named_with_its_flag(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = corpus.verify

    def verify(citation: Any, *given: Any) -> Any:
        verdict = honest(citation, *given)
        return replace(verdict, status="derogated") if citation.text == "art. 36.5 LAU" else verdict

    monkeypatch.setattr(corpus, "verify", verify)
    found = golden.differences(stored(LEASE), golden.facts_of(golden.analysis_of(LEASE)))
    assert 'citations[art. 36.5 LAU].status: "verified" -> "derogated"' in found
    assert 'flags: new "citation derogated"' in found


def test_other_words_are_no_other_facts(monkeypatch: pytest.MonkeyPatch) -> None:
    reworded = changed(ADVICE, "lau_guarantee", text="La garantía es de 3 mensualidades: bajarla a dos.")
    assert mutated(reworded, monkeypatch) == []


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("es", "Renta: 2.850 € al mes; TAE 45,4 %.", ["2850", "45.4"]),
        ("en", "Rent: €2,850 per month; APR 45.4%.", ["2850", "45.4"]),
        ("es", "Termina el 31 de enero de 2027, art. 36.5 LAU.", ["2027-01-31", "36.5"]),
        ("en", "It ends on 1 February 2027 (clause 2.1).", ["2027-02-01", "2.1"]),
        ("es", "Artículos 1089, 1091 y 1.100", ["1089", "1091", "1100"]),
    ],
)
def test_figures_are_the_same_in_every_language(language: Any, text: str, expected: list[str]) -> None:
    assert golden.figures(text, language) == expected


def test_what_two_languages_say_differently_is_stored_by_language() -> None:
    said: dict[Any, Any] = {
        "es": {"lock": "L1", "quotes": ["a", "b"], "law": {}},
        "en": {"lock": "L4", "quotes": ["a", "c"], "law": {}},
    }
    joined = golden.joined(said)
    assert joined == {
        "lock": {"es": "L1", "en": "L4"},
        "quotes": ["a", {"es": "b", "en": "c"}],
        "law": {},
    }
    assert [golden.in_language(joined, language) for language in ("es", "en")] == list(said.values())
    assert json.loads(golden.as_json({"citations": [], "statements": {"risks": [joined]}})) == {
        "citations": [],
        "statements": {"risks": [joined]},
    }
