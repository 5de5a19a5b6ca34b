"""The words that an expression needs, and patterns that are skipped where they are missing."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.rules.document import Document, Span, compile_pattern
from app.rules.pattern_set import PatternFilter, PatternSet
from app.rules.required_words import required_words
from app.rules.rulebook.loader import rulebook

_LEASE = Path(__file__).resolve().parents[2] / "benchmarks/data/exam/5/alquiler_piso_gijon.txt"


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
