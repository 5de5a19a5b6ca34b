"""Parsing of the header `Idempotency-Key` (decision 025). Pure."""

from __future__ import annotations

import re

from app.platform.errors import Invalid

_FORM = re.compile(r"[A-Za-z0-9_-]{8,200}")


def key_of(header: str | None) -> str | None:
    """Return the key of the header, or `None`.

    Raises:
        Invalid: 400 `IDEMPOTENCY_KEY_INVALID`.
    """
    if header is None:
        return None
    if not _FORM.fullmatch(header):
        raise Invalid(
            "Idempotency-Key: must be 8 to 200 letters, digits, '-' or '_', such as a UUID.",
            code="IDEMPOTENCY_KEY_INVALID",
            details={"field": "Idempotency-Key", "min": 8, "max": 200, "got": len(header)},
        )
    return header
