"""Uploaded files of text."""

from __future__ import annotations

from typing import Any

from flask_babel import gettext
from wtforms.validators import ValidationError

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
