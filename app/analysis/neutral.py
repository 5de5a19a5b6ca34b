"""Making foreign words harmless in a report. Pure.

A document, or a model's prose, cannot forge what only the verifier may issue: a lock token, an audit-trail
marker, a link, a tag, a heading (decisions 6).
"""

from __future__ import annotations

import re

# A lock token in any spelling a reader or a parser could take for one: [L1], [ l2-j-v ], [L5–C].
_LOCK = re.compile(r"\[(\s*L\s*\d[\s\w‐-―−-]{0,12})\]", re.IGNORECASE)
_MARKER = re.compile(r"-AUDIT-TRAIL-(BEGIN|END)", re.IGNORECASE)
_LINK = re.compile(r"\]([(:\[])")
_TAG = re.compile(r"<(?=[A-Za-z/!?])")
_SPACE = re.compile(r"\s+")
# Control characters, and marks that reorder or hide text, could make a report read otherwise than it is.
_UNSEEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff"
    "\ud800-\udfff\ufffe\uffff]"
)


def prose(text: str) -> str:
    """`text` as one harmless paragraph of Markdown."""
    text = _UNSEEN.sub("", text)
    text = _SPACE.sub(" ", text).strip()
    text = _LOCK.sub(r"(\1)", text)
    text = _MARKER.sub(r" AUDIT TRAIL \1", text)
    text = _LINK.sub(r"]\\\1", text)
    return _TAG.sub(r"\\<", text)


def scalar(text: str) -> str:
    """`text` as a YAML scalar that needs no quotes (decisions 12): no `: `, no ` #`, no leading indicator."""
    text = _SPACE.sub(" ", prose(text))
    # Again and again: taking one out may put two others together.
    while ": " in text or " #" in text:
        text = _SPACE.sub(" ", text.replace(": ", " - ").replace(" #", " - "))
    text = text.rstrip(": ")
    text = text.lstrip("-?:,[]{}#&*!|>'\"%@` ")
    return text or "—"
