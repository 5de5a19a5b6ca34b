"""Plain text and Markdown: encodings, paragraphs, and the way through the isolated process."""

from __future__ import annotations

import pytest

from app.documents import DocumentUnreadable, Reading, read

WORDS = "Cláusula primera. El arrendador cede la vivienda.\n\nCláusula segunda. La renta será de 900 €."


def paragraphs(reading: Reading) -> list[str]:
    text = reading.text.reveal()
    return [text[one.start : one.end] for one in reading.paragraphs]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1252"])
def test_text_is_read_in_the_encodings_of_offices(encoding: str) -> None:
    reading = read(WORDS.encode(encoding), media_type="text/plain")
    assert reading.text.reveal() == WORDS
    assert [one.number for one in reading.paragraphs] == [1, 2]
    assert (reading.media_type, reading.language, reading.page_count) == ("text/plain", "es", None)
    guessed = encoding in {"cp1252", "utf-16-le", "utf-16-be"}
    assert [one.code for one in reading.warnings] == (["ENCODING_GUESSED"] if guessed else [])


def test_without_empty_lines_each_line_is_a_paragraph() -> None:
    assert paragraphs(read(b"Uno\r\nDos\rTres")) == ["Uno", "Dos", "Tres"]


def test_what_nobody_sees_is_left_out_and_letters_are_composed() -> None:
    reading = read(
        "Cla\u0301usula\u200b pri\u00admera\u00a0\U000e0041\0 del texto de un contrato que es largo".encode()
    )
    assert reading.text.reveal() == "Cláusula primera del texto de un contrato que es largo"


def test_markdown_loses_its_marks_and_keeps_its_structure() -> None:
    source = (
        "# Contrato\n\nTexto corrido\nen dos líneas.\n\n- uno\n- dos\n\n"
        "| A | B |\n|---|---|\n| 1 | 2 |\n\nFin\n===\n"
    )
    reading = read(source.encode(), file_name="contrato.MD")
    assert reading.media_type == "text/markdown"
    assert paragraphs(reading) == [
        "Contrato", "Texto corrido\nen dos líneas.", "- uno", "- dos", "A | B", "1 | 2", "Fin",
    ]  # fmt: skip
    assert [one.kind for one in reading.paragraphs] == [
        "heading", "paragraph", "list_item", "list_item", "table_row", "table_row", "heading",
    ]  # fmt: skip
    assert "A | B\n1 | 2" in reading.text.reveal()


def test_offsets_lead_to_paragraphs_and_the_reading_survives_as_bytes() -> None:
    reading = read(WORDS.encode())
    second = reading.text.reveal().index("La renta")
    assert (reading.paragraph_at(0), reading.paragraph_at(second)) == (1, 2)
    assert reading.paragraph_at(reading.paragraphs[0].end) is None
    again = Reading.from_bytes(reading.as_bytes())
    assert again.text.reveal() == reading.text.reveal()
    assert (again.paragraphs, again.warnings, again.pages) == (
        reading.paragraphs, reading.warnings, reading.pages,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("data", "code", "status"),
    [
        (b"", "DOCUMENT_EMPTY", 422),
        (b" \n\t\r\n --- ", "DOCUMENT_EMPTY", 422),
        (bytes(range(256)) * 20, "DOCUMENT_TYPE_UNSUPPORTED", 415),
        (b"x" * 20_000_001, "DOCUMENT_TOO_LARGE", 413),
    ],
)
def test_what_cannot_be_read_says_why(data: bytes, code: str, status: int) -> None:
    with pytest.raises(DocumentUnreadable) as caught:
        read(data)
    assert (caught.value.code, caught.value.status) == (code, status)
    assert caught.value.message.startswith("file: ")
