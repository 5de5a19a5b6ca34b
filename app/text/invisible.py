"""Find characters that a reader does not see. Pure.

Unicode's Default_Ignorable_Code_Point (soft hyphen, zero-width and bidirectional marks, variation selectors,
tag characters, Hangul and Mongolian fillers), control characters other than white space, and what is no
character.
"""

from __future__ import annotations

import re

_IGNORABLE = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
_CONTROLS = "\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f"
_NO_CHARACTERS = "\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff"

INVISIBLE = re.compile(f"[{_IGNORABLE}{_CONTROLS}{_NO_CHARACTERS}]+")


def visible(text: str) -> str:
    """Return `text` without the characters that a reader does not see."""
    # What can be printed in ASCII is seen; a line of an answer mostly is that.
    if text.isascii() and text.isprintable():
        return text
    return INVISIBLE.sub("", text)
