"""Write a DOCX whose changes are tracked: accepting all gives the later text, rejecting all the earlier.

A line break of the text is the mark of a paragraph. A mark that was inserted or deleted is tracked as such:
with it its paragraph is one with the next (ECMA-376 part 1, 17.13.5.15 and 17.13.5.20). Runs in an isolated
process (decision 077); entered by `app.documents.isolation` alone.
"""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

import docx
from docx.oxml.ns import qn
from docx.oxml.parser import OxmlElement

# What XML 1.0 has no place for.
_IMPOSSIBLE = re.compile("[^\t\n\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_PARTS = re.compile(r"\n|\t|[^\n\t]+")
_TRACKED = {"insert": "w:ins", "delete": "w:del"}


def write(data: bytes, arguments: Mapping[str, Any]) -> bytes:
    """Return the DOCX.

    Args:
        data: JSON, a list of `[op, text]` in order, with `op` one of equal, insert and delete.
        arguments: `author` and `date` (ISO 8601) of the changes, `title` and `language` of the document.
    """
    writer = _Writer(str(arguments["author"]), str(arguments["date"]))
    document = docx.Document()
    properties = document.core_properties
    properties.author, properties.title = str(arguments["author"]), str(arguments["title"])
    properties.language, properties.comments = str(arguments["language"]), ""
    body = document.element.body
    for element in writer.paragraphs(json.loads(data)):
        body.insert(len(body) - 1, element)
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()


class _Writer:
    """Writes the elements of one document, its changes numbered from 1."""

    def __init__(self, author: str, date: str) -> None:
        self._author, self._date = author, date
        self._changes = 0

    def paragraphs(self, runs: list[list[str]]) -> Iterator[Any]:
        """Yield a paragraph for each line of both texts."""
        paragraph = OxmlElement("w:p")
        for op, text in runs:
            holder = None
            for part in _PARTS.findall(_possible(text)):
                if part == "\n":
                    if op in _TRACKED:
                        self._track_mark(paragraph, op)
                    yield paragraph
                    paragraph, holder = OxmlElement("w:p"), None
                    continue
                if holder is None:
                    holder = paragraph
                    if op in _TRACKED:
                        holder = self._change(_TRACKED[op])
                        paragraph.append(holder)
                holder.append(_run(part, deleted=op == "delete"))
        yield paragraph

    def _track_mark(self, paragraph: Any, op: str) -> None:
        properties, run = OxmlElement("w:pPr"), OxmlElement("w:rPr")
        run.append(self._change(_TRACKED[op]))
        properties.append(run)
        paragraph.insert(0, properties)

    def _change(self, tag: str) -> Any:
        self._changes += 1
        element = OxmlElement(tag)
        element.set(qn("w:id"), str(self._changes))
        element.set(qn("w:author"), self._author)
        element.set(qn("w:date"), self._date)
        return element


def _run(part: str, *, deleted: bool) -> Any:
    run = OxmlElement("w:r")
    if part == "\t":
        run.append(OxmlElement("w:tab"))
        return run
    text = OxmlElement("w:delText" if deleted else "w:t")
    text.set(qn("xml:space"), "preserve")
    text.text = part
    run.append(text)
    return run


def _possible(text: str) -> str:
    """Return a text as a document can hold it: line ends as LF, what XML cannot say replaced."""
    return _IMPOSSIBLE.sub("\ufffd", text.replace("\r\n", "\n").replace("\r", "\n"))
