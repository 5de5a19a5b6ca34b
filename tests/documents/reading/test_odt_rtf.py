"""OpenDocument and Rich Text Format."""

from __future__ import annotations

import pytest

from app.documents import DocumentUnreadable, read
from tests.documents.office_files import codes, kinds, odt, texts

LIST = (
    "<text:list-style style:name='L1'>"
    "<text:list-level-style-number text:level='1' style:num-format='1' style:num-suffix='.'/>"
    "<text:list-level-style-number text:level='2' style:num-format='1' text:display-levels='2'/>"
    "<text:list-level-style-number text:level='3' style:num-format='a' style:num-suffix=')'/>"
    "</text:list-style>"
    "<text:list-style style:name='L2'><text:list-level-style-bullet text:level='1' text:bullet-char='x'/>"
    "</text:list-style>"
)


def item(*inner: str) -> str:
    return f"<text:list-item>{''.join(inner)}</text:list-item>"


def test_an_odt_has_its_numbers_tables_and_notes() -> None:
    body = (
        "<text:h text:outline-level='1'>Contrato</text:h>"
        "<text:list text:style-name='L1' xml:id='one'>"
        + item("<text:p>Objeto</text:p>", "<text:list>"
               + item("<text:p>Vivienda</text:p>", "<text:list>"
                      + item("<text:p>llaves</text:p>") + "</text:list>")
               + item("<text:p>Garaje</text:p>") + "</text:list>")
        + "</text:list><text:p>Entre<text:s text:c='3'/>medias<text:note text:note-class='footnote'>"
        "<text:note-citation>1</text:note-citation><text:note-body><text:p>Al pie</text:p></text:note-body>"
        "</text:note>.</text:p>"
        "<text:list text:style-name='L1' text:continue-list='one'>"
        + item("<text:p>Precio</text:p>") + "</text:list>"
        "<text:list text:style-name='L2'>" + item("<text:p>viñeta</text:p>") + "</text:list>"
        "<table:table><table:table-header-rows><table:table-row>"
        "<table:table-cell><text:p>A</text:p></table:table-cell><table:table-cell><text:p>B</text:p>"
        "</table:table-cell></table:table-row></table:table-header-rows><table:table-row><table:table-cell><text:p>1</text:p>"
        "</table:table-cell><table:table-cell><text:p>2</text:p></table:table-cell></table:table-row></table:table>"
    )  # fmt: skip
    reading = read(odt(body, styles=LIST, master="<style:header><text:p>Cabecera</text:p></style:header>"))
    assert texts(reading) == [
        "Contrato", "1. Objeto", "1.1 Vivienda", "a) llaves", "1.2 Garaje", "Entre medias[1].", "[1] Al pie",
        "2. Precio", "• viñeta", "A | B", "1 | 2", "Cabecera",
    ]  # fmt: skip
    assert kinds(reading)[0] == "heading"
    assert kinds(reading)[-1] == "header"
    assert reading.media_type == "application/vnd.oasis.opendocument.text"


def test_an_odt_is_read_with_changes_accepted() -> None:
    body = (
        "<text:tracked-changes><text:changed-region><text:deletion><text:p>borrado</text:p></text:deletion>"
        "</text:changed-region></text:tracked-changes><text:p>Queda<text:change text:change-id='a'/>"
        "<office:annotation><text:p>comentario</text:p></office:annotation></text:p>"
    )
    reading = read(odt(body))
    assert texts(reading) == ["Queda"]
    assert codes(reading) == ["TRACKED_CHANGES_ACCEPTED", "COMMENTS_IGNORED"]


def test_an_encrypted_odt_says_so() -> None:
    manifest = b"<manifest:file-entry><manifest:encryption-data/></manifest:file-entry>"
    with pytest.raises(DocumentUnreadable) as caught:
        read(odt("<text:p>x</text:p>", entries={"META-INF/manifest.xml": manifest}))
    assert caught.value.code == "DOCUMENT_ENCRYPTED"


RTF = (
    r"{\rtf1\ansi\ansicpg1252\deff0{\fonttbl{\f0\fnil\fcharset0 Times;}{\f1\fnil\fcharset204 Arial;}"
    r"{\f2\fnil\fcharset2 Symbol;}}{\colortbl;\red0\green0\blue0;}{\stylesheet{\s1 heading 1;}}"
    r"{\info{\title No se lee}{\author Mallory}}"
    r"{\header\pard Cabecera\par}"
    r"\pard\outlinelevel0 Contrato\par\pard\plain Cl\'e1usula primera. Precio: 900 \u8364?\par"
    r"{\listtext\pard\plain\f0 1.\tab}Primero\par{\listtext\pard\plain\f2 \'b7\tab}vi\'f1eta\par"
    r" Nota{\super\chftn}{\footnote\pard\plain{\super\chftn} Al pie}\~aqu\'ed.\par"
    r"{\field{\*\fldinst{HYPERLINK x}}{\fldrslt enlace}} y {\f1\'e4\'e0}\par"
    r"{\v oculto}{\deleted viejo}{\revised nuevo}{\*\annotation comentario}\par"
    r"\trowd\cellx100\cellx200\pard\intbl A\cell B\cell\row\trowd\pard\intbl 1\cell 2\cell\row"
    r"\pard{\shp{\*\shpinst{\sp{\sn x}{\sv y}}{\shptxt\pard En un recuadro\par}}}Fin\emdash\line l\'ednea\par"
    r"{\pict\wmetafile8 0102030405}{\object{\*\objdata 0102}{\result x}}}"
)


def test_an_rtf_is_read_as_it_is_shown() -> None:
    reading = read(RTF.encode("ascii"))
    assert texts(reading) == [
        "Contrato", "Cláusula primera. Precio: 900 €", "1. Primero", "• viñeta", "Nota[1] aquí.",
        "[1] Al pie", "enlace y да", "nuevo", "A | B", "1 | 2", "Fin—\nlínea", "En un recuadro", "Cabecera",
    ]  # fmt: skip
    assert kinds(reading)[:6] == ["heading", "paragraph", "list_item", "list_item", "paragraph", "footnote"]
    assert sorted(codes(reading)) == [
        "COMMENTS_IGNORED", "EMBEDDED_FILES_IGNORED", "HIDDEN_TEXT_IGNORED", "TRACKED_CHANGES_ACCEPTED",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"{\\rtf1 " + b"{" * 100_000, "DOCUMENT_TOO_COMPLEX"),
        (b"{\\rtf1 {\\*\\generator x}}", "DOCUMENT_EMPTY"),
        (b"{\\rtf1\\bin99999999999 x}", "DOCUMENT_EMPTY"),
    ],
)
def test_a_malicious_rtf_is_refused(data: bytes, code: str) -> None:
    with pytest.raises(DocumentUnreadable) as caught:
        read(data)
    assert caught.value.code == code
