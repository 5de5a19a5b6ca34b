"""Write comments into a Word document at the words that they are about; all else stays as it was.

It runs in a process of its own, since the file is a stranger's. The words are looked for by themselves and
not by offsets: a reader leaves out white space and adds numbers of lists. Letters and figures are compared,
without accents and case, and of several places the one is taken whose surroundings are most alike. Words in a
footnote or a text box, where Word takes no comments, are marked at the footnote's reference or at the box;
words that stand nowhere in the body (a header) at its beginning, and the comment says so.
"""

from __future__ import annotations

import io
import unicodedata
from array import array
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from docx.document import Document

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_MC = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
_SPACE = "{http://www.w3.org/XML/1998/namespace}space"
_NOTES = {
    "footnote": "http://schemas.openxmlformats.org/officeDocument/2006/relationships/footnotes",
    "endnote": "http://schemas.openxmlformats.org/officeDocument/2006/relationships/endnotes",
}
# Not read: what was moved away or deleted, and what stands there for older programs.
_SKIPPED = frozenset({f"{_W}moveFrom", f"{_W}del", f"{_MC}Fallback"})
# The reference of a comment stands beside these, not in them: who rejects an insertion keeps the comment.
_WRAPPERS = frozenset(
    f"{_W}{name}" for name in ("ins", "moveTo", "hyperlink", "fldSimple", "smartTag", "sdtContent", "sdt")
)
# Places that are compared for words that occur often.
_PLACES_MAX = 2_000


class Place(NamedTuple):
    """Where words stand in the text of the document: from `start` up to `end`."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Atom:
    """A piece of text in the file: an element of a run, or (`whole`) a run that stands for text elsewhere."""

    start: int
    end: int
    element: Any
    whole: bool


def comment(data: bytes, arguments: Mapping[str, Any]) -> bytes:
    """Return a DOCX file with comments.

    Args:
        data: The file.
        arguments: `author` and `initials`; `nowhere`, what is said before words that are not in the body;
            `comments`, each with `words`, their surroundings `before` and `after`, `at` (how far into the
            text they begin, 0 to 1) and `note`, a list of paragraphs.

    Raises:
        Exception: The file is no readable DOCX; whoever runs this says so.
    """
    from docx import Document

    document = Document(io.BytesIO(data))
    text = _Text(document)
    found = [(one, text.place(one)) for one in arguments["comments"]]
    marks = _marks(text, [place for _, place in found if place is not None])
    for one, place in found:
        note = list(one["note"])
        if place is None:
            note.append(f"{arguments['nowhere']} «{one['words']}»")
        made = document.part.comments.add_comment(
            _printable("\n".join(note)), _printable(arguments["author"]), _printable(arguments["initials"])
        )
        if place is None:
            _at_beginning(document, made.comment_id)
        else:
            _around(made.comment_id, marks[place.start, False], marks[place.end, True])
    for mark in marks.values():
        mark.getparent().remove(mark)
    written = io.BytesIO()
    document.save(written)
    return written.getvalue()


class _Text:
    """The text of the body with the elements that it comes from, and its letters and figures alone."""

    def __init__(self, document: Document) -> None:
        self._pieces: list[str] = []
        self._size = 0
        self.atoms: list[_Atom] = []
        self._notes = {kind: _notes(document, relation) for kind, relation in _NOTES.items()}
        self._walk(document.element.body, None)
        self.raw = "".join(self._pieces)
        self.letters, self._origins = _letters(self.raw)
        self._starts = [atom.start for atom in self.atoms]

    def _add(self, text: str, element: Any = None, *, whole: bool = False) -> None:
        if element is not None and text:
            self.atoms.append(_Atom(self._size, self._size + len(text), element, whole))
        self._pieces.append(text)
        self._size += len(text)

    def _walk(self, parent: Any, host: Any) -> None:
        """Read an element; `host` is the run in which a text box stands, whose text it is."""
        for element in parent.iterchildren():
            tag = element.tag
            if tag in _SKIPPED or not isinstance(tag, str):
                continue
            if tag == f"{_W}r":
                self._run(element, host)
            elif tag == f"{_W}p":
                self._walk(element, host)
                self._add("\n")
            else:
                self._walk(element, host)

    def _run(self, run: Any, host: Any) -> None:
        if run.find(f"{_W}rPr/{_W}vanish") is not None:
            return
        for child in run.iterchildren():
            match child.tag:
                case tag if tag in (f"{_W}t", f"{_W}noBreakHyphen"):
                    words = (child.text or "") if tag == f"{_W}t" else "-"
                    self._add(words, child if host is None else host, whole=host is not None)
                case tag if tag in (f"{_W}tab", f"{_W}br", f"{_W}cr"):
                    self._add(" ")
                case tag if tag in (f"{_W}footnoteReference", f"{_W}endnoteReference"):
                    kind = "footnote" if tag.endswith("footnoteReference") else "endnote"
                    words = self._notes[kind].get(child.get(f"{_W}id"), "")
                    self._add(f"\n{words}\n" if words else "", host if host is not None else run, whole=True)
                case tag if tag == f"{_W}rPr" or not isinstance(tag, str):
                    pass
                case _:
                    # Drawings and what they hold.
                    self._walk(child, host if host is not None else run)

    def atom_at(self, offset: int) -> _Atom | None:
        """Return the piece that holds the character at `offset`, `None` for what the file has no text for."""
        at = bisect_right(self._starts, offset) - 1
        return self.atoms[at] if at >= 0 and offset < self.atoms[at].end else None

    def place(self, one: Mapping[str, Any]) -> Place | None:
        """Return where the words of a comment stand, `None` where they do not."""
        words, _ = _letters(one["words"])
        if not words:
            return None
        before, after = _letters(one["before"])[0], _letters(one["after"])[0]
        best, best_rank = None, (-1.0, 0.0)
        for number, at in enumerate(_occurrences(self.letters, words)):
            if number == _PLACES_MAX:
                break
            alike = _alike(before[::-1], self.letters[max(0, at - len(before)) : at][::-1])
            alike += _alike(after, self.letters[at + len(words) : at + len(words) + len(after)])
            rank = (float(alike), -abs(at / max(1, len(self.letters)) - one["at"]))
            if rank > best_rank:
                best, best_rank = at, rank
        if best is None:
            return self._stretched(one)
        return self._whole(best, best + len(words), one["words"])

    def _stretched(self, one: Mapping[str, Any]) -> Place | None:
        """Return the place of words between which the reader put others, such as numbers of a list."""
        lines = [line for part in one["words"].split("\n") for line in part.split(" | ")]
        known = [found for line in lines if len(found := _letters(line)[0]) > 3]
        if len(known) < 2:
            return None
        first, last = known[0], known[-1]
        best = None
        for number, at in enumerate(_occurrences(self.letters, first)):
            if number == _PLACES_MAX:
                break
            room = at + len(first) + 2 * sum(map(len, known)) + 200
            end = self.letters.find(last, at + len(first), room)
            if end < 0:
                continue
            far = abs(at / max(1, len(self.letters)) - one["at"])
            if best is None or far < best[0]:
                best = far, at, end + len(last)
        return self._whole(best[1], best[2], one["words"]) if best else None

    def _whole(self, start: int, end: int, words: str) -> Place | None:
        """Return the place in the text of some letters, with the signs that the words have around them."""
        first, last = self._origins[start], self._origins[end - 1] + 1
        while last < len(self.raw) and unicodedata.combining(self.raw[last]):
            last += 1
        opening = words[: next(at for at, sign in enumerate(words) if _letters(sign)[0])]
        closing = words[
            len(words) - next(at for at, sign in enumerate(reversed(words)) if _letters(sign)[0]) :
        ]
        for sign in opening[::-1].split():
            first = self._beyond(first, sign, -1)
        for sign in closing.split():
            last = self._beyond(last, sign, 1)
        return Place(first, last)

    def _beyond(self, edge: int, signs: str, step: int) -> int:
        """Return `edge` moved over some signs, white space before them included; where it is without them."""
        at = edge if step > 0 else edge - 1
        for place, sign in enumerate(signs):
            while place == 0 and 0 <= at < len(self.raw) and self.raw[at].isspace():
                at += step
            if not 0 <= at < len(self.raw) or self.raw[at] != sign or self.atom_at(at) is None:
                return edge
            at += step
        return at if step > 0 else at + 1


def _notes(document: Document, relation: str) -> dict[str, str]:
    """Return the texts of footnotes or endnotes by their ids."""
    from docx.oxml.parser import parse_xml

    try:
        part = document.part.part_related_by(relation)
    except KeyError:
        return {}
    return {
        note.get(f"{_W}id"): " ".join(text.text or "" for text in note.iter(f"{_W}t"))
        for note in parse_xml(part.blob)
    }


def _letters(text: str) -> tuple[str, array[int]]:
    """Return the letters and figures of a text without accents and case, and where each stands in it."""
    letters: list[str] = []
    origins = array("L")
    for at, sign in enumerate(text):
        if sign.isascii():
            if sign.isalnum():
                letters.append(sign.lower())
                origins.append(at)
            continue
        for part in unicodedata.normalize("NFKD", sign).casefold():
            if part.isalnum():
                letters.append(part)
                origins.append(at)
    return "".join(letters), origins


def _occurrences(text: str, words: str) -> Iterator[int]:
    at = text.find(words)
    while at >= 0:
        yield at
        at = text.find(words, at + 1)


def _alike(one: str, other: str) -> int:
    """Return how many characters two texts have in common from their beginnings on."""
    return next(
        (at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other))
    )


def _marks(text: _Text, places: Sequence[Place]) -> dict[tuple[int, bool], Any]:
    """Split runs where words begin and end; return a mark for each place, by offset and whether words end.

    Cuts of one run are made from its end: what is left of each stays in the run, so earlier cuts still fit.
    """
    from docx.oxml import OxmlElement

    wanted: dict[Any, list[tuple[int, int, int, Any, Any]]] = defaultdict(list)
    marks: dict[tuple[int, bool], Any] = {}
    for place in sorted(set(places)):
        for offset, ends in ((place.start, False), (place.end, True)):
            if (offset, ends) in marks:
                continue
            marks[offset, ends] = mark = OxmlElement("w:proofErr")
            atom = text.atom_at(offset - 1 if ends else offset)
            assert atom is not None, "words begin and end at letters of the file"
            if atom.whole:
                # The first thing after the run, or before it.
                _put(mark, atom.element, ends=ends)
                continue
            run = atom.element.getparent()
            wanted[run].append((run.index(atom.element), offset - atom.start, -int(ends), atom.element, mark))
    for run, cuts in wanted.items():
        for _order, inside, _ends, element, mark in sorted(cuts, key=lambda cut: cut[:3], reverse=True):
            _cut(run, element, inside, mark)
    return marks


def _put(mark: Any, run: Any, *, ends: bool) -> None:
    if ends:
        run.addnext(mark)
    else:
        run.addprevious(mark)


def _cut(run: Any, element: Any, inside: int, mark: Any) -> None:
    """Put `mark` behind `inside` characters of an element of a run, splitting the run where it has to be."""
    size = len(element.text or "") if element.tag == f"{_W}t" else 1
    following = list(element.itersiblings())
    leading = [one for one in element.itersiblings(preceding=True) if one.tag != f"{_W}rPr"]
    if inside == 0 and not leading:
        run.addprevious(mark)
        return
    if inside >= size and not following:
        run.addnext(mark)
        return
    rest = run.makeelement(run.tag, dict(run.attrib), nsmap=run.nsmap)
    properties = run.find(f"{_W}rPr")
    if properties is not None:
        rest.append(deepcopy(properties))
    if inside == 0:
        rest.append(element)
    elif inside < size:
        tail = deepcopy(element)
        tail.text = element.text[inside:]
        element.text = element.text[:inside]
        for one in (element, tail):
            one.set(_SPACE, "preserve")
        rest.append(tail)
    for one in following:
        rest.append(one)
    run.addnext(rest)
    rest.addprevious(mark)


def _around(comment_id: int, start: Any, end: Any) -> None:
    """Put the range of a comment between two marks, and its reference behind."""
    start.addprevious(_element("w:commentRangeStart", comment_id))
    end.addprevious(_element("w:commentRangeEnd", comment_id))
    outer = end
    while outer.getparent().tag in _WRAPPERS:
        outer = outer.getparent()
    reference = _reference(comment_id)
    if outer is end:
        end.addprevious(reference)
    else:
        outer.addnext(reference)


def _at_beginning(document: Document, comment_id: int) -> None:
    """Attach a comment to the beginning of the body."""
    paragraph = next(document.element.body.iter(f"{_W}p"), None)
    if paragraph is None:
        paragraph = document.add_paragraph()._p
    at = 1 if paragraph.find(f"{_W}pPr") is not None else 0
    for one in (
        _reference(comment_id),
        _element("w:commentRangeEnd", comment_id),
        _element("w:commentRangeStart", comment_id),
    ):
        paragraph.insert(at, one)


def _element(name: str, comment_id: int) -> Any:
    from docx.oxml import OxmlElement
    from docx.oxml.ns import qn

    return OxmlElement(name, attrs={qn("w:id"): str(comment_id)})


def _reference(comment_id: int) -> Any:
    """Return the run that refers to a comment; without a style, which the document may not have."""
    from docx.oxml import OxmlElement

    run = OxmlElement("w:r")
    run.append(_element("w:commentReference", comment_id))
    return run


def _printable(text: str) -> str:
    """Return `text` without characters that XML cannot hold."""
    return "".join(
        sign
        if sign in "\t\n" or (sign >= " " and not "\ud800" <= sign <= "\udfff" and sign not in "\ufffe\uffff")
        else " "
        for sign in text
    )
