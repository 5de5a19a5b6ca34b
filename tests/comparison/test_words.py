"""What changed between two texts is told word by word, and both texts can be made of it again."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.comparison.clauses import words
from app.comparison.clauses.words import diff_words
from tests.growth import assert_linear

# Few letters, so that texts have words in common.
TEXTS = st.text(alphabet="ab1.,;\n €", max_size=60)


def told(before: str, after: str) -> list[tuple[str, str]]:
    return [(run.op, run.text) for run in diff_words(before, after).runs]


def side(before: str, after: str, *ops: str) -> str:
    return "".join(text for op, text in told(before, after) if op in ops)


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("son 1.000 €", "son 5.000 €",
         [("equal", "son "), ("delete", "1.000"), ("insert", "5.000"), ("equal", " €")]),
        ("en dos meses", "en tres meses",
         [("equal", "en "), ("delete", "dos"), ("insert", "tres"), ("equal", " meses")]),
        ("no cederá", "cederá", [("delete", "no "), ("equal", "cederá")]),
        ("igual", "igual", [("equal", "igual")]),
        ("", "nuevo", [("insert", "nuevo")]),
        ("viejo", "", [("delete", "viejo")]),
        ("", "", []),
    ],
)  # fmt: skip
def test_words_and_figures_are_told_whole(before: str, after: str, expected: list[tuple[str, str]]) -> None:
    assert told(before, after) == expected


def test_a_sentence_that_was_written_anew_is_not_told_in_crumbs() -> None:
    before = "El arrendatario abonará los gastos de la comunidad cada trimestre."
    after = "La propiedad asume todas las cargas y tributos de la finca sin excepción alguna."
    changed = [op for op, _ in told(before, after) if op != "equal"]
    assert changed == ["delete", "insert"]


@given(TEXTS, TEXTS)
def test_both_texts_can_be_made_of_what_is_told(before: str, after: str) -> None:
    assert side(before, after, "equal", "delete") == before
    assert side(before, after, "equal", "insert") == after


@given(TEXTS, TEXTS)
def test_no_two_runs_of_a_kind_follow_each_other(before: str, after: str) -> None:
    found = told(before, after)
    assert all(one[0] != other[0] for one, other in pairwise(found))
    assert all(text for _, text in found)


@given(TEXTS, TEXTS)
def test_above_the_bound_both_texts_can_be_made_of_it_too(before: str, after: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(words, "_MOST_PAIRS", 12)
        found = diff_words(before, after).runs
    assert "".join(run.text for run in found if run.op != "insert") == before
    assert "".join(run.text for run in found if run.op != "delete") == after


def test_what_is_too_long_is_told_sentence_by_sentence_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    before = "Una frase que sigue igual. " + "viejo otro tercero. " * 3 + "Y el final."
    after = "Una frase que sigue igual. " + "nuevo cuarto quinto; " * 3 + "Y el final."
    monkeypatch.setattr(words, "_MOST_PAIRS", 40)
    found = diff_words(before, after)
    assert found.coarse
    assert found.runs[0].op == "equal"
    assert found.runs[0].text.startswith("Una frase que sigue igual. ")
    assert not diff_words(before, before).coarse


def test_similarity_is_the_share_of_equal_words() -> None:
    assert diff_words("uno dos tres cuatro", "uno dos tres cinco").similarity == 0.75
    assert diff_words("uno", "dos").similarity == 0
    assert diff_words("uno, dos", "uno dos").similarity == 1


def test_time_is_bounded_for_one_clause_without_a_word_in_common() -> None:
    assert_linear(lambda text: diff_words(text, text.replace("a", "b")), "a c ")
