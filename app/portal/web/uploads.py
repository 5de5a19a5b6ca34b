"""Uploaded files of documents: what a page may send, and what is wrong with a file, in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import PurePosixPath
from typing import Any, TypeVar

from flask import current_app
from flask_babel import gettext
from flask_babel import lazy_gettext as _
from wtforms.validators import ValidationError

from app import documents
from app.platform.web import http

# Suffixes and types that a chooser of files offers.
ACCEPTED = (
    ".pdf,.docx,.odt,.rtf,.html,.htm,.eml,.txt,.md,.png,.jpg,.jpeg,.tif,.tiff,.webp,"
    "application/pdf,text/plain,image/*"
)
_EXTENSION_MAX = 8
_AROUND_FILES = 200_000

_PROBLEMS: Mapping[str, Any] = {
    "DOCUMENT_BROKEN": _(
        "It is damaged. Open it in the program that made it, save it again and choose the copy."
    ),
    "DOCUMENT_EMPTY": _("It contains no text."),
    "DOCUMENT_ENCRYPTED": _("It is protected by a password. Save a copy without one and choose that copy."),
    "OCR_UNAVAILABLE": _("It consists of images, and this server cannot read text in images."),
    "DOCUMENT_TOO_SLOW": _("It has too many scanned pages to be read at once. Split it into smaller files."),
    "DOCUMENT_TOO_COMPLEX": _(
        "It takes too long or too much memory to be read. Split it, or save it as PDF."
    ),
    "DOCUMENT_TOO_LARGE": _("It is larger than 20 MB. Split it, or save its images smaller."),
    "DOCUMENT_TOO_LONG": _("It has more than 500 pages. Split it into several files."),
    "DOCUMENT_TYPE_UNSUPPORTED": _(
        "This kind of file cannot be read. Save it as PDF, Word (.docx), OpenDocument, RTF, HTML, text or an "
        "image."
    ),
    "DOCUMENT_LIMIT": _("This key keeps as many documents as it may. Wait until some have expired."),
}
_WARNINGS: Mapping[str, Any] = {
    "LOW_OCR_CONFIDENCE": _("Some scanned words are uncertain: check quotations against the page."),
    "OCR_UNAVAILABLE": _("Pages without text were not read: this server cannot read text in images."),
    "PAGE_WITHOUT_TEXT": _("Some pages have no text."),
    "TRACKED_CHANGES_ACCEPTED": _("It has tracked changes; they were read as accepted."),
}

# First bytes of files that hold more than text (RFC 8118; ECMA-376; the OLE format of old Word files).
_NOT_TEXT = (b"%PDF", b"PK\x03\x04", b"\xd0\xcf\x11\xe0", b"{\\rtf")

View = TypeVar("View", bound=Callable[..., Any])


def takes_files(number: int) -> Callable[[View], View]:
    """Let a view take forms with so many files of the largest size."""

    def mark(view: View) -> View:
        view.largest_body = number * documents.MAX_BYTES + _AROUND_FILES  # type: ignore[attr-defined]
        return view

    return mark


def largest_body(view: Callable[..., Any] | None) -> int:
    """Return how many bytes the forms of a view may have: those of `takes_files`, else of any body."""
    usual: int = current_app.config["MAX_CONTENT_LENGTH"]
    return int(getattr(view, "largest_body", usual))


def uploaded(file: Any) -> http.UploadedFile | None:
    """Return the file of a form, in memory; `None` where none was chosen.

    Of its name only the extension is kept.
    """
    if file is None or not file.filename:
        return None
    extension = PurePosixPath(file.filename).suffix[1:].lower()
    usual = extension.isascii() and extension.isalnum() and len(extension) <= _EXTENSION_MAX
    return http.UploadedFile(file.stream.read(), file.mimetype or None, extension if usual else "")


def read(file: http.UploadedFile) -> documents.Reading:
    """Read a file in a process of its own. Call it outside a transaction.

    Raises:
        DocumentUnreadable: the file cannot be read; `problem` says why in words.
        Upstream: 503, no process could be had.
    """
    name = f"document.{file.extension}" if file.extension else None
    return documents.read(file.data, media_type=file.media_type, file_name=name)


def problem(code: str) -> str:
    """Return why a file cannot be read or kept, and what to do about it, by the code of the error."""
    return str(_PROBLEMS.get(code) or gettext("It cannot be read."))


def warnings(codes: list[str]) -> list[str]:
    """Return what is to be known of how a file was read, each once."""
    return list(dict.fromkeys(str(_WARNINGS[code]) for code in codes if code in _WARNINGS))


def read_text(upload: Any, most: int) -> str:
    """Return the text of an uploaded file, with line ends as LF; an empty text without a file.

    Args:
        upload: The file of the form, `None` without one.
        most: Its largest size, in bytes.

    Raises:
        ValidationError: It is no plain text, or longer.
    """
    if upload is None or not upload.filename:
        return ""
    raw = upload.read(most + 1)
    if raw.startswith(_NOT_TEXT) or b"\x00" in raw:
        raise ValidationError(
            gettext("This file is not plain text. Save its text as .txt, or copy it and paste it here.")
        )
    if len(raw) > most:
        raise ValidationError(gettext("This file is longer than the maximum length of a text."))
    try:
        return str(raw.decode("utf-8-sig")).replace("\r\n", "\n")
    except UnicodeDecodeError:
        return str(raw.decode("cp1252", errors="replace")).replace("\r\n", "\n")


def read_document(upload: Any) -> documents.Reading | None:
    """Return what is read of an uploaded file, in a process of its own; `None` without a file.

    Args:
        upload: The file of the form, `None` without one.

    Raises:
        ValidationError: It cannot be read; says why.
        Upstream: Too many files are being read right now (503).
    """
    file = uploaded(upload)
    if file is None:
        return None
    try:
        return read(file)
    except documents.DocumentUnreadable as unreadable:
        raise ValidationError(problem(unreadable.code)) from None
