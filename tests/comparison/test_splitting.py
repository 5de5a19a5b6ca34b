"""Clauses are the numbered parts of a contract, and together the whole text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.comparison.clauses import splitting
from app.comparison.clauses.splitting import Clause, split_clauses
from app.rules import extract_facts

LINES = st.lists(
    st.sampled_from(
        ["PRIMERA. Objeto. Se arrienda.", "2. Renta", "2.1 Son 900 euros.", "REUNIDOS", "", "  ", "a) uno",
         "De una parte, doña Ana Gil; de otra, don Luis Rey.", "Artículo 3. Plazo. Un año."]
    ),
    max_size=12,
)  # fmt: skip


def clauses(text: str) -> tuple[Clause, ...]:
    return split_clauses(extract_facts(text))


def words_of(text: str) -> list[str]:
    return [" ".join(text[one.start : one.end].split())[:20] for one in clauses(text)]


def test_each_numbered_clause_stands_alone_with_its_items() -> None:
    text = "PRIMERA. Objeto. Se vende:\na) la nave;\nb) el solar.\n\nSEGUNDA. Precio. Mil.\n\nFirman."
    found = clauses(text)
    assert [(one.number, one.heading) for one in found] == [("1", "Objeto"), ("2", "Precio")]
    assert text[found[0].label_end :].startswith(" Objeto")


def test_what_stands_before_the_first_clause_is_split_into_paragraphs() -> None:
    opening = "Contrato de obra entre las partes\n\nEn Soria, a 3 de mayo.\n\nDe una parte, la empresa."
    text = f"{opening}\n\n1. Objeto. Una casa."
    assert words_of(text) == [
        "Contrato de obra ent",
        "En Soria, a 3 de may",
        "De una parte, la emp",
        "1. Objeto. Una casa.",
    ]


def test_a_text_without_numbers_is_split_into_paragraphs() -> None:
    text = (
        "El estudio diseñará la etiqueta.\n\nEl precio es de 500 euros.\n\nSe entregará en mayo de este año."
    )
    assert len(clauses(text)) == 3


def test_a_long_paragraph_is_split_into_sentences() -> None:
    text = " ".join(f"La frase número {number} dice algo de la obra." for number in range(200))
    assert len(clauses(text)) > 150


def test_a_long_clause_is_split_into_paragraphs_that_keep_its_number() -> None:
    text = (
        "1. Objeto. Una casa.\n\n"
        + "Cada párrafo de esta cláusula dice algo más.\n\n" * 80
        + "2. Precio. Nada."
    )
    found = clauses(text)
    assert len(found) > 70
    assert {one.number for one in found[1:-1]} == {"1"}
    assert [one.opens for one in found[:3]] == [True, False, False]


def test_an_empty_text_has_none_and_white_space_is_one() -> None:
    assert clauses("") == ()
    assert [(one.start, one.end) for one in clauses("  \n ")] == [(0, 4)]


@given(LINES)
def test_clauses_are_the_whole_text_in_order(lines: list[str]) -> None:
    text = "\n".join(lines)
    found = clauses(text)
    assert "".join(text[one.start : one.end] for one in found) == text
    assert all(one.start <= one.label_end <= one.end for one in found)


def test_too_many_clauses_are_put_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(splitting, "MOST_CLAUSES", 10)
    text = "\n".join(f"{number}. Cláusula de prueba." for number in range(1, 40))
    found = clauses(text)
    assert len(found) <= 10
    assert "".join(text[one.start : one.end] for one in found) == text
