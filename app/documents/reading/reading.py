"""What was read of a document: its text with pages, paragraphs and warnings, all by offsets."""

from __future__ import annotations

import json
from bisect import bisect_right
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any, Literal

from app.platform.confidential import DocumentText

Source = Literal["text", "ocr", "none"]
Kind = Literal["paragraph", "heading", "list_item", "table_row", "footnote", "header", "footer"]

# Paragraphs that stand in the text apart from where they stand on their page.
MOVED: frozenset[str] = frozenset({"footnote", "header", "footer"})


@dataclass(frozen=True, slots=True)
class Page:
    """A page and its part of the text.

    Pages are numbered from 1 and follow each other without gap or overlap; a page without text is empty.
    `confidence` is the mean of the words that OCR read, 0 to 1; `None` where none were.
    """

    number: int
    start: int
    end: int
    source: Source
    confidence: float | None = None


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph, numbered from 1 in the order of the text. `page` is where it begins, if known."""

    number: int
    start: int
    end: int
    page: int | None
    kind: Kind


@dataclass(frozen=True, slots=True)
class ReadingWarning:
    """Something that the reader of an analysis should know about how the document was read.

    `code` is stable; `message` is a sentence without words of the document.
    """

    code: str
    message: str
    page: int | None = None


@dataclass(frozen=True)
class Reading:
    """The text of a document and where its parts came from. Offsets count code points of `text`.

    `text` is in NFC, without carriage returns, NUL and surrogates. An empty line stands between paragraphs, a
    line break alone between rows of one table and inside a paragraph. Headers and footers that come again on
    later pages stand once each, at the end; footnotes follow the paragraph that refers to them. `media_type`
    is that of the content, whatever was declared. `language` is an ISO 639-1 code, `None` when uncertain.
    """

    text: DocumentText
    media_type: str
    pages: tuple[Page, ...]
    paragraphs: tuple[Paragraph, ...]
    warnings: tuple[ReadingWarning, ...]
    language: str | None
    ocr: bool

    @property
    def page_count(self) -> int | None:
        """Return the number of pages, or `None` where the format has none."""
        return len(self.pages) or None

    @cached_property
    def _starts(self) -> tuple[list[int], list[int]]:
        return [page.start for page in self.pages], [one.start for one in self.paragraphs]

    def page_at(self, offset: int) -> int | None:
        """Return the number of the page on which the character at `offset` stands, if known."""
        paragraph = self._paragraph(offset)
        if paragraph is not None and paragraph.kind in MOVED:
            return paragraph.page
        at = bisect_right(self._starts[0], offset)
        # Of pages that begin at one offset all but the last are empty.
        return self.pages[at - 1].number if at and 0 <= offset < len(self.text) else None

    def paragraph_at(self, offset: int) -> int | None:
        """Return the number of the paragraph that holds `offset`, `None` between paragraphs."""
        paragraph = self._paragraph(offset)
        return paragraph.number if paragraph is not None else None

    def _paragraph(self, offset: int) -> Paragraph | None:
        at = bisect_right(self._starts[1], offset)
        if not at or offset >= self.paragraphs[at - 1].end:
            return None
        return self.paragraphs[at - 1]

    def as_bytes(self) -> bytes:
        """Return all of it, the text included, as JSON."""
        value = {
            "text": self.text.reveal(),
            "media_type": self.media_type,
            "pages": [asdict(page) for page in self.pages],
            "paragraphs": [[one.start, one.end, one.page, one.kind] for one in self.paragraphs],
            "warnings": [asdict(warning) for warning in self.warnings],
            "language": self.language,
            "ocr": self.ocr,
        }
        return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()

    @classmethod
    def from_bytes(cls, data: bytes) -> Reading:
        """Return the reading that `as_bytes` wrote.

        Raises:
            ValueError, KeyError, TypeError: `data` is something else.
        """
        value: dict[str, Any] = json.loads(data)
        return cls(
            DocumentText(value["text"]),
            value["media_type"],
            tuple(Page(**page) for page in value["pages"]),
            tuple(Paragraph(number, *one) for number, one in enumerate(value["paragraphs"], 1)),
            tuple(ReadingWarning(**warning) for warning in value["warnings"]),
            value["language"],
            value["ocr"],
        )
