"""PDF documents with a text layer: paragraphs, columns, tables, notes, margins, hyphens, passwords."""

from __future__ import annotations

import io

import pikepdf
import pytest

from app.documents import DocumentUnreadable, Reading, read
from tests.documents.office_files import MARGINS, codes, kinds, pdf, texts

CLAUSE = (
    "El arrendador, propietario de la vivienda, la cede en arrendamiento por el plazo de cinco años, "
    "prorrogable por plazos anuales según la legislación vigente, y el arrendatario la acepta con las "
    "obligaciones correspondientes, incluidas las responsabilidades extraordinarias que se describen más "
    "adelante."
)


def clauses(count: int, first: int = 1) -> list[str]:
    return [f"Cláusula {number}. {CLAUSE}" for number in range(first, first + count)]


def html(*paragraphs: str) -> str:
    return "".join(f"<p>{text}</p>" for text in paragraphs)


def test_paragraphs_are_whole_over_lines_and_pages() -> None:
    written = clauses(30)
    reading = read(pdf("<h1>CONTRATO DE ARRENDAMIENTO</h1>" + html(*written), css=MARGINS))
    assert [one for one in texts(reading) if one.startswith("Cláusula")] == written
    assert texts(reading)[0] == "CONTRATO DE ARRENDAMIENTO"
    assert (kinds(reading)[0], reading.language, reading.ocr) == ("heading", "es", False)
    assert reading.page_count is not None
    assert reading.page_count >= 3
    assert {page.source for page in reading.pages} == {"text"}
    assert [page.start for page in reading.pages[1:]] == [page.end for page in reading.pages[:-1]]


def test_headers_and_footers_stand_once_at_the_end() -> None:
    reading = read(pdf(html(*clauses(30)), css=MARGINS))
    text = reading.text.reveal()
    assert text.count("Expediente 2026/33") == 1
    assert "Página" not in text
    assert kinds(reading)[-1] == "header"
    assert reading.page_at(text.index("Expediente")) == 1
    assert reading.page_at(text.index("Cláusula 30.")) == reading.page_count


def test_columns_are_read_one_after_the_other() -> None:
    written = clauses(8)
    columns = f"<h1>TÍTULO SOBRE DOS COLUMNAS</h1><div class=columns>{html(*written)}</div>"
    body = f"{columns}<h3>Final</h3>{html(CLAUSE)}"
    assert texts(read(pdf(body)))[:-1] == ["TÍTULO SOBRE DOS COLUMNAS", *written, "Final"]


TABLE = (
    "<tr><td>Concepto</td><td>Importe</td><td>Plazo de pago que las partes han convenido en este "
    "acto y día</td></tr><tr><td>Renta</td><td>900,00 €</td><td>día 5</td></tr><tr>"
    "<td>Fianza</td><td>1.800,00 €</td><td>a la firma</td></tr>"
)
ROWS = [
    "Concepto | Importe | Plazo de pago que las partes han convenido en este acto y día",
    "Renta | 900,00 € | día 5",
    "Fianza | 1.800,00 € | a la firma",
]


@pytest.mark.parametrize("kind", ["ruled", "plain"])
def test_rows_of_tables_stay_together(kind: str) -> None:
    reading = read(
        pdf(html("Antes de la tabla.") + f"<table class={kind}>{TABLE}</table>" + html("Después."))
    )
    assert texts(reading)[:5] == ["Antes de la tabla.", *ROWS, "Después."]
    assert kinds(reading)[1:4] == ["table_row"] * 3


def test_lists_and_headings_are_told_apart() -> None:
    body = (
        "<h2>Obligaciones de las partes</h2><ol><li>Pagar la renta.</li><li>Conservar la vivienda en el "
        "estado en que la recibe, sin hacer obras que modifiquen su configuración ni la de los elementos "
        "accesorios a que se refiere este contrato.</li></ol><ul><li>punto</li></ul>" + html(CLAUSE)
    )
    reading = read(pdf(body))
    assert [one[:12] for one in texts(reading)[:4]] == [
        "Obligaciones",
        "1. Pagar la ",
        "2. Conservar",
        "• punto",
    ]
    assert kinds(reading)[:5] == ["heading", "list_item", "list_item", "list_item", "paragraph"]


def test_notes_leave_the_running_text() -> None:
    body = (
        html(*clauses(3))
        + "<p>Con una nota<sup>1</sup> en medio de la frase, que sigue hasta el final de su línea.</p>"
        + "<p class=note>1 Véase la escritura otorgada ante notario.</p>"
    )
    reading = read(pdf(body))
    assert "Con una nota[1] en medio" in reading.text.reveal() or "nota [1] en medio" in reading.text.reveal()
    assert texts(reading)[-1] == "1 Véase la escritura otorgada ante notario."
    assert kinds(reading)[-1] == "footnote"


def test_compounds_keep_their_hyphens_and_broken_words_lose_them() -> None:
    body = (
        "<style>p{width:7cm;text-align:left}</style><p lang=es>"
        + "La responsabilidad extraordinariamente administrativa corresponderá solidariamente. " * 6
        + "</p><p>Un examen teórico-práctico.</p>"
    )
    text = read(pdf(body)).text.reveal()
    assert text.count("responsabilidad extraordinariamente administrativa corresponderá solidariamente.") == 6
    assert "teórico-práctico" in text


@pytest.mark.parametrize("turned", [90, 180, 270])
def test_turned_pages_are_read_upright(turned: int) -> None:
    written = clauses(5)
    with pikepdf.open(io.BytesIO(pdf(html(*written)))) as document:
        for page in document.pages:
            page.rotate(turned, relative=False)
        output = io.BytesIO()
        document.save(output)
    assert texts(read(output.getvalue()))[:5] == written


def _encrypted(user: str) -> bytes:
    output = io.BytesIO()
    with pikepdf.open(io.BytesIO(pdf(html(CLAUSE)))) as document:
        document.save(output, encryption=pikepdf.Encryption(owner="owner", user=user, R=6))
    return output.getvalue()


def test_only_a_password_that_a_reader_needs_is_in_the_way() -> None:
    assert texts(read(_encrypted("")))[0] == CLAUSE
    with pytest.raises(DocumentUnreadable) as caught:
        read(_encrypted("secret"))
    assert (caught.value.code, caught.value.status) == ("DOCUMENT_ENCRYPTED", 422)
    assert "without a password" in caught.value.message


def test_attachments_and_scripts_are_told() -> None:
    output = io.BytesIO()
    with pikepdf.open(io.BytesIO(pdf(html(CLAUSE)))) as document:
        document.attachments["a.exe"] = b"MZ"
        document.Root.Names.JavaScript = pikepdf.Dictionary(
            Names=[
                pikepdf.String("x"),
                pikepdf.Dictionary(S=pikepdf.Name.JavaScript, JS=pikepdf.String("app.alert(1)")),
            ]
        )
        document.save(output)
    assert codes(read(output.getvalue())) == ["EMBEDDED_FILES_IGNORED", "ACTIVE_CONTENT_IGNORED"]


def test_filled_fields_are_part_of_the_text() -> None:
    form = "<p>Nombre: <input value='Alice Ibáñez' style='appearance: auto'></p>" + html(CLAUSE)
    reading = read(pdf(form, pdf_forms=True))
    assert "Alice Ibáñez" in reading.text.reveal()


def test_words_printed_twice_on_one_place_are_one() -> None:
    over = "<div style='position: absolute; left: .2px; top: 0'>Firmado</div>"
    twice = f"<div style='position: relative'>Firmado{over}</div>"
    assert texts(read(pdf(twice + html(CLAUSE)))) == ["Firmado", CLAUSE]


def _pages(count: int, width: float = 100, height: float = 100) -> bytes:
    output = io.BytesIO()
    with pikepdf.new() as document:
        for _ in range(count):
            document.add_blank_page(page_size=(width, height))
        document.save(output)
    return output.getvalue()


@pytest.mark.parametrize(
    ("made", "code"),
    [
        (_pages(501), "DOCUMENT_TOO_LONG"),
        (_pages(3), "DOCUMENT_EMPTY"),
        (_pages(1, 14_400, 14_400), "DOCUMENT_EMPTY"),
        (b"%PDF-1.7\n%%EOF", "DOCUMENT_BROKEN"),
    ],
)
def test_what_cannot_be_read_says_why(made: bytes, code: str) -> None:
    with pytest.raises(DocumentUnreadable) as caught:
        read(made)
    assert caught.value.code == code


def test_what_was_declared_does_not_matter() -> None:
    reading: Reading = read(pdf(html(CLAUSE)), media_type="text/plain", file_name="a.docx")
    assert reading.media_type == "application/pdf"
