"""Word documents: numbers, tables, notes, changes, and the way back from offsets to runs."""

from __future__ import annotations

import io

import docx as python_docx
import pytest

from app.documents import DocumentUnreadable, read
from app.documents.reading.docx import runs
from app.documents.reading.docx_numbering import written
from tests.documents.office_files import codes, docx, kinds, levels, numbered, p, r, texts

MULTILEVEL = (
    "<w:abstractNum w:abstractNumId='0'>"
    + levels(
        ("decimal", "%1.", 1), ("decimal", "%1.%2", 1), ("lowerLetter", "%3)", 1), ("upperRoman", "%4.", 1)
    )
    + "</w:abstractNum><w:abstractNum w:abstractNumId='1'>"
    + levels(("bullet", "·", 1))
    + "</w:abstractNum><w:num w:numId='1'><w:abstractNumId w:val='0'/></w:num>"
    "<w:num w:numId='2'><w:abstractNumId w:val='1'/></w:num>"
    "<w:num w:numId='3'><w:abstractNumId w:val='0'/><w:lvlOverride w:ilvl='0'><w:startOverride w:val='7'/>"
    "</w:lvlOverride></w:num>"
)


def test_numbers_are_those_that_word_prints() -> None:
    body = (
        p("Objeto", properties=numbered(0))
        + p("La vivienda", properties=numbered(1))
        + p("El garaje", properties=numbered(1))
        + p("con trastero", properties=numbered(2))
        + p("y llaves", properties=numbered(2))
        + p("dos juegos", properties=numbered(3))
        + p("Texto entre medias")
        + p("Precio", properties=numbered(0))
        + p("La renta", properties=numbered(1))
        + p("viñeta", properties=numbered(0, 2))
        + p("Otra lista", properties=numbered(0, 3))
        + p("que sigue", properties=numbered(0, 3))
    )
    reading = read(docx(body, parts={"numbering": MULTILEVEL}))
    assert texts(reading) == [
        "1. Objeto", "1.1 La vivienda", "1.2 El garaje", "a) con trastero", "b) y llaves", "I. dos juegos",
        "Texto entre medias", "2. Precio", "2.1 La renta", "• viñeta", "7. Otra lista", "8. que sigue",
    ]  # fmt: skip
    assert kinds(reading).count("list_item") == 11


@pytest.mark.parametrize(
    ("number", "form", "language", "expected"),
    [
        (28, "upperLetter", "es", "BB"),
        (1994, "lowerRoman", "es", "mcmxciv"),
        (3, "ordinalText", "es", "Tercero"),
        (3, "ordinalText", "en", "Third"),
        (2, "cardinalText", "es", "Dos"),
        (99, "ordinalText", "es", "99"),
        (3, "ordinal", "es", "3.º"),
        (7, "decimalZero", "es", "07"),
        (0, "upperRoman", "es", "0"),
        (5, "chicago", "es", "5"),
        (5, "none", "es", ""),
    ],
)
def test_a_number_is_written_in_the_form_of_its_list(
    number: int, form: str, language: str, expected: str
) -> None:
    assert written(number, form, language) == expected


def test_headings_take_their_numbers_from_their_style() -> None:
    styles = (
        "<w:style w:type='paragraph' w:styleId='T1'><w:name w:val='heading 1'/><w:pPr><w:numPr>"
        "<w:numId w:val='1'/></w:numPr><w:outlineLvl w:val='0'/></w:pPr></w:style>"
        "<w:style w:type='paragraph' w:styleId='T2'><w:basedOn w:val='T1'/><w:name w:val='heading 2'/><w:pPr>"
        "<w:numPr><w:ilvl w:val='1'/></w:numPr></w:pPr></w:style>"
    )
    body = "".join(
        p(text, properties=f"<w:pStyle w:val='{style}'/>")
        for text, style in (("Uno", "T1"), ("Uno uno", "T2"), ("Dos", "T1"), ("Dos uno", "T2"))
    )
    reading = read(docx(body, parts={"numbering": MULTILEVEL, "styles": styles}))
    assert texts(reading) == ["1. Uno", "1.1 Uno uno", "2. Dos", "2.1 Dos uno"]
    assert set(kinds(reading)) == {"heading"}


def test_changes_are_read_as_accepted_and_told() -> None:
    def mark(kind: str, inner: str, number: int) -> str:
        return f"<w:{kind} w:id='{number}' w:author='x'>{inner}</w:{kind}>"

    deleted = "<w:r><w:delText>900</w:delText></w:r>"
    body = (
        p("La renta es de ", mark("del", deleted, 1), mark("ins", r("950"), 2), r(" euros."))
        + p("Este párrafo ", properties="<w:rPr><w:del w:id='3' w:author='x'/></w:rPr>")
        + p("y este son uno.")
        + p(mark("moveFrom", r("movido"), 4), mark("moveTo", r("traído"), 5))
    )
    reading = read(docx(body))
    assert texts(reading) == ["La renta es de 950 euros.", "Este párrafo y este son uno.", "traído"]
    assert codes(reading) == ["TRACKED_CHANGES_ACCEPTED"]
    assert reading.warnings[0].message.startswith("The document contains 5 tracked changes")


def test_tables_notes_boxes_and_margins_have_their_places() -> None:
    def table(*rows: tuple[str, ...]) -> str:
        return (
            "<w:tbl>"
            + "".join(
                "<w:tr>" + "".join(f"<w:tc>{p(cell)}</w:tc>" for cell in row) + "</w:tr>" for row in rows
            )
            + "</w:tbl>"
        )

    box = (
        "<w:r><mc:AlternateContent><mc:Choice Requires='wps'><w:drawing><wps:txbx><w:txbxContent>"
        f"{p('En un recuadro')}</w:txbxContent></wps:txbx></w:drawing></mc:Choice><mc:Fallback>"
        f"<w:pict><v:textbox><w:txbxContent>{p('En un recuadro')}</w:txbxContent></v:textbox></w:pict>"
        "</mc:Fallback>"
        "</mc:AlternateContent></w:r>"
    )
    note = "<w:r><w:footnoteReference w:id='2'/></w:r>"
    late = "<w:r><w:endnoteReference w:id='1'/></w:r>"
    body = (
        p("Antes", note, " de la tabla", late, ".")
        + table(("Concepto", "Importe"), ("Renta", "900 €"))
        + p("Después", box)
        + "<w:sectPr><w:headerReference r:id='id-header'/><w:footerReference r:id='id-footer'/></w:sectPr>"
    )
    reading = read(
        docx(
            body,
            parts={
                "footnotes": f"<w:footnote w:id='2'>{p('Al pie')}</w:footnote>",
                "endnotes": f"<w:endnote w:id='1'>{p('Al final')}</w:endnote>",
                "header": p("Expediente 12"),
                "footer": p("Confidencial"),
            },
        )
    )
    assert texts(reading) == [
        "Antes[1] de la tabla[i].", "[1] Al pie", "Concepto | Importe", "Renta | 900 €", "Después",
        "En un recuadro", "[i] Al final", "Expediente 12", "Confidencial",
    ]  # fmt: skip
    assert kinds(reading) == [
        "paragraph", "footnote", "table_row", "table_row", "paragraph", "paragraph", "footnote", "header",
        "footer",
    ]  # fmt: skip


def test_fields_show_their_results_and_hidden_text_stays_hidden() -> None:
    def mark(kind: str) -> str:
        return f"<w:r><w:fldChar w:fldCharType='{kind}'/></w:r>"

    code = "<w:r><w:instrText> REF _Ref1 </w:instrText></w:r>"
    body = p("Véase ", mark("begin"), code, mark("separate"), r("cláusula 3"), mark("end"), r(".")) + p(
        "A", r("oculto", "<w:vanish/>"), r("B"), "<w:r><w:noBreakHyphen/></w:r>", "<w:r><w:tab/></w:r>",
        r("C"),
        "<w:r><w:br/></w:r>", r("D"), "<w:r><w:sym w:font='Wingdings' w:char='F0FE'/></w:r>",
        "<w:hyperlink>" + r("enlace") + "</w:hyperlink>",
        "<w:sdt><w:sdtContent>" + r("control") + "</w:sdtContent></w:sdt>",
    )  # fmt: skip
    reading = read(docx(body))
    assert texts(reading) == ["Véase cláusula 3.", "AB- C\nD☒enlacecontrol"]
    assert codes(reading) == ["HIDDEN_TEXT_IGNORED"]


def test_pages_are_those_that_word_saw_last() -> None:
    turn = "<w:r><w:lastRenderedPageBreak/></w:r>"
    reading = read(docx(p("Primera página.") + p("Sigue en ", turn, "la segunda.") + p(turn, "Tercera.")))
    text = reading.text.reveal()
    assert reading.page_count == 3
    words = ("Primera", "Sigue", "la segunda", "Tercera")
    assert [reading.page_at(text.index(word)) for word in words] == [
        1,
        1,
        2,
        3,
    ]
    assert [one.page for one in reading.paragraphs] == [1, 1, 3]
    assert read(docx(p("Sin páginas."))).page_count is None


@pytest.mark.parametrize(
    ("made", "code"),
    [
        (docx(p("x"), entries={"word/vbaProject.bin": b"x"}), "MACROS_IGNORED"),
        (docx(p("x"), entries={"word/embeddings/a.xlsx": b"x"}), "EMBEDDED_FILES_IGNORED"),
        (docx(p("x"), relations=[("attachedTemplate", "http://mallory.example/t.dotm", "External")]),
         "EXTERNAL_CONTENT_IGNORED"),
        (docx(p("x"), parts={"comments": f"<w:comment w:id='1'>{p('No')}</w:comment>"}), "COMMENTS_IGNORED"),
    ],
)  # fmt: skip
def test_what_is_not_read_is_told(made: bytes, code: str) -> None:
    reading = read(made)
    assert texts(reading) == ["x"]
    assert codes(reading) == [code]


def test_templates_and_documents_with_macros_are_read() -> None:
    for main in ("application/vnd.ms-word.document.macroEnabled.main+xml", "application/x+wordprocessingml"):
        assert texts(read(docx(p("Contrato"), main=main))) == ["Contrato"]


def test_offsets_lead_back_to_runs() -> None:
    document = python_docx.Document()
    document.add_heading("Contrato", 1)
    paragraph = document.add_paragraph("Entre  ", style="List Number")
    paragraph.add_run("Alice Ibáñez").bold = True
    paragraph.add_run(",\tarrendadora,\ny cafe\u0301.")
    table = document.add_table(2, 2)
    for cell, text in zip((cell for row in table.rows for cell in row.cells), "abcd", strict=True):
        cell.text = text
    document.sections[0].header.paragraphs[0].text = "Cabecera"
    output = io.BytesIO()
    document.save(output)

    reading = read(output.getvalue())
    text = reading.text.reveal()
    spans = runs(python_docx.Document(io.BytesIO(output.getvalue())))
    assert [text[one.start : one.end] for one in spans] == [
        "Contrato", "Entre ", "Alice Ibáñez", ", arrendadora,\ny café.", "a", "b", "c", "d", "Cabecera",
    ]  # fmt: skip
    assert all(one.element.tag.endswith("}r") for one in spans)
    assert text.startswith("Contrato\n\n1. Entre Alice")


def test_long_cells_are_columns_of_text_not_rows() -> None:
    long = "Texto largo de una columna. " * 80
    row = f"<w:tbl><w:tr><w:tc>{p(long)}</w:tc><w:tc>{p('Right column')}</w:tc></w:tr></w:tbl>"
    assert kinds(read(docx(row))) == ["paragraph", "paragraph"]


@pytest.mark.parametrize(
    ("made", "code"),
    [
        (docx(p("x"))[:-40], "DOCUMENT_BROKEN"),
        (docx("<w:p>"), "DOCUMENT_BROKEN"),
        (docx(p("")), "DOCUMENT_EMPTY"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600) + "EncryptedPackage".encode("utf-16-le"),
         "DOCUMENT_ENCRYPTED"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600) + "WordDocument".encode("utf-16-le"),
         "DOCUMENT_TYPE_UNSUPPORTED"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_told(made: bytes, code: str) -> None:
    with pytest.raises(DocumentUnreadable) as caught:
        read(made)
    assert caught.value.code == code
