"""Find out what a file is by its content, and have the reader of that format read it.

Runs in the isolated process. A reader's libraries are imported only when a file of its format comes.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Mapping
from typing import Any

from app.documents.errors import BROKEN, EMPTY, ENCRYPTED, UNSUPPORTED, DocumentUnreadable
from app.documents.reading.reading import Reading

DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
EML = "message/rfc822"
HTML = "text/html"
JPEG, PNG, TIFF, WEBP = "image/jpeg", "image/png", "image/tiff", "image/webp"
MARKDOWN = "text/markdown"
ODT = "application/vnd.oasis.opendocument.text"
PDF = "application/pdf"
RTF = "application/rtf"
TEXT = "text/plain"

_READERS: Mapping[str, str] = {
    DOCX: "docx:read_docx",
    EML: "mail:read_mail",
    HTML: "html:read_html",
    JPEG: "images:read_image",
    MARKDOWN: "plain_text:read_markdown",
    ODT: "odt:read_odt",
    PDF: "pdf:read_pdf",
    PNG: "images:read_image",
    RTF: "rtf:read_rtf",
    TEXT: "plain_text:read_text",
    TIFF: "images:read_image",
    WEBP: "images:read_image",
}
MEDIA_TYPES = tuple(sorted(_READERS))
"""All that can be read."""

_MAGIC = (
    (b"\x89PNG\r\n\x1a\n", PNG),
    (b"\xff\xd8\xff", JPEG),
    (b"II*\0", TIFF),
    (b"MM\0*", TIFF),
)
_ZIP, _CFB, _WITH_RTF = b"PK\x03\x04", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", b"{\\rtf"
# A PDF may begin a little later, after the lines of whatever sent it (ISO 32000-1, annex H.3.4.1).
_PDF_WITHIN = 1_024
_ODT_TYPES = (ODT, ODT + "-template", ODT + "-master")
_HTML = re.compile(
    rb"\s*(?:<\?xml[^>]{0,200}>\s*)?(?:<!--.{0,2000}?-->\s*)*<(?:!doctype\s+html|html[\s>]|head[\s>]|body[\s>])",
    re.IGNORECASE | re.DOTALL,
)
_HEADER = re.compile(rb"[A-Za-z][A-Za-z0-9-]{1,60}:[^\n]*(?:\r?\n[ \t][^\n]*)*\r?\n")
_MAIL_HEADERS = frozenset(
    {
        b"from",
        b"to",
        b"subject",
        b"date",
        b"message-id",
        b"received",
        b"mime-version",
        b"return-path",
        b"reply-to",
    }
)
_ENOUGH_HEADERS, _MOST_HEADERS = 3, 60
_MARKDOWN_ENDINGS = frozenset({"md", "markdown", "mdown"})
_HTML_ENDINGS = frozenset({"html", "htm", "xhtml"})


def read(data: bytes, arguments: dict[str, Any]) -> bytes:
    """Read a file; return `Reading.as_bytes`.

    Args:
        data: The file.
        arguments: The hints `media_type` and `ending`.

    Raises:
        DocumentUnreadable: As the reader of its format.
    """
    return reading(data, str(arguments.get("media_type", "")), str(arguments.get("ending", ""))).as_bytes()


def reading(data: bytes, media_type: str = "", ending: str = "") -> Reading:
    """Read a file, of which `media_type` and `ending` are hints.

    Raises:
        DocumentUnreadable: 415 where no reader knows it, else as the reader of its format.
    """
    module, _, name = _READERS[type_of(data, media_type, ending)].partition(":")
    reader: Callable[[bytes], Reading] = getattr(
        importlib.import_module(f"app.documents.reading.{module}"), name
    )
    return reader(data)


def type_of(data: bytes, media_type: str = "", ending: str = "") -> str:
    """Return the media type of `data`, by its content; hints tell only text from text.

    Raises:
        DocumentUnreadable: 415 where no reader knows it; 422 where it is empty, encrypted, or broken.
    """
    if not data.strip():
        raise DocumentUnreadable(EMPTY)
    if found := next((kind for start, kind in _MAGIC if data.startswith(start)), None):
        return found
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return WEBP
    if b"%PDF-" in data[:_PDF_WITHIN]:
        return PDF
    if data.startswith(_ZIP):
        return _archive_type(data)
    if data.startswith(_CFB):
        # Word puts an encrypted package into the container of its old formats.
        name = "EncryptedPackage".encode("utf-16-le")
        raise DocumentUnreadable(ENCRYPTED if name in data else UNSUPPORTED)
    if data[:40].lstrip(b"\xef\xbb\xbf \t\r\n").startswith(_WITH_RTF):
        return RTF
    return _text_type(data, media_type, ending)


def _archive_type(data: bytes) -> str:
    from app.documents.reading.archives import Archive

    archive = Archive(data)
    names = frozenset(archive.names)
    if "mimetype" in names:
        declared = archive.read("mimetype", 200).strip().decode("ascii", "replace")
        if declared in _ODT_TYPES:
            return ODT
    if "[Content_Types].xml" in names:
        types = archive.read("[Content_Types].xml", 2**20)
        if b"wordprocessingml" in types or b"ms-word" in types or "word/document.xml" in names:
            return DOCX
    if "word/document.xml" in names:
        raise DocumentUnreadable(BROKEN)
    if "content.xml" in names and b"office:text" in archive.read("content.xml")[:200_000]:
        return ODT
    raise DocumentUnreadable(UNSUPPORTED)


def _text_type(data: bytes, media_type: str, ending: str) -> str:
    from app.documents.reading.plain_text import decode, is_text

    if not is_text(data):
        raise DocumentUnreadable(UNSUPPORTED)
    declared = re.split(r"[;,\s]", media_type.strip().lower(), maxsplit=1)[0]
    start = decode(data[:4_000])[0].lstrip("\ufeff").encode("utf-8", "replace")
    if _HTML.match(start):
        return HTML
    if _is_mail(start):
        return EML
    if declared in (HTML, "application/xhtml+xml") or (not declared and ending in _HTML_ENDINGS):
        return HTML if b"<" in start else TEXT
    return MARKDOWN if declared == MARKDOWN or ending in _MARKDOWN_ENDINGS else TEXT


def _is_mail(start: bytes) -> bool:
    """Tell whether a text begins with the headers of a message (RFC 5322)."""
    known = at = 0
    if start.startswith(b"From "):
        at = start.find(b"\n") + 1
    for _ in range(_MOST_HEADERS):
        found = _HEADER.match(start, at)
        if found is None:
            break
        known += found[0].partition(b":")[0].lower() in _MAIL_HEADERS
        at = found.end()
    return known >= _ENOUGH_HEADERS
