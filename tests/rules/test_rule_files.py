"""The rules as data: every rule is sound by itself, and its legal basis exists in the law."""

from __future__ import annotations

import gzip
import json
import re
import tomllib
from collections.abc import Iterator
from datetime import date
from functools import cache
from pathlib import Path

import pytest

from app.citations import extract
from app.corpus import verify
from app.platform.data_files import DataFileError, read_entry
from app.rules.document import Document
from app.rules.facts import keyword_index
from app.rules.facts.document_facts import extract_facts
from app.rules.facts.time import procedural
from app.rules.rulebook.clauses import locate
from app.rules.rulebook.kinds import recognise
from app.rules.rulebook.loader import DATA, FILES, digest, read, read_checked, rulebook
from app.rules.rulebook.quantities import find_quantities
from app.rules.rulebook.risks import meets
from app.rules.rulebook.schema import Basis, ChecklistItem, Clause, Kind, Rulebook, RuleFileError, Term

RULES = rulebook()
LAWS = Path(__file__).resolve().parents[3] / "shared" / "data"
STATUTES = (LAWS / "es_statutes", LAWS / "es_statutes_more")
BASES = sorted(set(RULES.bases()), key=lambda basis: (basis.norm, basis.article, basis.cite, basis.words))
# Thousands of bases and risks are judged: a test for each norm and kind tells of all that are wrong.
NORMS = sorted({basis.norm for basis in BASES})
FIRST_KINDS = sorted({next(iter(risk.kinds), "") for risk in RULES.risks})

_FROM_KNOWLEDGE_SINCE = date(2026, 11, 20)

_HEADING = re.compile(r"(?m)^#{3,6} +((?:Artículo|Articulo|Art\.|ARTÍCULO|Disposición) .*)$")
_NUMBER = re.compile(
    r"\d+(?: (?:bis|ter|qu[aá]ter))?"
    r"|disposición [a-zñáéíóú]+ [a-zñáéíóú]+"
    r"(?: (?:primera|segunda|tercera|cuarta|quinta|sexta|s[eé]ptima|octava|novena)\b)?"
    r"|[a-zñáéíóú ]+"
)


@cache
def _european_law() -> dict[str, dict[str, str]]:
    """Return the articles of each norm of the European Union, in English, by CELEX number and article."""
    norms: dict[str, dict[str, str]] = {}
    with gzip.open(LAWS / "eu_en_articles.jsonl.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            entry = json.loads(line)
            norms.setdefault(entry["norm_id"], {})[entry["num"]] = entry["text"]
    return norms


def _articles(basis: Basis) -> dict[str, str]:
    return _european_law()[basis.celex] if basis.celex else _spanish_articles(basis.boe)


def _at_hand(boe: str) -> bool:
    return any((folder / f"{boe}.md").is_file() for folder in STATUTES)


@cache
def _spanish_articles(boe: str) -> dict[str, str]:
    path = next(path for folder in STATUTES if (path := folder / f"{boe}.md").is_file())
    text = path.read_text("utf-8").replace("\u00a0", " ")
    headings = list(_HEADING.finditer(text))
    articles: dict[str, str] = {}
    for heading, following in zip(headings, [*headings[1:], None], strict=True):
        name = re.sub(r"^(?:Artículo|Articulo|Art\.|ARTÍCULO)\s+", "", heading.group(1)).lower()
        number = _NUMBER.match(name)
        if number is not None:
            body = text[heading.start() : following.start() if following else len(text)]
            articles[number.group().strip()] = articles.get(number.group().strip(), "") + body
    return articles


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()


@pytest.mark.skipif(not LAWS.is_dir(), reason=f"the statutes are not at {LAWS}")
@pytest.mark.parametrize("norm", NORMS)
def test_the_legal_basis_exists_and_says_the_words_the_rule_relies_on(norm: str) -> None:
    wrong: list[tuple[str, ...]] = []
    for basis in (one for one in BASES if one.norm == norm):
        if basis.read == "knowledge":  # no text of that law is at hand
            if basis.checked is None or basis.checked < _FROM_KNOWLEDGE_SINCE or _at_hand(basis.boe):
                wrong.append((basis.cite, f"checked from knowledge on {basis.checked}"))
            continue
        article = _articles(basis).get(basis.article)
        if article is None or _plain(basis.words) not in _plain(article):
            wrong.append((basis.cite, basis.words, "has no such article" if article is None else article))
    assert not wrong


@pytest.mark.parametrize("norm", NORMS)
def test_each_citation_is_one_authority_that_the_verifier_confirms(norm: str) -> None:
    wrong: list[tuple[str, ...]] = []
    for cite in sorted({basis.cite for basis in BASES if basis.norm == norm}):
        found = extract(cite, "ES")
        verdict = verify(found[0], date(2026, 11, 21)) if len(found) == 1 else None
        if verdict is None or verdict.status != "verified":
            wrong.append((cite, found if verdict is None else verdict.note))
    assert not wrong


def test_there_are_many_bases_and_most_name_the_words_they_rest_on() -> None:
    assert len(BASES) > 200
    assert sum(bool(basis.words) for basis in BASES) > len(BASES) / 2


@pytest.mark.parametrize("kind", RULES.kinds, ids=lambda kind: kind.id)
def test_each_kind_of_document_is_recognised_in_its_own_examples(kind: Kind) -> None:
    assert kind.examples
    for example in kind.examples:
        assert recognise(Document(example), RULES).id == kind.id, example


@pytest.mark.parametrize("clause", RULES.clauses, ids=lambda clause: clause.id)
def test_each_clause_is_found_in_its_examples_and_not_in_its_counterexamples(clause: Clause) -> None:
    assert clause.examples
    for example in clause.examples:
        assert locate(Document(example), clause) is not None, example
    for counterexample in clause.counterexamples:
        assert locate(Document(counterexample), clause) is None, counterexample


@pytest.mark.parametrize("kind", FIRST_KINDS)
def test_each_risk_is_found_in_its_examples_and_not_in_its_counterexamples(kind: str) -> None:
    for risk in (one for one in RULES.risks if next(iter(one.kinds), "") == kind):
        assert bool(risk.examples) >= bool(risk.patterns), f"{risk.id}: a rule with patterns carries examples"
        assert [one for one in risk.examples if not meets(Document(one), risk)] == [], risk.id
        assert [one for one in risk.counterexamples if meets(Document(one), risk)] == [], risk.id


@pytest.mark.parametrize("term", RULES.terms, ids=lambda term: term.id)
def test_each_quantity_is_read_from_its_examples(term: Term) -> None:
    assert term.examples
    for example in term.examples:
        facts = extract_facts(example)
        found = find_quantities(Document(example), facts.amounts, [term], term.kinds[0], facts.dates)
        assert term.id in found, example


@pytest.mark.parametrize("item", RULES.checklist, ids=lambda item: item.id)
def test_each_checklist_question_knows_the_words_that_answer_it(item: ChecklistItem) -> None:
    assert item.examples
    for example in item.examples:
        assert any(Document(example).find(pattern.compiled) for pattern in item.patterns), example


def test_every_pattern_of_a_kind_is_ascii_lower_case_and_matches_nothing_in_an_empty_text() -> None:
    for kind in RULES.kinds:
        for pattern in (*kind.titles, *kind.signals, *kind.against):
            assert pattern.source.replace("…", "").isascii()
            assert Document("").find(pattern.compiled) is None


def test_no_pattern_asks_for_a_full_stop_within_a_figure_which_a_folded_text_never_has() -> None:
    # "1951.4" is read as "1951_4": only the end of a sentence keeps its full stop.
    texts = {
        str(path.relative_to(DATA)): list(_strings(tomllib.loads(path.read_text("utf-8"))))
        for path in DATA.glob("**/*.toml")
    }
    assert len(texts) > 200
    stopped = re.compile(r"(\d|\\d|\])[?+]?\\\.\??(\d|\\d|\[)")
    assert {name: one for name, found in texts.items() for one in found if stopped.search(one)} == {}


def _strings(value: object) -> Iterator[str]:
    """Yield every string that stands in a value of a file, at any depth."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for one in value.values() if isinstance(value, dict) else value:
            yield from _strings(one)


def test_every_branch_has_a_checklist() -> None:
    branches = {item.branch for item in RULES.checklist}
    assert branches == {
        "civil",
        "penal",
        "laboral",
        "mercantil",
        "contencioso",
        "constitucional",
        "familia",
        "internacional",
    }


def test_contracts_are_searched_for_at_least_fourteen_kinds_of_clause() -> None:
    general = [clause for clause in RULES.clauses if not clause.kinds]
    assert len(general) >= 14
    for kind in ("housing_lease", "employment", "loan", "consumer_terms"):
        assert sum(kind in clause.kinds or not clause.kinds for clause in RULES.clauses) >= 20


def _write(folder: Path, name: str, text: str) -> Path:
    (folder / "es").mkdir()
    for pattern in (*FILES, "es/*.toml"):
        for path in DATA.glob(pattern):
            (folder / path.relative_to(DATA)).write_text(path.read_text("utf-8"), "utf-8")
    (folder / name).write_text((folder / name).read_text("utf-8") + text, "utf-8")
    return folder


RISK = """
[[risk]]
id = "%(id)s"
kinds = ["%(kind)s"]
patterns = ["%(pattern)s"]
yields_to = ["%(yields)s"]
severity = "%(severity)s"
title = { es = "a", en = "b" }
text = { es = "a %(slot)s", en = "b" }
advice = %(advice)s
basis = [{ boe = "%(boe)s", article = "6", cite = "%(cite)s" }]
"""
SOUND = {
    "id": "new_rule",
    "kind": "loan",
    "pattern": "palabra",
    "yields": "loan_usury",
    "severity": "low",
    "slot": "",
    "advice": '{ es = "a", en = "b" }',
    "boe": "BOE-A-1889-4763",
    "cite": "art. 6 CC",
}


def test_a_lawyer_can_add_a_rule_by_editing_a_file(tmp_path: Path) -> None:
    rules = read(_write(tmp_path, "es/risks_credit.toml", RISK % SOUND))
    assert rules.size == RULES.size + 1


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"id": "loan_usury"}, "es/risks_credit.toml: risk loan_usury: id is used twice"),
        ({"kind": "lone"}, "kinds names 'lone', which does not exist"),
        ({"pattern": "(palabra"}, "patterns[0] is wrong: pattern does not compile"),
        ({"pattern": "cláusula"}, "without accents"),
        ({"pattern": "Clausula"}, "lower case"),
        ({"severity": "huge"}, "severity must be low, medium or high"),
        ({"slot": "{nothing}"}, "unknown slot {nothing}"),
        ({"advice": '{ es = "a" }'}, "advice must have exactly the languages es and en"),
        ({"advice": '{ es = "a", en = " " }'}, "advice must not be empty in either language"),
        ({"boe": "BOE-1"}, "is not a BOE identifier"),
        ({"cite": "art. 7 CC"}, "does not name article 6"),
        ({"yields": "loan_usry"}, "yields_to names 'loan_usry', which does not exist"),
    ],
)
def test_a_mistake_in_a_rule_is_refused_by_name(tmp_path: Path, change: dict[str, str], message: str) -> None:
    folder = _write(tmp_path, "es/risks_credit.toml", RISK % {**SOUND, **change})
    with pytest.raises(RuleFileError, match=re.escape(message)):
        read(folder)


@pytest.mark.parametrize(
    ("norm", "message"),
    [
        ('celex = "32016R0679"', None),
        ('norm = "LFT"', "norm is not a key of the registry of norms: 'LFT'"),
        (
            'norm = "MX:LFT"',
            "basis[0] needs words of the article, or read knowledge with the day it was checked",
        ),
        (
            'norm = "MX:LFT", read = "knowledge"',
            "basis[0] needs checked, the day on which it was, where read is knowledge",
        ),
        (
            'celex = "2016/679"',
            "celex is not the CELEX number of a regulation, directive or decision: '2016/679'",
        ),
        (
            'boe = "BOE-A-1889-4763", celex = "32016R0679"',
            "basis[0] must name its norm by one of boe, celex and norm",
        ),
        ("", "basis[0] must name its norm by one of boe, celex and norm"),
    ],
)
def test_a_norm_is_named_by_its_boe_identifier_or_its_celex_number(
    tmp_path: Path, norm: str, message: str | None
) -> None:
    rule = (RISK % SOUND).replace('boe = "BOE-A-1889-4763"', norm).replace("{ , ", "{ ")
    folder = _write(tmp_path, "es/risks_credit.toml", rule)
    if message is None:
        assert any(basis.norm == "32016R0679" for basis in read(folder).bases())
        return
    with pytest.raises(RuleFileError, match=re.escape(message)):
        read(folder)


def _is_compiled(rules: Rulebook) -> bool:
    """Tell whether the pattern of the rule in `RISK` is."""
    rule = next(risk for risk in rules.risks if risk.id == "new_rule")
    return "_regexp" in vars(rule.patterns[0].compiled)


def test_files_without_a_mistake_are_compiled_once(tmp_path: Path) -> None:
    checked = tmp_path / "checked.sha256"
    folder = _write(tmp_path, "es/risks_credit.toml", RISK % SOUND)
    first = read_checked(folder, checked)
    assert checked.read_text("ascii").split() == [digest(folder), digest(folder, "ES")]
    again = read_checked(folder, checked)
    assert again.size == first.size
    assert _is_compiled(first)
    assert not _is_compiled(again)
    assert list(tmp_path.glob("*.part")) == []


def test_a_mistake_made_after_the_check_is_refused(tmp_path: Path) -> None:
    checked = tmp_path / "checked.sha256"
    folder = _write(tmp_path, "es/risks_credit.toml", RISK % SOUND)
    read_checked(folder, checked)
    path = folder / "es/risks_credit.toml"
    path.write_text(path.read_text("utf-8").replace('"palabra"', '"(palabra"'), "utf-8")
    with pytest.raises(RuleFileError, match="pattern does not compile"):
        read_checked(folder, checked)
    assert digest(folder, "ES") not in checked.read_text("ascii").split()


def test_where_nothing_can_be_written_every_process_checks(tmp_path: Path) -> None:
    folder = _write(tmp_path, "es/risks_credit.toml", RISK % SOUND)
    rules = read_checked(folder, tmp_path / "missing" / "checked.sha256")
    assert _is_compiled(rules)


def test_the_rules_that_ship_compile() -> None:
    assert read(DATA).size == RULES.size


def test_a_weight_is_one_two_or_three(tmp_path: Path) -> None:
    absence = """
[[clause]]
id = "new_clause"
name = { es = "a", en = "b" }
patterns = ["palabra"]
expected = ["loan"]
[[clause.absence]]
kinds = ["loan"]
weight = 4
text = { es = "a", en = "b" }
"""
    with pytest.raises(RuleFileError, match="weight must be 1, 2 or 3"):
        read(_write(tmp_path, "clauses_contracts.toml", absence))


def test_an_unknown_field_and_a_broken_file_are_refused(tmp_path: Path) -> None:
    wrong = RISK % SOUND + "severtiy = 'low'\n"
    with pytest.raises(RuleFileError, match="unknown field 'severtiy'"):
        read(_write(tmp_path, "es/risks_credit.toml", wrong))
    (tmp_path / "es/risks_credit.toml").write_text("[[risk", "utf-8")
    with pytest.raises(RuleFileError, match="is not TOML"):
        read(tmp_path)


def test_every_mistake_of_an_entry_is_told_with_its_field(tmp_path: Path) -> None:
    wrong = (
        RISK % {**SOUND, "severity": "huge", "boe": "BOE-1"} + "critical = 1\nin_force_from = '2019-03-06'\n"
    )
    with pytest.raises(RuleFileError) as raised:
        read(_write(tmp_path, "es/risks_credit.toml", wrong))
    assert str(raised.value) == (
        "es/risks_credit.toml: risk new_rule: severity must be low, medium or high; "
        "critical must be true or false; "
        "basis[0].boe is not a BOE identifier: 'BOE-1'; "
        "in_force_from must be a date without quotes (2019-03-06)"
    )


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ({"id": 7}, "id must be a text; name is missing; family is missing"),
        ({"id": "a", "name": "b", "family": "ruling"}, "name must have exactly the languages es and en"),
        (
            {"id": " ", "name": {"es": "a", "en": "b"}, "family": "ruling"},
            "id must be a text that is not empty",
        ),
        (
            {"id": "a", "name": {"es": "a", "en": "b"}, "family": "ruling", "examples": "c", "titles": [3]},
            "titles[0] must be a text that is not empty; examples must be a list",
        ),
        ("a", "must be a table"),
    ],
)
def test_what_is_expected_is_said_in_plain_words(entry: object, message: str) -> None:
    with pytest.raises(DataFileError) as raised:
        read_entry(Kind, "kinds.toml: kind a", entry)
    assert str(raised.value) == f"kinds.toml: kind a: {message}"


def test_the_tables_of_the_facts_are_checked_like_the_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    sound = tomllib.loads((DATA / "procedural_es.toml").read_text("utf-8"))["period"][0]
    wrong = {**sound, "number": 0, "unit": "fortnight", "requires": "("}
    monkeypatch.setattr(procedural, "table", lambda _: {"period": [wrong]})
    with pytest.raises(DataFileError, match="number must be greater than 0; unit must be") as raised:
        procedural.procedural_periods.__wrapped__()
    assert str(raised.value).startswith(f"procedural_es.toml: period {sound['key']}: ")
    assert "requires" in str(raised.value)
    monkeypatch.setattr(keyword_index, "table", lambda _: {"roles": {"buyer": "buyers?"}})
    with pytest.raises(DataFileError, match=r"roles.toml: roles: lists.buyer must be a list"):
        keyword_index.vocabulary("roles.toml", "roles")


def test_all_rule_files_of_the_folder_are_read_or_belong_to_the_facts() -> None:
    read_files = {path.name for pattern in FILES for path in DATA.glob(pattern)}
    others = {path.name for path in DATA.glob("*.toml")} - read_files
    tables = {"kind", "term", "clause", "risk", "item"}
    for name in others:
        assert not tables & set(tomllib.loads((DATA / name).read_text("utf-8"))), f"{name} is never read"
