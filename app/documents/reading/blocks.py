"""Blocks of text on their way from a format's reader to a `Reading`: cleaning, composition, warnings."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from app.documents.errors import EMPTY, MAX_CHARACTERS, TOO_LONG, DocumentUnreadable
from app.documents.reading.language import language_of
from app.documents.reading.reading import MOVED, Kind, Page, Paragraph, Reading, ReadingWarning, Source
from app.platform.confidential import DocumentText
from app.text.invisible import visible

CELLS = " | "
"""Between the cells of a row of a table."""

# Bullets of the typefaces Symbol and Wingdings, which have places in the private area of Unicode.
_PRIVATE = {0xF0B7: "•", 0xF0A7: "•", 0xF0A8: "•", 0xF0D8: "•", 0xF0FC: "✓", 0xF0FE: "☒", 0xF06F: "☐"}
_BREAKS = re.compile(r"\r\n?|[\v\f\x1c-\x1e\x85\u2028\u2029]")
_SPACES = re.compile(r"[^\S\n]")
_GAPS = re.compile(r"[ \n]+")

WARNINGS: Mapping[str, str] = {
    "ACTIVE_CONTENT_IGNORED": "Scripts or forms that act by themselves were not run and not read.",
    "ATTACHMENTS_NOT_READ": "{count} attached files were not read ({types}). Send them as documents of their "
    "own.",
    "COMMENTS_IGNORED": "{count} comments in the margin were not read.",
    "EMBEDDED_FILES_IGNORED": "Files inside the document were not read.",
    "ENCODING_GUESSED": "The file does not say how its letters are encoded; they were read as {encoding}.",
    "EXTERNAL_CONTENT_IGNORED": "Content that the document takes from elsewhere was not fetched.",
    "HIDDEN_TEXT_IGNORED": "Text that a reader of the document does not see was left out.",
    "IMAGES_NOT_READ": "{count} images in the document may contain text, which was not read.",
    "LOW_OCR_CONFIDENCE": "The text of this page was recognised from an image with little certainty "
    "({percent} %). Compare it with the original.",
    "MACROS_IGNORED": "The document contains macros, which were not run.",
    "OCR_UNAVAILABLE": "This page is an image, and this server cannot read text in images: its text is "
    "missing.",
    "PAGE_WITHOUT_TEXT": "No text was found on this page.",
    "TEXT_LAYER_REPLACED": "The text stored with this page was unusable; it was recognised from the page's "
    "image instead.",
    "TEXT_LAYER_UNRELIABLE": "The text stored with this page seems garbled. Compare it with the original.",
    "TRACKED_CHANGES_ACCEPTED": "The document contains {count} tracked changes; it was read as if all were "
    "accepted.",
}
"""The codes of warnings and their sentences."""


def warning(code: str, page: int | None = None, **values: int | str) -> ReadingWarning:
    """Return the warning of a code; `values` are numbers and words of lists of ours, never of a document."""
    return ReadingWarning(code, WARNINGS[code].format_map(values), page)


def clean(text: str) -> str:
    """Return `text` without what no reader sees, line breaks as line feeds, other white space as blanks."""
    text = _BREAKS.sub("\n", text)
    if not text.isascii():
        text = visible(text.translate(_PRIVATE))
    else:
        text = visible(text)
    return _SPACES.sub(" ", text)


def composed(text: str) -> str:
    """Return the NFC of cleaned `text`, each gap one blank, or one line break where it holds one."""
    return unicodedata.normalize("NFC", _GAPS.sub(_gap, text).strip())


def _gap(found: re.Match[str]) -> str:
    return "\n" if "\n" in found[0] else " "


class Composition:
    """`composed` of a text, with the way from its offsets to those of the result in `text`."""

    def __init__(self, cleaned: str) -> None:
        kept = cleaned.rstrip(" \n")
        parts: list[str] = []
        self._from, self._to = [0], [0]
        done = length = 0
        for found in _GAPS.finditer(kept):
            between = _gap(found) if found.start() else ""
            parts += [kept[done : found.start()], between]
            length += found.start() - done + len(between)
            done = found.end()
            self._from.append(done)
            self._to.append(length)
        parts.append(kept[done:])
        self._spaced = "".join(parts)
        self.text = unicodedata.normalize("NFC", self._spaced)
        self._moved = len(self.text) != len(self._spaced)

    def at(self, offset: int) -> int:
        """Return the offset in `text` of what stands at `offset` in the cleaned text."""
        index = bisect_right(self._from, offset) - 1
        place = self._to[index] + offset - self._from[index]
        # Inside a gap that became shorter: where the next word begins.
        most = self._to[index + 1] if index + 1 < len(self._to) else len(self._spaced)
        place = min(place, most)
        return len(unicodedata.normalize("NFC", self._spaced[:place])) if self._moved else place


@dataclass(slots=True)
class Block:
    """A paragraph before it has offsets.

    Attributes:
        text: Cleaned and composed; never empty when it reaches `reading_of`.
        page: The page on which it begins, if known.
        turns: Pages that begin inside it, with their offsets in `text`, in order.
        row: Whether it is a row that follows a row of the same table.
    """

    text: str
    kind: Kind = "paragraph"
    page: int | None = None
    turns: list[tuple[int, int]] = field(default_factory=list)
    row: bool = False


def before(block: Block) -> str:
    """Return what stands between the paragraph before and `block`."""
    return "\n" if block.row else "\n\n"


@dataclass(slots=True)
class PageFacts:
    """What is known of a page besides its text."""

    source: Source = "text"
    confidence: float | None = None


def reading_of(
    blocks: Iterable[Block],
    media_type: str,
    *,
    pages: Sequence[PageFacts] = (),
    warnings: Iterable[ReadingWarning] = (),
) -> Reading:
    """Put blocks together.

    Args:
        blocks: In the order of the text; the pages of those that are not moved never go back.
        media_type: Of the content.
        pages: One for each page, empty where the format has none.
        warnings: Repeated ones are told once.

    Raises:
        DocumentUnreadable: There is no text, or too much.
    """
    parts: list[str] = []
    paragraphs: list[Paragraph] = []
    starts: dict[int, int] = {}
    length = 0
    for block in blocks:
        if not block.text:
            continue
        if parts:
            between = before(block)
            parts.append(between)
            length += len(between)
        if block.kind not in MOVED:
            if block.page is not None:
                starts.setdefault(block.page, length)
            for offset, page in block.turns:
                starts.setdefault(page, length + offset)
        paragraphs.append(
            Paragraph(len(paragraphs) + 1, length, length + len(block.text), block.page, block.kind)
        )
        parts.append(block.text)
        length += len(block.text)
        if length > MAX_CHARACTERS:
            raise DocumentUnreadable(TOO_LONG)
    text = "".join(parts)
    if not any(character.isalnum() for character in text):
        raise DocumentUnreadable(EMPTY)
    return Reading(
        DocumentText(text),
        media_type,
        _placed(pages, starts, length),
        tuple(paragraphs),
        tuple(dict.fromkeys(warnings)),
        language_of(text),
        any(page.source == "ocr" for page in pages),
    )


def _placed(pages: Sequence[PageFacts], starts: Mapping[int, int], length: int) -> tuple[Page, ...]:
    """Return the pages with their offsets: each ends where the next begins, the last with the text."""
    placed: list[Page] = []
    end = length
    for number in range(len(pages), 0, -1):
        start = min(starts.get(number, end), end) if number > 1 else 0
        facts = pages[number - 1]
        placed.append(Page(number, start, end, facts.source, facts.confidence))
        end = start
    return tuple(reversed(placed))
