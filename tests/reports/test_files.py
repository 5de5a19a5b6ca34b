"""The files of reports, read by other programs than wrote them."""

from __future__ import annotations

import io
import shutil
import subprocess
import zipfile
from pathlib import Path

import docx
import pikepdf
import pypdfium2
import pytest
from lxml import etree

from app.branding import Letterhead
from app.dev.system_packages import PDF
from app.platform import pdf
from app.reports import docx_writer, markdown_writer, pdf_writer
from app.reports.blocks import Composition
from app.reports.composition import compose
from tests import pdfa
from tests.branding import pictures
from tests.reports.answers import OCCASION, SAID, answer, failure, statement

OFFICE = shutil.which("soffice")
needs_layout = pytest.mark.skipif(
    not PDF.is_met(),
    reason=f"no text layout libraries on this machine: apt-get install {' '.join(PDF.packages)}",
)
needs_office = pytest.mark.skipif(OFFICE is None, reason="LibreOffice is not installed on this machine")
_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
HOSTILE = "# título | celda <b>x</b> [enlace](https://mal.example) `código` *fuerte*"


def composed(*answers: dict[str, object], several: bool = False) -> Composition:
    return compose(answers or (answer(),), OCCASION, several=several)


def letterhead(*, logo: bool = False) -> Letterhead:
    return Letterhead("Arregui Lex", "#7a2e3a", "#7a2e3a", pdf.data_uri(pictures.made()) if logo else None)


def pages_of(raw: bytes) -> list[str]:
    """The text of each page."""
    return [
        page.get_textpage().get_text_range().replace("\r\n", " ").replace("\n", " ")
        for page in pypdfium2.PdfDocument(raw)
    ]


def in_pdf(raw: bytes) -> str:
    return " ".join(pages_of(raw))


def in_docx(raw: bytes) -> str:
    """Every run of body, header and footer."""
    with zipfile.ZipFile(io.BytesIO(raw)) as file:
        parts = [name for name in file.namelist() if name.startswith("word/") and name.endswith(".xml")]
        return " ".join(
            "".join(one.text or "" for one in paragraph.iter(f"{_W}t"))
            for name in parts
            for paragraph in etree.fromstring(file.read(name)).iter(f"{_W}p")
        )


def plain(text: str) -> str:
    """Without line breaks, hyphenation of the layout and Markdown's escapes."""
    return "".join(text.replace("\\", "").replace("\xad", "").replace("\u00a0", " ").split())


@pytest.fixture(scope="module")
def made() -> dict[str, str]:
    report = composed()
    found = {
        "docx": in_docx(docx_writer.write(report, letterhead())),
        "md": markdown_writer.write(report).decode(),
    }
    if PDF.is_met():
        found["pdf"] = in_pdf(pdf_writer.write(report, letterhead()))
    return {form: plain(text) for form, text in found.items()}


@pytest.mark.parametrize("words", SAID)
def test_every_format_says_all_that_the_answer_says(made: dict[str, str], words: str) -> None:
    assert [form for form, text in made.items() if plain(words) not in text] == []


@needs_layout
@pytest.mark.parametrize("logo", [True, False])
def test_a_pdf_is_tagged_pdf_a_and_says_what_made_it(logo: bool) -> None:
    raw = pdf_writer.write(composed(), letterhead(logo=logo))
    pdfa.check(raw)
    found = pdfa.metadata(raw)
    assert found["{http://iptc.org/std/Iptc4xmpExt/2008-02-29/}DigitalSourceType"] == pdf.source_type(
        "algorithmicMedia"
    )
    with pdfa.opened(raw) as document:
        assert document.Root.Lang == "es"
        assert "/StructTreeRoot" in document.Root
        assert str(document.docinfo["/Author"]) == "Arregui Lex"
        assert str(document.docinfo["/Title"]).startswith("Informe de análisis")
        heads = document.open_outline().root
        assert next(iter(heads)).title == "Informe de análisis"
    assert raw == pdf_writer.write(composed(), letterhead(logo=logo)), "the same report, other bytes"


@needs_layout
def test_a_pdf_that_nobody_signs_names_nobody() -> None:
    raw = pdf_writer.write(composed(), Letterhead(""))
    pdfa.check(raw)
    with pikepdf.open(io.BytesIO(raw)) as document:
        assert "/Author" not in document.docinfo


@needs_layout
def test_headings_of_tables_are_repeated_and_no_page_is_empty() -> None:
    long = [statement(n, "parties", f"Parte número {n}. " * 6, "L1") for n in range(1, 80)]
    pages = pages_of(pdf_writer.write(composed(answer(statements=long)), letterhead()))
    assert len(pages) > 4
    assert sum("Palabras del documento" in page for page in pages) >= 3
    assert all(len(page.split()) > 25 for page in pages)


@needs_layout
def test_a_word_without_end_stays_on_the_page() -> None:
    raw = pdf_writer.write(composed(answer(summary="x" * 900, documentKind="y" * 400)), letterhead())
    assert in_pdf(raw).replace(" ", "").count("x" * 900) == 1
    document = pypdfium2.PdfDocument(raw)
    for page in document:
        for found in page.get_objects():
            assert found.get_bounds()[2] <= page.get_width() + 1


def test_a_word_file_has_styles_headers_and_properties_of_its_own() -> None:
    raw = docx_writer.write(composed(), letterhead(logo=True))
    document = docx.Document(io.BytesIO(raw))
    styles = [one.style.name for one in document.paragraphs if one.style is not None]
    assert styles[:2] == ["Title", "Subtitle"]
    assert {"Heading 1", "Heading 2", "Heading 3", "List Bullet", "Quote"} <= set(styles)
    heads = [table.rows[0]._tr.find(f"{_W}trPr/{_W}tblHeader") is not None for table in document.tables]
    assert heads.count(True) >= 5
    core = document.core_properties
    assert (core.author, core.last_modified_by, core.language) == ("Arregui Lex", "Arregui Lex", "es-ES")
    assert core.title == "Informe de análisis: Contrato de arrendamiento de vivienda"
    assert core.created == OCCASION.completed_at
    with zipfile.ZipFile(io.BytesIO(raw)) as file:
        assert file.testzip() is None
        custom = file.read("docProps/custom.xml").decode()
        assert pdf.source_type("algorithmicMedia") in custom
        assert "/docProps/custom.xml" in file.read("[Content_Types].xml").decode()
        assert b'w:lang w:val="es-ES"' in file.read("word/styles.xml")
        assert b"Pilar" not in file.read("docProps/core.xml")


def test_a_word_file_says_the_language_of_a_chapter_in_another_one() -> None:
    raw = docx_writer.write(
        composed(answer(), answer(language="en"), failure(), several=True), Letterhead("Candado")
    )
    with zipfile.ZipFile(io.BytesIO(raw)) as file:
        assert file.read("word/document.xml").count(b'w:lang w:val="en-GB"') > 50


@needs_office
def test_libreoffice_opens_the_word_file(tmp_path: Path) -> None:
    answers = (answer(), failure(), answer(language="en"))
    file = tmp_path / "report.docx"
    file.write_bytes(docx_writer.write(composed(*answers, several=True), letterhead(logo=True)))
    assert OFFICE is not None
    done = subprocess.run(
        [OFFICE, f"-env:UserInstallation={(tmp_path / 'profile').as_uri()}", "--headless", "--convert-to",
         "pdf", "--outdir", str(tmp_path), str(file)],
        capture_output=True, timeout=300, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    text = plain(in_pdf((tmp_path / "report.pdf").read_bytes()))
    assert plain("Se excluye la prórroga legal") in text
    assert plain("Página 1 de") in text


def test_markdown_cannot_be_written_by_the_document() -> None:
    found = answer(
        summary=HOSTILE,
        reviewFlags=["1. lista", "- guion", "> cita", "+ más", "=== ===", "línea\n# otra"],
        documentKind=HOSTILE,
    )
    found["citationChecks"]["checks"][0]["note"] = HOSTILE
    text = markdown_writer.write(composed(found)).decode()
    assert "[enlace](https" not in text
    assert "<b>" not in text
    assert "\n# otra" not in text
    assert "1\\. lista" in text
    assert text.count("\n# ") == 1
    assert text.count("\n| ") == sum(line.startswith("| ") for line in text.splitlines())
    rows = [line for line in text.splitlines() if line.startswith("|") and "celda" in line]
    assert [row.replace("\\|", "").count("|") for row in rows] == [4]


def test_markdown_under_no_name_names_nobody() -> None:
    report = compose([answer()], OCCASION.__class__("job", "req", OCCASION.completed_at), several=False)
    text = markdown_writer.write(report).decode()
    assert text.startswith("# Informe de análisis\n")
    assert "Arregui" not in text
