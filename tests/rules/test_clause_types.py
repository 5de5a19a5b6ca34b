"""The classifier of clauses: same bytes, refused when stale, calm before any input."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.dev import clause_weights
from app.platform.data_files import DataFileError, read_entry
from app.rules import Brief, RulesEngine
from app.rules.clause_types import WeightsError, exemplars, training, type_ids
from app.rules.clause_types.features import pair_hashes, stem, tokens, word_features
from app.rules.clause_types.model import Classifier, load
from app.rules.clause_types.part_words import PartWords, WordTable, distinct
from app.rules.document import Document
from app.rules.rulebook.clauses import locate
from app.rules.rulebook.risks import meets
from app.rules.rulebook.schema import Clause, Risk, RuleFileError

ROOT = Path(__file__).resolve().parents[2]
DEPOSIT = """
definition = { es = "Fianza.", en = "Deposit." }
[[author]]
name = "a"
es = ["La arrendataria entrega una mensualidad como fianza.", "Se deposita una fianza de dos mensualidades."]
en = ["The tenant pays a deposit of one month's rent."]
[[author]]
name = "b"
es = ["La fianza entregada se devolverá al acabar.", "El inquilino deposita la fianza al firmar."]
en = ["The deposit is returned to the tenant at the end."]
"""
FORUM = """
definition = { es = "Fuero.", en = "Forum." }
[[author]]
name = "a"
es = ["Las partes se someten a los juzgados de Madrid.", "Serán competentes los tribunales de Bilbao."]
en = ["The courts of Madrid have jurisdiction."]
[[author]]
name = "b"
es = ["Todo litigio irá a los juzgados de Sevilla.", "Se someten a los tribunales de la capital."]
en = ["Any dispute goes before the courts of Seville."]
"""
NONE = """
definition = { es = "Nada.", en = "None." }
[[author]]
name = "c"
es = ["Comparecen ante mí don Luis y doña Eva.", "El objeto de este documento se describe a continuación."]
en = ["This agreement is made in Madrid.", "The parties have read this document."]
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("exemplars")
    for name, text in (("deposit", DEPOSIT), ("forum", FORUM), ("none", NONE)):
        (made / f"{name}.toml").write_text(text, "utf-8")
    return made


@pytest.fixture(scope="module")
def small(folder: Path) -> Classifier:
    """A classifier of two types."""
    return Classifier(training.train(exemplars.read(folder), "digest").partition(b"\n")[2])


@pytest.fixture
def two_types(small: Classifier, monkeypatch: pytest.MonkeyPatch) -> None:
    """Documents are read by the classifier of two types."""
    monkeypatch.setattr("app.rules.clause_types.classifier", lambda: small)


LETTERS_AS_FIGURES = bytes.maketrans(b"abcdefghij", b"0123456789")


def figures(number: int) -> bytes:
    """Return a number as a word of letters, one for each figure."""
    return str(number).encode().translate(bytes.maketrans(b"0123456789", b"abcdefghij"))


def _probabilities(of: Classifier, text: str) -> dict[str, float]:
    folded = Document(text).folded
    return dict(
        zip(of.types, of.probabilities(PartWords(folded, [(0, len(folded))]))[0].tolist(), strict=True)
    )


def test_the_same_exemplars_give_the_same_bytes(folder: Path) -> None:
    once, again = (training.train(exemplars.read(folder), "digest") for _ in range(2))
    assert once == again


def test_words_that_no_exemplar_has_are_understood_by_their_parts(small: Classifier) -> None:
    found = _probabilities(small, "Los depósitos y fianzas de arrendatarios se devolverían.")
    assert found["deposit"] > found["forum"]


def test_the_file_of_weights_loses_nothing_that_matters(folder: Path, small: Classifier) -> None:
    held = exemplars.read(folder)
    texts, signs = [training.counted(one.text) for one in held], training.signs_of(held, small.types)
    vocabulary = training.learn_vocabulary(texts)
    rows = [training.row(text, vocabulary) for text in texts]
    model = training.fit(rows, signs, len(vocabulary.hashes))
    held_out = training.held_out_scores(rows, signs, model, training.folds(held))
    curves = np.array(
        [training.calibrate(scores, sign > 0) for scores, sign in zip(held_out.T, signs.T, strict=True)]
    )
    exact = training.score(rows, model)
    wanted = 1 / (1 + np.exp(-np.clip(curves[:, 0] * exact + curves[:, 1], -30, 30)))
    told = [list(_probabilities(small, one.text).values()) for one in held]
    assert np.abs(np.array(told) - wanted).max() < 0.02


def test_a_probability_does_not_depend_on_what_was_read_before(small: Classifier, folder: Path) -> None:
    fresh = Classifier(training.train(exemplars.read(folder), "digest").partition(b"\n")[2])
    text = "La fianza se entrega hoy. Las partes se someten a los juzgados de Lugo."
    small.probabilities(PartWords(Document("Otro texto con la fianza y los tribunales.").folded, [(0, 40)]))
    assert _probabilities(small, text) == _probabilities(fresh, text)


def test_a_repeated_text_is_as_probable_as_said_once(small: Classifier) -> None:
    once = "la fianza se entrega hoy "
    # The pair of its last and first words is new.
    wanted = pytest.approx(_probabilities(small, once)["deposit"], abs=0.1)
    assert _probabilities(small, once * 9)["deposit"] == wanted


def test_parts_are_scored_each_by_itself(small: Classifier) -> None:
    folded = Document("La fianza se entrega hoy mismo. Los tribunales de Lugo serán competentes.").folded
    cut = folded.index(b".") + 1
    both = small.probabilities(PartWords(folded, [(0, cut), (cut, len(folded)), (cut, cut)]))
    assert (both[0] == small.probabilities(PartWords(folded, [(0, cut)]))[0]).all()
    assert (both[1] == small.probabilities(PartWords(folded, [(cut, len(folded))]))[0]).all()
    assert both.shape == (3, 2)


def test_missing_and_stale_weights_are_refused_with_the_command_to_run(tmp_path: Path) -> None:
    subject = replace(exemplars.KINDS, weights=tmp_path / "weights.bin")
    with pytest.raises(WeightsError, match=r"missing.*Run: python -m app.rules.weights"):
        load(subject)
    assert not exemplars.is_fresh(subject)
    subject.weights.write_bytes(b"0" * 64 + b"\nrest")
    with pytest.raises(WeightsError, match=r"not of these exemplars.*Run: python -m app.rules.weights"):
        load(subject)
    assert not exemplars.is_fresh(subject)


def test_the_setup_and_the_engine_agree_on_what_is_stale() -> None:
    found = {ROOT / folder: ROOT / weights for folder, weights in clause_weights.subjects(ROOT).items()}
    assert found == {subject.folder: subject.weights for subject in exemplars.subjects()}
    for subject in exemplars.subjects():
        folder = subject.folder.relative_to(ROOT)
        assert clause_weights.digest(ROOT, folder) == exemplars.digest(subject)
        assert exemplars.is_fresh(subject)
    assert clause_weights.are_fresh(ROOT)


def test_another_exemplar_makes_the_setup_learn_again(tmp_path: Path) -> None:
    for name in clause_weights.CODE:
        (tmp_path / "app" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "app" / name).write_text("code")
    for folder, weights in clause_weights.SUBJECTS.items():
        assert not clause_weights.are_fresh(tmp_path)
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / weights).write_text(clause_weights.digest(tmp_path, folder) + "\nweights")
    assert clause_weights.are_fresh(tmp_path)
    for folder in clause_weights.SUBJECTS:
        (tmp_path / folder / "new.toml").write_text("new")
        assert not clause_weights.are_fresh(tmp_path)
        (tmp_path / folder / "new.toml").unlink()
        assert clause_weights.are_fresh(tmp_path)


def test_words_that_two_types_share_word_for_word_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text(DEPOSIT, "utf-8")
    (tmp_path / "b.toml").write_text(DEPOSIT, "utf-8")
    with pytest.raises(DataFileError, match=r"b\.toml: also in a\.toml"):
        exemplars.read(tmp_path)


def test_a_wrong_file_of_exemplars_is_told_by_name(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text(DEPOSIT.replace("definition", "defined"), "utf-8")
    with pytest.raises(DataFileError, match=r"a\.toml: .*definition is missing"):
        exemplars.read(tmp_path)


@pytest.mark.parametrize("text", ["", "\ud800\udfff \ud83d", "\x00" * 500, "." * 5000, "á" * 3, "E % 0"])
def test_odd_texts_are_classified_as_nothing_much(text: str) -> None:
    found = Document(text).clauses_of(type_ids(), 0.0)
    assert all(0 <= span.start <= span.end <= len(text) for span in found)


def test_a_megabyte_of_one_letter_is_read_in_bounded_parts() -> None:
    document = Document("a" * 1_000_000)
    assert document.clauses_of(type_ids(), 2.0) == []
    assert all(span.end - span.start <= 800 for span in document.clauses_of(type_ids(), 0.0))


def test_memory_of_words_is_bounded_and_holds_none() -> None:
    read: list[bytes] = []

    def row(word: bytes) -> tuple[int]:
        read.append(word)
        return (len(word),)

    table = WordTable([("length", np.int64)], row, most=5)
    for text in (b"uno dos tres", b"tres cuatro dos", b"seis siete ocho", b"a bb ccc dddd eeeee ffffff"):
        words = PartWords(text, [(0, len(text))])
        rows, places = table.find(words)
        assert rows["length"][places].tolist() == [len(word) for word in text.split()]
        assert len(table.keys) <= 5
        assert all(isinstance(key, int) for key in table.keys)
    # What is kept is not read again; where there is no room, all is forgotten.
    assert read[:4] == [b"uno", b"dos", b"tres", b"cuatro"]
    assert len(read) == 13


def test_words_are_read_while_others_are_learnt() -> None:
    table = WordTable(
        [("number", np.int64)], lambda word: (int(word.translate(LETTERS_AS_FIGURES)),), most=9_000
    )
    texts = [b" ".join(figures(number) for number in range(at, 5_000, 7)) for at in range(7)] * 6

    def agree(text: bytes) -> bool:
        rows, places = table.find(PartWords(text, [(0, len(text))]))
        return rows["number"][places].tolist() == [
            int(word.translate(LETTERS_AS_FIGURES)) for word in dict.fromkeys(text.split())
        ]

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(agree, texts))


def test_values_are_told_once_for_each_part() -> None:
    parts, values = np.array([0, 0, 0, 2, 2, 3]), np.array([5, 1, 5, 5, 0, 0])
    part, value = distinct(parts, values, 6)
    assert list(zip(part.tolist(), value.tolist(), strict=True)) == [(0, 1), (0, 5), (2, 0), (2, 5), (3, 0)]
    nothing = np.zeros(0, np.int64)
    assert [len(one) for one in distinct(nothing, nothing, 0)] == [0, 0]


@given(st.text(max_size=300))
def test_any_text_has_probabilities_of_every_part(text: str) -> None:
    document = Document(text)
    for span in document.clauses_of(type_ids(), 0.0):
        assert document.folded[span.start : span.end]


@given(st.text(alphabet="abcdefghijklmnopqrstuvwxyz", min_size=1, max_size=24))
def test_a_stem_is_the_beginning_of_its_word(word: str) -> None:
    assert word.encode().startswith(stem(word.encode()))


@pytest.mark.parametrize(
    "words",
    ["renuncia renunciar renunciado renuncian", "reparaciones reparacion reparar", "waives waived waiving"],
)
def test_forms_of_a_word_have_one_stem(words: str) -> None:
    assert len({stem(word.encode()) for word in words.split()}) == 1


def test_features_are_the_same_on_every_machine() -> None:
    assert word_features(b"fianza").hashes[:3].tolist() == [3499785822, 1855167412, 3082499212]
    assert pair_hashes([1, 2, 3]).tolist() == [2853113490, 3459404497]
    assert tokens(b"la renta: 000 E, al 00% a_b") == [
        b"la",
        b"renta",
        b"000",
        b"E",
        b"al",
        b"00",
        b"%",
        b"a",
        b"b",
    ]


RISK = {
    "id": "own",
    "kinds": ["loan"],
    "severity": "low",
    "title": {"es": "t", "en": "t"},
    "text": {"es": "t", "en": "t"},
    "advice": {"es": "t", "en": "t"},
    "basis": [{"boe": "BOE-A-1889-4763", "article": "1100", "cite": "art. 1100 CC"}],
}
CONTEXT = {"clause_types": {"deposit", "forum"}, "kinds": {"loan"}, "checks": {"value_above"}}


def _risk(**fields: object) -> Risk:
    return read_entry(Risk, "test", {**RISK, **fields}, CONTEXT)


def test_the_classifier_never_decides_alone() -> None:
    with pytest.raises(RuleFileError, match="the classifier proposes, a rule decides"):
        _risk(clause_types=["deposit"])
    with pytest.raises(RuleFileError, match="the classifier proposes, a rule decides"):
        _risk(clause_types=["deposit"], patterns=["mora"], unless_clause=["no"])
    assert _risk(clause_types=["deposit"], all_of=["mora"]).clause_types == ("deposit",)
    assert _risk(clause_types=["deposit"], check="value_above").clause_types


def test_a_type_that_does_not_exist_is_refused() -> None:
    with pytest.raises(RuleFileError, match="names 'nothing_such', which does not exist"):
        _risk(clause_types=["nothing_such"], all_of=["mora"])


def test_conditions_on_a_clause_need_something_that_proposes_it() -> None:
    with pytest.raises(RuleFileError, match="need patterns or clause_types"):
        _risk(check="value_above", all_of=["mora"])


FORUM_CLAUSE = (
    "Para cualquier controversia, los contratantes se someten expresamente a los juzgados y tribunales "
    "de Vigo, con renuncia al fuero que pudiera corresponderles."
)


@pytest.mark.usefixtures("two_types")
def test_what_the_classifier_proposes_is_judged_by_the_rule() -> None:
    plain = _risk(clause_types=["forum"], all_of=["renuncia"])
    assert meets(Document(FORUM_CLAUSE), plain)
    assert not meets(Document(FORUM_CLAUSE), _risk(clause_types=["forum"], all_of=["renuncia", "madrid"]))
    excepted = _risk(clause_types=["forum"], all_of=["renuncia"], unless_clause=["vigo"])
    assert not meets(Document(FORUM_CLAUSE), excepted)
    assert not meets(
        Document(FORUM_CLAUSE), _risk(clause_types=["forum"], all_of=["renuncia"], unless=["vigo"])
    )
    assert not meets(Document("Comparecen don Luis y doña Eva, con renuncia al cargo."), plain)


@pytest.mark.usefixtures("two_types")
def test_patterns_and_types_may_each_propose() -> None:
    either = _risk(patterns=["comparecen"], clause_types=["forum"], all_of=["renuncia"])
    assert meets(Document(FORUM_CLAUSE), either)
    assert meets(Document("Comparecen don Luis y doña Eva, con renuncia al cargo."), either)


@pytest.mark.usefixtures("two_types")
def test_a_clause_is_present_where_the_classifier_is_sure() -> None:
    raw = {"id": "own", "name": {"es": "Fuero", "en": "Forum"}, "clause_types": ["forum"]}
    clause = read_entry(Clause, "test", raw, CONTEXT)
    assert locate(Document(FORUM_CLAUSE), clause) is not None
    assert locate(Document("Comparecen ante mí don Luis y doña Eva."), clause) is None
    waived = read_entry(Clause, "test", {**raw, "waived": ["vigo"]}, CONTEXT)
    assert locate(Document(FORUM_CLAUSE), waived) is None


def test_an_engine_whose_rules_ask_for_no_type_loads_no_weights(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> None:
        raise AssertionError("loaded")

    monkeypatch.setattr("app.rules.clause_types.classifier", refuse)
    letter = "Estimada clienta: gracias por su visita. Un saludo."
    assert RulesEngine().analyse(Brief(letter, "ES", "civil", "es")).kind_known is False


def test_no_file_of_exemplars_names_a_person_or_a_place_to_find() -> None:
    for one in exemplars.read():
        assert not re.search(r"\[[A-Z_]+_\d\]|https?://", one.text), one.text
