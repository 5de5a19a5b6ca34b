"""Uploaded files."""

from __future__ import annotations

from typing import Any

from flask_babel import gettext
from wtforms.validators import ValidationError

from app import documents

# First bytes of files that hold more than text (RFC 8118; ECMA-376; the OLE format of old Word files).
_NOT_TEXT = (b"%PDF", b"PK\x03\x04", b"\xd0\xcf\x11\xe0", b"{\\rtf")


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
        ValidationError: No text can be read of it.
        Upstream: Too many files are being read right now (503).
    """
    if upload is None or not upload.filename:
        return None
    try:
        return documents.read(upload.read(), file_name=upload.filename)
    except documents.DocumentUnreadable:
        raise ValidationError(
            gettext("No text could be read of this file. Save it as plain text, or paste its text here.")
        ) from None
