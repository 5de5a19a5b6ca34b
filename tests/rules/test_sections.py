"""Splitting a document into its blocks."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.rules.facts.sections import Block, block_at, split_sections
from app.text.sentences import FoldedText
from tests.growth import assert_linear
from tests.rules.documents import DOCUMENTS, LEASE_EN, LEASE_ES, LEASE_ONE_PARAGRAPH


def blocks(text: str) -> tuple[Block, ...]:
    return split_sections(FoldedText(text))


def numbered(text: str) -> list[tuple[str, str]]:
    return [(block.number, block.heading) for block in blocks(text) if block.number]


def test_spanish_ordinal_clauses_carry_number_and_title() -> None:
    assert numbered(LEASE_ES)[-5:] == [
        ("1", "Objeto"),
        ("2", "Duración"),
        ("3", "Renta"),
        ("4", "Fianza"),
        ("5", "Preaviso"),
    ]


def test_clauses_pasted_as_one_paragraph_are_still_found() -> None:
    assert numbered(LEASE_ONE_PARAGRAPH) == [("1", "OBJETO"), ("2", "DURACIÓN"), ("3", "RENTA")]


def test_english_numbers_nest_by_level() -> None:
    found = {block.number: block for block in blocks(LEASE_EN) if block.number}
    assert (found["1"].heading, found["1"].level) == ("TERM", 1)
    assert found["2.1"].level == 2
    assert (found["4"].noun, found["4"].heading) == ("article", "Notice")


@pytest.mark.parametrize(
    ("line", "number"),
    [
        ("PRIMERA.- Objeto", "1"),
        ("Cláusula 3.ª Renta", "3"),
        ("CLÁUSULA DECIMOTERCERA.- Fuero", "13"),
        ("VIGÉSIMO PRIMERA.- Notificaciones", "21"),
        ("SEGUNDO.- Hechos probados", "2"),
        ("Artículo 4. Duración", "4"),
        ("Article IV. Term", "4"),
        ("Section 4.2 Payment", "4.2"),
        ("1.2 Pago", "1.2"),
        ("3.- Precio", "3"),
        ("4ª.- Fianza", "4"),
        ("XI. Jurisdicción", "11"),
        ("Twenty-First. Notices", "21"),
        ("## 7. Ley aplicable", "7"),
    ],
)
def test_headings_of_many_hands_are_numbered(line: str, number: str) -> None:
    assert [
        block.number
        for block in blocks(f"Texto previo.\n\n{line}\nEl texto de la cláusula sigue aquí.")
        if block.number
    ] == [number]


@pytest.mark.parametrize(
    "line",
    [
        "primera de las obligaciones del arrendatario será pagar la renta",
        "2026 y los años siguientes",
        "3 meses de preaviso",
        "i modi",
        "artículo 1124 del Código Civil, que faculta para resolver",
    ],
)
def test_prose_wrapped_onto_a_new_line_opens_no_block(line: str) -> None:
    assert not [
        block
        for block in blocks(f"El plazo que se pacta en la cláusula\n{line}\ny así se firma.")
        if block.number
    ]


def test_a_clause_without_title_has_an_empty_heading() -> None:
    text = "Primera.- El prestatario devolverá el capital en cuarenta y ocho cuotas iguales y consecutivas."
    assert blocks(text)[0].heading == ""


def test_titles_in_capitals_are_blocks() -> None:
    headings = [block.heading for block in blocks(LEASE_ES)]
    assert headings[:3] == ["CONTRATO DE ARRENDAMIENTO DE VIVIENDA", "REUNIDOS", "EXPONEN"]


@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_block_is_found_by_any_offset_inside_it(name: str) -> None:
    found = blocks(DOCUMENTS[name])
    for block in found:
        assert block_at(found, block.start) is block
        assert block_at(found, block.end - 1) is block
    assert block_at(found, len(DOCUMENTS[name]) + 10) is None


LINES = st.lists(
    st.one_of(
        st.text(max_size=30),
        st.sampled_from(
            [
                "PRIMERA.- Objeto",
                "1. Term",
                "1.2 x",
                "",
                "REUNIDOS",
                "II.-",
                "Artículo 4",
                " \u00a0",
                "SEGUNDA: ",
                "Cláusula",
            ]
        ),
    ),
    max_size=25,
)


@given(LINES)
def test_blocks_quote_the_text_and_leave_out_only_white_space(lines: list[str]) -> None:
    text = "\n".join(lines)
    found = blocks(text)
    end = 0
    for block in found:
        assert text[block.start : block.end] == block.quote
        assert block.start >= end
        assert not text[end : block.start].strip()
        end = block.end
    assert not text[end:].strip()


@pytest.mark.parametrize("unit", ["I.\n", "1.1 A\n", "PRIMERA.- ", "A\n", "1.", "\n", "Cláusula ", "a) b\n"])
def test_hostile_headings_are_read_in_linear_time(unit: str) -> None:
    assert_linear(blocks, unit)
