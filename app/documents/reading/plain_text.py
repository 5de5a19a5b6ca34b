"""Read plain text and Markdown: encodings, paragraphs, lists and headings as they are marked."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator

from app.documents.errors import BROKEN, DocumentUnreadable
from app.documents.reading.blocks import Block, clean, composed, reading_of, warning
from app.documents.reading.reading import Kind, Reading, ReadingWarning

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_SAMPLE = 4_000
_EMPTY_LINE = re.compile(r"\n(?: *\n)+")
_LIST_ITEM = re.compile(r" *(?:[-*+•–—] |\(?(?:\d{1,3}(?:\.\d{1,3}){0,4}|[a-zA-Z]|[ivxIVX]{1,5})[.)]-? )")
_HEADING = re.compile(r"#{1,6} +(.*?)(?: +#+)?")
_TABLE_RULE = re.compile(r" *\|?(?: *:?-{2,}:? *\|)+(?: *:?-{2,}:? *)?\|? *")
_FENCE = re.compile(r" *(?:```|~~~)")
_UNDERLINE = re.compile(r" *(?:={3,}|-{3,}) *")
_RULE = re.compile(r" *(?:(?:\* *){3,}|(?:- *){3,}|(?:_ *){3,})")


def decode(data: bytes, declared: str | None = None) -> tuple[str, str | None]:
    """Return the text of `data`, and the name of its encoding where that had to be guessed.

    A byte order mark decides, then valid UTF-8, then UTF-16 by its zero bytes, then the declared encoding,
    then Windows-1252, in which ISO 8859-1 is contained but for control characters.
    """
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return data[len(mark) :].decode(encoding, "replace"), None
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        pass
    else:
        if text.count("\0", 0, _SAMPLE) * 20 <= len(text[:_SAMPLE]):
            return text, None
    sample = data[:_SAMPLE]
    even, odd = sample[::2].count(0), sample[1::2].count(0)
    if max(even, odd) * 4 > len(sample):
        return data.decode("utf-16-be" if even > odd else "utf-16-le", "replace"), "UTF-16"
    if declared:
        try:
            return data.decode(declared), None
        except (LookupError, UnicodeError, ValueError):
            pass
    try:
        return data.decode("cp1252"), "Windows-1252"
    except UnicodeDecodeError:
        return data.decode("latin-1"), "ISO 8859-1"


def is_text(data: bytes) -> bool:
    """Tell whether `data` looks like text in one of the encodings that `decode` knows."""
    text, _ = decode(data[:_SAMPLE])
    if not text:
        return False
    strange = sum(character < " " and character not in "\t\n\r\f\v\x1a\x1b" for character in text)
    return (strange + text.count("\ufffd")) * 50 <= len(text)


def read_text(data: bytes, media_type: str = "text/plain") -> Reading:
    """Read plain text: an empty line ends a paragraph; without any, each line is one.

    Raises:
        DocumentUnreadable: It is no text, holds none, or too much.
    """
    text, guessed = _decoded(data)
    return reading_of(text_blocks(text), media_type, warnings=_guess(guessed))


def text_blocks(text: str) -> Iterator[Block]:
    """Yield the paragraphs of plain text."""
    text = clean(text)
    wrapped = _EMPTY_LINE.search(text.strip()) is not None
    for part in _EMPTY_LINE.split(text) if wrapped else text.split("\n"):
        if line := composed(part):
            yield Block(line, "list_item" if _LIST_ITEM.match(line) else "paragraph")


def read_markdown(data: bytes) -> Reading:
    """Read Markdown: headings, lists and tables without their marks, everything else as it is written.

    Raises:
        DocumentUnreadable: As `read_text`.
    """
    text, guessed = _decoded(data)
    return reading_of(_markdown_blocks(clean(text)), "text/markdown", warnings=_guess(guessed))


def _markdown_blocks(text: str) -> Iterator[Block]:
    lines: list[str] = []
    kind: Kind = "paragraph"
    fenced = in_table = False

    def ended() -> Iterator[Block]:
        if body := composed("\n".join(lines)):
            yield Block(body, kind)
        lines.clear()

    for line in text.split("\n"):
        if _FENCE.match(line):
            fenced = not fenced
            yield from ended()
            kind = "paragraph"
            continue
        plain = line.strip()
        if fenced:
            lines.append(line)
            continue
        row = plain.startswith("|") and plain.count("|") > 1
        heading = _HEADING.fullmatch(plain)
        if row or heading or not plain or _LIST_ITEM.match(line) or _RULE.fullmatch(line):
            if lines and kind == "paragraph" and _UNDERLINE.fullmatch(line):
                kind = "heading"
            yield from ended()
            kind = "paragraph"
        if row:
            if not _TABLE_RULE.fullmatch(plain):
                cells = [cell.strip() for cell in plain.strip("|").split("|")]
                if body := composed(" | ".join(cells)):
                    yield Block(body, "table_row", row=in_table)
            in_table = True
            continue
        in_table = False
        if heading:
            if body := composed(heading[1]):
                yield Block(body, "heading")
        elif _UNDERLINE.fullmatch(line) and lines:
            kind = "heading"
            yield from ended()
            kind = "paragraph"
        elif plain and not _RULE.fullmatch(line):
            if not lines and _LIST_ITEM.match(line):
                kind = "list_item"
            lines.append(line)
    yield from ended()


def _decoded(data: bytes) -> tuple[str, str | None]:
    if data and not is_text(data):
        raise DocumentUnreadable(BROKEN)
    return decode(data)


def _guess(encoding: str | None) -> list[ReadingWarning]:
    return [warning("ENCODING_GUESSED", encoding=encoding)] if encoding else []
