"""The words that an expression needs, and patterns that are skipped where they are missing."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.rules.document import Document, Expression, Span, compile_pattern
from app.rules.pattern_set import PatternFilter, PatternSet
from app.rules.required_words import read_needs, required_words
from app.rules.rulebook.loader import rulebook

_EXAM = Path(__file__).resolve().parents[2] / "benchmarks/data/exam"
_LEASE = _EXAM / "5/alquiler_piso_gijon.txt"
_DOCUMENTS = (_LEASE, *sorted(_EXAM.glob("2[0-4]/*.txt"))[::8])


def _told(pattern: str) -> list[set[str]]:
    return [{word.decode() for word in words} for words in required_words(compile_pattern(pattern).pattern)]


@pytest.mark.parametrize(
    ("pattern", "words"),
    [
        ("plazo de un ano", [{"plazo de un ano"}]),
        (r"\barrendador(a|es)?\b", [{"arrendador", "arrendadora", "arrendadores"}]),
        ("renta…euros", [{"renta"}, {"euros"}]),
        ("fianza|deposito[^.;]{0,40}garantia", [{"fianza", "deposito"}]),
        ("(uno|dos){2,3} meses", [{"uno", "dos"}, {" meses"}]),
        ("renta( mensual)? ?:", [{"renta:", "renta :", "renta mensual:", "renta mensual :"}]),
        ("inter ?vivos", [{"intervivos", "inter vivos"}]),
        # A short word stands everywhere, and what may be left out is not needed.
        ("fianza|no", []),
        ("(fianza)*", []),
        (r"\d+ [a-z]+", []),
    ],
)
def test_words_of_which_each_match_has_one(pattern: str, words: list[set[str]]) -> None:
    assert _told(pattern) == words


@pytest.mark.parametrize(
    "expression", [b"(?i)fianza", b"(?P<name>fianza)", b"\\x41bcd", b"[[:alpha:]]bcd", b"a{"]
)
def test_of_what_is_not_understood_nothing_is_told(expression: bytes) -> None:
    assert required_words(expression) == ()


@pytest.mark.parametrize(
    ("pattern", "within"),
    [
        ("renta…euros", True),
        (r"\bplazo[^.;]{0,40}dias\b", True),
        (r"plazo[^\w.;]+dias", True),
        (r"plazo[a-z ,-]+dias", True),
        # A full stop may stand in what these match.
        ("plazo[^;]{0,40}dias", False),
        ("plazo.{0,40}dias", False),
        (r"plazo\W+dias", False),
        (r"plazo\S* dias", False),
        ("plazo[ .]dias", False),
        ("plazo[+-9]+dias", False),
        (r"(renta|plazo\. )dias", False),
        # These depend on where the text begins or ends.
        ("^plazo de", False),
        ("plazo de$", False),
        ("(?i)plazo de", False),
    ],
)
def test_a_match_without_full_stop_is_within_one_sentence(pattern: str, within: bool) -> None:
    assert read_needs(compile_pattern(pattern).pattern).within_sentence is within


def test_a_pattern_is_looked_for_in_the_sentences_that_have_all_its_words(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    text = "La renta es alta. Son 900 euros al mes. La renta es de 900 euros. Sigue el plazo"
    pattern, across = compile_pattern("renta…euros"), compile_pattern("renta[^;]*plazo")
    document = Document(text)
    PatternFilter([pattern, across]).absent_from(document)
    looked: list[str] = []
    span = Expression.span

    def noted(
        one: Expression, folded: bytes, start: int = 0, end: int | None = None
    ) -> tuple[int, int] | None:
        looked.append(folded[start:end].decode())
        return span(one, folded, start, end)

    monkeypatch.setattr(Expression, "span", noted)

    assert document.find(pattern) == Span(43, 64)
    assert looked == [" la renta es de 900 euros"]
    assert document.find(pattern, 0, 39) is None
    assert len(looked) == 1
    # What may go over a full stop is looked for in all of the text that has its words.
    assert document.find(across, 30) == Span(43, len(text))
    assert document.find(across, 0, 40) is None
    assert len(looked) == 2


@pytest.mark.parametrize("document", _DOCUMENTS, ids=lambda path: path.stem)
def test_a_pattern_is_found_where_it_stands_without_its_words(document: Path) -> None:
    """Compare what is found by words with what the pattern alone finds in the text."""
    rules = rulebook("ES")
    read, plain = (Document(document.read_text("utf-8")) for _ in range(2))
    absent = set(rules.searches("lease").absent_from(read))
    patterns = [one for one in rules.searches("lease")._patterns if one not in absent]
    middle, end = len(read.folded) // 3, len(read.folded) * 2 // 3

    assert patterns
    for pattern in patterns:
        assert read.find_all(pattern) == plain.find_all(pattern), pattern.pattern
        assert read.find(pattern, middle, end) == plain.find(pattern, middle, end), pattern.pattern


def test_white_space_of_any_length_is_a_blank() -> None:
    patterns = [
        compile_pattern("plazo de un ano"),
        compile_pattern(r"plazo\s+\s*de"),
        compile_pattern("plazo de dos"),
    ]
    document = Document("El plazo\n  de un\tano")

    assert PatternFilter(patterns).absent_from(document) == patterns[2:]
    assert PatternSet(patterns).standing_in(document) == {0, 1}
    assert PatternSet(patterns).standing_in(document, end=5) == frozenset()


def test_no_pattern_of_a_kind_is_skipped_that_matches() -> None:
    rules = rulebook("ES")
    document = Document(_LEASE.read_text("utf-8"))
    patterns = rules.searches("lease")._patterns
    absent = rules.searches("lease").absent_from(document)

    assert [one.pattern for one in absent if one.span(document.folded)] == []
    assert len(patterns) / 3 < len(absent) < len(patterns)


def test_automata_are_let_go_after_many_characters_and_built_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.rules.document._KEPT_FOR", 1_000)
    pattern = compile_pattern("fianza…euros")
    text = "La fianza es de 900 euros. "
    assert Document(text).find(pattern) == Span(3, 25)
    assert "_regexp" in vars(pattern)

    document = Document(text * 40)

    assert "_regexp" not in vars(pattern)
    assert document.find(pattern) == Span(3, 25)
