"""Parts of a report that every format shows in its own way: headings, tables, statements. Pure.

`composition` makes them of an answer, so that no format can leave out what another one says. Their `repr`
shows no text, for they hold what a client's document says.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from app.rules import Severity
from app.text.bilingual import Language

Tone = Literal["plain", "muted", "warning"]
# A statement of so many characters takes half a page.
_LONG = 2_000
# What of a verdict, a severity or a count needs a reader's eye.
Mark = Literal["", "good", "warn", "bad"]
_MARKS: Mapping[Severity | None, Mark] = {"high": "bad", "medium": "warn"}


class _Block:
    """What all blocks have in common: a name by which templates tell them apart."""

    __slots__ = ()

    @property
    def kind(self) -> str:
        """Return the name of the class."""
        return type(self).__name__

    @property
    def shape(self) -> Mapping[str, bool]:
        """What the block is, for templates, which compare nothing; any other name is false."""
        return defaultdict(bool, {self.kind: True})


@dataclass(frozen=True, slots=True, repr=False)
class Heading(_Block):
    """A heading of level 1 (a document of a batch) to 3."""

    text: str
    level: int = 2

    @property
    def shape(self) -> Mapping[str, bool]:
        """What the block is, and of which level."""
        return defaultdict(bool, {self.kind: True, f"level_{self.level}": True})


@dataclass(frozen=True, slots=True, repr=False)
class Paragraph(_Block):
    """A paragraph of prose."""

    text: str
    tone: Tone = "plain"


@dataclass(frozen=True, slots=True, repr=False)
class Warnings(_Block):
    """What a reader has to know before everything else, in a frame."""

    title: str
    items: tuple[str, ...]


@dataclass(frozen=True, slots=True, repr=False)
class Figures(_Block):
    """Counts side by side: each with its words and whether it is one to look at."""

    items: tuple[tuple[str, str, Mark], ...]


@dataclass(frozen=True, slots=True, repr=False)
class Facts(_Block):
    """A table of two columns: what, and its value. Values of `literal` rows are hashes and ids."""

    rows: tuple[tuple[str, str], ...]
    literal: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, repr=False)
class Cell:
    """A cell of a table; `below` is smaller print beneath its text."""

    text: str
    below: str = ""
    mark: Mark = ""
    url: str | None = None


@dataclass(frozen=True, slots=True, repr=False)
class Table(_Block):
    """A table with a row of headings; `widths` are parts of a hundred."""

    columns: tuple[str, ...]
    widths: tuple[int, ...]
    rows: tuple[tuple[Cell, ...], ...]


@dataclass(frozen=True, slots=True, repr=False)
class Bullets(_Block):
    """A list without numbers."""

    items: tuple[str, ...]


@dataclass(frozen=True, slots=True, repr=False)
class Quotation:
    """Words of the document or the law, and where they stand."""

    words: str
    place: str


@dataclass(frozen=True, slots=True, repr=False)
class Line:
    """A labelled line beneath a statement: what to do, the legal basis, why it is disputed."""

    label: str
    text: str
    mark: Mark = ""


@dataclass(frozen=True, slots=True, repr=False)
class StatementBlock(_Block):
    """One statement with all that belongs to it.

    Attributes:
        number: that of its id in the answer.
        severity: of a risk; `None` otherwise.
        label: the severity in words; empty without one.
        head: its first sentence.
        text: the rest of it.
        lock: its certainty lock, without brackets.
        lock_words: what the lock means.
        quotations: words that it quotes.
        lines: what belongs to it.
    """

    number: int
    severity: Severity | None
    label: str
    head: str
    text: str
    lock: str
    lock_words: str
    quotations: tuple[Quotation, ...] = ()
    lines: tuple[Line, ...] = ()

    @property
    def mark(self) -> Mark:
        """Return how its severity is marked."""
        return _MARKS.get(self.severity, "")

    @property
    def is_long(self) -> bool:
        """Return whether it may be parted between two pages."""
        said = (*(one.words for one in self.quotations), *(one.text for one in self.lines))
        return len(self.head) + len(self.text) + sum(map(len, said)) > _LONG


Block = Heading | Paragraph | Warnings | Figures | Facts | Table | Bullets | StatementBlock


@dataclass(frozen=True, slots=True, repr=False)
class Chapter:
    """The blocks about one document, in the language of its analysis."""

    language: Language
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True, repr=False)
class Frame:
    """What a report says on every page and of itself.

    Attributes:
        title: the heading of the report.
        subtitle: what it is, in a line.
        language: of the report itself; chapters have their own.
        name: under whose name it goes out; empty for nobody's.
        contact: address and website under that name.
        foot: the line at the foot of each page.
        page: the word for "page".
        of: the word between the number of a page and how many there are.
        origin: where its text comes from, in a sentence.
        origin_code: the same as a code of the IPTC (decision 062).
        made: when the job completed, in UTC.
        subject: what it is about, for the properties of the file; names no person.
    """

    title: str
    subtitle: str
    language: Language
    name: str
    contact: tuple[str, ...]
    foot: str
    page: str
    of: str
    origin: str
    origin_code: Literal["algorithmicMedia", "trainedAlgorithmicMedia"]
    made: datetime
    subject: str


@dataclass(frozen=True, slots=True, repr=False)
class Composition:
    """A whole report, before it has a format."""

    frame: Frame
    opening: Sequence[Block] = field(default=())
    chapters: Sequence[Chapter] = field(default=())
    closing: Sequence[Block] = field(default=())

    @property
    def size(self) -> int:
        """How many blocks and rows it has, by which the time of its layout is judged."""
        return sum(
            len(one.rows) if isinstance(one, Table) else 1
            for part in (self.opening, *(chapter.blocks for chapter in self.chapters), self.closing)
            for one in part
        )
