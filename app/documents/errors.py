"""Errors of documents: why one cannot be read, with a code, an HTTP status and what to do; and of uploads.

A process that parses a document hands back one of these codes and whole numbers, never words of its own: what
it says could be words of the document (decision 077).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from app.platform.errors import Exhausted, Invalid, NotFound

MAX_BYTES = 20_000_000
MAX_PAGES = 500
MAX_CHARACTERS = 2_000_000
MAX_SECONDS = 60
MAX_MEMORY = 512 * 2**20

BROKEN = "DOCUMENT_BROKEN"
EMPTY = "DOCUMENT_EMPTY"
ENCRYPTED = "DOCUMENT_ENCRYPTED"
OCR_MISSING = "OCR_UNAVAILABLE"
OCR_TOO_SLOW = "DOCUMENT_TOO_SLOW"
PAGE_UNKNOWN = "PAGE_UNKNOWN"
TOO_COMPLEX = "DOCUMENT_TOO_COMPLEX"
TOO_LARGE = "DOCUMENT_TOO_LARGE"
TOO_LONG = "DOCUMENT_TOO_LONG"
UNSUPPORTED = "DOCUMENT_TYPE_UNSUPPORTED"


class Reason(NamedTuple):
    """The HTTP status of a code and its sentence, in which `{name}` stands for a whole number."""

    status: int
    sentence: str


REASONS: Mapping[str, Reason] = {
    BROKEN: Reason(
        422,
        "file: is damaged or incomplete. Open it in the program that made it, save it again and send the new "
        "copy.",
    ),
    EMPTY: Reason(422, "file: contains no text. Send a file that contains some."),
    ENCRYPTED: Reason(
        422, "file: is protected by a password. Save a copy without a password and send that copy."
    ),
    OCR_MISSING: Reason(
        422,
        "file: consists of images, and this server cannot read text in images. Send a file that contains its "
        "text, such as a PDF made by a word processor.",
    ),
    OCR_TOO_SLOW: Reason(
        422,
        "file: the text of {done} of {pages} scanned pages was read in the {seconds} s that a file may take. "
        "Split it into files of at most {done} pages.",
    ),
    PAGE_UNKNOWN: Reason(404, "page: expected 1 to {pages}, got {page}."),
    TOO_COMPLEX: Reason(
        422,
        f"file: needs more than {MAX_SECONDS} s or {MAX_MEMORY // 2**20} MB to be read. Split it, or save it "
        "in a simpler format, such as PDF.",
    ),
    TOO_LARGE: Reason(
        413, f"file: expected at most {MAX_BYTES // 10**6} MB. Split it, or save its images smaller."
    ),
    TOO_LONG: Reason(
        422,
        f"file: expected at most {MAX_PAGES} pages and {MAX_CHARACTERS:,} characters. Split it into several "
        "files.",
    ),
    UNSUPPORTED: Reason(
        415,
        "file: expected PDF, DOCX, ODT, RTF, HTML, EML, TXT, MD, or an image (PNG, JPEG, TIFF, WebP). "
        "Save it in one of these formats and send that copy.",
    ),
}


class DocumentUnreadable(Invalid):
    """422, 413 or 415: the document cannot be read, for one of `REASONS`.

    Args:
        code: A key of `REASONS`; any other becomes `DOCUMENT_BROKEN`.
        figures: Whole numbers for the sentence of the reason.
    """

    code = BROKEN
    status = 422

    def __init__(self, code: str = BROKEN, **figures: int) -> None:
        self.figures = {name: int(value) for name, value in figures.items()}
        try:
            status, sentence = REASONS[code]
            message = sentence.format_map(self.figures)
        except KeyError:
            code, (status, message) = BROKEN, REASONS[BROKEN]
        super().__init__(message, code=code, status=status)


class UnknownDocument(NotFound):
    """404: no such document, one of another key, or one that has expired."""

    def __init__(self) -> None:
        super().__init__(
            "There is no document with this reference for this API key, or it has expired. Upload the file "
            "with POST /api/v1/documents and use the documentRef of the answer."
        )


class TooManyDocuments(Exhausted):
    """429: the key has the maximum number of documents, or its account of bytes (decision 078)."""

    code = "DOCUMENT_LIMIT"
    retry_after = 60
