"""Rules proposed by likeness: exceptions decide, nothing of a document is kept, stale files are refused."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from app.dev import clause_weights
from app.rules import Brief, RulesEngine
from app.rules.clause_types import WeightsError, exemplars
from app.rules.clause_types.exemplars import PASSAGES
from app.rules.clause_types.part_words import PartWords
from app.rules.document import Document
from app.rules.draft import Lock, Section
from app.rules.passages import index as index_module
from app.rules.passages import passage_index, texts, training
from app.rules.passages.index import Index
from app.rules.passages.subjects import SubjectIndex
from app.rules.passages.texts import Passage
from app.rules.reading import Reading
from app.rules.rulebook.loader import rulebook
from app.rules.rulebook.resemblance import least
from app.rules.rulebook.risks import Finding, find_risks
from app.rules.rulebook.schema import Risk

ROOT = Path(__file__).resolve().parents[2]
ALL = texts.read(PASSAGES.folder)
RULES = {risk.id: risk for risk in rulebook().risks}


def test_every_passage_is_of_a_rule_about_clauses() -> None:
    for one in ALL:
        assert one.rule in RULES, one.rule
        assert RULES[one.rule].about_clauses, one.rule


def test_no_text_is_a_defect_and_lawful_of_the_same_rule_nor_given_twice() -> None:
    seen = Counter((one.rule, " ".join(one.text.split())) for one in ALL)
    assert [key for key, times in seen.items() if times > 1] == []


def test_rules_have_passages_of_several_authors_and_lawful_ones() -> None:
    authors: dict[str, set[str]] = {}
    lawful = Counter(one.rule for one in ALL if one.lawful)
    for one in ALL:
        authors.setdefault(one.rule, set()).add(one.author)
    assert min(map(len, authors.values())) >= 2
    assert all(lawful[rule] >= 2 for rule in authors)


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
    good = near(index, "La propietaria entrará en el piso solo si la inquilina lo consiente, con aviso.")
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
    assert index._words.keys
    assert all(isinstance(key, int) for key in index._words.keys)


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


def test_an_index_of_other_passages_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = replace(PASSAGES, folder=tmp_path, weights=tmp_path / "passages.bin")
    monkeypatch.setattr(index_module, "PASSAGES", other)
    with pytest.raises(WeightsError, match="missing"):
        index_module.load()
    (tmp_path / "passages.bin").write_bytes(b"0" * 64 + b"\nsomething")
    with pytest.raises(WeightsError, match="not of these passages"):
        index_module.load()


def test_the_set_up_knows_the_same_digest() -> None:
    folder = Path("app/rules/data/passages")
    assert clause_weights.digest(ROOT, folder) == exemplars.digest(PASSAGES)
    assert clause_weights.SUBJECTS[folder] == PASSAGES.weights.relative_to(ROOT)
    assert passage_index().rules
