"""Read OpenDocument texts (ODF 1.3): numbers, tables, notes, changes accepted."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from app.documents.errors import BROKEN, ENCRYPTED, DocumentUnreadable
from app.documents.reading.archives import Archive
from app.documents.reading.blocks import CELLS, Block, clean, composed, reading_of, warning
from app.documents.reading.docx_numbering import counted, written
from app.documents.reading.reading import Kind, Reading, ReadingWarning

MEDIA_TYPE = "application/vnd.oasis.opendocument.text"

_OASIS = "{urn:oasis:names:tc:opendocument:xmlns:"
_OFFICE, _TEXT, _TABLE = f"{_OASIS}office:1.0}}", f"{_OASIS}text:1.0}}", f"{_OASIS}table:1.0}}"
_STYLE, _DRAW = f"{_OASIS}style:1.0}}", f"{_OASIS}drawing:1.0}}"
_HREF = "{http://www.w3.org/1999/xlink}href"
_XML_ID = "{http://www.w3.org/XML/1998/namespace}id"
_FORMS = {"1": "decimal", "a": "lowerLetter", "A": "upperLetter", "i": "lowerRoman", "I": "upperRoman"}
_SKIPPED = frozenset(
    [
        _TEXT + name
        for name in (
            "tracked-changes",
            "sequence-decls",
            "variable-decls",
            "user-field-decls",
            "note-citation",
        )
    ]
    + [_OFFICE + "forms", _OFFICE + "scripts", _DRAW + "object", _DRAW + "object-ole", _DRAW + "plugin"]
)
_LONGEST_CELL, _MOST_IN_CELL = 1_500, 8
_LEVELS, _DEEPEST, _MOST_BLANKS, _MOST_REPEATED = 10, 80, 200, 64


def read_odt(data: bytes) -> Reading:
    """Read an OpenDocument text.

    Raises:
        DocumentUnreadable: It is broken, encrypted, a bomb, empty or too long.
    """
    archive = Archive(data)
    if "META-INF/manifest.xml" in archive.names and b"encryption-data" in archive.read(
        "META-INF/manifest.xml"
    ):
        raise DocumentUnreadable(ENCRYPTED)
    content = archive.xml("content.xml")
    styles = archive.xml("styles.xml") if "styles.xml" in archive.names else None
    body = content.find(f"{_OFFICE}body/{_OFFICE}text")
    if body is None:
        raise DocumentUnreadable(BROKEN)
    walker = _Walker(content, styles)
    blocks = [*walker.blocks(body, 0), *walker.late(), *walker.margins(styles)]
    return reading_of(blocks, MEDIA_TYPE, warnings=_warnings(archive, content, walker))


def _warnings(archive: Archive, content: Any, walker: _Walker) -> Iterator[ReadingWarning]:
    changes = sum(1 for _ in content.iter(_TEXT + "changed-region"))
    if changes:
        yield warning("TRACKED_CHANGES_ACCEPTED", count=changes)
    comments = sum(1 for _ in content.iter(_OFFICE + "annotation"))
    if comments:
        yield warning("COMMENTS_IGNORED", count=comments)
    if any(name.startswith(("Basic/", "Scripts/")) and not name.endswith("/") for name in archive.names):
        yield warning("MACROS_IGNORED")
    if any(True for _ in content.iter(_DRAW + "object", _DRAW + "object-ole", _DRAW + "plugin")):
        yield warning("EMBEDDED_FILES_IGNORED")
    linked = (one.get(_HREF) or "" for one in content.iter(_DRAW + "image", _TEXT + "section-source"))
    if any("://" in address for address in linked):
        yield warning("EXTERNAL_CONTENT_IGNORED")
    if walker.hidden:
        yield warning("HIDDEN_TEXT_IGNORED")


class _Walker:
    """Goes through a document in the order of its text."""

    def __init__(self, content: Any, styles: Any) -> None:
        self.hidden = False
        self._list_styles: dict[str, Any] = {}
        self._list_of_style: dict[str, str] = {}
        self._parents: dict[str, str] = {}
        self._unseen: set[str] = set()
        self._outline: Any = None
        for root in (styles, content):
            if root is None:
                continue
            for one in root.iter(_TEXT + "list-style"):
                self._list_styles[one.get(_STYLE + "name", "")] = one
            for one in root.iter(_STYLE + "style"):
                self._read_style(one)
            outline = next(root.iter(_TEXT + "outline-style"), None)
            self._outline = outline if outline is not None else self._outline
        self._counts: dict[str, list[int | None]] = {}
        self._outline_counts: list[int | None] = [None] * _LEVELS
        self._named: dict[str, str] = {}
        self._last_of_style: dict[str, str] = {}
        self._lists = 0
        self._late: list[tuple[str, Any]] = []
        self._notes: list[tuple[str, Any]] = []
        self._boxes: list[Any] = []

    def _read_style(self, style: Any) -> None:
        name = style.get(_STYLE + "name", "")
        if listed := style.get(_STYLE + "list-style-name"):
            self._list_of_style[name] = listed
        if parent := style.get(_STYLE + "parent-style-name"):
            self._parents[name] = parent
        properties = style.find(_STYLE + "text-properties")
        if properties is not None and properties.get(_TEXT + "display") == "none":
            self._unseen.add(name)

    def blocks(self, container: Any, depth: int) -> Iterator[Block]:
        """Yield the blocks in an element."""
        if depth > _DEEPEST:
            raise DocumentUnreadable(BROKEN)
        for element in container:
            tag = element.tag
            if tag in _SKIPPED:
                continue
            if tag == _TEXT + "h":
                yield from self._paragraph(element, "heading", self._heading_number(element), depth)
            elif tag == _TEXT + "p":
                yield from self._paragraph(element, "paragraph", "", depth)
            elif tag == _TEXT + "list":
                yield from self._list(element, [], depth)
            elif tag == _TABLE + "table":
                yield from self._table(element, depth)
            elif tag == _TEXT + "section" and element.get(_TEXT + "display") == "none":
                self.hidden = True
            elif tag in (_DRAW + "frame", _DRAW + "text-box", _DRAW + "custom-shape"):
                yield from self.blocks(element, depth + 1)
            elif isinstance(tag, str) and tag.startswith((_TEXT, _OFFICE)) and tag != _OFFICE + "annotation":
                # Sections, indexes and their bodies.
                yield from self.blocks(element, depth + 1)

    def late(self) -> Iterator[Block]:
        """Yield the endnotes."""
        late, self._late = self._late, []
        yield from self._written_notes(late)

    def margins(self, styles: Any) -> Iterator[Block]:
        """Yield headers and footers, each text once."""
        seen: set[str] = set()
        for kind in ("header", "footer"):
            for root in styles.iter(_STYLE + kind) if styles is not None else ():
                for block in self.blocks(root, 0):
                    key = counted(block.text)
                    if key not in seen and any(map(str.isalpha, key)):
                        seen.add(key)
                        block.kind, block.row = ("header" if kind == "header" else "footer"), False
                        yield block

    def _paragraph(self, element: Any, kind: Kind, label: str, depth: int) -> Iterator[Block]:
        text = composed(self._text(element, 0))
        if text:
            yield Block(composed(f"{label} {text}") if label else text, kind)
        boxes, self._boxes = self._boxes, []
        for box in boxes:
            yield from self.blocks(box, depth + 1)
        notes, self._notes = self._notes, []
        yield from self._written_notes(notes)

    def _written_notes(self, notes: list[tuple[str, Any]]) -> Iterator[Block]:
        for label, body in notes:
            for number, block in enumerate(self.blocks(body, 1)):
                block.text = block.text if number else f"{label} {block.text}"
                block.kind, block.row = "footnote", False
                yield block

    def _text(self, element: Any, depth: int) -> str:
        """Return the text inside a paragraph."""
        if depth > _DEEPEST:
            raise DocumentUnreadable(BROKEN)
        parts = [clean(element.text or "").replace("\n", " ")]
        for child in element:
            parts += [self._inline(child, depth), clean(child.tail or "").replace("\n", " ")]
        return "".join(parts)

    def _inline(self, child: Any, depth: int) -> str:
        tag = child.tag
        if tag == _TEXT + "s":
            return " " * min(_whole(child.get(_TEXT + "c"), 1), _MOST_BLANKS)
        if tag == _TEXT + "tab":
            return " "
        if tag == _TEXT + "line-break":
            return "\n"
        if tag == _TEXT + "note":
            return self._note(child)
        if tag == _DRAW + "frame":
            self._boxes += child.iter(_DRAW + "text-box")
            return ""
        if tag == _DRAW + "custom-shape":
            self._boxes.append(child)
            return ""
        if tag == _TEXT + "span" and child.get(_TEXT + "style-name", "") in self._unseen:
            self.hidden |= bool("".join(child.itertext()).strip())
            return ""
        if tag == _TEXT + "hidden-text":
            self.hidden = True
            return ""
        if (
            tag in _SKIPPED
            or tag in (_OFFICE + "annotation", _TEXT + "ruby-text")
            or not isinstance(tag, str)
        ):
            return ""
        return self._text(child, depth + 1)

    def _note(self, note: Any) -> str:
        """Keep a note for later; return the reference to it."""
        citation, body = note.find(_TEXT + "note-citation"), note.find(_TEXT + "note-body")
        mark = composed(clean("".join(citation.itertext()))) if citation is not None else "*"
        label = f"[{mark}]"
        if body is not None:
            late = note.get(_TEXT + "note-class") == "endnote"
            (self._late if late else self._notes).append((label, body))
        return label

    def _list(self, element: Any, styles: list[str], depth: int) -> Iterator[Block]:
        """Yield the items of a list; `styles` are those of the lists around it, the outermost first."""
        if depth > _DEEPEST:
            raise DocumentUnreadable(BROKEN)
        level = len(styles)
        name = element.get(_TEXT + "style-name") or (styles[-1] if styles else self._style_of_items(element))
        key = self._begin(element, name) if not level else ""
        if level:
            key = self._current
        self._current = key
        counters = self._counts.setdefault(key, [None] * _LEVELS)
        for item in element:
            if item.tag not in (_TEXT + "list-item", _TEXT + "list-header"):
                continue
            numbered = item.tag == _TEXT + "list-item"
            first = True
            for child in item:
                if child.tag == _TEXT + "list":
                    yield from self._list(child, [*styles, name], depth + 1)
                    self._current = key
                elif child.tag in (_TEXT + "p", _TEXT + "h"):
                    label = ""
                    if first and numbered and level < _LEVELS:
                        label = self._number(name, level, counters, item)
                    first = False
                    kind: Kind = "heading" if child.tag == _TEXT + "h" else "list_item"
                    yield from self._paragraph(child, kind, label, depth + 1)
                else:
                    yield from self.blocks([child], depth + 1)

    _current = ""

    def _begin(self, element: Any, name: str) -> str:
        """Return the key of the counters of an outermost list: its own, or those of the one it continues."""
        self._lists += 1
        continued = element.get(_TEXT + "continue-list")
        if continued and continued in self._named:
            key = self._named[continued]
        elif element.get(_TEXT + "continue-numbering") == "true" and name in self._last_of_style:
            key = self._last_of_style[name]
        else:
            key = str(self._lists)
        self._last_of_style[name] = key
        if identifier := element.get(_XML_ID):
            self._named[identifier] = key
        return key

    def _style_of_items(self, element: Any) -> str:
        """Return the list style that the style of the first paragraph of a list names."""
        first = next(element.iter(_TEXT + "p", _TEXT + "h"), None)
        name = first.get(_TEXT + "style-name", "") if first is not None else ""
        for _ in range(_LEVELS):
            if name in self._list_of_style:
                return self._list_of_style[name]
            name = self._parents.get(name, "")
        return ""

    def _number(self, name: str, level: int, counters: list[int | None], item: Any) -> str:
        style = self._list_styles.get(name)
        if style is None:
            return "•"
        now = counters[level]
        shown = _level(style, level)
        if shown is None:
            return ""
        start = _whole(item.get(_TEXT + "start-value"), _whole(shown.get(_TEXT + "start-value"), 1))
        counters[level] = start if now is None or item.get(_TEXT + "start-value") else now + 1
        counters[level + 1 :] = [None] * (_LEVELS - level - 1)
        if shown.tag == _TEXT + "list-level-style-bullet":
            return "•"
        return _label(style, shown, level, counters)

    def _heading_number(self, heading: Any) -> str:
        level = min(max(_whole(heading.get(_TEXT + "outline-level"), 1), 1), _LEVELS) - 1
        shown = _level(self._outline, level) if self._outline is not None else None
        if (
            shown is None
            or not shown.get(_STYLE + "num-format")
            or heading.get(_TEXT + "is-list-header") == "true"
        ):
            return ""
        counters = self._outline_counts
        now = counters[level]
        counters[level] = _whole(shown.get(_TEXT + "start-value"), 1) if now is None else now + 1
        counters[level + 1 :] = [None] * (_LEVELS - level - 1)
        return _label(self._outline, shown, level, counters)

    def _table(self, table: Any, depth: int) -> Iterator[Block]:
        follows = False
        for row in _rows(table):
            cells = [
                cell for cell in row if cell.tag in (_TABLE + "table-cell", _TABLE + "covered-table-cell")
            ]
            counts = [sum(1 for _ in cell.iter(_TEXT + "p", _TEXT + "h")) for cell in cells]
            lengths = [len("".join(cell.itertext())) for cell in cells]
            nested = any(True for cell in cells for _ in cell.iter(_TABLE + "table"))
            if (
                nested
                or len(cells) == 1
                or max(lengths, default=0) > _LONGEST_CELL
                or max(counts, default=0) > _MOST_IN_CELL
            ):
                for cell in cells:
                    yield from self.blocks(cell, depth + 1)
                follows = False
                continue
            texts, beside = [], []
            for cell in cells:
                inside = list(self.blocks(cell, depth + 1))
                beside += [block for block in inside if block.kind == "footnote"]
                text = " ".join(block.text.replace("\n", " ") for block in inside if block.kind != "footnote")
                repeated = _whole(cell.get(_TABLE + "number-columns-repeated"), 1)
                texts += [text] * (min(repeated, _MOST_REPEATED) if text else 1)
            if any(map(str.strip, texts)):
                yield Block(composed(CELLS.join(texts)), "table_row", row=follows)
                follows = not beside
            yield from beside


def _rows(table: Any) -> Iterator[Any]:
    for child in table:
        if child.tag == _TABLE + "table-row":
            yield child
        elif child.tag in (
            _TABLE + "table-header-rows",
            _TABLE + "table-rows",
            _TABLE + "table-row-group",
        ):
            yield from _rows(child)


def _level(style: Any, level: int) -> Any:
    """Return the description of a level of a list or of headings."""
    return next((one for one in style if one.get(_TEXT + "level") == str(level + 1)), None)


def _label(style: Any, shown: Any, level: int, counters: list[int | None]) -> str:
    """Return the number of an item as it is shown, with those of the levels above as far as they are."""
    form = shown.get(_STYLE + "num-format") or ""
    prefix, suffix = shown.get(_STYLE + "num-prefix") or "", shown.get(_STYLE + "num-suffix") or ""
    levels = min(max(_whole(shown.get(_TEXT + "display-levels"), 1), 1), level + 1)
    numbers = []
    for at in range(level - levels + 1, level + 1):
        above = _level(style, at)
        of_level = (above.get(_STYLE + "num-format") or "") if above is not None else form
        if of_level in _FORMS:
            numbers.append(written(counters[at] or 1, _FORMS[of_level]))
    return clean(f"{prefix}{'.'.join(numbers)}{suffix}") if numbers else ""


def _whole(value: str | None, otherwise: int) -> int:
    try:
        return max(0, min(int(value or ""), 10**6))
    except ValueError:
        return otherwise
