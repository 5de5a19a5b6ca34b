"""Descriptions in OpenAPI: a subset of Markdown parsed to paragraphs, lists and code, never to HTML. Pure.

Templates write each piece escaped. Unknown Markdown stays text.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Links = Mapping[str, str]
"""`GET /api/v1/events` -> the name of its page."""

_BLANK = re.compile(r"\n[ \t]*\n")
_BULLET = re.compile(r"[-*] +")
_CODE = re.compile(r"`([^`\n]+)`")
_ADDRESS = re.compile(r"(?:GET|POST|PUT|PATCH|DELETE) /api/[A-Za-z0-9_/{}.-]*[A-Za-z0-9_}]")


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of text or code; `to` is the page that it links to, if any."""

    text: str
    code: bool = False
    to: str | None = None


Line = tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph, which has one line, or a list, which has several."""

    kind: Literal["paragraph", "list"]
    lines: tuple[Line, ...]


Prose = tuple[Block, ...]


def prose(text: str | None, links: Links) -> Prose:
    """Parse a description; `None` gives no blocks."""
    return tuple(_block(part, links) for part in _BLANK.split((text or "").strip()) if part.strip())


def plain(written: Prose) -> str:
    """Return the text without markup."""
    return " ".join("".join(piece.text for piece in line) for block in written for line in block.lines)


def _block(part: str, links: Links) -> Block:
    rows = [row.strip() for row in part.strip().split("\n")]
    if not _BULLET.match(rows[0]):
        return Block("paragraph", (_line(" ".join(rows), links),))
    items: list[str] = []
    for row in rows:
        # A row that begins no item goes on with the one above.
        if begun := _BULLET.match(row):
            items.append(row[begun.end() :])
        else:
            items[-1] += " " + row
    return Block("list", tuple(_line(item, links) for item in items))


def _line(text: str, links: Links) -> Line:
    pieces: list[Piece] = []
    at = 0
    for found in _CODE.finditer(text):
        pieces += _addresses(text[at : found.start()], links)
        pieces.append(Piece(found[1], code=True, to=links.get(found[1])))
        at = found.end()
    return tuple(pieces + _addresses(text[at:], links))


def _addresses(text: str, links: Links) -> list[Piece]:
    pieces: list[Piece] = []
    at = 0
    for found in _ADDRESS.finditer(text):
        if found[0] in links:
            pieces += [Piece(text[at : found.start()]), Piece(found[0], code=True, to=links[found[0]])]
            at = found.end()
    return [piece for piece in (*pieces, Piece(text[at:])) if piece.text]
