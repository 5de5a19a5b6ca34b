"""The rules of each country as data: sound, resting on its law, and kept from other countries."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from app import corpus
from app.citations import extract
from app.corpus import registry, verify
from app.corpus.loading.readers import statute_jsonl
from app.corpus.loading.records import Source, Statute
from app.rules import Brief, RulesEngine
from app.rules.assessed import coverage
from app.rules.document import Document
from app.rules.facts.document_facts import extract_facts
from app.rules.rulebook.clauses import locate
from app.rules.rulebook.kinds import recognise
from app.rules.rulebook.loader import DATA, LAW_FILES, codes, folders_of, law_of, rulebook
from app.rules.rulebook.quantities import find_quantities
from app.rules.rulebook.risks import meets
from app.rules.rulebook.schema import Basis, ChecklistItem, Clause, Kind
from tools import rules_coverage

LAWS = Path(__file__).resolve().parents[3] / "shared" / "data"
CODES = [code for code in codes() if code != "ES"]
_SHARED = rulebook("")
_FROM_KNOWLEDGE_SINCE = date(2026, 11, 1)


@cache
def _own(code: str, table: str) -> tuple[Any, ...]:
    """Return the entries of one table that a country adds, whatever they are."""
    shared = {one.id for one in getattr(_SHARED, table)}
    above = {
        one.id for parent in law_of(DATA / code.lower()).above for one in getattr(rulebook(parent), table)
    }
    return tuple(one for one in getattr(rulebook(code), table) if one.id not in shared | above)


def _each(table: str) -> list[object]:
    return [pytest.param(code, one, id=f"{code}-{one.id}") for code in CODES for one in _own(code, table)]


@cache
def _bases(code: str) -> tuple[Basis, ...]:
    """Return the legal bases of a country's rules which rest on its own law, in a steady order."""
    own = (code, code.partition("-")[0])
    found = {one for one in rulebook(code).bases() if not one.key or one.key.partition(":")[0] in own}
    return tuple(sorted(found, key=lambda one: (one.norm, one.cite, one.words)))


@cache
def _last_days(code: str) -> dict[str, date]:
    """Return the last day of each authority cited; far ahead where a rule that cites it has none."""
    rules, found = rulebook(code), {basis.cite: date.min for basis in rulebook(code).bases()}
    for risk in rules.risks:
        for basis in risk.basis:
            found[basis.cite] = max(found[basis.cite], risk.in_force_to or date.max)
    return {cite: day if day > date.min else date.max for cite, day in found.items()}


# Thousands of bases and risks are judged: a test for each norm and kind tells of all that are wrong.
def _norms() -> list[tuple[str, str]]:
    return [(code, norm) for code in CODES for norm in sorted({one.norm for one in _bases(code)})]


def _kinds_of_risks() -> list[tuple[str, str]]:
    return [
        (code, kind)
        for code in CODES
        for kind in sorted({next(iter(one.kinds), "") for one in _own(code, "risks")})
    ]


@cache
def _law(code: str) -> dict[tuple[str, str], str]:
    """Return the articles of the loaded law of a country, by key of the registry and number."""
    found: dict[tuple[str, str], str] = {}
    for path in sorted(LAWS.glob(f"{code.lower()}_*articles.jsonl.gz")):
        for item in statute_jsonl.read(Source(path, path.name, code), 0):
            if isinstance(item.record, Statute):
                facts = item.record.facts
                key = corpus.key_of(facts.jurisdiction, facts.official_id)
                for article in item.record.articles:
                    place = key, article.number
                    found[place] = "\n".join([found.get(place, ""), *(one.text for one in article.wordings)])
    return found


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()


@pytest.mark.skipif(not LAWS.is_dir(), reason=f"the laws are not at {LAWS}")
@pytest.mark.parametrize(("code", "norm"), _norms())
def test_an_article_read_in_the_law_says_the_words_the_rule_relies_on(code: str, norm: str) -> None:
    wrong: list[tuple[str, ...]] = []
    for basis in (one for one in _bases(code) if one.norm == norm):
        if basis.read == "knowledge":
            if basis.checked is None or basis.checked < _FROM_KNOWLEDGE_SINCE:
                wrong.append((basis.cite, f"checked from knowledge on {basis.checked}"))
            continue
        number = corpus.article_number(basis.article)
        key = basis.key or corpus.key_of("EU", basis.celex)
        law = _law(key.partition(":")[0].partition("-")[0])
        # "Cal. Lab. Code 206.5" is a section of its own, not the fifth paragraph of 206.
        article = law.get((key, basis.article)) or law.get((key, number or ""))
        if article is None or _plain(basis.words) not in _plain(article):
            wrong.append((basis.cite, basis.words, "has no such article" if article is None else article))
    assert not wrong


@pytest.mark.parametrize(("code", "norm"), _norms())
def test_the_verifier_confirms_the_authority_that_a_rule_cites(code: str, norm: str) -> None:
    wrong: list[tuple[str, ...]] = []
    for cite, key in sorted({(one.cite, one.key) for one in _bases(code) if one.norm == norm}):
        found = extract(cite, code.partition("-")[0])
        if len(found) != 1:
            wrong.append((cite, str(found)))
            continue
        if key and registry.norm(key) is None:
            wrong.append((cite, f"{key} is not in the registry"))
        if key and registry.norm(found[0].norm or "") is not registry.norm(key):
            wrong.append((cite, f"is read as {found[0].norm}"))
        verdict = verify(found[0], min(date(2026, 11, 28), _last_days(code)[cite]))
        if verdict.status != "verified":
            wrong.append((cite, verdict.note))
    assert not wrong


@pytest.mark.parametrize(("code", "kind"), _kinds_of_risks())
def test_a_risk_is_found_in_its_examples_and_not_in_its_counterexamples(code: str, kind: str) -> None:
    for risk in (one for one in _own(code, "risks") if next(iter(one.kinds), "") == kind):
        assert bool(risk.examples) >= bool(risk.patterns), f"{risk.id}: a rule with patterns carries examples"
        assert bool(risk.counterexamples) >= bool(risk.patterns), f"{risk.id}: and counterexamples"
        assert [one for one in risk.examples if not meets(Document(one), risk)] == [], risk.id
        assert [one for one in risk.counterexamples if meets(Document(one), risk)] == [], risk.id


@pytest.mark.parametrize("code", CODES)
def test_what_a_rule_resembles_are_rules_of_spain_about_clauses(code: str) -> None:
    about = {risk.id for risk in rulebook("ES").risks if risk.about_clauses}
    for risk in rulebook(code).risks:
        assert about.issuperset(risk.resembles), risk.id
        assert risk.about_clauses or not risk.resembles, risk.id


@pytest.mark.parametrize(("code", "kind"), _each("kinds"))
def test_a_kind_is_recognised_in_its_examples(code: str, kind: Kind) -> None:
    assert kind.examples
    for example in kind.examples:
        assert recognise(Document(example), rulebook(code)).id == kind.id, example


@pytest.mark.parametrize("code", CODES)
def test_a_quantity_is_read_from_its_examples(code: str) -> None:
    for term in _own(code, "terms"):
        assert term.examples
        for example in term.examples:
            facts = extract_facts(example, code)
            found = find_quantities(Document(example), facts.amounts, [term], term.kinds[0], facts.dates)
            assert term.id in found, example


@pytest.mark.parametrize(("code", "clause"), _each("clauses"))
def test_a_clause_is_found_in_its_examples_and_not_in_its_counterexamples(code: str, clause: Clause) -> None:
    assert clause.examples
    for example in clause.examples:
        assert locate(Document(example), clause) is not None, example
    for counterexample in clause.counterexamples:
        assert locate(Document(counterexample), clause) is None, counterexample


@pytest.mark.parametrize(("code", "item"), _each("checklist"))
def test_a_question_knows_the_words_that_answer_it(code: str, item: ChecklistItem) -> None:
    assert item.examples
    for example in item.examples:
        assert any(Document(example).find(pattern.compiled) for pattern in item.patterns), example


@pytest.mark.parametrize("code", CODES)
def test_words_added_to_a_rule_are_found_in_their_examples(code: str) -> None:
    rules = rulebook(code)
    kinds, terms = {one.id: one for one in rules.kinds}, {one.id: one for one in rules.terms}
    clauses = {one.id: one for one in rules.clauses}
    for shared in _SHARED.kinds:
        for example in _added(kinds[shared.id].examples, shared.examples):
            assert recognise(Document(example), rules).id == shared.id, example
    for shared_term in _SHARED.terms:
        term = terms[shared_term.id]
        for example in _added(term.examples, shared_term.examples):
            facts = extract_facts(example, code)
            found = find_quantities(Document(example), facts.amounts, [term], term.kinds[0], facts.dates)
            assert term.id in found, example
    for shared_clause in _SHARED.clauses:
        for example in _added(clauses[shared_clause.id].examples, shared_clause.examples):
            assert locate(Document(example), clauses[shared_clause.id]) is not None, example


def _added(examples: tuple[str, ...], before: tuple[str, ...]) -> Iterator[str]:
    return (one for one in examples if one not in before)


@pytest.mark.parametrize("code", codes())
def test_a_folder_is_of_a_known_country_under_the_law_that_stands_above_it(code: str) -> None:
    law = law_of(DATA / code.lower())
    assert law.code == code
    country = corpus.jurisdiction(code.partition("-")[0])
    assert country is not None
    above = [code.partition("-")[0]] if "-" in code else [country.parent] if country.parent else []
    assert list(law.above) == ([] if code == "ES" else above)
    assert set(law.languages) == ({country.language} & {"pt", "fr", "it", "de"} if "-" not in code else set())


@pytest.mark.parametrize("code", codes())
def test_all_rule_files_of_a_folder_are_read(code: str) -> None:
    for folder in folders_of(DATA, code):
        read = {path.name for name in LAW_FILES for path in folder.glob(name)}
        others = {path.name for path in folder.glob("*.toml")} - read
        assert others <= {"country.toml", "assessed.toml", "facts.toml", "synonyms.toml"}, folder


def test_what_is_said_to_be_assessed_is_what_there_are_rules_for() -> None:
    for path, text in rules_coverage.documents():
        assert path.read_text("utf-8") == text, f"{path.name}: run python -m tools.rules_coverage"


def test_a_country_without_rules_is_not_assessed_and_one_with_few_only_in_part() -> None:
    assert coverage("ZW").level == "none"
    assert coverage("../es").level == "none"
    assert coverage("ES").level == "full"
    assert coverage("MX").branch("laboral") != "none"
    assert coverage("MX").branch("penal") == "none"


MEXICAN = """CONTRATO INDIVIDUAL DE TRABAJO

Que celebran en Mérida, el 3 de febrero de 2026, el patrón Textiles del Valle, S.A. de C.V., y el trabajador.
PRIMERA. El trabajador prestará sus servicios personales subordinados como operario, 48 horas a la semana.
SEGUNDA. Se pacta un periodo a prueba de ocho meses.
TERCERA. El salario será de $8,000.00 mensuales.
CUARTA. El trabajador renuncia a la prima de antigüedad y al aguinaldo que le correspondan.
"""


def _rules_met(code: str) -> set[str]:
    draft = RulesEngine().analyse(Brief(MEXICAN, code, "laboral", "es"))
    return {one.facts["rule"] for one in draft.statements if "rule" in one.facts}


def test_the_law_of_a_country_is_applied_to_its_documents_and_to_no_others() -> None:
    found = _rules_met("MX")
    assert found >= {"mx_trial_too_long", "mx_wage_below_minimum", "mx_rights_waived"}
    assert all(rule.startswith("mx_") for rule in found)
    for other in ("ES", "ZW"):
        assert not any(rule.startswith("mx_") for rule in _rules_met(other))


def test_a_risk_names_its_law_and_carries_its_lock_in_both_languages() -> None:
    for language, words in (("es", "aguinaldo"), ("en", "waives rights")):
        draft = RulesEngine().analyse(Brief(MEXICAN, "MX", "laboral", language))  # type: ignore[arg-type]
        [risk] = [
            one for one in draft.statements if one.facts.get("rule") == "mx_rights_waived" and one.quotes
        ]
        assert risk.citations == ("art. 33 LFT", "art. 5, fracción XIII, LFT")
        assert (risk.proposed, risk.severity) == ("L5-C", "high")
        assert words in " ".join([risk.text, *risk.quotes])


def test_what_the_law_of_spain_says_of_clauses_is_not_said_of_another_country() -> None:
    for code in ("MX", "ZW"):
        draft = RulesEngine().analyse(Brief(MEXICAN, code, "laboral", "es"))
        cited = " ".join(cite for one in draft.statements for cite in one.citations)
        assert " ET" not in cited
        assert " CC" not in cited


def test_rules_of_other_countries_are_read_when_they_are_first_needed() -> None:
    spain, other = rulebook("ES"), rulebook("MX")
    assert not {one.id for one in spain.risks} & {one.id for one in other.risks}
    # What both share is held once.
    assert {id(one) for one in spain.kinds} & {id(one) for one in other.kinds}
