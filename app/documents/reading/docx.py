"""Read Word documents (OOXML): text as it stands with all changes accepted, numbers as Word would print them.

`blocks` walks the elements of a document and keeps for each run where its text went, so that `runs` can lead
from offsets of a reading back to the elements of a `docx.Document` (Office Open XML, ECMA-376, part 1, 17).
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from app.documents.errors import BROKEN, DocumentUnreadable
from app.documents.reading.archives import Archive, parse
from app.documents.reading.blocks import (
    CELLS,
    Block,
    Composition,
    PageFacts,
    before,
    clean,
    reading_of,
    warning,
)
from app.documents.reading.docx_numbering import Numbering, counted, written
from app.documents.reading.reading import Kind, Reading, ReadingWarning

MEDIA_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_M = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
_R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
_MC = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
_RELATIONSHIP = "{http://schemas.openxmlformats.org/package/2006/relationships}Relationship"
# Of "strict" documents, read as if they were of the usual, transitional kind.
_STRICT = b"http://purl.oclc.org/ooxml/"
_TRANSITIONAL = (
    (b"officeDocument/relationships", b"http://schemas.openxmlformats.org/officeDocument/2006/relationships"),
    (b"officeDocument/math", b"http://schemas.openxmlformats.org/officeDocument/2006/math"),
    (b"wordprocessingml/main", b"http://schemas.openxmlformats.org/wordprocessingml/2006/main"),
    (b"drawingml/main", b"http://schemas.openxmlformats.org/drawingml/2006/main"),
)

# A row of which one cell has more is no row of facts but columns of text: it is read cell by cell.
_LONGEST_CELL, _MOST_IN_CELL = 1_500, 8
_LARGE_IMAGE = 100_000
_DEEPEST = 60

_TRANSPARENT = frozenset(
    _W + name for name in ("hyperlink", "smartTag", "fldSimple", "customXml", "dir", "bdo", "sdtContent")
)
_INSERTED, _DELETED = (_W + "ins", _W + "moveTo"), (_W + "del", _W + "moveFrom")
_BROKEN_LINES = frozenset({_W + "cr"})
_TABS = frozenset({_W + "tab", _W + "ptab"})
_PICTURES = frozenset({_W + "drawing", _W + "pict", _MC + "AlternateContent"})


class RunSpan(NamedTuple):
    """A run of a document and where its text stands in the text of the reading."""

    element: Any
    start: int
    end: int


@dataclass(slots=True)
class Source:
    """The parts of a document that are read: root elements, `None` or empty where there is no such part."""

    body: Any
    styles: Any = None
    numbering: Any = None
    footnotes: Any = None
    endnotes: Any = None
    headers: Mapping[str, Any] = field(default_factory=dict)
    """Headers and footers by the ids of their relationships."""


@dataclass(slots=True)
class _Found:
    """What was met on the way and is told in warnings."""

    changes: set[Any] = field(default_factory=set)
    hidden: bool = False
    embedded: bool = False


def read_docx(data: bytes) -> Reading:
    """Read a Word document, with or without macros, or a template.

    Raises:
        DocumentUnreadable: It is broken, encrypted, a bomb, empty or too long.
    """
    package = _Package(Archive(data))
    walker = _Walker(package.source())
    read = [block for block, _ in walker.all()]
    pages = [PageFacts() for _ in range(walker.page)] if walker.paged else []
    return reading_of(
        read, MEDIA_TYPE, pages=pages, warnings=[*_warnings(walker.found), *package.warnings(walker.found)]
    )


def runs(document: Any) -> list[RunSpan]:
    """Return where each run of a `docx.Document` stands in `Reading.text` of the same file, in order.

    Runs without text there (deleted, hidden, codes of fields) are left out. Numbers of paragraphs belong to
    no run.
    """
    spans: list[RunSpan] = []
    length = 0
    for block, found in _Walker(_source_of(document)).all():
        if not block.text:
            continue
        length += len(before(block)) if length else 0
        spans += [RunSpan(one.element, length + one.start, length + one.end) for one in found]
        length += len(block.text)
    return spans


def _source_of(document: Any) -> Source:
    """Return the parts of a `docx.Document`."""
    part = document.part
    found: dict[str, Any] = {}
    headers: dict[str, Any] = {}
    for identifier, relation in part.rels.items():
        if relation.is_external:
            continue
        kind = relation.reltype.rpartition("/")[2]
        if kind in ("styles", "numbering", "footnotes", "endnotes", "header", "footer"):
            target = relation.target_part
            root = getattr(target, "element", None)
            root = parse(target.blob) if root is None else root
            if kind in ("header", "footer"):
                headers[identifier] = root
            else:
                found[kind] = root
    return Source(body=document.element.body, headers=headers, **found)


class _Package:
    """The parts of a file, found by their relationships."""

    def __init__(self, archive: Archive) -> None:
        self._archive = archive
        self._main = next(
            (
                target
                for kind, target, external, _ in self._relations("")
                if kind == "officeDocument" and not external
            ),
            None,
        )
        if self._main is None or self._main not in archive.names:
            raise DocumentUnreadable(BROKEN)
        self._parts = self._relations(self._main)

    def source(self) -> Source:
        """Return the parts that hold text."""
        assert self._main is not None
        root = self._xml(self._main)
        body = root.find(_W + "body")
        if body is None:
            raise DocumentUnreadable(BROKEN)
        found: dict[str, Any] = {}
        headers: dict[str, Any] = {}
        for kind, target, external, identifier in self._parts:
            if external or target not in self._archive.names:
                continue
            if kind in ("styles", "numbering", "footnotes", "endnotes"):
                found[kind] = self._xml(target)
            elif kind in ("header", "footer"):
                headers[identifier] = self._xml(target)
        return Source(body=body, headers=headers, **found)

    def warnings(self, found: _Found) -> Iterator[ReadingWarning]:
        """Yield the warnings about what stands beside the text."""
        names = self._archive.names
        kinds = {kind for kind, _, _, _ in self._parts}
        if any(name.lower().endswith("vbaproject.bin") for name in names) or "vbaProject" in kinds:
            yield warning("MACROS_IGNORED")
        if found.embedded or any("/embeddings/" in name for name in names):
            yield warning("EMBEDDED_FILES_IGNORED")
        relations = [*self._parts]
        for name in names:
            if name.startswith("word/_rels/") and name.endswith(".rels"):
                relations += self._relations("word/" + posixpath.basename(name)[: -len(".rels")])
        if any(external and kind != "hyperlink" for kind, _, external, _ in relations):
            yield warning("EXTERNAL_CONTENT_IGNORED")
        for kind, target, external, _ in self._parts:
            if kind == "comments" and not external and target in names:
                comments = sum(1 for _ in self._xml(target).iter(_W + "comment"))
                if comments:
                    yield warning("COMMENTS_IGNORED", count=comments)
        pictures = {target for kind, target, external, _ in self._parts if kind == "image" and not external}
        large = sum(1 for name in pictures if name in names and self._archive.size(name) >= _LARGE_IMAGE)
        if large:
            yield warning("IMAGES_NOT_READ", count=large)

    def _relations(self, part: str) -> list[tuple[str, str, bool, str]]:
        """Return kind, target, whether it is external, and id of the relationships of a part."""
        folder, name = posixpath.split(part)
        path = posixpath.join(folder, "_rels", name + ".rels")
        if path not in self._archive.names:
            return []
        found = []
        for one in self._xml(path).iter(_RELATIONSHIP):
            target = one.get("Target", "")
            external = one.get("TargetMode") == "External"
            if not external:
                target = (
                    posixpath.normpath(posixpath.join(folder, target)) if target[:1] != "/" else target[1:]
                )
            found.append((one.get("Type", "").rpartition("/")[2], target, external, one.get("Id", "")))
        return found

    def _xml(self, name: str) -> Any:
        data = self._archive.read(name)
        if _STRICT in data:
            for strict, transitional in _TRANSITIONAL:
                data = data.replace(_STRICT + strict, transitional)
        return parse(data)


def _warnings(found: _Found) -> Iterator[ReadingWarning]:
    if found.changes:
        yield warning("TRACKED_CHANGES_ACCEPTED", count=len(found.changes))
    if found.hidden:
        yield warning("HIDDEN_TEXT_IGNORED")


class _Pieces:
    """The text of one paragraph while it is collected: pieces of runs, in order."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.length = 0
        self.runs: list[tuple[Any, int, int]] = []
        self.turns: list[tuple[int, int]] = []
        self.notes: list[Any] = []
        self.boxes: list[Any] = []
        self.page: int | None = None

    def add(self, text: str, run: Any = None) -> None:
        """Append text, of a run where one is given."""
        text = clean(text)
        if not text:
            return
        if run is not None:
            if self.runs and self.runs[-1][0] is run and self.runs[-1][2] == self.length:
                self.runs[-1] = (run, self.runs[-1][1], self.length + len(text))
            else:
                self.runs.append((run, self.length, self.length + len(text)))
        self.parts.append(text)
        self.length += len(text)

    def block(self, kind: Kind, *, row: bool = False) -> tuple[Block, list[RunSpan]]:
        """Return the paragraph and its runs, with offsets from its start."""
        done = Composition("".join(self.parts))
        spans = [RunSpan(run, done.at(start), done.at(end)) for run, start, end in self.runs]
        turns = [(min(done.at(offset), max(len(done.text) - 1, 0)), page) for offset, page in self.turns]
        page = self.page
        while turns and turns[0][0] == 0:
            page = turns.pop(0)[1]
        block = Block(done.text, kind, page, turns, row)
        return block, [span for span in spans if span.start < span.end]


class _Walker:
    """Goes through a document in the order of its text."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._numbering = Numbering(source.styles, source.numbering)
        self.found = _Found()
        self.page = 1
        self.paged = any(True for _ in source.body.iter(_W + "lastRenderedPageBreak"))
        self._fields: list[bool] = []
        self._footnotes, self._endnotes = 0, 0
        self._late: list[tuple[str, Any]] = []
        self._carried: _Pieces | None = None

    def all(self) -> Iterator[tuple[Block, list[RunSpan]]]:
        """Yield the blocks of the body, of endnotes, and of headers and footers, each with its runs."""
        yield from self._blocks(self._source.body, 0)
        if self._carried is not None:
            yield self._carried.block("paragraph")
            self._carried = None
        for label, note in self._late:
            yield from self._note(label, note)
        seen: set[str] = set()
        for root in self._headers():
            kind: Kind = "header" if root.tag == _W + "hdr" else "footer"
            for block, spans in self._blocks(root, 0):
                if any(map(str.isalpha, block.text)) and counted(block.text) not in seen:
                    seen.add(counted(block.text))
                    block.kind, block.page, block.turns, block.row = kind, None, [], False
                    yield block, spans

    def _headers(self) -> Iterator[Any]:
        used = [
            one.get(_R + "id")
            for section in self._source.body.iter(_W + "sectPr")
            for one in section
            if one.tag in (_W + "headerReference", _W + "footerReference")
        ]
        roots = [self._source.headers[name] for name in dict.fromkeys(used) if name in self._source.headers]
        yield from (root for root in roots if root.tag == _W + "hdr")
        yield from (root for root in roots if root.tag != _W + "hdr")

    def _blocks(self, container: Any, depth: int) -> Iterator[tuple[Block, list[RunSpan]]]:
        if depth > _DEEPEST:
            raise DocumentUnreadable(BROKEN)
        for element in container:
            tag = element.tag
            if tag == _W + "p":
                yield from self._paragraph(element, depth)
            elif tag == _W + "tbl":
                yield from self._table(element, depth)
            elif tag in _TRANSPARENT or tag in _INSERTED:
                yield from self._blocks(element, depth + 1)
            elif tag == _W + "sdt":
                content = element.find(_W + "sdtContent")
                if content is not None:
                    yield from self._blocks(content, depth + 1)
            elif tag == _MC + "AlternateContent":
                chosen = _alternative(element)
                if chosen is not None:
                    yield from self._blocks(chosen, depth + 1)
            elif tag == _W + "altChunk":
                self.found.embedded = True

    def _paragraph(self, element: Any, depth: int) -> Iterator[tuple[Block, list[RunSpan]]]:
        properties = element.find(_W + "pPr")
        pieces, carried = self._collected(element, properties)
        if carried:
            return
        kind: Kind = "paragraph"
        if self._numbering.is_heading(properties):
            kind = "heading"
        elif pieces.runs and self._numbering.of(properties) is not None:
            kind = "list_item"
        self._label(pieces, properties)
        yield pieces.block(kind)
        yield from self._beside(pieces, depth)

    def _collected(self, element: Any, properties: Any) -> tuple[_Pieces, bool]:
        """Return the text of a paragraph, and whether its mark was deleted, so that the next one joins it."""
        pieces = self._carried or _Pieces()
        if self._carried is None:
            pieces.page = self.page if self.paged else None
        self._carried = None
        self._inline(element, pieces, 0)
        marks = properties.find(_W + "rPr") if properties is not None else None
        if marks is not None and marks.find(_W + "del") is not None:
            self.found.changes.add(_change(marks.find(_W + "del")))
            self._carried = pieces
            return pieces, True
        if marks is not None and marks.find(_W + "ins") is not None:
            self.found.changes.add(_change(marks.find(_W + "ins")))
        return pieces, False

    def _label(self, pieces: _Pieces, properties: Any) -> None:
        """Put the number of a paragraph before its text; one without text counts, as Word has it."""
        label = self._numbering.label(properties)
        if label and pieces.length:
            label = clean(label)
            pieces.parts.insert(0, label)
            shift = len(label)
            pieces.length += shift
            pieces.runs = [(run, start + shift, end + shift) for run, start, end in pieces.runs]
            pieces.turns = [(at + shift if at else 0, page) for at, page in pieces.turns]

    def _beside(self, pieces: _Pieces, depth: int) -> Iterator[tuple[Block, list[RunSpan]]]:
        """Yield the text boxes and the footnotes of a paragraph."""
        for box in pieces.boxes:
            yield from self._blocks(box, depth + 1)
        for label, note in pieces.notes:
            yield from self._note(label, note)

    def _note(self, label: str, note: Any) -> Iterator[tuple[Block, list[RunSpan]]]:
        first = True
        for block, spans in self._blocks(note, 1):
            if not block.text:
                continue
            if first:
                block.text = f"{label} {block.text}"
                shift = len(label) + 1
                spans = [RunSpan(run, start + shift, end + shift) for run, start, end in spans]
                first = False
            block.kind, block.turns, block.row = "footnote", [], False
            yield block, spans

    def _table(self, table: Any, depth: int) -> Iterator[tuple[Block, list[RunSpan]]]:
        if depth > _DEEPEST:
            raise DocumentUnreadable(BROKEN)
        follows = False
        for row in _rows(table):
            marks = row.find(_W + "trPr")
            if marks is not None and marks.find(_W + "del") is not None:
                self.found.changes.add(_change(marks.find(_W + "del")))
                continue
            if marks is not None and marks.find(_W + "ins") is not None:
                self.found.changes.add(_change(marks.find(_W + "ins")))
            cells = list(_cells(row))
            paragraphs = [list(cell.iter(_W + "p")) for cell in cells]
            lengths = [sum(len(one.text or "") for one in cell.iter(_W + "t")) for cell in cells]
            if (
                len(cells) == 1
                or max(lengths, default=0) > _LONGEST_CELL
                or max(map(len, paragraphs), default=0) > _MOST_IN_CELL
                or any(cell.find(_W + "tbl") is not None for cell in cells)
            ):
                for cell in cells:
                    yield from self._blocks(cell, depth + 1)
                follows = False
                continue
            block, spans, beside = self._row(paragraphs, row=follows)
            if block.text:
                yield block, spans
                follows = True
            for pieces in beside:
                yield from self._beside(pieces, depth)

    def _row(self, cells: list[list[Any]], *, row: bool) -> tuple[Block, list[RunSpan], list[_Pieces]]:
        """Return a row as one block: its cells with their paragraphs joined, between them `CELLS`."""
        whole = _Pieces()
        whole.page = self.page if self.paged else None
        beside = []
        for number, paragraphs in enumerate(cells):
            if number:
                whole.add(CELLS)
            for count, element in enumerate(paragraphs):
                properties = element.find(_W + "pPr")
                pieces, _ = self._collected(element, properties)
                self._carried = None
                self._label(pieces, properties)
                if count and pieces.length:
                    whole.add(" ")
                shift = whole.length
                whole.parts += [part.replace("\n", " ") for part in pieces.parts]
                whole.length += pieces.length
                whole.runs += [(run, start + shift, end + shift) for run, start, end in pieces.runs]
                whole.turns += [(at + shift, page) for at, page in pieces.turns]
                beside.append(pieces)
        block, spans = whole.block("table_row", row=row)
        if not any(map(str.isalnum, block.text)):
            block.text = ""
        return block, spans, beside

    def _inline(self, element: Any, pieces: _Pieces, depth: int) -> None:
        """Collect the text of a paragraph, or of what stands inside one."""
        if depth > _DEEPEST:
            raise DocumentUnreadable(BROKEN)
        for child in element:
            tag = child.tag
            if tag == _W + "r":
                self._run(child, pieces)
            elif tag in _INSERTED:
                self.found.changes.add(_change(child))
                self._inline(child, pieces, depth + 1)
            elif tag in _DELETED:
                self.found.changes.add(_change(child))
                self._skipped(child)
            elif tag in _TRANSPARENT:
                self._inline(child, pieces, depth + 1)
            elif tag == _W + "sdt":
                content = child.find(_W + "sdtContent")
                if content is not None:
                    self._inline(content, pieces, depth + 1)
            elif tag == _MC + "AlternateContent":
                chosen = _alternative(child)
                if chosen is not None:
                    self._inline(chosen, pieces, depth + 1)
            elif tag in (_M + "oMath", _M + "oMathPara"):
                pieces.add("".join(one.text or "" for one in child.iter(_M + "t")))

    def _skipped(self, element: Any) -> None:
        """Keep count of the fields that begin and end in what is not read."""
        for mark in element.iter(_W + "fldChar"):
            self._field(mark)

    def _field(self, mark: Any) -> None:
        kind = mark.get(_W + "fldCharType")
        if kind == "begin":
            self._fields.append(False)
        elif kind == "separate" and self._fields:
            self._fields[-1] = True
        elif kind == "end" and self._fields:
            self._fields.pop()

    def _run(self, run: Any, pieces: _Pieces) -> None:
        properties = run.find(_W + "rPr")
        hidden = properties is not None and _is_on(properties.find(_W + "vanish"))
        for child in run:
            tag = child.tag
            if tag == _W + "fldChar":
                self._field(child)
                continue
            if tag == _W + "lastRenderedPageBreak":
                self.page += 1
                pieces.turns.append((pieces.length, self.page))
                continue
            if not all(self._fields):
                continue
            if hidden:
                self.found.hidden |= bool(tag == _W + "t" and child.text and child.text.strip())
            elif tag == _W + "t":
                pieces.add(child.text or "", run)
            elif tag in _TABS:
                pieces.add(" ", run)
            elif tag in _BROKEN_LINES or (
                tag == _W + "br" and child.get(_W + "type") in (None, "textWrapping")
            ):
                pieces.add("\n", run)
            elif tag == _W + "noBreakHyphen":
                pieces.add("-", run)
            elif tag == _W + "sym":
                pieces.add(_symbol(child.get(_W + "char")), run)
            elif tag == _W + "footnoteReference":
                self._reference(child, run, pieces, self._source.footnotes)
            elif tag == _W + "endnoteReference":
                self._reference(child, run, pieces, self._source.endnotes)
            elif tag == _W + "ruby":
                base = child.find(_W + "rubyBase")
                for inner in base if base is not None else ():
                    self._run(inner, pieces)
            elif tag in _PICTURES:
                pieces.boxes += _boxes(child)
            elif tag == _W + "object":
                self.found.embedded = True

    def _reference(self, mark: Any, run: Any, pieces: _Pieces, notes: Any) -> None:
        """Put the number of a note where it is referred to, and the note where notes go."""
        identifier = mark.get(_W + "id")
        note = (
            next((one for one in notes if one.get(_W + "id") == identifier), None)
            if notes is not None
            else None
        )
        if note is None:
            return
        own_mark = _is_on(mark, attribute="customMarkFollows", default=False)
        if notes is self._source.footnotes:
            self._footnotes += 0 if own_mark else 1
            label = "[*]" if own_mark else f"[{self._footnotes}]"
            pieces.notes.append((label, note))
        else:
            self._endnotes += 0 if own_mark else 1
            label = "[*]" if own_mark else f"[{written(self._endnotes, 'lowerRoman')}]"
            self._late.append((label, note))
        if not own_mark:
            pieces.add(label, run)


def _change(element: Any) -> Any:
    """Return what one tracked change is counted by: who, when and of which kind, else the element."""
    when = element.get(_W + "date")
    return (element.tag, element.get(_W + "author"), when, element.get(_W + "id"))


def _is_on(element: Any, *, attribute: str = "val", default: bool = True) -> bool:
    """Tell whether a property that is on by being there is on."""
    if element is None:
        return False
    value = element.get(_W + attribute)
    return default if value is None else value not in ("0", "false", "off")


def _alternative(element: Any) -> Any:
    """Return the first choice of alternative contents, else the fallback."""
    chosen = element.find(_MC + "Choice")
    return chosen if chosen is not None else element.find(_MC + "Fallback")


def _boxes(element: Any) -> list[Any]:
    """Return the contents of text boxes in a drawing, each once, nested ones left to their outer one."""
    if element.tag == _MC + "AlternateContent":
        chosen = _alternative(element)
        found = _boxes(chosen) if chosen is not None else []
        fallback = element.find(_MC + "Fallback")
        return found or (_boxes(fallback) if fallback is not None else [])
    if element.tag == _W + "txbxContent":
        return [element]
    return [box for child in element if isinstance(child.tag, str) for box in _boxes(child)]


def _rows(table: Any) -> Iterator[Any]:
    yield from _inside(table, _W + "tr")


def _cells(row: Any) -> Iterator[Any]:
    yield from _inside(row, _W + "tc")


def _inside(element: Any, wanted: str) -> Iterator[Any]:
    """Yield the children of a tag, those inside content controls and tracked insertions too."""
    for child in element:
        if child.tag == wanted:
            yield child
        elif child.tag == _W + "sdt":
            content = child.find(_W + "sdtContent")
            yield from _inside(content, wanted) if content is not None else ()
        elif child.tag in _TRANSPARENT or child.tag in _INSERTED:
            yield from _inside(child, wanted)


def _symbol(code: str | None) -> str:
    """Return the character of a symbol; those of typefaces without Unicode become a bullet."""
    try:
        number = int(code or "", 16)
    except ValueError:
        return ""
    if 0xF000 <= number <= 0xF0FF:
        return clean(chr(number)) if clean(chr(number)) != chr(number) else "•"
    return chr(number) if 0 < number < 0x110000 and not 0xD800 <= number < 0xE000 else ""
