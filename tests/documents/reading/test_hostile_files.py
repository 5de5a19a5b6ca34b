"""Files made to do harm: bombs, entities, addresses, mutations. Nothing but a reason comes of them."""

from __future__ import annotations

import io
import json
import socket
import tempfile
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

from app.documents import DocumentUnreadable, isolation, read
from app.documents.isolation.functions import IsolatedFunction
from app.documents.reading.archives import parse
from tests.documents.office_files import (
    SMALL,
    codes,
    docx,
    levels,
    message,
    numbered,
    odt,
    p,
    pdf,
    scan,
    texts,
    zipped,
)
from tests.documents.reading.mutations import mutated

CANARY = "Zurriaga-Canario-7731"
BODY = f"<h1>CONTRATO {CANARY}</h1><p>Cláusula primera. La renta será de 950 euros al mes.</p>" * 3


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


@pytest.fixture
def mallory() -> Iterator[tuple[str, Callable[[], bool]]]:
    """Yield the address of a server, and whether anybody has connected to it."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.setblocking(False)

        def visited() -> bool:
            try:
                server.accept()
            except BlockingIOError:
                return False
            return True

        yield f"http://127.0.0.1:{server.getsockname()[1]}/x", visited


ENTITIES = (
    "<!DOCTYPE w:document [<!ENTITY a 'aaaaaaaaaa'>"
    + "".join(f"<!ENTITY {name} '{f'&{before};' * 10}'>" for before, name in pairwise("abcdefghi"))
    + "]>"
)


def _with_document(xml: str) -> bytes:
    output = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(docx(p("x")))) as source, zipfile.ZipFile(output, "w") as made:
        for name in source.namelist():
            made.writestr(name, xml if name == "word/document.xml" else source.read(name))
    return output.getvalue()


W = "xmlns:w='http://schemas.openxmlformats.org/wordprocessingml/2006/main'"


def test_entities_are_not_resolved(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text(CANARY)
    outside = f"<!DOCTYPE w:document [<!ENTITY i SYSTEM 'file://{secret}'>]>"
    for head in (ENTITIES, outside):
        xml = f"{head}<w:document {W}><w:body><w:p><w:r><w:t>&i;</w:t></w:r></w:p></w:body></w:document>"
        with pytest.raises(DocumentUnreadable) as caught:
            read(_with_document(xml))
        assert caught.value.code == "DOCUMENT_BROKEN"
    with pytest.raises(DocumentUnreadable):
        parse(b"<a>" * 10_000 + b"</a>" * 10_000)


def test_an_address_outside_is_never_visited(mallory: tuple[str, Callable[[], bool]]) -> None:
    address, visited = mallory
    made = [
        docx(
            p("texto"), relations=[("attachedTemplate", address, "External"), ("image", address, "External")]
        ),
        odt(f"<text:p>texto<draw:frame><draw:image xlink:href='{address}'/></draw:frame></text:p>"),
        f"<html><link rel=stylesheet href='{address}'><img src='{address}'><p>texto</p></html>".encode(),
        _with_document(
            f"<!DOCTYPE w:document SYSTEM '{address}'>"
            f"<w:document {W}><w:body>{p('texto')}</w:body></w:document>"
        ),
    ]
    for data in made:
        assert texts(read(data)) == ["texto"]
    assert [codes(read(data)) for data in made[:2]] == [["EXTERNAL_CONTENT_IGNORED"]] * 2
    assert not visited()


def _lying() -> bytes:
    """Return an archive whose entry holds far more than its directory says."""
    made = bytearray(zipped({"mimetype": b"x" * 30_000_000, "[Content_Types].xml": b"wordprocessingml"}))
    at = made.rindex(b"PK\x01\x02", 0, made.rindex(b"PK\x01\x02"))
    made[at + 24 : at + 28] = (100).to_bytes(4, "little")
    return bytes(made)


@pytest.mark.parametrize(
    ("made", "allowed"),
    [
        (docx(p("x"), entries={"word/media/a.png": bytes(30_000_000)}), {"DOCUMENT_TOO_COMPLEX"}),
        (docx(p("x"), entries={f"x{number}": b"" for number in range(6_000)}), {"DOCUMENT_TOO_COMPLEX"}),
        (docx(p("x " * 30_000_000)), {"DOCUMENT_TOO_COMPLEX"}),
        (docx(p("x y" * 900_000)), {"DOCUMENT_TOO_LONG"}),
        (docx("<w:tbl><w:tr><w:tc>" * 300 + p("x") + "</w:tc></w:tr></w:tbl>" * 300), {"DOCUMENT_BROKEN"}),
        (_lying(), {"DOCUMENT_BROKEN", "DOCUMENT_TYPE_UNSUPPORTED", "DOCUMENT_TOO_COMPLEX"}),
        (zipped({"a.zip": zipped({"b": b"x"})}), {"DOCUMENT_TYPE_UNSUPPORTED"}),
        (b"PK\x03\x04" + bytes(100), {"DOCUMENT_BROKEN"}),
        (b"GIF89a" + bytes(range(200)), {"DOCUMENT_TYPE_UNSUPPORTED"}),
        (b"\x7fELF" + bytes(range(200)), {"DOCUMENT_TYPE_UNSUPPORTED"}),
    ],
)  # fmt: skip
def test_bombs_and_strangers_are_refused(made: bytes, allowed: set[str]) -> None:
    with pytest.raises(DocumentUnreadable) as caught:
        read(made)
    assert caught.value.code in allowed


def test_a_name_that_leads_elsewhere_is_only_looked_up(temporary: Path) -> None:
    names = ("../../../../tmp/escaped", "/etc/escaped", "..\\..\\escaped")
    made = docx(p("x"), entries=dict.fromkeys(names, b"x"))
    assert texts(read(made)) == ["x"]
    assert list(temporary.iterdir()) == []
    assert not Path("/tmp/escaped").exists()


RTF = rb"{\rtf1\ansi{\fonttbl{\f0\fcharset0 X;}}\trowd CANARY\cell b\cell\row\par\u233?x}"
FORMS = ("pdf", "scan", "docx", "odt", "rtf", "html", "eml", "txt", "md", "png", "jpeg", "tiff", "webp")


@cache
def originals() -> dict[str, bytes]:
    """Return one file of each format, all with the canary."""
    numbering = (
        f"<w:abstractNum w:abstractNumId='0'>{levels(('decimal', '%1.', 1), ('lowerRoman', '%1.%2', 1))}"
        "</w:abstractNum><w:num w:numId='1'><w:abstractNumId w:val='0'/></w:num>"
    )
    cell = f"<w:tc>{p(CANARY)}</w:tc>"
    body = (
        p(CANARY, properties=numbered(0))
        + p("Dos", properties=numbered(1))
        + f"<w:tbl><w:tr>{cell * 2}</w:tr></w:tbl>"
    )
    mail = message(subject=CANARY)
    mail.set_content(f"Hola {CANARY}")
    mail.add_alternative(f"<p>{CANARY}</p><table><tr><td>a<td>b</table>", subtype="html")
    mail.add_attachment(b"x", maintype="application", subtype="pdf")
    listed = f"<text:list-item><text:p>{CANARY}</text:p></text:list-item>"
    rows = "<tr><td>a</td><td>b</td></tr>" * 2
    printed = pdf(f"{BODY}<table class=ruled>{rows}</table>", css=SMALL)
    return {
        "pdf": printed,
        "scan": scan(printed, dpi=60),
        "docx": docx(body, parts={"numbering": numbering, "styles": "", "footnotes": ""}),
        "odt": odt(f"<text:list text:style-name='L'>{listed}</text:list>"),
        "rtf": RTF.replace(b"CANARY", CANARY.encode()),
        "html": f"<html><body>{BODY}<ol type=i><li>{CANARY}</ol></body></html>".encode(),
        "eml": bytes(mail),
        "txt": f"{CANARY}\n\nTexto con eñes\n".encode("cp1252"),
        "md": f"# {CANARY}\n\n- uno\n\n| a | b |\n|---|---|\n| 1 | 2 |\n".encode(),
        "png": scan(printed, "PNG", dpi=40),
        "jpeg": scan(printed, "JPEG", dpi=40),
        "tiff": scan(printed, "TIFF", dpi=40),
        "webp": scan(printed, "WEBP", dpi=40),
    }  # fmt: skip


BATCH = 24
EXPECTED = {
    "read", "DOCUMENT_BROKEN", "DOCUMENT_EMPTY", "DOCUMENT_ENCRYPTED", "DOCUMENT_TOO_COMPLEX",
    "DOCUMENT_TOO_LONG", "DOCUMENT_TYPE_UNSUPPORTED",
}  # fmt: skip


@pytest.mark.parametrize("form", FORMS)
def test_a_mutated_file_is_read_or_refused(
    form: str, monkeypatch: pytest.MonkeyPatch, temporary: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    entry = IsolatedFunction("tests.documents.reading.mutations:read_many", programs=True)
    monkeypatch.setattr(isolation, "FUNCTIONS", {**isolation.FUNCTIONS, "read_many": entry})
    seeds = list(range(BATCH))
    outcomes = Counter(json.loads(isolation.run("read_many", originals()[form], {"seeds": seeds})))
    assert outcomes.total() == BATCH
    assert set(outcomes) <= EXPECTED
    # Whole processes, as in service: what happens to the text of the file meanwhile.
    told = []
    for seed in range(100, 103):
        try:
            read(mutated(originals()[form], seed))
        except DocumentUnreadable as error:
            told.append(
                f"{error.status} {error.message} {error.details} {error.__cause__} {error.__context__}"
            )
    assert {one[:3] for one in told} <= {"413", "415", "422"}
    assert CANARY not in "".join((*told, *capfd.readouterr()))
    assert list(temporary.iterdir()) == []


def test_mutations_are_many_and_always_the_same() -> None:
    files = originals()
    assert tuple(files) == FORMS
    assert len(files) * (BATCH + 3) >= 300
    assert mutated(files["docx"], 5) == mutated(files["docx"], 5)
    assert len({mutated(files["pdf"], seed) for seed in range(BATCH)}) > BATCH * 0.8
