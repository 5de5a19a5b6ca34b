"""Parse the lines before a text that describe it: YAML between dashes, `key: value` lines, CENDOJ's own."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date

# The subset that publishers of laws use: one scalar a line, quoted or not. No library is asked to load more.
_PAIR = re.compile(r"^([^\W\d][\w .-]{0,40}?)\s{0,2}:\s{0,3}(.*)$")
_MOST_LINES = 60
_ISO = re.compile(r"(\d{4})-?(\d\d)-?(\d\d)")
_SPANISH = re.compile(r"(\d{1,2})/(\d{1,2})/(\d{4})")


def _scalar(written: str) -> str:
    value = written.strip()
    if len(value) > 1 and value[0] == value[-1] == '"':
        return value[1:-1].replace('\\"', '"').replace("\\\\", "\\")
    if len(value) > 1 and value[0] == value[-1] == "'":
        return value[1:-1].replace("''", "'")
    return value


def pairs(lines: list[str]) -> dict[str, str]:
    """Parse `key: value` lines into a mapping with keys in lower case; lines of another form are skipped."""
    found: dict[str, str] = {}
    for line in lines:
        match = _PAIR.match(line)
        if match and match[2].strip():
            found.setdefault(match[1].strip().lower(), _scalar(match[2]))
    return found


def split(written: str) -> tuple[Mapping[str, str], str]:
    """Split a text into front matter and the rest.

    Front matter stands between two lines `---`, or between a title and one. A text without it gives an empty
    mapping and itself.
    """
    head = written.split("\n", _MOST_LINES)
    first = 0
    while first < len(head) - 1 and not head[first].strip():
        first += 1
    opened = head[first].strip() == "---"
    for at in range(first + 1, min(len(head), _MOST_LINES)):
        if head[at].strip() == "---":
            found = pairs(head[first + 1 : at])
            if not opened and head[first].startswith("# "):
                found.setdefault("title", head[first][2:].strip())
            return (found, "\n".join(head[at + 1 :])) if found else ({}, written)
        if not opened and at > 12 and not _PAIR.match(head[at]) and head[at].strip():
            break
    return {}, written


def day(written: str | None) -> date | None:
    """Parse a calendar day written `2015-10-01`, `20151001` or `01/10/2015`; `None` for anything else."""
    if not written:
        return None
    iso = _ISO.fullmatch(written.strip()[:10])
    spanish = _SPANISH.fullmatch(written.strip())
    try:
        if iso:
            return date(int(iso[1]), int(iso[2]), int(iso[3]))
        if spanish:
            return date(int(spanish[3]), int(spanish[2]), int(spanish[1]))
    except ValueError:
        pass
    return None
