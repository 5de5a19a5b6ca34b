"""HTML pages and messages."""

from __future__ import annotations

import pytest

from app.documents import DocumentUnreadable, read
from tests.documents.office_files import codes, kinds, message, texts


def test_html_is_read_as_it_is_shown() -> None:
    page = """<!DOCTYPE html><html><head><title>No</title><style>p{}</style></head><body>
    <h1>Contrato</h1><p>Entre <b>alice</b> y
    <i>bob</i>.<br>Firmado.</p><script>alert(1)</script><p style="display: none">oculto</p>
    <p hidden>oculto</p>
    <ol start=3 type=a><li>uno<li>dos<ul><li>punto</ul></ol>
    <table><tr><th>A</th><th>B</th></tr><tr><td>1<td>2</tr></table><img src="http://mallory.example/x.png">
    <pre>uno
    dos</pre>texto suelto</body></html>"""
    reading = read(page.encode())
    assert texts(reading) == [
        "Contrato", "Entre alice y bob.\nFirmado.", "c. uno", "d. dos", "• punto", "A | B", "1 | 2",
        "uno\ndos", "texto suelto",
    ]  # fmt: skip
    assert kinds(reading)[0] == "heading"
    assert codes(reading) == ["ACTIVE_CONTENT_IGNORED", "HIDDEN_TEXT_IGNORED"]


@pytest.mark.parametrize("encoding", ["iso-8859-1", "utf-8", "windows-1252", "utf-16"])
def test_html_is_read_in_its_encoding(encoding: str) -> None:
    page = f'<html><meta charset="{encoding}"><p>Cláusula de ejecución'.encode(encoding)
    assert texts(read(page)) == ["Cláusula de ejecución"]


def test_the_number_of_an_item_stands_before_its_first_paragraph() -> None:
    page = b"<html><ol><li><p>uno</p><p>sigue</p></li><li></li><li><p>tres</p></li></ol><p>fin</p>"
    assert texts(read(page)) == ["1. uno", "sigue", "3. tres", "fin"]


def test_a_message_has_headers_and_the_best_of_its_texts() -> None:
    mail = message()
    mail.set_content("Hola:\n\nResuelvo el contrato de fecha 1 de marzo.\n")
    mail.add_alternative("<p>HTML</p>", subtype="html")
    mail.add_attachment(b"%PDF-1.4", maintype="application", subtype="pdf", filename="secreto.pdf")
    reading = read(bytes(mail))
    assert texts(reading) == [
        "From: Alice Núñez <alice@example.org>", "To: bob@example.org", "Subject: Resolución del contrato",
        "Date: Mon, 02 Mar 2026 10:00:00 +0100", "Hola:", "Resuelvo el contrato de fecha 1 de marzo.",
    ]  # fmt: skip
    assert reading.media_type == "message/rfc822"
    [attached] = reading.warnings
    assert (attached.code, "1 PDF" in attached.message, "secreto" in attached.message) == (
        "ATTACHMENTS_NOT_READ", True, False,
    )  # fmt: skip


def test_a_message_of_html_alone_is_read() -> None:
    mail = message()
    mail.set_content("<div>Estimado bob:</div><div>Adiós</div><style>x</style>", subtype="html")
    assert texts(read(bytes(mail)))[-2:] == ["Estimado bob:", "Adiós"]


def test_an_encrypted_message_says_so() -> None:
    mail = message()
    mail.add_attachment(b"x", maintype="application", subtype="pkcs7-mime", filename="smime.p7m")
    with pytest.raises(DocumentUnreadable) as caught:
        read(bytes(mail))
    assert caught.value.code == "DOCUMENT_ENCRYPTED"


def test_deep_nesting_is_no_crash() -> None:
    with pytest.raises(DocumentUnreadable):
        read(b"<html>" + b"<div>" * 200_000 + b"x")
