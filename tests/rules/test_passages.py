"""Rules proposed by likeness: exceptions decide, nothing of a document is kept, stale files are refused."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from app.platform.data_files import Words, read_file
from app.rules import Brief, RulesEngine
from app.rules.clause_types import WeightsError, exemplars
from app.rules.clause_types.exemplars import PASSAGES
from app.rules.clause_types.features import roots, stem
from app.rules.clause_types.part_words import PartWords
from app.rules.document import Document
from app.rules.draft import Lock, Section
from app.rules.passages import index as index_module
from app.rules.passages import passage_index, texts, training
from app.rules.passages.index import FEW, Index
from app.rules.passages.subjects import SubjectIndex
from app.rules.passages.texts import Passage
from app.rules.reading import Reading
from app.rules.render.statements import StatementWriter
from app.rules.rulebook.comparisons import Comparison
from app.rules.rulebook.loader import codes, rulebook
from app.rules.rulebook.resemblance import least, resembling
from app.rules.rulebook.risks import Finding, find_risks
from app.rules.rulebook.schema import Risk
from app.text.bilingual import LANGUAGES
from app.text.normalize import RULES as RULES_OF_TEXT
from app.text.tongues import Tongue

ROOT = Path(__file__).resolve().parents[2]
ALL = texts.read(PASSAGES.folder)
RULES = {risk.id: risk for risk in rulebook().risks}
COUNTRIES = {
    code: texts.read(subject.folder)
    for code in codes()
    if code != "ES" and (subject := exemplars.passages_of(code)) is not None
}
EXAM = ROOT / "benchmarks" / "data" / "exam"


def test_every_passage_is_of_a_rule_about_clauses() -> None:
    for code, passages in {"ES": ALL, **COUNTRIES}.items():
        about_clauses = {risk.id for risk in rulebook(code).risks if risk.about_clauses}
        assert {one.rule for one in passages} <= about_clauses


def test_no_text_is_a_defect_and_lawful_of_the_same_rule_nor_given_twice() -> None:
    for passages in (ALL, *COUNTRIES.values()):
        seen = Counter((one.rule, " ".join(one.text.split())) for one in passages)
        assert [key for key, times in seen.items() if times > 1] == []


def test_rules_of_spain_have_passages_of_several_authors_and_lawful_ones() -> None:
    authors: dict[str, set[str]] = {}
    lawful = Counter(one.rule for one in ALL if one.lawful)
    for one in ALL:
        authors.setdefault(one.rule, set()).add(one.author)
    # Of the newest rules one author has written so far.
    newest = [{f"author_{number}"} for number in (18, 19, 20, 21, 22)]
    first = [rule for rule in authors if authors[rule] not in newest]
    assert len(first) > 1_000
    assert min(len(authors[rule]) for rule in first) >= 2
    assert all(lawful[rule] >= 2 for rule in authors)


def test_every_rule_of_another_country_has_defects_and_lawful_ones() -> None:
    assert len(COUNTRIES) >= 8
    for code, passages in COUNTRIES.items():
        defects = Counter(one.rule for one in passages if not one.lawful)
        lawful = Counter(one.rule for one in passages if one.lawful)
        assert all(defects[one.rule] >= 2 and lawful[one.rule] >= 2 for one in passages), code
        assert len(passages) <= FEW, code


def test_no_passage_stands_in_a_document_of_the_exam() -> None:
    documents = [_plain(path.read_text("utf-8")) for path in sorted(EXAM.rglob("*.txt"))]
    assert len(documents) > 100
    texts_of_all = [_plain(one.text) for passages in (ALL, *COUNTRIES.values()) for one in passages]
    heads = {text[:40] for text in texts_of_all if len(text) >= 40}
    # Forty letters are looked up where each document has them, which is quicker than each passage in each.
    inside = {
        document[at : at + 40]
        for document in documents
        for at in range(len(document) - 39)
        if document[at : at + 40] in heads
    }
    suspects = [text for text in texts_of_all if text[:40] in inside]
    assert [text for text in suspects if any(text in document for document in documents)] == []


def _plain(text: str) -> str:
    return " ".join("".join(one if one.isalnum() else " " for one in text.casefold()).split())


KEYS = [
    "El casero se guarda una llave y entra en la vivienda cuando le parece, sin pedir permiso.",
    "La propietaria conservará copia de las llaves y podrá pasar al piso en cualquier momento sin avisar.",
    "Me quedo con un juego de llaves y subo al piso cuando quiera, estén o no los inquilinos.",
]
FORUM = [
    "Cualquier pleito se llevará ante los juzgados de la capital donde tiene su sede la arrendadora.",
    "Las partes renuncian al fuero propio y se someten a los tribunales de Madrid.",
    "Los litigios irán a los juzgados del domicilio de la empresa que alquila.",
]
LAWFUL = [
    "La propietaria entrará en el piso solo si la inquilina lo consiente y con aviso de dos días.",
    "El casero no conserva llaves y pide permiso a los inquilinos para entrar en la vivienda.",
]


def small() -> Index:
    return Index(_learnt())


def _learnt() -> bytes:
    passages = [Passage("entry", "a", "es", text, lawful=False) for text in KEYS]
    passages += [Passage("forum", "a", "es", text, lawful=False) for text in FORUM]
    passages += [Passage("entry", "a", "es", text, lawful=True) for text in LAWFUL]
    return training.train(passages, "").partition(b"\n")[2]


def whole(document: Document) -> PartWords:
    """The words of a document as one part."""
    return PartWords(document.folded, [(0, len(document.folded))])


def near(index: Index, text: str) -> index_module.Likeness | None:
    document = Document(text)
    rules = {"entry": "art. 18.2 CE", "forum": "art. 54 LEC"}
    [like] = index.nearest(whole(document), rules, rules)
    return like


def test_a_sentence_is_most_like_the_rule_whose_passages_say_so() -> None:
    index = small()
    entry = near(index, "El dueño tendrá llave y entrará al piso cuando quiera, sin permiso de nadie.")
    assert entry is not None
    assert (entry.rule, entry.score > entry.rival) == ("entry", True)
    forum = near(index, "Los pleitos, a los tribunales de Madrid, con renuncia al fuero propio.")
    assert forum is not None
    assert forum.rule == "forum"
    assert near(index, "zzz qqq xxx") is None


def test_lawful_passages_and_their_wording_lower_the_probability() -> None:
    index = small()
    bad = near(index, "La propietaria conservará llaves y podrá pasar al piso en cualquier momento.")
    good = near(index, "La propietaria conservará llaves y entrará en el piso si la inquilina lo consiente.")
    assert bad is not None
    assert good is not None
    assert bad.probability > good.probability
    assert good.lawful > good.nearest


def test_parts_are_judged_alike_alone_and_together() -> None:
    index = small()
    document = Document("\n".join(sentence for sentence in (*KEYS, *FORUM, *LAWFUL)))
    rules = {"entry": "1", "forum": "2"}
    spans = [(part.start, part.end) for part in document.parts]
    together = index.nearest(document.part_words, rules, rules)
    for span, like in zip(spans, together, strict=True):
        [alone] = index.nearest(PartWords(document.folded, [span]), rules, rules)
        assert (alone is None) == (like is None)
        assert alone is None or like is None or abs(alone.score - like.score) < 1e-5
    assert index.nearest(PartWords(document.folded, []), rules, rules) == []


def test_rules_that_do_not_come_into_question_are_not_proposed() -> None:
    document = Document(KEYS[0])
    rules = {"entry": "1", "forum": "2"}
    [like] = small().nearest(whole(document), rules, ["forum"])
    assert like is None or like.rule == "forum"


def test_what_a_document_speaks_of_is_ranked_lawful_clauses_included() -> None:
    index = SubjectIndex(_learnt())
    rules = {"entry": "1", "forum": "2"}
    document = Document("La propietaria entra en el piso solo con permiso. Se cierra con llave.")
    found = index.ranked(document.part_words, rules)
    assert found["entry"] > found.get("forum", 0.0)
    assert index.ranked(PartWords(document.folded, []), rules) == {}
    assert index.ranked(whole(Document("zzz qqq xxx")), rules) == {}


def test_no_word_of_a_document_is_kept() -> None:
    index = small()
    near(index, "Zurriagabeitia conservará llaves y podrá pasar al piso sin permiso.")
    kept = index._words["es"].keys
    assert kept
    assert all(isinstance(key, int) for key in kept)


def alike(text: str, kind: str) -> list[Finding]:
    return [one for one in find_risks(Document(text), rulebook(), kind, {}, frozenset()) if one.alike]


def held_out() -> list[tuple[Risk, str]]:
    """Passages that the patterns of their rule do not know and the index, which has them, surely does."""
    found = []
    for one in ALL[::40]:
        rule = RULES[one.rule]
        if not one.lawful and one.language == "es" and rule.kinds and not rule.flags and not rule.check:
            found.append((rule, one.text))
    return found[:60]


def test_what_is_proposed_keeps_to_the_exceptions_and_conditions_of_its_rule() -> None:
    proposed = 0
    for rule, text in held_out():
        for finding in alike(text, rule.kinds[0]):
            proposed += 1
            document = Document(text)
            for pattern in (*finding.risk.unless_clause, *finding.risk.elsewhere):
                assert document.find(pattern.compiled) is None, (finding.risk.id, pattern.source)
            for pattern in finding.risk.requires:
                assert document.find(pattern.compiled) is not None
    assert proposed >= 5


def test_what_is_alike_is_told_as_what_seems_and_vouched_for_by_nobody() -> None:
    text = (
        "CONTRATO DE ARRENDAMIENTO DE VIVIENDA. El arrendador Don Luis Pérez Gil alquila a la arrendataria "
        "Doña Eva Ruiz Mora el piso de la calle Mayor, 3, como vivienda habitual. Renta: 700 euros.\n\n"
    )
    rules = {rule.id for rule in RULES.values() if "housing_lease" in rule.kinds and rule.critical}
    said = []
    for one in ALL:
        if one.rule in rules and not one.lawful and one.language == "es":
            draft = RulesEngine().analyse(Brief(text + one.text, "ES", "civil", "es"))
            said += [
                s for s in draft.statements if s.section is Section.RISKS and s.text.startswith("Parece que ")
            ]
            if len(said) > 3:
                break
    assert said
    assert all(one.proposed is not Lock.L5C and one.reason is None and one.citations for one in said)


def test_a_title_that_says_what_seems_is_not_told_twice_as_what_seems() -> None:
    # Read by every rule of Spain: a title with both is "Parece que quien presta parece quedarse…".
    twice = re.compile(r"parece.*\bparecen?\b|seems?.*\b(?:seems?|appears to|apparently)\b", re.IGNORECASE)
    hedged = [rule for rule in RULES.values() if re.search(r"\bparecen?\b", rule.title.es)]
    assert len(hedged) > 20
    reading = Reading("CONTRATO DE PRÉSTAMO", "ES")
    for language in LANGUAGES:
        writer = StatementWriter(reading.document, reading.facts, language, "civil")
        for rule in hedged:
            told = writer.risk(Finding(rule, Comparison(), (), alike=True)).text
            title = told[: len(rule.title.in_(language)) + 20]
            assert not twice.search(title), title


def test_documents_without_a_defect_are_proposed_few_rules() -> None:
    parts, proposed = 0, []
    for path in sorted((ROOT / "tests/rules/texts").glob("*.txt")):
        if "fair" in path.stem or "lawful" in path.stem:
            reading = Reading(path.read_text("utf-8"), "ES")
            kind = reading.recognition.id
            found = find_risks(reading.document, rulebook(), kind, {}, frozenset())
            parts += len(reading.document.parts)
            proposed += [(path.stem, one.risk.id) for one in found if one.alike]
    assert parts > 500
    # Most of them a lawyer would call worth a look; the share is what must not grow.
    assert len(proposed) <= 0.025 * parts, proposed


def test_english_needs_more_likeness_than_spanish() -> None:
    assert 0.5 < least("es") < least("en") < 1


def test_what_few_passages_say_is_judged_by_a_curve_of_its_own() -> None:
    index = small()
    like = near(index, "El dueño tendrá llave y entrará al piso cuando quiera, sin permiso de nadie.")
    assert like is not None
    assert like.few
    assert least("es", few=True) == least("en", few=True) > least("es")
    assert like.probability != replace(like, few=False).probability


FRENCH = (
    "CONTRAT DE TRAVAIL À DURÉE INDÉTERMINÉE\n\nEntre la société Lumen SARL, employeur, et Mme Claire Petit, "
    "salariée, il est convenu ce qui suit pour la période d'essai et la durée du travail.\n\n"
)


def test_a_document_in_the_language_of_its_country_is_compared_with_its_passages() -> None:
    found = 0
    for one in COUNTRIES["FR"]:
        rule = next(risk for risk in rulebook("FR").risks if risk.id == one.rule)
        if (
            not one.lawful
            and rule.kinds == ("employment",)
            and not (rule.flags or rule.check or rule.requires)
        ):
            document = Document(FRENCH + one.text)
            assert document.source.tongue == "fr"
            told = find_risks(document, rulebook("FR"), "employment", {}, frozenset())
            found += any(finding.alike and finding.risk.id == rule.id for finding in told)
    assert found >= 5


def test_passages_in_another_language_than_the_document_are_not_asked() -> None:
    passage = next(one for one in COUNTRIES["GB"] if not one.lawful)
    document = Document(passage.text)
    assert document.source.tongue == "en"
    french = passage_index("FR")
    assert french is not None
    assert french.tongues == {"fr"}
    assert list(resembling(document, rulebook("FR").risks, french.rules, "en", ("FR",))) == []


def test_a_country_without_passages_has_no_index() -> None:
    assert passage_index("XX") is None
    assert exemplars.passages_of("../es") is None


@pytest.mark.parametrize(
    ("tongue", "one", "other"),
    [
        ("pt", "arrendamento", "arrendamentos"),
        ("pt", "rescisões", "rescisão"),
        ("fr", "résiliation", "résiliations"),
        ("fr", "licencié", "licenciées"),
        ("it", "risoluzione", "risoluzioni"),
        ("it", "pagata", "pagati"),
        ("de", "Kündigungen", "Kündigung"),
        ("de", "Mietern", "Mieter"),
    ],
)
def test_words_of_a_language_are_cut_by_its_own_endings(tongue: Tongue, one: str, other: str) -> None:
    first, second = (stem(RULES_OF_TEXT.fold(word).encode("ascii"), tongue) for word in (one, other))
    assert first == second


@pytest.mark.parametrize("tongue", ["pt", "fr", "it", "de"])
def test_synonyms_of_a_language_are_plain_words_of_one_group(tongue: Tongue) -> None:
    path = exemplars.APP / "rules/data/languages" / tongue / "synonyms.toml"
    groups = read_file(path, dict[str, Words])
    words = [word for group in groups.values() for word in group]
    assert len(words) == len(set(words)) > 150
    assert all(word.isascii() and word.isalpha() and word == word.lower() for word in words)
    group = next(group for group in groups.values() if len(group) > 1)
    assert len({roots(word.encode("ascii"), tongue)[1] for word in group}) == 1


def test_an_index_of_other_passages_is_refused(tmp_path: Path) -> None:
    other = replace(PASSAGES, folder=tmp_path, weights=tmp_path / "passages.bin")
    with pytest.raises(WeightsError, match="missing"):
        index_module.load(other)
    (tmp_path / "passages.bin").write_bytes(b"0" * 64 + b"\nsomething")
    with pytest.raises(WeightsError, match="not of these passages"):
        index_module.load(other)


def test_a_stale_index_of_a_country_stops_the_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    exemplars.check()
    moved = replace(PASSAGES, weights=tmp_path / "passage_weights.bin")
    monkeypatch.setattr(exemplars, "PASSAGES", moved)
    with pytest.raises(WeightsError, match=r"Run: python -m app\.rules\.weights"):
        exemplars.check()


def test_of_two_authors_passages_less_likeness_is_asked_more_of_short_and_foreign_parts() -> None:
    one = least("es", few=True)
    two = least("es", few=True, each=10, length=300)
    assert least("es") < two < least("en", few=True, each=10, length=300) < one
    assert least("es", few=True, each=10, length=60) == least("en", few=True, each=10, length=60)
    assert least("es", few=True, foreign=True, each=10, length=300) == one


def test_the_opening_of_a_contract_is_like_no_rule_of_a_country() -> None:
    index = passage_index("CL")
    assert index is not None
    assert index.each >= 8
    heading = (
        "CONTRATO DE ARRENDAMIENTO. Las partes de este contrato, que se firma en Temuco, convienen. " * 2
    )
    rules = [one for one in rulebook("CL").risks if "housing_lease" in one.kinds]
    lines = [one.text for one in COUNTRIES["CL"] if one.rule.startswith("cl_lease_") and not one.lawful]
    opening = sum(bool(list(resembling(Document(one), rules, index.rules, "es", ("CL",)))) for one in lines)
    behind = sum(
        bool(list(resembling(Document(f"{heading}\n\n{one}"), rules, index.rules, "es", ("CL",))))
        for one in lines
    )
    assert behind > opening
    assert behind > len(lines) / 2
