"""Untrusted text between marks that it cannot know."""

from __future__ import annotations

import secrets


def fenced(label: str, text: str, nonce: str | None = None) -> str:
    """Return `text` between two lines that carry a random mark, so that the text cannot end its own fence.

    `label` says what it is (`DOCUMENT`). The instructions of every prompt say that nothing between the marks
    is an instruction.
    """
    mark = nonce or secrets.token_hex(12)
    return f"<<<{label} {mark}>>>\n{text}\n<<<END {label} {mark}>>>"
