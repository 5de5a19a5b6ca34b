"""Read HTML: what a reader would see, without scripts, hidden parts and anything fetched."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from lxml import etree
from lxml import html as lxml_html

from app.documents.errors import BROKEN, EMPTY, DocumentUnreadable
from app.documents.reading.blocks import CELLS, Block, clean, composed, reading_of, warning
from app.documents.reading.docx_numbering import written
from app.documents.reading.plain_text import decode
from app.documents.reading.reading import Kind, Reading, ReadingWarning

MEDIA_TYPE = "text/html"

_ENCODING = re.compile(
    rb"""<(?:meta|\?xml)[^>]{0,300}?(?:charset|encoding)\s*=\s*["']?\s*([\w.:-]{2,40})""", re.I
)
_DECLARATION = re.compile(r"^\s*<\?xml[^>]*>")
_NEVER_SHOWN_WORDS = (
    "script style template noscript head title meta link object embed applet iframe svg canvas audio "
    "video map datalist input button select textarea frameset"
)
_NEVER_SHOWN = frozenset(_NEVER_SHOWN_WORDS.split())
_ACTIVE = frozenset({"script", "object", "embed", "applet", "iframe"})
_INLINE_WORDS = (
    "a abbr acronym b bdi bdo big cite code data dfn em font i ins kbd label mark nobr o:p q rp rt "
    "ruby s samp small span strike strong sub sup time tt u var wbr"
)
_INLINE = frozenset(_INLINE_WORDS.split())
_HIDDEN = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|font-size\s*:\s*0(?![.\d])|mso-hide\s*:\s*all"
    r"|opacity\s*:\s*0(?:\.0*)?\s*(?:;|$)",
    re.IGNORECASE,
)
_FORMS = {"a": "lowerLetter", "A": "upperLetter", "i": "lowerRoman", "I": "upperRoman"}
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_DEEPEST = 200
_LONGEST_CELL = 1_500


def read_html(data: bytes) -> Reading:
    """Read an HTML page.

    Raises:
        DocumentUnreadable: It cannot be parsed, is nested too deeply, or has no text.
    """
    declared = _ENCODING.search(data[:4_000])
    text, guessed = decode(data, declared[1].decode("ascii") if declared else None)
    page = HtmlPage(text)
    told = [*page.warnings(), *([warning("ENCODING_GUESSED", encoding=guessed)] if guessed else [])]
    return reading_of(page.blocks, MEDIA_TYPE, warnings=told)


class HtmlPage:
    """The visible blocks of an HTML text.

    Raises:
        DocumentUnreadable: As `read_html`.
    """

    def __init__(self, text: str) -> None:
        self.active = self.hidden = False
        self.blocks: list[Block] = []
        self._words: list[str] = []
        self._kind: Kind = "paragraph"
        self._label = ""
        parser = lxml_html.HTMLParser(no_network=True, remove_comments=True, remove_pis=True, huge_tree=False)
        text = _DECLARATION.sub("", text.replace("\0", ""))
        if not text.strip():
            raise DocumentUnreadable(EMPTY)
        try:
            root = lxml_html.document_fromstring(text, parser=parser)
        except (etree.ParserError, etree.XMLSyntaxError, ValueError, AssertionError):
            raise DocumentUnreadable(BROKEN) from None
        self._element(root, 0, "")
        self._end()

    def warnings(self) -> Iterator[ReadingWarning]:
        """Yield what was left out."""
        if self.active:
            yield warning("ACTIVE_CONTENT_IGNORED")
        if self.hidden:
            yield warning("HIDDEN_TEXT_IGNORED")

    def _element(self, element: Any, depth: int, label: str) -> None:
        if depth > _DEEPEST:
            raise DocumentUnreadable(BROKEN)
        tag = element.tag if isinstance(element.tag, str) else ""
        if self._is_hidden(element, tag):
            return
        if tag in _INLINE:
            self._text(element.text)
            self._children(element, depth)
        elif tag == "br":
            self._words.append("\n")
        elif tag == "table":
            self._end()
            self._table(element, depth)
        elif tag in ("ol", "ul", "menu", "dir"):
            self._end()
            self._list(element, tag, depth)
        else:
            self._end()
            self._kind = "heading" if tag in _HEADINGS else "paragraph"
            self._label = label or self._label
            self._text(element.text, kept=tag == "pre")
            self._children(element, depth, kept=tag == "pre")
            self._end()

    def _children(self, element: Any, depth: int, *, kept: bool = False) -> None:
        for child in element:
            self._element(child, depth + 1, "")
            self._text(child.tail, kept=kept)

    def _is_hidden(self, element: Any, tag: str) -> bool:
        if tag in _ACTIVE:
            self.active = True
        if tag in _NEVER_SHOWN or not tag:
            return True
        if element.get("hidden") is not None or _HIDDEN.search(element.get("style") or ""):
            self.hidden |= bool("".join(element.itertext()).strip())
            return True
        return False

    def _text(self, text: str | None, *, kept: bool = False) -> None:
        if text:
            text = clean(text)
            self._words.append(text if kept else text.replace("\n", " "))

    def _end(self) -> None:
        """End the paragraph, if there is one."""
        if body := composed("".join(self._words)):
            # The number of an item stands before the first paragraph in it.
            self.blocks.append(Block(self._label + body, "list_item" if self._label else self._kind))
            self._label = ""
        self._words.clear()
        self._kind = "paragraph"

    def _list(self, element: Any, tag: str, depth: int) -> None:
        number = _whole(element.get("start"), 1)
        form = _FORMS.get(element.get("type") or "", "decimal")
        for child in element:
            if child.tag == "li":
                number = _whole(child.get("value"), number)
                label = f"{written(number, form)}. " if tag == "ol" else "• "
                self._element(child, depth + 1, label)
                self._label = ""
                number += 1
            else:
                self._element(child, depth + 1, "")
            self._text(child.tail)

    def _table(self, table: Any, depth: int) -> None:
        follows = False
        for row in table.iter("tr"):
            if next((one for one in row.iterancestors("table")), None) is not table or self._is_hidden(
                row, "tr"
            ):
                continue
            cells = [cell for cell in row if cell.tag in ("td", "th")]
            nested = any(True for cell in cells for _ in cell.iter("table", "ul", "ol"))
            texts = [] if nested else [self._cell(cell, depth) for cell in cells]
            if nested or len(cells) == 1 or max(map(len, texts), default=0) > _LONGEST_CELL:
                for cell in cells:
                    self._element(cell, depth + 1, "")
                follows = False
            elif any(map(str.strip, texts)):
                self.blocks.append(Block(composed(CELLS.join(texts)), "table_row", row=follows))
                follows = True
        for caption in table.iter("caption"):
            self._element(caption, depth + 1, "")

    def _cell(self, cell: Any, depth: int) -> str:
        """Return the text of a cell as one line."""
        blocks, words, kind = self.blocks, self._words, self._kind
        self.blocks, self._words = [], []
        try:
            self._element(cell, depth + 1, "")
            return " ".join(block.text.replace("\n", " ") for block in self.blocks)
        finally:
            self.blocks, self._words, self._kind = blocks, words, kind


def _whole(value: str | None, otherwise: int) -> int:
    try:
        return max(-1_000_000, min(int(value or ""), 1_000_000))
    except ValueError:
        return otherwise
