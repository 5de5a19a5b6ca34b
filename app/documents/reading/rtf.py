r"""Read Rich Text Format (Microsoft's specification 1.9.1): the text that is shown, with tables and notes.

A file is a tree of groups in which control words switch what follows: `\b`, `\par`, `\'e9`. Groups that
hold no text of the document ("destinations", such as lists of typefaces) are skipped; numbers of lists stand
in the file as text.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from app.documents.errors import TOO_COMPLEX, DocumentUnreadable
from app.documents.reading.blocks import CELLS, Block, clean, composed, reading_of, warning
from app.documents.reading.docx_numbering import counted
from app.documents.reading.reading import Kind, Reading, ReadingWarning

MEDIA_TYPE = "application/rtf"

_TOKEN = re.compile(
    rb"\\(?:([a-zA-Z]{1,32})(-?\d{1,10})?[ ]?|'([0-9a-fA-F]{2})|([^a-zA-Z']))|([{}])|[\r\n]+|([^\\{}\r\n]+)"
)
_SKIPPED_WORDS = (
    "fonttbl colortbl stylesheet listtable listoverridetable info pict object objdata nonshppict "
    "shprslt sp filetbl revtbl fldinst private template bkmkstart bkmkend pnseclvl xe tc"
)
_SKIPPED = frozenset(_SKIPPED_WORDS.split())
# The one destination with text of the document among those that a reader may not know, which `\*` marks.
_SHAPE = "shpinst"
_MARGINS: dict[str, Kind] = {
    "header": "header", "headerl": "header", "headerr": "header", "headerf": "header",
    "footer": "footer", "footerl": "footer", "footerr": "footer", "footerf": "footer",
}  # fmt: skip
_SIGNS = {
    "emdash": "—", "endash": "–", "bullet": "•", "lquote": "‘", "rquote": "’", "ldblquote": "“",
    "rdblquote": "”", "tab": " ", "emspace": " ", "enspace": " ", "qmspace": " ", "line": "\n",
}  # fmt: skip
_CHARSETS = {
    0: "cp1252", 77: "mac_roman", 128: "cp932", 129: "cp949", 134: "gbk", 136: "big5", 161: "cp1253",
    162: "cp1254", 163: "cp1258", 177: "cp1255", 178: "cp1256", 186: "cp1257", 204: "cp1251", 222: "cp874",
    238: "cp1250",
}  # fmt: skip
_SYMBOL, _SYMBOL_CHARSET = "symbol", 2
_DEEPEST = 500


@dataclass(slots=True)
class _State:
    """What a group inherits from the one around it. `fresh`: nothing of the group has been read yet."""

    skip: bool = False
    starred: bool = False
    hidden: bool = False
    deleted: bool = False
    label: bool = False
    font: int = -1
    fallback: int = 1
    flow: int = 1
    fresh: bool = True


@dataclass(slots=True)
class _Flow:
    """A run of paragraphs: the body, a note, a text box, a header."""

    kind: Kind = "paragraph"
    words: list[str] = field(default_factory=list)
    cells: list[str] = field(default_factory=list)
    blocks: list[Block] = field(default_factory=list)
    in_table: bool = False
    heading: bool = False
    listed: bool = False
    after_row: bool = False


def read_rtf(data: bytes) -> Reading:
    """Read a document in Rich Text Format.

    Raises:
        DocumentUnreadable: It is nested too deeply, empty or too long.
    """
    reader = _Reader()
    reader.run(data)
    return reading_of(reader.blocks(), MEDIA_TYPE, warnings=reader.warnings())


class _Reader:
    """Reads the tokens of a file one after the other."""

    def __init__(self) -> None:
        self._codepage = "cp1252"
        self._fonts: dict[int, str | None] = {}
        self._font = -1
        self._font_table = 0
        self._states = [_State()]
        self._body = _Flow()
        self._flows = [self._body]
        self._margins: list[_Flow] = []
        self._beside: list[_Flow] = []
        self._endnotes: list[_Flow] = []
        self._notes = 0
        self._bytes = bytearray()
        self._surrogate = self._ignored = 0
        self._changes = self._comments = 0
        self._hidden = self._embedded = False

    def blocks(self) -> Iterator[Block]:
        """Yield the blocks of the body with its notes, of endnotes, then headers and footers, each once."""
        yield from self._body.blocks
        for flow in self._endnotes:
            yield from flow.blocks
        seen: set[str] = set()
        for flow in sorted(self._margins, key=lambda flow: flow.kind != "header"):
            for block in flow.blocks:
                key = counted(block.text)
                if key not in seen and any(map(str.isalpha, key)):
                    seen.add(key)
                    block.kind, block.row = flow.kind, False
                    yield block

    def warnings(self) -> Iterator[ReadingWarning]:
        """Yield what was left out or taken as accepted."""
        if self._changes:
            yield warning("TRACKED_CHANGES_ACCEPTED", count=self._changes)
        if self._comments:
            yield warning("COMMENTS_IGNORED", count=self._comments)
        if self._embedded:
            yield warning("EMBEDDED_FILES_IGNORED")
        if self._hidden:
            yield warning("HIDDEN_TEXT_IGNORED")

    def run(self, data: bytes) -> None:
        """Read a file from its first token to its last."""
        position = 0
        while position < len(data):
            found = _TOKEN.match(data, position)
            if found is None:
                # A backslash at the very end.
                break
            position = found.end()
            word, number, code, sign, brace, text = found.groups()
            if word is not None:
                name, value = word.decode("ascii"), int(number) if number else None
                if name == "bin":
                    position += max(value or 0, 0)
                    continue
                self._word(name, value)
            elif code is not None:
                self._byte(int(code, 16))
            elif text is not None:
                self._plain(text)
            elif sign is not None:
                self._sign(sign)
            elif brace == b"{":
                self._open()
            elif brace == b"}" and not self._close():
                break
        self._flush()
        while self._flows:
            self._end(self._flows.pop())

    def _open(self) -> None:
        self._flush()
        if len(self._states) > _DEEPEST:
            raise DocumentUnreadable(TOO_COMPLEX)
        self._states[-1].fresh = False
        self._states.append(replace(self._states[-1], fresh=True, starred=False))

    def _close(self) -> bool:
        """End a group; return False for the outermost one."""
        self._flush()
        if len(self._states) <= 2:
            return False
        ended, state = self._states.pop(), self._states[-1]
        if len(self._states) < self._font_table:
            self._font_table = 0
        if ended.flow != state.flow:
            self._end(self._flows.pop())
        return True

    def _begin(self, kind: Kind) -> _Flow:
        """Let the text of the group stand in a flow of its own."""
        flow = _Flow(kind)
        self._flows.append(flow)
        state = self._states[-1]
        state.flow += 1
        state.hidden = state.deleted = state.label = False
        return flow

    def _word(self, name: str, value: int | None) -> None:
        self._flush()
        state, fresh = self._states[-1], self._states[-1].fresh
        state.fresh = False
        if name == "fonttbl":
            state.skip, self._font_table = True, len(self._states)
        elif self._font_table:
            self._define_font(name, value)
        elif name == "ansicpg" and value:
            self._codepage = _encoding(f"cp{value}") or self._codepage
        elif name == "mac":
            self._codepage = "mac_roman"
        elif state.starred and name != _SHAPE:
            self._comments += name == "annotation" and not state.skip
            self._embedded |= name == "objdata"
            state.skip, state.starred = True, False
        elif fresh and name in _SKIPPED:
            self._embedded |= name == "object"
            state.skip = True
        elif not state.skip:
            state.starred = False
            self._shown(name, value, fresh=fresh)

    def _shown(self, name: str, value: int | None, *, fresh: bool) -> None:
        """Follow a control word where text of the document stands."""
        state, flow = self._states[-1], self._flows[-1]
        if name in _SIGNS:
            self._put(_SIGNS[name])
        elif name == "u":
            self._unicode(value or 0)
        elif name in ("uc", "f", "v", "deleted", "revised", "plain"):
            self._character(name, value)
        elif fresh and name in _MARGINS:
            self._margins.append(self._begin(_MARGINS[name]))
        elif fresh and name == "footnote":
            self._notes += 1
            self._put(f"[{self._notes}]")
            self._beside.append(self._begin("footnote"))
            self._flows[-1].words.append(f"[{self._notes}] ")
        elif fresh and name == "shptxt":
            self._beside.append(self._begin("paragraph"))
        elif name == "ftnalt" and flow in self._beside:
            self._beside.remove(flow)
            self._endnotes.append(flow)
        elif name in ("listtext", "pntext"):
            state.label = flow.listed = True
        elif not state.label:
            self._structure(flow, name, value)

    def _define_font(self, name: str, value: int | None) -> None:
        if name == "f" and value is not None:
            self._font = value
        elif name == "fcharset" and value is not None:
            self._fonts[self._font] = _SYMBOL if value == _SYMBOL_CHARSET else _CHARSETS.get(value)
        elif name == "cpg" and value:
            self._fonts[self._font] = _encoding(f"cp{value}")

    def _character(self, name: str, value: int | None) -> None:
        state = self._states[-1]
        if name == "uc":
            state.fallback = max(0, min(value if value is not None else 1, 16))
        elif name == "f":
            state.font = value if value is not None else -1
        elif name == "v":
            state.hidden = value != 0
        elif name == "plain":
            state.hidden = state.deleted = False
        elif value == 0:
            state.deleted = state.deleted and name != "deleted"
        else:
            self._changes += 1
            state.deleted = state.deleted or name == "deleted"

    def _structure(self, flow: _Flow, name: str, value: int | None) -> None:
        if name == "par" and flow.in_table:
            flow.words.append(" ")
        elif name in ("par", "sect", "page"):
            self._paragraph(flow)
        elif name == "pard":
            flow.in_table = flow.heading = False
        elif name == "intbl":
            flow.in_table = True
        elif name in ("cell", "nestcell"):
            flow.cells.append(composed("".join(flow.words).replace("\n", " ")))
            flow.words.clear()
        elif name in ("row", "nestrow"):
            self._row(flow)
        elif name == "outlinelevel":
            flow.heading = value is not None and value < 9

    def _sign(self, sign: bytes) -> None:
        self._flush()
        state = self._states[-1]
        if sign == b"*":
            state.starred = state.fresh
            return
        state.fresh = False
        if sign in b"~":
            self._put(" ")
        elif sign == b"_":
            self._put("-")
        elif sign in b"\\{}":
            self._put(sign.decode("ascii"))
        elif sign in b"\r\n" and not state.skip:
            self._structure(self._flows[-1], "par", None)

    def _byte(self, value: int) -> None:
        if self._ignored:
            self._ignored -= 1
        elif not self._states[-1].skip:
            self._bytes.append(value)

    def _plain(self, text: bytes) -> None:
        self._states[-1].fresh = False
        taken = min(self._ignored, len(text))
        self._ignored -= taken
        if not self._states[-1].skip:
            self._bytes += text[taken:]

    def _unicode(self, value: int) -> None:
        """Add a character by its number, of which the file holds 16 bits with a sign."""
        value &= 0xFFFF
        if 0xD800 <= value < 0xDC00:
            self._surrogate = value
        elif 0xDC00 <= value < 0xE000:
            if self._surrogate:
                self._put(chr(0x10000 + ((self._surrogate - 0xD800) << 10) + value - 0xDC00))
            self._surrogate = 0
        else:
            self._put(chr(value))
        # What readers without Unicode show instead.
        self._ignored = self._states[-1].fallback

    def _flush(self) -> None:
        """Add the bytes that wait, in the encoding of their typeface."""
        self._ignored = 0
        if not self._bytes:
            return
        encoding = self._fonts.get(self._states[-1].font) or self._codepage
        if encoding == _SYMBOL:
            text = "".join(chr(0xF000 + byte) if byte > 0x20 else " " for byte in self._bytes)
        else:
            text = self._bytes.decode(encoding, "replace")
        self._bytes.clear()
        self._put(text)

    def _put(self, text: str) -> None:
        state = self._states[-1]
        if state.skip or state.deleted:
            return
        if state.hidden:
            self._hidden |= bool(text.strip())
            return
        self._flows[-1].words.append(clean(text))

    def _paragraph(self, flow: _Flow) -> None:
        text = composed("".join(flow.words))
        flow.words.clear()
        if text:
            kind: Kind = "heading" if flow.heading else "list_item" if flow.listed else "paragraph"
            flow.blocks.append(Block(text, flow.kind if flow.kind != "paragraph" else kind))
            flow.after_row = False
        flow.listed = False
        self._write_beside(flow)

    def _row(self, flow: _Flow) -> None:
        if rest := composed("".join(flow.words)):
            flow.cells.append(rest)
        flow.words.clear()
        cells, flow.cells = flow.cells, []
        if len(cells) == 1:
            flow.words.append(cells[0])
            self._paragraph(flow)
        elif any(cells):
            flow.blocks.append(Block(composed(CELLS.join(cells)), "table_row", row=flow.after_row))
            flow.after_row = True
            self._write_beside(flow)
        flow.listed = False

    def _write_beside(self, flow: _Flow) -> None:
        """Put notes and text boxes after the paragraph of the body in which they stand."""
        if flow is self._body and self._beside:
            for one in self._beside:
                flow.blocks += one.blocks
            self._beside = []
            flow.after_row = False

    def _end(self, flow: _Flow) -> None:
        if flow.cells:
            self._row(flow)
        self._paragraph(flow)


def _encoding(name: str) -> str | None:
    """Return the name of an encoding if Python knows it."""
    known = {"cp10000": "mac_roman", "cp65001": "utf-8"}
    try:
        return codecs.lookup(known.get(name, name)).name
    except LookupError:
        return None
