"""Read the tables and lists of figures that a document writes as lines of text.

A row is a line with a label and figures: set apart by blanks, dots or bars, or a single figure at its end.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise
from typing import Literal

from app.rules.document import Span
from app.rules.facts.money.amounts import Amount
from app.text.numerals import read_figure
from app.text.sentences import FoldedText

Unit = Literal["money", "percent", "plain", "whole"]

_FIGURE = r"\d{1,3}(?:[., ]\d{3})+(?:[.,]\d{1,2})?|\d+(?:[.,]\d{1,2})?"
_CELL = re.compile(
    rf"(?P<sign>[-+] ?)?(?P<before>(?:eur|€|\$) ?)?(?P<figure>{_FIGURE}) ?"
    r"(?P<unit>€|euros?|eur|e|%|por ciento|por 100|puntos?)?\.?"
)
_SEPARATOR = re.compile(r" {2,}|\t+| *\| *| *\.{2,} *| *…+ *| *_{3,} *")
_TAIL = re.compile(
    rf"(?P<label>[^\d\n].{{1,88}}?)(?:: ?| )(?P<cell>[-+]?(?:{_FIGURE}) ?(?:€|euros?|eur)|"
    rf"[-+]?\d[\d.]*,\d\d)$"
)
_ITEM = re.compile(r" *(?:[a-z]\)|\([a-z]{1,4}\)|[-*•–]|\d{1,2}\.?[ºª]|\d{1,2}\)) ")
_RULE = re.compile(r"[-=_*. ]{4,}")
_TOTAL = re.compile(
    r"[^a-z]*(?:(?:importe|suma|precio|cantidad|deuda|saldo|coste|principal)? ?total(?:es)?|sumas?|subtotal"
    r"|liquido|neto|a pagar|a percibir|(?:principal|importe|cantidad|deuda) (?:reclamad|adeudad|debid)[oa]"
    r"|haber liquido|base imponible|sub-total|total amount|amount due|sum)\b"
)
_LONGEST_LINE = 200


@dataclass(frozen=True, slots=True)
class Cell:
    """A figure of a row; `right` is where it ends in its line, `column` its place where bars part columns."""

    value: Decimal
    unit: Unit
    span: Span
    right: int
    column: int | None

    def under(self, other: Cell) -> bool:
        """Tell whether two cells stand in the same column."""
        if self.column is not None and other.column is not None:
            return self.column == other.column
        return abs(self.right - other.right) <= 6


@dataclass(frozen=True, slots=True)
class Row:
    """A line of figures: its label and its other words, folded, and its figures.

    A `loose` one is an item of a list whose only sum of money stands somewhere in its words.
    """

    span: Span
    label: str
    words: tuple[str, ...]
    cells: tuple[Cell, ...]
    loose: bool = False

    @property
    def total(self) -> bool:
        """Tell whether the line says that it is a total."""
        return _TOTAL.match(self.label) is not None

    def cell_under(self, other: Cell, *, alone: bool) -> Cell | None:
        """Return the cell in the column of `other`; the only one, where `alone`."""
        if alone and len(self.cells) == 1:
            return self.cells[0]
        return next((cell for cell in self.cells if cell.under(other)), None)


@dataclass(frozen=True, slots=True)
class Table:
    """Rows that follow each other. `start` and `end` are offsets of the document."""

    rows: tuple[Row, ...]

    @property
    def start(self) -> int:
        """Return where the first row begins."""
        return self.rows[0].span.start

    @property
    def end(self) -> int:
        """Return where the last row ends."""
        return self.rows[-1].span.end


def find_tables(source: FoldedText, amounts: Sequence[Amount]) -> list[Table]:
    """Return the tables and lists of figures of a document, of two rows or more, in order.

    Args:
        source: the document.
        amounts: the sums of money that were read in it.
    """
    tables: list[Table] = []
    rows: list[Row] = []
    other = blank = 0
    money = [item for item in amounts if item.kind == "money"]
    at = 0
    for start, end in _lines(source.cased):
        while at < len(money) and money[at].start < start:
            at += 1
        row = _row(source, start, end, money[at : at + 2])
        if row is not None:
            if rows and rows[-1].loose and not other and _ITEM.match(source.cased[start:end]) is None:
                rows.pop()  # its sum stands at the end of its next line: this one
            if rows and (other > 1 or (blank and not row.total)):
                tables.append(Table(tuple(rows)))
                rows = []
            rows.append(row)
            other = blank = 0
        elif not source.cased[start:end].strip():
            blank += 1
        elif _RULE.fullmatch(source.cased[start:end].strip()) is None:
            other += 1
            if blank:
                other = 2
    if rows:
        tables.append(Table(tuple(rows)))
    return [table for table in tables if len(table.rows) > 1]


def _lines(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for line in text.split("\n"):
        yield start, start + len(line)
        start += len(line) + 1


def _row(source: FoldedText, start: int, end: int, money: Sequence[Amount]) -> Row | None:
    if not 6 <= end - start <= _LONGEST_LINE:
        return None
    line = source.folded[start:end].rstrip()
    if not any(map(str.isdigit, line)):
        return None
    bars = "|" in line
    cuts = [(0, 0), *(found.span() for found in _SEPARATOR.finditer(line)), (len(line), len(line))]
    parts = [(a[1], b[0]) for a, b in pairwise(cuts)]
    cells: list[Cell] = []
    words: list[str] = []
    for column, (first, last) in enumerate(parts):
        cell = _cell(line, first, last, start, column if bars else None)
        if cell is not None and any(words):
            cells.append(cell)
        else:
            words.append(line[first:last].strip())
    written = [word for word in words if any(map(str.isalpha, word))]
    if cells and written:
        return Row(Span(start, start + len(line)), written[0], tuple(written[1:]), tuple(cells))
    tail = _TAIL.fullmatch(line.strip())
    if tail is not None:
        offset = len(line) - len(line.lstrip())
        cell = _cell(line, offset + tail.start("cell"), offset + tail.end("cell"), start, None)
        if cell is not None:
            return Row(Span(start, start + len(line)), tail["label"].strip(" :-"), (), (cell,))
    if _ITEM.match(line) is not None and len(money) >= 1:
        inside = [item for item in money if start <= item.start < end]
        if len(inside) == 1:
            one = inside[0]
            span = Span(one.start, one.end)
            cell = Cell(one.value, "money", span, 0, None)
            return Row(Span(start, start + len(line)), line.strip(), (), (cell,), loose=True)
    return None


def _cell(line: str, first: int, last: int, start: int, column: int | None) -> Cell | None:
    written = line[first:last].strip()
    found = _CELL.fullmatch(written)
    if found is None or re.match(r"0\d", found["figure"]):
        return None
    value = read_figure(found["figure"], percentage=(found["unit"] or "").startswith(("%", "por")))
    if value is None:
        return None
    unit: Unit = "plain" if re.search(r"[.,]\d\d?$|[.,]\d{3}", found["figure"]) else "whole"
    if found["before"] or (found["unit"] or "").startswith(("€", "e")):
        unit = "money"
    elif found["unit"] is not None:
        unit = "percent"
    at = line.index(written, first)
    span = Span(start + at, start + at + len(written))
    return Cell(
        -value if (found["sign"] or "").startswith("-") else value, unit, span, at + len(written), column
    )
