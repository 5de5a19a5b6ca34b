"""PDF documents: no way out, archival form, attachments, the same bytes for the same values."""

from __future__ import annotations

import hashlib
import io
import threading
from datetime import UTC, datetime
from pathlib import Path

import jinja2
import pypdf
import pytest

from app.dev.system_packages import PDF
from app.platform import pdf
from app.platform.errors import Upstream
from tests.platform.listener import listening

pytestmark = pytest.mark.skipif(
    not PDF.is_met(),
    reason=f"no text layout libraries on this machine: apt-get install {' '.join(PDF.packages)}",
)

PAGE = "<html lang='es'><head><title>Título</title></head><body>{}</body></html>"


@pytest.fixture
def templates(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """Templates of the test's own instead of those of the product."""
    own: dict[str, str] = {}
    made = jinja2.Environment(
        loader=jinja2.DictLoader(own), autoescape=True, undefined=jinja2.StrictUndefined
    )
    monkeypatch.setattr(pdf, "_environment", lambda: made)
    return own


def _read(raw: bytes) -> pypdf.PdfReader:
    return pypdf.PdfReader(io.BytesIO(raw))


def test_it_is_archival_tagged_and_says_title_and_language(templates: dict[str, str]) -> None:
    templates["page"] = PAGE.format("<h1>{{ word }}</h1>")
    found = _read(pdf.render("page", {"word": "cláusula"}, origin="digitalCreation"))
    root = found.trailer["/Root"]
    xmp = root["/Metadata"].get_data().decode()
    assert 'pdfaid:part="3"' in xmp
    assert 'pdfaid:conformance="U"' in xmp
    assert root["/MarkInfo"]["/Marked"]
    assert root["/OutputIntents"]
    assert (root["/Lang"], found.metadata and found.metadata.title) == ("es", "Título")
    assert "cláusula" in found.pages[0].extract_text()


def test_the_same_values_make_the_same_bytes(templates: dict[str, str]) -> None:
    templates["page"] = PAGE.format("{{ word }}")
    assert pdf.render("page", {"word": "a"}, origin="digitalCreation") == pdf.render(
        "page", {"word": "a"}, origin="digitalCreation"
    )
    assert pdf.render("page", {"word": "a"}, origin="digitalCreation") != pdf.render(
        "page", {"word": "b"}, origin="digitalCreation"
    )


def test_values_are_words_and_not_markup(templates: dict[str, str]) -> None:
    templates["page"] = PAGE.format("{{ word }}")
    word = "<img src='http://127.0.0.1/'> & </body>"
    assert word in _read(pdf.render("page", {"word": word}, origin="digitalCreation")).pages[0].extract_text()


def test_a_value_that_is_missing_is_a_mistake_and_not_a_gap(templates: dict[str, str]) -> None:
    templates["page"] = PAGE.format("{{ word }}")
    with pytest.raises(jinja2.UndefinedError):
        pdf.render("page", {}, origin="digitalCreation")


@pytest.mark.parametrize(
    "body",
    [
        '<img src="{address}">',
        '<object data="{address}"></object>',
        '<link rel="stylesheet" href="{address}">',
        '<style>@import "{address}";</style>',
        '<style>@font-face {{ font-family: x; src: url("{address}") }} p {{ font-family: x }}</style><p>a',
        '<p style="background: url({address})">a</p>',
        '<link rel="attachment" href="{address}">',
        '<svg width="9" height="9"><image href="{address}" width="9" height="9"/></svg>',
    ],
)
@pytest.mark.parametrize("kind", ["http", "file"])
def test_an_address_outside_stops_the_document_and_is_not_asked(
    templates: dict[str, str], tmp_path: Path, body: str, kind: str
) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("secret")
    with listening() as server:
        address = secret.as_uri() if kind == "file" else f"http://127.0.0.1:{server.port}/x.png"
        templates["page"] = PAGE.format(body.format(address=address))
        with pytest.raises(pdf.ForbiddenUrl, match=f"'{kind}'"):
            pdf.render("page", {}, origin="digitalCreation")
        assert server.asked == []


def test_static_files_are_our_own_only(templates: dict[str, str]) -> None:
    templates["page"] = PAGE.format('<img src="static:img/favicon.svg">')
    assert pdf.render("page", {}, origin="digitalCreation").startswith(b"%PDF-1.7")
    for outside in (
        "static:../pyproject.toml",
        "static:/etc/passwd",
        "static:img/%2e%2e/none",
        "static:none",
    ):
        templates["page"] = PAGE.format(f'<img src="{outside}">')
        with pytest.raises(pdf.ForbiddenUrl):
            pdf.render("page", {}, origin="digitalCreation")


def test_data_addresses_are_used(templates: dict[str, str]) -> None:
    png = bytes.fromhex(
        "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de0000000c49444154789c63f8cf"
        "c0000003010100c9fe92ef0000000049454e44ae426082"
    )
    templates["page"] = PAGE.format(f'<img src="{pdf.data_uri(png)}">')
    assert len(_read(pdf.render("page", {}, origin="digitalCreation")).pages[0].images) == 1


def test_attachments_are_inside_and_belong_to_the_document(templates: dict[str, str]) -> None:
    templates["page"] = PAGE.format("with a file")
    attached = pdf.Attachment(
        "records.json", b'{"a": 1}', "The records", datetime(2026, 11, 21, 10, tzinfo=UTC), "Source"
    )
    raw = pdf.render("page", {}, origin="digitalCreation", attachments=[attached])
    found = _read(raw)
    assert {name: list(data) for name, data in found.attachments.items()} == {"records.json": [b'{"a": 1}']}
    related = found.trailer["/Root"]["/AF"][0].get_object()
    assert (related["/AFRelationship"], related["/Desc"]) == ("/Source", "The records")
    assert raw == pdf.render("page", {}, origin="digitalCreation", attachments=[attached])


def test_a_file_that_is_packed_already_is_the_same_attachment(templates: dict[str, str]) -> None:
    templates["page"] = PAGE.format("with two files")
    packer = pdf.FileCompressor()
    for piece in (b'{"a": ', b"1" * 100_000, b"}"):
        packer.write(piece)
    packed, moment = packer.packed(), datetime(2026, 11, 21, 10, tzinfo=UTC)
    clear = b'{"a": ' + b"1" * 100_000 + b"}"
    assert (packed.size, packed.md5) == (len(clear), hashlib.md5(clear, usedforsecurity=False).hexdigest())
    files = [
        pdf.Attachment("packed.json", packed, "Packed", moment, "Source"),
        pdf.Attachment("plain.csv", b"a,b\r\n", "Plain", moment),
    ]
    found = _read(pdf.render("page", {}, origin="digitalCreation", attachments=files))
    assert dict(found.attachments) == {"packed.json": [clear], "plain.csv": [b"a,b\r\n"]}
    related = [one.get_object() for one in found.trailer["/Root"]["/AF"]]
    assert [(one["/UF"], one["/AFRelationship"]) for one in related] == [
        ("packed.json", "/Source"),
        ("plain.csv", "/Data"),
    ]
    held = related[0]["/EF"]["/F"].get_object()
    assert (held["/Params"]["/Size"], held["/Subtype"]) == (len(clear), "/application/json")
    assert held["/Params"]["/CheckSum"].original_bytes == bytes.fromhex(packed.md5)


def test_documents_side_by_side_do_not_disturb_each_other(templates: dict[str, str]) -> None:
    templates["page"] = PAGE.format("{{ word }}")
    alone = {word: pdf.render("page", {"word": word}, origin="digitalCreation") for word in "abcd"}
    together: dict[str, bytes] = {}
    threads = [
        threading.Thread(
            target=lambda w=word: together.__setitem__(
                w, pdf.render("page", {"word": w}, origin="digitalCreation")
            )
        )
        for word in alone
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert together == alone


def test_a_family_that_is_not_there_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pdf, "SANS", ("No Such Family", "DejaVu Sans"))
    pdf.missing_fonts.cache_clear()
    assert "No Such Family" in pdf.missing_fonts()
    pdf.missing_fonts.cache_clear()


def test_whoever_waits_too_long_for_a_turn_is_told_to_come_again(
    templates: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    templates["page"] = PAGE.format("a")
    monkeypatch.setattr(pdf, "_MAX_WAIT_S", 0.05)
    with pdf._rendering, pytest.raises(Upstream) as refused:
        pdf.render("page", {}, origin="digitalCreation")
    assert (refused.value.status, refused.value.retry_after) == (503, 5)
    assert pdf.render("page", {}, origin="digitalCreation").startswith(b"%PDF")
