"""Comments in Word documents: at the words, and nothing else changed."""

# ruff: noqa: E501 (XML as it stands in files)

from __future__ import annotations

import copy
import io
import zipfile
from typing import Any

import docx
import hypothesis
import pytest
from docx.document import Document
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls
from hypothesis import strategies as st
from lxml import etree

from app.documents.writing.comments import comment

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_NS = nsdecls("w", "r")


def packed(document: Document) -> bytes:
    data = io.BytesIO()
    document.save(data)
    return data.getvalue()


def made(*paragraphs: str) -> bytes:
    """A document of paragraphs that are given as XML, or as plain text."""
    document = docx.Document()
    body = document.element.body
    for one in paragraphs:
        if one.startswith("<"):
            body.insert(len(body) - 1, parse_xml(one.replace(">", f" {_NS}>", 1)))
        else:
            document.add_paragraph(one)
    return packed(document)


def asked(
    words: str, note: str = "Nota.", *, before: str = "", after: str = "", at: float = 0.0
) -> dict[str, Any]:
    return {"words": words, "before": before, "after": after, "at": at, "note": note.split("\n")}


def commented(data: bytes, *comments: dict[str, Any]) -> bytes:
    return comment(
        data,
        {
            "author": "Arregui Lex",
            "initials": "AL",
            "nowhere": "Palabras citadas:",
            "comments": list(comments),
        },
    )


def body_of(data: bytes) -> Any:
    with zipfile.ZipFile(io.BytesIO(data)) as file:
        assert file.testzip() is None
        return etree.fromstring(file.read("word/document.xml"))


def marked(data: bytes) -> dict[str, str]:
    """The words within the range of each comment, by the first line of the comment."""
    notes = {str(one.comment_id): one.paragraphs[0].text for one in docx.Document(io.BytesIO(data)).comments}
    open_: dict[str, list[str]] = {}
    found: dict[str, str] = {}
    referred = set()
    for element in body_of(data).iter():
        if element.tag == f"{_W}commentRangeStart":
            open_[element.get(f"{_W}id")] = []
        elif element.tag == f"{_W}commentRangeEnd":
            number = element.get(f"{_W}id")
            found[notes[number]] = "".join(open_.pop(number))
        elif element.tag == f"{_W}commentReference":
            referred.add(element.get(f"{_W}id"))
        elif element.tag == f"{_W}t":
            for words in open_.values():
                words.append(element.text or "")
    assert not open_
    assert referred == set(notes)
    return found


def text_of(data: bytes) -> str:
    return "\n".join(
        "".join(text.text or "" for text in one.iter(f"{_W}t", f"{_W}delText"))
        for one in body_of(data).iter(f"{_W}p")
    )


def test_a_comment_stands_at_the_words_and_says_who_made_it() -> None:
    data = made("Los Arrendatarios no podrán desistir del contrato antes de su vencimiento.")
    written = commented(data, asked("no podrán desistir del contrato", "Riesgo alto\nQué hacer: suprimirla."))
    assert marked(written) == {"Riesgo alto": "no podrán desistir del contrato"}
    [one] = docx.Document(io.BytesIO(written)).comments
    assert (one.author, one.initials) == ("Arregui Lex", "AL")
    assert [paragraph.text for paragraph in one.paragraphs] == ["Riesgo alto", "Qué hacer: suprimirla."]
    assert text_of(written) == text_of(data)


def test_words_keep_their_format_when_a_run_is_split() -> None:
    data = made("<w:p><w:r><w:rPr><w:b/></w:rPr><w:t>Renta de 950 euros al mes</w:t></w:r></w:p>")
    written = commented(data, asked("950 euros"))
    runs = [run for run in body_of(written).iter(f"{_W}r") if run.find(f"{_W}t") is not None]
    assert [run.find(f"{_W}t").text for run in runs] == ["Renta de ", "950 euros", " al mes"]
    assert all(run.find(f"{_W}rPr/{_W}b") is not None for run in runs)


def test_words_over_several_runs_and_paragraphs() -> None:
    data = made(
        "<w:p><w:r><w:t>La fian</w:t></w:r><w:r><w:rPr><w:i/></w:rPr><w:t>za será de</w:t><w:tab/>"
        "<w:t>900 euros</w:t></w:r></w:p>",
        "pagaderos por anticipado.",
    )
    written = commented(
        data, asked("fianza será de 900 euros", "uno"), asked("900 euros\npagaderos por anticipado.", "dos")
    )
    assert marked(written) == {"uno": "fianza será de900 euros", "dos": "900 eurospagaderos por anticipado."}


def test_of_words_that_stand_twice_those_in_the_same_surroundings_are_marked() -> None:
    data = made("La renta será de 900 euros.", "La fianza será de 900 euros.", "La multa será de 900 euros.")
    before = "La renta será de 900 euros.\n\nLa fianza será de "
    written = commented(data, asked("900 euros", before=before, after=".\n\nLa multa será de 900 euros."))
    [start] = body_of(written).iter(f"{_W}commentRangeStart")
    assert "".join(start.getparent().itertext()) == "La fianza será de 900 euros."
    last = commented(data, asked("900 euros", at=0.9))
    [start] = body_of(last).iter(f"{_W}commentRangeStart")
    assert "multa" in "".join(start.getparent().itertext())


def test_overlapping_and_touching_words() -> None:
    data = made("uno dos tres cuatro cinco")
    written = commented(
        data, asked("dos tres cuatro", "a"), asked("tres", "b"), asked("cuatro cinco", "c"), asked("uno", "d"),
        asked("tres", "e"), asked("uno dos tres cuatro cinco", "f"),
    )  # fmt: skip
    assert marked(written) == {
        "a": "dos tres cuatro", "b": "tres", "c": "cuatro cinco", "d": "uno", "e": "tres",
        "f": "uno dos tres cuatro cinco",
    }  # fmt: skip
    assert text_of(written) == text_of(data)


def test_words_in_tables_and_links() -> None:
    document = docx.Document()
    table = document.add_table(rows=1, cols=2)
    table.cell(0, 0).text, table.cell(0, 1).text = "Precio total", "12.000 euros"
    body = document.element.body
    body.insert(
        len(body) - 1,
        parse_xml(
            f'<w:p {_NS}><w:r><w:t>Véase </w:t></w:r><w:hyperlink w:anchor="x"><w:r><w:t>la cláusula quinta'
            "</w:t></w:r></w:hyperlink><w:r><w:t> y otras.</w:t></w:r></w:p>"
        ),
    )
    data = packed(document)
    written = commented(
        data, asked("Precio total | 12.000 euros", "tabla"), asked("cláusula quinta", "enlace"),
        asked("la cláusula quinta y otras.", "más"),
    )  # fmt: skip
    assert marked(written) == {
        "tabla": "Precio total12.000 euros", "enlace": "cláusula quinta", "más": "la cláusula quinta y otras.",
    }  # fmt: skip
    for reference in body_of(written).iter(f"{_W}commentReference"):
        assert reference.getparent().getparent().tag == f"{_W}p", "a reference stands in a link"


def test_tracked_changes_stay_tracked() -> None:
    data = made(
        '<w:p><w:r><w:t>El plazo es de </w:t></w:r><w:del w:id="7" w:author="x"><w:r><w:delText>dos</w:delText>'
        '</w:r></w:del><w:ins w:id="8" w:author="x"><w:r><w:t>cinco</w:t></w:r></w:ins>'
        "<w:r><w:t> años naturales.</w:t></w:r></w:p>"
    )
    written = commented(data, asked("es de cinco años", "uno"), asked("cinco", "dos"))
    assert marked(written) == {"uno": "es de cinco años", "dos": "cinco"}
    body = body_of(written)
    assert [len(list(body.iter(f"{_W}{name}"))) for name in ("ins", "del")] == [1, 1]
    assert "".join(body.find(f".//{_W}del").itertext()) == "dos"
    assert body.find(f".//{_W}ins//{_W}commentReference") is None


def test_fields_and_content_controls_stay_whole() -> None:
    field = (
        '<w:p><w:r><w:t>Según la </w:t></w:r><w:r><w:fldChar w:fldCharType="begin"/><w:instrText>REF c</w:instrText>'
        '<w:fldChar w:fldCharType="separate"/><w:t>cláusula 4</w:t><w:fldChar w:fldCharType="end"/></w:r>'
        "<w:sdt><w:sdtContent><w:r><w:t> pagará la renta</w:t></w:r></w:sdtContent></w:sdt></w:p>"
    )
    written = commented(made(field), asked("cláusula 4 pagará", "uno"), asked("la renta", "dos"))
    assert marked(written) == {"uno": "cláusula 4 pagará", "dos": "la renta"}
    kinds = [one.get(f"{_W}fldCharType") for one in body_of(written).iter(f"{_W}fldChar")]
    assert kinds == ["begin", "separate", "end"]
    assert "".join(one.text for one in body_of(written).iter(f"{_W}instrText")) == "REF c"


def test_words_in_a_text_box_are_marked_at_the_box() -> None:
    box = (
        "<w:p><w:r><w:t>Cuerpo.</w:t></w:r><w:r><w:pict><w:txbxContent><w:p><w:r><w:t>Aviso en un recuadro"
        "</w:t></w:r></w:p></w:txbxContent></w:pict></w:r></w:p>"
    )
    written = commented(made(box), asked("Aviso en un"))
    body = body_of(written)
    [start] = body.iter(f"{_W}commentRangeStart")
    assert start.getparent().getparent().tag == f"{_W}body"
    assert start.getnext().find(f".//{_W}txbxContent") is not None


def test_words_that_stand_nowhere_are_told_at_the_beginning() -> None:
    written = commented(made("Primero.", "Segundo."), asked("solo en el encabezado"), asked("…", "signos"))
    [start, other] = body_of(written).iter(f"{_W}commentRangeStart")
    assert start.getparent() is other.getparent()
    notes = [one.text for one in docx.Document(io.BytesIO(written)).comments]
    assert notes == ["Nota.\nPalabras citadas: «solo en el encabezado»", "signos\nPalabras citadas: «…»"]


def test_comments_that_were_there_stay() -> None:
    document = docx.Document()
    paragraph = document.add_paragraph("La renta se paga por anticipado.")
    document.add_comment(paragraph.runs, text="De antes", author="Otra", initials="O")
    written = commented(packed(document), asked("se paga", "Nueva"))
    assert [(one.author, one.text) for one in docx.Document(io.BytesIO(written)).comments] == [
        ("Otra", "De antes"),
        ("Arregui Lex", "Nueva"),
    ]
    assert marked(written) == {"De antes": "La renta se paga por anticipado.", "Nueva": "se paga"}


def test_parts_of_the_file_that_hold_no_text_stay_byte_by_byte() -> None:
    data = made("Una cosa.")
    written = commented(data, asked("cosa"))
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(io.BytesIO(written)) as new:
        assert set(old.namelist()) <= set(new.namelist())
        for name in ("word/theme/theme1.xml", "docProps/thumbnail.jpeg", "word/fontTable.xml"):
            assert old.read(name) == new.read(name)


@pytest.mark.parametrize(
    ("stored", "words", "expected"),
    [
        ("Cl\u00e1usula", "Cláusula", "Cl\u00e1usula"),
        ("Cla\u0301usula penal", "Cláusula", "Cla\u0301usula"),
        ("ofi\u00adcina", "oficina", "ofi\u00adcina"),
        ("«muy  urgente».", "«muy urgente».", "«muy  urgente»."),
        ("a \U0001f3e0casa b", "\U0001f3e0casa", "\U0001f3e0casa"),
    ],
)
def test_words_as_the_reader_has_them_are_found_as_the_file_has_them(
    stored: str, words: str, expected: str
) -> None:
    assert marked(commented(made(f"x {stored} y"), asked(words))) == {"Nota.": expected}


_RUNS = st.lists(st.text(alphabet="abcdé .,€«»1", min_size=1, max_size=8), min_size=1, max_size=12)


@hypothesis.settings(max_examples=40)
@hypothesis.given(runs=_RUNS, cuts=st.lists(st.tuples(st.integers(0, 90), st.integers(1, 30)), max_size=6))
def test_however_runs_and_words_lie_the_text_stays_and_the_words_are_marked(
    runs: list[str], cuts: list[tuple[int, int]]
) -> None:
    document = docx.Document()
    paragraph = document.add_paragraph()
    for one in runs:
        paragraph.add_run(one)
    text = "".join(runs)
    wanted = []
    for number, (start, length) in enumerate(cuts):
        words = text[start : start + length].strip()
        start = text.find(words, start)
        if any(sign.isalnum() for sign in words):
            around = {"before": text[:start], "after": text[start + len(words) :]}
            wanted.append(asked(words, f"n{number}", at=start / len(text), **around))
    data = packed(document)
    written = commented(copy.copy(data), *wanted)
    assert text_of(written) == text_of(data)
    found = marked(written)
    for made_of in wanted:
        assert "".join(found[made_of["note"][0]].split()) == "".join(made_of["words"].split())
