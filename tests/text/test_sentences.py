"""Sentences end where a reader says that they do, for facts and for rules alike."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.rules.document import Document
from app.text.sentences import FoldedText
from tests.growth import assert_linear


def sentences(text: str) -> list[str]:
    limits = FoldedText(text).limits
    return [words for a, b in pairwise(limits) if (words := text[a:b].strip())]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Paga la renta. El plazo es un año.", ["Paga la renta.", "El plazo es un año."]),
        ("Firma el\n10 de marzo de 2026. Y entrega.", ["Firma el\n10 de marzo de 2026.", "Y entrega."]),
        ("conforme a la\ncláusula quinta del contrato", ["conforme a la\ncláusula quinta del contrato"]),
        ("una fianza\nQuinta.- Gastos", ["una fianza", "Quinta.-", "Gastos"]),
        ("the end\n4. Liability\n4.1 The Seller pays", ["the end", "4. Liability", "4.1 The Seller pays"]),
        ("Acme, S.L. Domicilio: Soria", ["Acme, S.L. Domicilio: Soria"]),
        ("el art. 5 LAU y D. Juan", ["el art. 5 LAU y D. Juan"]),
        ("I. Hechos\n\nII. Derecho", ["I. Hechos", "II. Derecho"]),
    ],
)
def test_a_text_is_cut_where_its_sentences_end(text: str, expected: list[str]) -> None:
    assert sentences(text) == expected


def test_rules_cut_at_a_semicolon_besides() -> None:
    document = Document("No hay fianza; la renta es de 900 euros. Fin del texto.")
    found = [document.text[one.start : one.end] for one in document.sentences()]
    assert found == ["No hay fianza", "la renta es de 900 euros", "Fin del texto"]


def test_rules_and_facts_cut_at_the_same_places() -> None:
    text = (
        "Primera. Objeto\nEl arrendador, Acme, S.L. cede el local.\nSegunda. Renta\nSon 900,50 euros al mes."
    )
    rules = [
        document_text for one in Document(text).sentences() if (document_text := text[one.start : one.end])
    ]
    assert rules == [one.rstrip(".") for one in sentences(text)]


@given(st.text("aZ9 \n.;-?)I", max_size=80))
def test_limits_cover_a_text_in_order_and_rules_keep_its_length(text: str) -> None:
    limits = FoldedText(text).limits
    assert limits[0] == 0
    assert limits[-1] == len(text)
    assert limits == sorted(set(limits))
    assert len(Document(text).folded) == len(text)


@pytest.mark.parametrize("unit", ["\n", ".", " ", ". ", "A. ", "\n1. ", "a.\n-", ";\n", "Primera "])
def test_cutting_takes_time_in_proportion(unit: str) -> None:
    assert_linear(lambda text: Document(text).sentences(), unit, short=20_000, long=100_000)


def test_a_long_text_has_no_endless_sentence() -> None:
    row = "7 | 12/03/2026 | 70,50 €\n"
    table = FoldedText(row * 3_000)
    assert max(end - start for start, end in pairwise(table.limits)) <= 4_000
    assert all(table.text[at - 1] == "\n" for at in table.limits[1:-1]), "cut after a line"
    words = FoldedText("palabra " * 8_000)
    assert all(words.text[at - 1] == " " for at in words.limits[1:-1]), "cut after a word"
    assert max(end - start for start, end in pairwise(FoldedText("x" * 60_000).limits)) == 4_000


def test_a_text_that_a_request_may_have_is_cut_where_its_sentences_end_only() -> None:
    assert FoldedText("palabra " * 6_250).limits == [0, 50_000]
