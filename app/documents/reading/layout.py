"""Make paragraphs of words with positions: columns, tables, headings, lists, notes and margins. Pure.

Positions are in points from the top left corner of the page as it is shown.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import median

from app.documents.reading.blocks import CELLS, Block, composed
from app.documents.reading.reading import Kind

# Parts of the height of a page in which headers and footers are looked for, and lines of each at most.
_ZONE, _ZONE_LINES = 0.14, 5
_REPEATED = 0.4
# Gaps in units of the size of the letters: between cells or columns, and within a line of spaced words.
_CELL_GAP, _SURE_GAP, _GUTTER, _ALIGNED = 1.0, 1.7, 0.9, 0.7
_FEWEST_COLUMN_ROWS, _FEWEST_COLUMN_LETTERS, _COLUMN_FILL = 4, 20, 0.5
_RUNNING = 0.2
_LONGEST_CELL = 1_500
_LARGER, _SMALLER = 1.14, 0.9
_LONGEST_HEADING = 140
_SNAP = 3.5

_ENDS = re.compile(r"[.:;?!…][\"'»”’)\]]*$")
_ITEM = re.compile(
    r"(?:[•▪■●○◦‣–—*-]|\(?(?:\d{1,3}(?:\.\d{1,3}){0,5}|[a-zñA-ZÑ]|[ivxIVX]{1,6})[.)ºª]{1,2}-?"
    r"|\d{1,3}(?:\.\d{1,3}){1,5}) "
)
_CLAUSE = re.compile(
    r"(?:(?:cláusula|estipulación|artículo|art\.|clause|section|article|artigo|articolo|capítulo|título|anexo|"
    r"annex|chapter)\s|(?:primer[oa]|segund[oa]|tercer[oa]|cuart[oa]|quint[oa]|sext[oa]|séptim[oa]|octav[oa]|"
    r"noven[oa]|décim[oa]|undécim[oa]|duodécim[oa])\s?[.:–—-])",
    re.IGNORECASE,
)
_NOTE = re.compile(r"(?:\[?(\d{1,3})\]?|\(\d{1,3}\)|[*†‡]{1,3})[.)]?(?:\s|(?=[A-ZÁÉÍÓÚÑ«\"“]))")
_DIGITS = re.compile(r"\d+")
_PAGE_NUMBER = re.compile(
    r"[\W_]*(?:p[aá]g(?:ina)?s?|page|seite|folio|hoja|pàgina|p)?[.:\s]*#\s*(?:(?:/|de|of|von|sur|di|-|–)\s*#)?[\W_]*"
)
_PAGE_OF = re.compile(r"[\W_]*[a-zà]+[.:\s]*#\s*(?:/|de|of|von|sur|di)\s*#[\W_]*")
_LETTERS = re.compile(r"[^\W\d_]{2,}(?:-[^\W\d_]{2,})*")
_LAST_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*$")
_FIRST_WORD = re.compile(r"[^\W\d_]+")
HYPHENS = ("-", "\u2010", "\u00ad", "\x02", "\ufffe")
"""How pdfium and typesetters write the hyphen at which a line breaks a word."""


@dataclass(slots=True)
class Word:
    """Letters without a blank between, and where they stand. `size` is the height of the line they are in."""

    text: str
    x0: float
    y0: float
    x1: float
    y1: float
    size: float
    bold: bool = False
    raised: bool = False


@dataclass(slots=True)
class Rules:
    """The lines drawn on a page: `(y, x0, x1)` across and `(x, y0, y1)` down."""

    across: list[tuple[float, float, float]] = field(default_factory=list)
    down: list[tuple[float, float, float]] = field(default_factory=list)


@dataclass(slots=True)
class PageWords:
    """The words of a page. `exact`: the sizes of its letters are known; recognition only guesses them."""

    width: float
    height: float
    words: list[Word]
    rules: Rules = field(default_factory=Rules)
    aside: list[Word] = field(default_factory=list)
    exact: bool = True


@dataclass(slots=True)
class Line:
    """Words on one line, from left to right."""

    words: list[Word]
    x0: float
    y0: float
    x1: float
    y1: float
    size: float

    @property
    def text(self) -> str:
        """Return the words with blanks between, references to notes in brackets."""
        return " ".join(word.text for word in self.words)

    @property
    def bold(self) -> bool:
        """Tell whether all words with letters are bold."""
        return all(word.bold for word in self.words if any(map(str.isalpha, word.text)))

    @property
    def height(self) -> float:
        """Return the height in points."""
        return self.y1 - self.y0


@dataclass(slots=True)
class _Piece:
    """A block before pages are joined. `lines` are those it was made of, none for rows of tables."""

    kind: Kind
    text: str
    lines: list[Line]
    row: bool = False
    ends_short: bool = False


def blocks_of(pages: Sequence[PageWords]) -> list[Block]:
    """Return the blocks of a document, in reading order; page numbers alone are left out.

    Headers and footers that repeat stand at the end, once each, with the first page on which they were met.
    Footnotes follow the last paragraph that begins on their page.
    """
    marginal = _marginal(pages)
    body_size = _body_size(pages)
    vocabulary = _vocabulary(pages)
    found: list[Block] = []
    late: list[Block] = []
    seen: set[str] = set()
    last: tuple[Block, _Piece] | None = None
    waiting: list[Block] = []
    for number, page in enumerate(pages, 1):
        heads, body, feet = marginal[number - 1]
        for kind, lines in (("header", heads), ("footer", feet)):
            for line in lines:
                key = normal(line.text)
                if key not in seen and not _PAGE_NUMBER.fullmatch(key) and any(map(str.isalpha, key)):
                    seen.add(key)
                    late.append(
                        Block(composed(line.text), "header" if kind == "header" else "footer", number)
                    )
        pieces, notes = _page_pieces(page, body, body_size, vocabulary)
        for piece in pieces:
            if last is not None and piece.lines and _goes_on(last[1], piece):
                block, before = last
                text = _joined(block.text, piece.text, vocabulary)
                if block.page != number and not (block.turns and block.turns[-1][1] == number):
                    block.turns.append((len(text) - len(piece.text), number))
                block.text = text
                before.lines, before.ends_short = piece.lines, piece.ends_short
                continue
            found += waiting
            waiting = []
            if found and found[-1].page != number and _continues_row(found[-1], piece):
                found[-1].text = _merged(found[-1].text, piece.text)
                continue
            block = Block(piece.text, piece.kind, number, row=piece.row and not _after_notes(found))
            found.append(block)
            last = (block, piece) if piece.kind in ("paragraph", "list_item") else None
        # Text in the margin, set sideways, is no part of what runs on.
        aside = composed(" ".join(word.text for word in page.aside))
        if aside and normal(aside) not in seen:
            seen.add(normal(aside))
            late.append(Block(aside, "footer", number))
        waiting += [Block(text, "footnote", number) for text in notes]
    return [block for block in (*found, *waiting, *late) if block.text]


def _after_notes(found: Sequence[Block]) -> bool:
    return not found or found[-1].kind != "table_row"


def _cells(text: str) -> list[str]:
    return [cell.strip() for cell in f" {text} ".split(" |")]


def _continues_row(before: Block, piece: _Piece) -> bool:
    """Tell whether the first row of a page is the rest of the last one of the page before."""
    if before.kind != "table_row" or piece.kind != "table_row":
        return False
    return not _cells(piece.text)[0] and len(_cells(before.text)) == len(_cells(piece.text))


def _merged(row: str, rest: str) -> str:
    pairs = zip(_cells(row), _cells(rest), strict=True)
    return composed(CELLS.join(f"{one} {other}".strip() for one, other in pairs))


def normal(text: str) -> str:
    """Return `text` with all figures alike, without case: what repeats on page after page."""
    return _DIGITS.sub("#", composed(text).casefold())


def lines_of(words: Sequence[Word]) -> list[Line]:
    """Return words in lines, from the top down: those that overlap by half of the lower one's height."""
    rows: list[list[Word]] = []
    spans: list[tuple[float, float]] = []
    for word in sorted(words, key=lambda one: (one.y0 + one.y1, one.x0)):
        for at in range(len(rows) - 1, max(len(rows) - 4, -1), -1):
            top, bottom = spans[at]
            shared = min(bottom, word.y1) - max(top, word.y0)
            if shared >= 0.5 * min(bottom - top, word.y1 - word.y0):
                rows[at].append(word)
                if not word.raised and word.y1 - word.y0 > bottom - top:
                    spans[at] = (word.y0, word.y1)
                break
        else:
            rows.append([word])
            spans.append((word.y0, word.y1))
    return sorted((_line(row) for row in rows), key=lambda line: line.y0 + line.y1)


def _line(words: list[Word]) -> Line:
    words = sorted(words, key=lambda word: word.x0)
    sizes: Counter[float] = Counter()
    for word in words:
        sizes[word.size] += len(word.text)
    return Line(
        words,
        words[0].x0,
        min(word.y0 for word in words),
        max(word.x1 for word in words),
        max(word.y1 for word in words),
        sizes.most_common(1)[0][0],
    )


def _body_size(pages: Sequence[PageWords]) -> float:
    sizes: Counter[float] = Counter()
    for page in pages:
        for word in page.words:
            sizes[round(word.size * 2) / 2] += len(word.text)
    return sizes.most_common(1)[0][0] if sizes else 10.0


def _vocabulary(pages: Sequence[PageWords]) -> Counter[str]:
    """Return how often each word stands inside a line, hyphens included."""
    counted: Counter[str] = Counter()
    for page in pages:
        for word in page.words:
            for found in _LETTERS.finditer(word.text):
                counted[found[0].lower()] += 1
    return counted


# Headers and footers


def _marginal(pages: Sequence[PageWords]) -> list[tuple[list[Line], list[Word], list[Line]]]:
    """Return of each page the lines of its header, the words of its body and the lines of its footer."""
    tops = [_outer(page, top=True) for page in pages]
    bottoms = [_outer(page, top=False) for page in pages]
    repeated_top, repeated_bottom = _repeated(tops), _repeated(bottoms)
    found = []
    for page, top, bottom in zip(pages, tops, bottoms, strict=True):
        heads = _taken(top, repeated_top, several=len(pages) > 1)
        feet = _taken(bottom, repeated_bottom, several=len(pages) > 1)
        gone = {id(word) for line in (*heads, *feet) for word in line.words}
        body = [word for word in page.words if id(word) not in gone]
        found.append((heads, body, feet[::-1]))
    return found


def _outer(page: PageWords, *, top: bool) -> list[Line]:
    """Return the lines at one end of a page, the outermost first."""
    edge = page.height * (_ZONE if top else 1 - _ZONE)
    words = [word for word in page.words if (word.y1 < edge if top else word.y0 > edge)]
    lines = lines_of(words)
    return (lines if top else lines[::-1])[:_ZONE_LINES]


def _repeated(zones: Sequence[Sequence[Line]]) -> set[str]:
    """Return the lines, figures apart, that stand in as many of the zones as headers do."""
    counted = Counter(key for zone in zones for key in {normal(line.text) for line in zone})
    filled = sum(1 for zone in zones if zone)
    fewest = max(2, min(3, filled), _REPEATED * filled)
    return {key for key, count in counted.items() if count >= fewest}


def _taken(zone: Sequence[Line], repeated: set[str], *, several: bool) -> list[Line]:
    """Return the lines of a zone that are header or footer: all up to the innermost that repeats."""
    taken = 0
    for at, line in enumerate(zone):
        key = normal(line.text)
        alone = at == 0 and _PAGE_NUMBER.fullmatch(key) and (several or _PAGE_OF.fullmatch(key))
        if key in repeated or alone:
            taken = at + 1
        elif at > taken:
            break
    return list(zone[:taken])


# One page


def _page_pieces(
    page: PageWords, words: list[Word], body_size: float, vocabulary: Counter[str]
) -> tuple[list[_Piece], list[str]]:
    """Return the pieces of a page in reading order, and its footnotes."""
    words, notes = _without_notes(words, page, body_size)
    _mark_references(words, {number for number, _ in notes if number})
    pieces: list[_Piece] = []
    rest = words
    for grid in _grids(page.rules, words):
        inside = [word for word in rest if grid.holds(word)]
        taken = {id(word) for word in inside}
        above = [word for word in rest if id(word) not in taken and (word.y0 + word.y1) / 2 < grid.ys[0]]
        pieces += _flow(above, page, body_size, vocabulary)
        pieces += _table(grid, inside, page, body_size, vocabulary)
        taken |= {id(word) for word in above}
        rest = [word for word in rest if id(word) not in taken]
    pieces += _flow(rest, page, body_size, vocabulary)
    texts = [_text_of(lines, vocabulary) for _, lines in notes]
    return [piece for piece in pieces if piece.text], [text for text in texts if text]


def _without_notes(
    words: list[Word], page: PageWords, body_size: float
) -> tuple[list[Word], list[tuple[str, list[Line]]]]:
    """Return the words above the footnotes, and the footnotes: small lines at the bottom, from a mark on."""
    if not page.exact:
        return words, []
    lines = lines_of(words)
    first = len(lines)
    while first and lines[first - 1].size < body_size * _SMALLER and lines[first - 1].y0 > page.height * 0.4:
        first -= 1
    small = lines[first:]
    while small and not _NOTE.match(small[0].text):
        small = small[1:]
    if not small or len(small) == len(lines):
        return words, []
    notes: list[tuple[str, list[Line]]] = []
    for line in small:
        mark = _NOTE.match(line.text)
        if mark and (not notes or line.x0 <= notes[-1][1][0].x0 + line.size):
            notes.append((mark[1] or "", [line]))
        else:
            notes[-1][1].append(line)
    gone = {id(word) for line in small for word in line.words}
    return [word for word in words if id(word) not in gone], notes


def _mark_references(words: Sequence[Word], numbers: set[str]) -> None:
    """Put raised numbers that have a note on the page in brackets."""
    for word in words:
        if word.raised and word.text.strip("[]()") in numbers:
            word.text = f"[{word.text.strip('[]()')}]"


def _flow(words: list[Word], page: PageWords, body_size: float, vocabulary: Counter[str]) -> list[_Piece]:
    pieces: list[_Piece] = []
    for region in regions(words, page.width):
        pieces += _paragraphs(region, page, body_size, vocabulary)
    return pieces


# Columns


def regions(words: list[Word], width: float, depth: int = 0) -> Iterator[list[Line]]:
    """Yield the lines of each column and of what stands across columns, in reading order."""
    lines = lines_of(words)
    found = _columns(lines, width) if depth < 4 else None
    if found is None:
        if lines:
            yield lines
        return
    first, last, x = found
    inside = [word for line in lines[first:last] for word in line.words]
    yield from regions([word for line in lines[:first] for word in line.words], width, depth + 1)
    yield from regions([word for word in inside if (word.x0 + word.x1) / 2 < x], width, depth + 1)
    yield from regions([word for word in inside if (word.x0 + word.x1) / 2 >= x], width, depth + 1)
    yield from regions([word for line in lines[last:] for word in line.words], width, depth + 1)


def _columns(lines: Sequence[Line], width: float) -> tuple[int, int, float] | None:
    """Return first and last (exclusive) of the lines that two columns share, and where to cut them."""
    if len(lines) < _FEWEST_COLUMN_ROWS:
        return None
    middles: Counter[float] = Counter()
    for line in lines:
        for left, right in pairwise(line.words):
            if right.x0 - left.x1 >= _GUTTER * line.size:
                middles[round((left.x1 + right.x0) / 6) * 3.0] += 1
    best: tuple[int, int, int, float] | None = None
    for x, count in middles.most_common(12):
        if count < 3:
            break
        for first, last in _uncrossed(lines, x):
            last = _without_tail(lines, first, last, x)
            both = _are_columns(lines[first:last], x, width)
            if both and (best is None or both > best[0]):
                best = (both, first, last, x)
    return best[1:] if best else None


def _uncrossed(lines: Sequence[Line], x: float) -> Iterator[tuple[int, int]]:
    """Yield the runs of lines none of which has a word, or no more than a blank, at `x`."""
    first = 0
    for at, line in enumerate((*lines, None)):
        if line is not None and not _crosses(line, x):
            continue
        if at - first >= _FEWEST_COLUMN_ROWS:
            yield first, at
        first = at + 1


def _without_tail(lines: Sequence[Line], first: int, last: int, x: float) -> int:
    """Return the end of a run without short lines, apart from it, that begin what follows across the page."""
    if last == len(lines):
        return last
    end = last
    while end - first > 1 and all(word.x1 <= x + 1 for word in lines[end - 1].words):
        end -= 1
        if lines[end].y0 - lines[end - 1].y1 > 0.6 * lines[end].size:
            return end
    return last


def _crosses(line: Line, x: float) -> bool:
    left = max((word.x1 for word in line.words if word.x0 < x), default=None)
    right = min((word.x0 for word in line.words if word.x1 > x), default=None)
    if left is None or right is None:
        return False
    return right - left < 0.7 * line.size


def _are_columns(lines: Sequence[Line], x: float, width: float) -> int:
    """Return in how many lines both columns have text, 0 where they are no columns of running text."""
    left, right = [], []
    both = 0
    for line in lines:
        here = [word for word in line.words if word.x1 <= x + 1]
        there = [word for word in line.words if word.x1 > x + 1]
        both += bool(here and there)
        left += [here] if here else []
        right += [there] if there else []
    for column in (left, right):
        if len(column) < _FEWEST_COLUMN_ROWS:
            return 0
        start, end = min(row[0].x0 for row in column), max(row[-1].x1 for row in column)
        letters = median(sum(len(word.text) + 1 for word in row) for row in column)
        if end - start < 0.15 * width or letters < _FEWEST_COLUMN_LETTERS:
            return 0
        full = sum(1 for row in column if row[-1].x1 - start >= 0.72 * (end - start))
        if full < _COLUMN_FILL * len(column):
            return 0
    # Lines of running text begin in the middle of sentences, cells do not.
    begin_small = sum(1 for row in (*left, *right) if row[0].text[:1].islower())
    return both if both >= 3 and begin_small >= _RUNNING * (len(left) + len(right)) else 0


# Tables


@dataclass(slots=True)
class _Grid:
    """The lines of a ruled table: where its columns and rows begin and end."""

    xs: list[float]
    ys: list[float]

    def holds(self, word: Word) -> bool:
        x, y = (word.x0 + word.x1) / 2, (word.y0 + word.y1) / 2
        return self.xs[0] <= x <= self.xs[-1] and self.ys[0] <= y <= self.ys[-1]

    def cell(self, word: Word) -> tuple[int, int]:
        """Return row and column of a word."""
        x, y = min(word.x0 + 2, word.x1), (word.y0 + word.y1) / 2
        row = min(max(bisect_right(self.ys, y) - 1, 0), len(self.ys) - 2)
        return row, min(max(bisect_right(self.xs, x) - 1, 0), len(self.xs) - 2)


def _grids(rules: Rules, words: Sequence[Word]) -> list[_Grid]:
    """Return the ruled tables with words in two columns or more, from the top down."""
    across = [one for one in rules.across if one[2] - one[1] >= 12]
    down = [one for one in rules.down if one[2] - one[1] >= 6]
    if not across or not down or len(across) * len(down) > 400_000:
        return []
    parents = list(range(len(across) + len(down)))

    def root(at: int) -> int:
        while parents[at] != at:
            parents[at] = parents[parents[at]]
            at = parents[at]
        return at

    for i, (y, x0, x1) in enumerate(across):
        for j, (x, y0, y1) in enumerate(down):
            if x0 - _SNAP <= x <= x1 + _SNAP and y0 - _SNAP <= y <= y1 + _SNAP:
                parents[root(i)] = root(len(across) + j)
    groups: defaultdict[int, tuple[list[float], list[float]]] = defaultdict(lambda: ([], []))
    for i, (y, x0, x1) in enumerate(across):
        groups[root(i)][0].extend((x0, x1))
        groups[root(i)][1].append(y)
    for j, (x, y0, y1) in enumerate(down):
        groups[root(len(across) + j)][0].append(x)
        groups[root(len(across) + j)][1].extend((y0, y1))
    found = []
    for xs, ys in groups.values():
        grid = _Grid(_snapped(xs), _snapped(ys))
        if len(grid.xs) >= 3 and len(grid.ys) >= 2:
            columns = {grid.cell(word)[1] for word in words if grid.holds(word)}
            if len(columns) >= 2:
                found.append(grid)
    found.sort(key=lambda grid: grid.ys[0])
    # One inside another is part of it.
    return [grid for at, grid in enumerate(found) if not any(_within(grid, one) for one in found[:at])]


def _within(grid: _Grid, outer: _Grid) -> bool:
    return (
        grid.ys[0] < outer.ys[-1] - _SNAP
        and grid.xs[0] < outer.xs[-1] - _SNAP
        and grid.xs[-1] > outer.xs[0] + _SNAP
    )


def _snapped(values: list[float]) -> list[float]:
    found: list[float] = []
    for value in sorted(values):
        if not found or value - found[-1] > _SNAP:
            found.append(value)
    return found


def _table(
    grid: _Grid, words: Sequence[Word], page: PageWords, body_size: float, vocabulary: Counter[str]
) -> list[_Piece]:
    cells: defaultdict[tuple[int, int], list[Word]] = defaultdict(list)
    for word in words:
        cells[grid.cell(word)].append(word)
    used = sorted({column for _, column in cells})
    pieces: list[_Piece] = []
    for row in range(len(grid.ys) - 1):
        texts = [_text_of(lines_of(cells[row, column]), vocabulary) for column in used]
        if not any(texts):
            continue
        if max(map(len, texts)) > _LONGEST_CELL or (sum(1 for text in texts if text) == 1 and len(used) == 1):
            for column in used:
                pieces += _paragraphs(lines_of(cells[row, column]), page, body_size, vocabulary)
            continue
        follows = bool(pieces) and pieces[-1].kind == "table_row"
        pieces.append(_Piece("table_row", composed(CELLS.join(texts)), [], row=follows))
    return pieces


def _segments(line: Line) -> list[list[Word]]:
    """Return the words of a line in groups, cut at gaps as wide as between cells."""
    groups = [[line.words[0]]]
    for word in line.words[1:]:
        if word.x0 - groups[-1][-1].x1 >= _CELL_GAP * line.size:
            groups.append([word])
        else:
            groups[-1].append(word)
    return groups


def _aligned(one: list[list[Word]], other: list[list[Word]], size: float) -> bool:
    """Tell whether two rows share an edge of cells inside the table, a left one or a right one."""
    near = _ALIGNED * size
    lefts = [group[0].x0 for group in other[1:]]
    rights = [group[-1].x1 for group in other[:-1]]
    return any(abs(group[0].x0 - x) <= near for group in one[1:] for x in lefts) or any(
        abs(group[-1].x1 - x) <= near for group in one[:-1] for x in rights
    )


# Paragraphs


def _paragraphs(
    lines: list[Line], page: PageWords, body_size: float, vocabulary: Counter[str]
) -> list[_Piece]:
    """Return the paragraphs and unruled tables of one column."""
    if not lines:
        return []
    left = min(line.x0 for line in lines)
    right = max(line.x1 for line in lines)
    steps = [
        below.y0 - above.y0
        for above, below in pairwise(lines)
        if abs(below.size - above.size) < 0.15 * above.size and below.y0 - above.y0 < 3 * above.size
    ]
    step = _usual(steps) if steps else 0.0
    pieces: list[_Piece] = []
    pending: list[Line] = []
    at = 0
    while at < len(lines):
        rows, after = _aligned_rows(lines, at)
        if rows:
            if pending:
                pieces.append(_paragraph(pending, left, right, page, body_size, vocabulary))
                pending = []
            for number, row in enumerate(rows):
                text = composed(CELLS.join(row))
                follows = bool(pieces) and pieces[-1].kind == "table_row" and number > 0
                pieces.append(_Piece("table_row", text, [], row=follows))
            at = after
            continue
        line = lines[at]
        if pending and _breaks(pending, line, left, right, step, page.exact):
            pieces.append(_paragraph(pending, left, right, page, body_size, vocabulary))
            pending = []
        pending.append(line)
        at += 1
    if pending:
        pieces.append(_paragraph(pending, left, right, page, body_size, vocabulary))
    return pieces


def _usual(steps: Sequence[float]) -> float:
    """Return the smallest distance of lines that is common: that within paragraphs."""
    counted = Counter(round(step) for step in steps)
    common = [step for step, count in counted.items() if count >= 0.2 * len(steps)]
    return float(min(common)) if common else median(steps)


def _aligned_rows(lines: Sequence[Line], at: int) -> tuple[list[list[str]], int]:
    """Return the rows of an unruled table that begins at a line, and the line after it."""
    groups = _segments(lines[at])
    if len(groups) < 2:
        return [], at
    rows: list[list[str]] = []
    sure = True
    here = at
    while here < len(lines):
        groups = _segments(lines[here])
        sure &= all(
            right[0].x0 - left[-1].x1 >= _SURE_GAP * lines[here].size for left, right in pairwise(groups)
        )
        after = here + 1
        row = [_words(group) for group in groups]
        while (
            after < len(lines)
            and (column := _goes_on_below(groups, lines[after - 1], lines[after])) is not None
        ):
            row[column] += " " + lines[after].text
            after += 1
        fits = after < len(lines) and _same_table(groups, _segments(lines[after]), lines[here].size)
        if not fits and not rows:
            return [], at
        rows.append(row)
        here = after
        if not fits:
            break
    return (rows, here) if len(rows) >= (2 if sure else 3) else ([], at)


def _words(group: Sequence[Word]) -> str:
    return " ".join(word.text for word in group)


def _same_table(groups: list[list[Word]], following: list[list[Word]], size: float) -> bool:
    """Tell whether the row below belongs to the same table; items with a gap after their number do not."""
    if len(groups) < 2 or len(following) < 2 or not _aligned(groups, following, size):
        return False
    return not (_is_item_with_tab(groups) and _is_item_with_tab(following))


def _goes_on_below(groups: Sequence[Sequence[Word]], above: Line, line: Line) -> int | None:
    """Return the cell, not the first, of a row that goes on in the line below, `None` where none does."""
    inside = _segments(line)
    if len(inside) != 1 or line.y0 - above.y1 > 0.6 * line.size:
        return None
    near = _ALIGNED * line.size
    starts = (group[0].x0 for group in groups)
    return next((at for at, x in enumerate(starts) if at and abs(inside[0][0].x0 - x) <= near), None)


def _is_item_with_tab(groups: Sequence[Sequence[Word]]) -> bool:
    """Tell whether a line is no row but an item whose number is followed by a wide gap."""
    mark = _words(groups[0])
    return len(groups) == 2 and (_ITEM.fullmatch(mark + " ") is not None or mark in ("•", "-", "–", "—"))


def _breaks(pending: Sequence[Line], line: Line, left: float, right: float, step: float, exact: bool) -> bool:
    """Tell whether a line begins a new paragraph after those that are pending."""
    last = pending[-1]
    size = max(last.size, 1.0)
    gap = line.y0 - last.y0
    if exact and (line.size > last.size * _LARGER or line.size < last.size / _LARGER):
        return True
    if step and gap > max(1.3 * step, step + 0.3 * size):
        return True
    if not step and line.y0 - last.y1 > 0.9 * size:
        return True
    if line.y1 < last.y0:
        return True
    centred = _centred(line, left, right) and _centred(last, left, right)
    if exact and line.bold != last.bold and (last.bold or not _ENDS.search(last.text)):
        mixed = any(word.bold for word in last.words) and not last.bold
        if not mixed and (last.x1 < right - 2 * size or line.bold):
            return True
    if centred:
        return False
    text = line.text
    room = right - last.x1
    fitted = line.words[0].x1 - line.words[0].x0 + 0.3 * size
    ended_early = room > max(fitted, 1.2 * size) and right - left > 12 * size
    if _ITEM.match(text + " ") or _CLAUSE.match(text):
        return bool(_ENDS.search(last.text)) or ended_early or len(last.text) < 40
    if ended_early and (_ENDS.search(last.text) or room > fitted + 3 * size):
        # Text that is not justified ends lines early too, but by no more than the word that did not fit.
        return True
    indented = line.x0 - left
    if 0.8 * size < indented < 6 * size and last.x0 - left < 0.4 * size and len(pending) > 1:
        return bool(_ENDS.search(last.text)) and pending[-2].x0 - left < 0.4 * size
    return False


def _centred(line: Line, left: float, right: float) -> bool:
    before, after = line.x0 - left, right - line.x1
    return before > 2 * line.size and abs(before - after) < 1.5 * line.size


def _paragraph(
    lines: list[Line], left: float, right: float, page: PageWords, body_size: float, vocabulary: Counter[str]
) -> _Piece:
    text = _text_of(lines, vocabulary)
    kind: Kind = "paragraph"
    size = lines[0].size
    if _is_heading(lines, text, size, page.exact, body_size):
        kind = "heading"
    elif _ITEM.match(text):
        kind = "list_item"
    return _Piece(kind, text, lines, ends_short=right - lines[-1].x1 > 3 * size)


def _is_heading(lines: Sequence[Line], text: str, size: float, exact: bool, body_size: float) -> bool:
    if len(text) > _LONGEST_HEADING or not any(map(str.isalpha, text)):
        return False
    if exact and size > body_size * _LARGER:
        return True
    letters = [character for character in text if character.isalpha()]
    ends = text.endswith((".", ";", ","))
    if exact and all(line.bold for line in lines) and not ends:
        return True
    return len(letters) > 3 and not ends and all(map(str.isupper, letters))


def _text_of(lines: Sequence[Line], vocabulary: Counter[str]) -> str:
    """Return the lines as one running text, with words that were broken at line ends whole again."""
    text = ""
    for line in lines:
        text = _joined(text, line.text, vocabulary) if text else line.text
    return composed(_with_plain_hyphens(text))


def _with_plain_hyphens(text: str) -> str:
    for sign in ("\x02", "\ufffe", "\u2010"):
        text = text.replace(sign, "-")
    return text


def _joined(text: str, following: str, vocabulary: Counter[str]) -> str:
    """Return `text` and what follows it, with a word that goes on over the break whole again.

    A hyphen between small letters is dropped, unless the document elsewhere has the compound with its hyphen
    and not the word without. Beside figures, capitals and other hyphens it stays.
    """
    if not text.endswith(HYPHENS):
        return f"{text} {following}"
    head = _LAST_WORD.search(text[:-1])
    tail = _FIRST_WORD.match(following)
    if head is None or tail is None:
        # A dash of its own, or figures: "1990-".
        return f"{text} {following}" if text[-2:-1].isspace() else f"{text}{following}"
    one_case = (tail[0].islower() and head[0][-1].islower()) or (tail[0].isupper() and head[0].isupper())
    whole, compound = (head[0] + tail[0]).lower(), f"{head[0]}-{tail[0]}".lower()
    if not one_case or (vocabulary[compound] and not vocabulary[whole]):
        return f"{_with_plain_hyphens(text)}{following}"
    return text[:-1] + following


def _goes_on(before: _Piece, piece: _Piece) -> bool:
    """Tell whether a paragraph goes on in the first one of the next column or page."""
    if piece.kind != "paragraph" or before.kind not in ("paragraph", "list_item") or not before.lines:
        return False
    last, first = before.lines[-1], piece.lines[0]
    if abs(last.size - first.size) > 0.15 * last.size:
        return False
    if before.text.endswith(HYPHENS) or last.text.endswith(HYPHENS):
        return piece.text[:1].islower()
    if _ENDS.search(last.text):
        return False
    return piece.text[:1].islower() or (not before.ends_short and not piece.text[:1].isupper())
