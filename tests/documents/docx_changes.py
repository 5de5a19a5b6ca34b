"""Reads a DOCX with tracked changes as somebody has it who accepts or rejects all of them."""

from __future__ import annotations

import io
import zipfile
from typing import Literal

from lxml import etree

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_DROPPED = {"accept": "del", "reject": "ins"}


def read(data: bytes, way: Literal["accept", "reject"]) -> str:
    """The text that is left; paragraphs whose mark goes are one with the next."""
    body = _part(data, "word/document.xml").find(f"{_W}body")
    assert body is not None
    dropped = _W + _DROPPED[way]
    found: list[str] = []
    paragraphs = body.findall(f"{_W}p")
    for number, paragraph in enumerate(paragraphs, 1):
        for run in paragraph.iter(f"{_W}r"):
            if any(one.tag == dropped for one in run.iterancestors()):
                continue
            for part in run:
                if part.tag in (f"{_W}t", f"{_W}delText"):
                    found.append(part.text or "")
                elif part.tag == f"{_W}tab":
                    found.append("\t")
        mark = paragraph.find(f"{_W}pPr/{_W}rPr/{dropped}")
        if mark is None and number < len(paragraphs):
            found.append("\n")
    return "".join(found)


def changes(data: bytes) -> list[tuple[str, str, str]]:
    """Kind, author and date of every tracked change."""
    root = _part(data, "word/document.xml")
    return [
        (one.tag.removeprefix(_W), one.get(f"{_W}author", ""), one.get(f"{_W}date", ""))
        for one in root.iter(f"{_W}ins", f"{_W}del")
    ]


def _part(data: bytes, name: str) -> etree._Element:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return etree.fromstring(archive.read(name))
