"""Take words, drawn lines and pictures from a page of a PDF through pdfium."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import pypdfium2.raw as pdfium

from app.documents.errors import TOO_COMPLEX, DocumentUnreadable
from app.documents.reading.blocks import clean
from app.documents.reading.layout import HYPHENS, PageWords, Rules, Word

_BLANKS = frozenset({0, 9, 10, 13, 32, 0xA0, 0x2000, 0x2002, 0x2003, 0x2009, 0x202F, 0x3000, 0xFEFF, 0x200B})
_MOST_CHARACTERS = 60_000
_MOST_OBJECTS, _MOST_SEGMENTS = 8_000, 400
_THIN, _SHORTEST = 3.0, 5.0
_BOLD = 600
_BOLD_NAMES = (b"bold", b"black", b"heavy", b"negrita")
_WIDE_GAP = 0.6
_RAISED = 0.78
_TINY = 1.5
_PATH, _IMAGE, _FORM = 2, 3, 5

Place = Callable[[float, float], tuple[float, float]]


@dataclass(slots=True)
class PdfPage:
    """What a page holds.

    `unmapped` counts characters whose Unicode was guessed, `hidden` those too small to be seen; `covered` is
    the largest share of the page that one picture takes.
    """

    words: PageWords
    characters: int
    unmapped: int
    hidden: int
    covered: float


def extract(page: Any) -> PdfPage:
    """Return what a `pypdfium2.PdfPage` holds.

    Raises:
        DocumentUnreadable: It has far more characters than a page can show.
    """
    width, height = page.get_size()
    place = _placing(page)
    rules, covered = _drawn(page, place, width, height)
    text = page.get_textpage()
    try:
        words, characters, unmapped, hidden = _words(text.raw, place)
    finally:
        text.close()
    upright, aside = _by_direction(words, width, height)
    return PdfPage(PageWords(width, height, upright, rules, aside), characters, unmapped, hidden, covered)


def _placing(page: Any) -> Place:
    """Return the way from the coordinates of a page to points from its top left corner as it is shown."""
    left, bottom, right, top = page.get_bbox()
    turned = page.get_rotation() % 360
    if turned == 90:
        return lambda x, y: (y - bottom, x - left)
    if turned == 180:
        return lambda x, y: (right - x, y - bottom)
    if turned == 270:
        return lambda x, y: (top - y, right - x)
    return lambda x, y: (x - left, top - y)


class _Turned(Word):
    """A word with its direction in degrees, anticlockwise as it is shown."""

    __slots__ = ("angle",)

    angle: int


def _words(text: Any, place: Place) -> tuple[list[Word], int, int, int]:
    """Return the words of a text page, and its counts of characters, of unknown and of hidden ones."""
    count = pdfium.FPDFText_CountChars(text)
    if count > _MOST_CHARACTERS:
        raise DocumentUnreadable(TOO_COMPLEX)
    rectangle = pdfium.FS_RECTF()
    reference = ctypes.byref(rectangle)
    unicode_of, box_of = pdfium.FPDFText_GetUnicode, pdfium.FPDFText_GetLooseCharBox
    words: list[Word] = []
    letters: list[str] = []
    x0 = y0 = x1 = y1 = size = 0.0
    first = characters = unmapped = hidden = 0

    def ended() -> None:
        shown = _shown("".join(letters))
        if shown:
            words.append(_word(text, first, shown, (x0, y0, x1, y1), place))
        letters.clear()

    for index in range(count):
        code = unicode_of(text, index)
        if code in _BLANKS:
            ended()
            continue
        if not box_of(text, index, reference):
            continue
        left, right, bottom, top = rectangle.left, rectangle.right, rectangle.bottom, rectangle.top
        if not all(map(math.isfinite, (left, right, bottom, top))):
            continue
        characters += 1
        if pdfium.FPDFText_HasUnicodeMapError(text, index) == 1 and code not in (2, 0xFFFE):
            unmapped += 1
        if 0xD800 <= code < 0xE000:
            code = 0xFFFD
        size = max(abs(top - bottom), 0.01)
        if size < _TINY and abs(right - left) < _TINY:
            hidden += 1
            continue
        if letters and not _continues(x0, y0, x1, y1, left, bottom, right, top):
            ended()
        if letters:
            x0, x1, y0, y1 = min(x0, left), max(x1, right), min(y0, bottom), max(y1, top)
        else:
            first, x0, x1, y0, y1 = index, left, right, bottom, top
        letters.append(chr(code))
    ended()
    return words, characters, unmapped, hidden


def _shown(letters: str) -> str:
    """Return a word as it is seen: a hyphen at its end, however it is coded, and nothing invisible."""
    broken = letters.endswith(HYPHENS)
    return clean(letters[:-1]) + "-" if broken else clean(letters)


def _continues(
    x0: float, y0: float, x1: float, y1: float, left: float, bottom: float, right: float, top: float
) -> bool:
    """Tell whether a character stands beside the word so far, on its line, in whatever direction."""
    high, wide = max(y1 - y0, 0.01), max(x1 - x0, 0.01)
    size = top - bottom
    shared = min(y1, top) - max(y0, bottom)
    if shared >= 0.5 * min(high, size):
        if size < _RAISED * high and (y0 + y1) / 2 < (bottom + top) / 2 - 0.08 * high and wide > 0.2 * high:
            return False
        gap = left - x1 if left >= x0 else x0 - right
        return gap <= _WIDE_GAP * min(high, size) and not (left < x0 - 0.5 * high and right < x0 + 0.1)
    # Set sideways: one above the other.
    across = min(x1, right) - max(x0, left)
    gap = bottom - y1 if bottom >= y0 else y0 - top
    return (
        across >= 0.5 * min(wide, right - left)
        and gap <= 0.35 * min(wide, right - left)
        and high > wide * 0.6
    )


def _word(text: Any, first: int, letters: str, box: tuple[float, float, float, float], place: Place) -> Word:
    (ax, ay), (bx, by) = place(box[0], box[1]), place(box[2], box[3])
    angle = pdfium.FPDFText_GetCharAngle(text, first)
    word = _Turned(
        letters,
        min(ax, bx),
        min(ay, by),
        max(ax, bx),
        max(ay, by),
        abs(by - ay),
        _is_bold(text, first),
    )
    origin, tip = place(0.0, 0.0), place(math.cos(angle), -math.sin(angle))
    word.angle = round(math.degrees(math.atan2(origin[1] - tip[1], tip[0] - origin[0]))) % 360
    return word


def _is_bold(text: Any, index: int) -> bool:
    """Tell whether a character is bold, by the weight or the name of its typeface."""
    if pdfium.FPDFText_GetFontWeight(text, index) >= _BOLD:
        return True
    name, flags = ctypes.create_string_buffer(96), ctypes.c_int()
    length = pdfium.FPDFText_GetFontInfo(text, index, name, len(name), ctypes.byref(flags))
    return 0 < length <= len(name) and any(sign in name.value.lower() for sign in _BOLD_NAMES)


def _by_direction(words: list[Word], width: float, height: float) -> tuple[list[Word], list[Word]]:
    """Return the words set in the direction of most, turned upright, and the rest.

    Raised and sunk words, such as references to notes, are marked and take the size of their line.
    """
    lengths: dict[int, int] = {}
    for word in words:
        assert isinstance(word, _Turned)
        quarter = round(word.angle / 90) * 90 % 360
        lengths[quarter] = lengths.get(quarter, 0) + len(word.text)
    main = max(lengths, key=lambda one: (lengths[one], -one)) if lengths else 0
    upright: list[Word] = []
    aside: list[Word] = []
    for word in words:
        assert isinstance(word, _Turned)
        off = (word.angle - main + 180) % 360 - 180
        if abs(off) > 20:
            aside.append(word)
            continue
        if main == 90:
            word.x0, word.y0, word.x1, word.y1 = height - word.y1, word.x0, height - word.y0, word.x1
        elif main == 270:
            word.x0, word.y0, word.x1, word.y1 = word.y0, width - word.x1, word.y1, width - word.x0
        elif main == 180:
            word.x0, word.y0, word.x1, word.y1 = (
                width - word.x1, height - word.y1, width - word.x0, height - word.y0,
            )  # fmt: skip
        if main:
            word.size = word.y1 - word.y0
        upright.append(word)
    upright = _once(upright)
    _mark_raised(upright)
    return upright, aside


def _once(words: list[Word]) -> list[Word]:
    """Return words without those that are printed twice on one place, as makeshift bold type is."""
    places: dict[str, list[Word]] = {}
    kept = []
    for word in words:
        same = places.setdefault(word.text, [])
        near = 0.25 * word.size
        if any(abs(one.x0 - word.x0) < near and abs(one.y0 - word.y0) < near for one in same[-20:]):
            continue
        same.append(word)
        kept.append(word)
    return kept


def _mark_raised(words: list[Word]) -> None:
    for before, word in pairwise(words):
        near = -0.1 * before.size < word.x0 - before.x1 < before.size and not before.raised
        if (
            near
            and word.size < _RAISED * before.size
            and word.y1 < before.y1 - 0.1 * before.size
            and word.y0 < before.y1
            and word.text.strip("[]()").isdigit()
        ):
            word.raised = True
            word.size = before.size


def _drawn(page: Any, place: Place, width: float, height: float) -> tuple[Rules, float]:
    """Return the straight lines drawn on a page, and the share of the page its largest picture covers."""
    rules = Rules()
    covered = 0.0
    area = max(width * height, 1.0)
    for handle, kind in _objects(page):
        bounds = [ctypes.c_float() for _ in range(4)]
        if not pdfium.FPDFPageObj_GetBounds(handle, *map(ctypes.byref, bounds)):
            continue
        left, bottom, right, top = (one.value for one in bounds)
        if not all(map(math.isfinite, (left, bottom, right, top))):
            continue
        (ax, ay), (bx, by) = place(left, bottom), place(right, top)
        x0, x1, y0, y1 = min(ax, bx), max(ax, bx), min(ay, by), max(ay, by)
        if kind == _IMAGE:
            seen = max(min(x1, width) - max(x0, 0), 0) * max(min(y1, height) - max(y0, 0), 0)
            covered = max(covered, seen / area)
        elif kind == _PATH:
            _add_rule(rules, x0, y0, x1, y1, width, height)
            if pdfium.FPDFPath_CountSegments(handle) > 5:
                for line in _segments(handle, place):
                    _add_rule(rules, *line, width, height, line_only=True)
    return rules, covered


def _objects(page: Any) -> Iterator[tuple[Any, int]]:
    """Yield the objects of a page with their kinds, up to a number that no table needs."""
    for index in range(min(pdfium.FPDFPage_CountObjects(page.raw), _MOST_OBJECTS)):
        handle = pdfium.FPDFPage_GetObject(page.raw, index)
        kind = pdfium.FPDFPageObj_GetType(handle)
        if kind in (_PATH, _IMAGE):
            yield handle, kind
        elif kind == _FORM:
            # A scanner's picture often stands inside a form of its own.
            for inner in range(min(pdfium.FPDFFormObj_CountObjects(handle), 200)):
                found = pdfium.FPDFFormObj_GetObject(handle, inner)
                if pdfium.FPDFPageObj_GetType(found) == _IMAGE:
                    yield handle, _IMAGE


def _add_rule(
    rules: Rules,
    x0: float,
    y0: float,
    x1: float,
    y1: float,
    width: float,
    height: float,
    *,
    line_only: bool = False,
) -> None:
    """Add a thin shape as a line, and a box as its four sides, unless it is as large as the page."""
    wide, high = x1 - x0, y1 - y0
    if high <= _THIN and wide >= _SHORTEST:
        rules.across.append(((y0 + y1) / 2, x0, x1))
    elif wide <= _THIN and high >= _SHORTEST:
        rules.down.append(((x0 + x1) / 2, y0, y1))
    elif not line_only and _SHORTEST < high < 0.9 * height and _SHORTEST < wide < 0.98 * width:
        rules.across += [(y0, x0, x1), (y1, x0, x1)]
        rules.down += [(x0, y0, y1), (x1, y0, y1)]


def _segments(handle: Any, place: Place) -> Iterator[tuple[float, float, float, float]]:
    """Yield the straight segments of a path that holds many."""
    matrix = pdfium.FS_MATRIX()
    if not pdfium.FPDFPageObj_GetMatrix(handle, ctypes.byref(matrix)):
        return
    before: tuple[float, float] | None = None
    start: tuple[float, float] | None = None
    x, y = ctypes.c_float(), ctypes.c_float()
    for index in range(min(pdfium.FPDFPath_CountSegments(handle), _MOST_SEGMENTS)):
        segment = pdfium.FPDFPath_GetPathSegment(handle, index)
        if not pdfium.FPDFPathSegment_GetPoint(segment, ctypes.byref(x), ctypes.byref(y)):
            before = None
            continue
        here = place(
            matrix.a * x.value + matrix.c * y.value + matrix.e,
            matrix.b * x.value + matrix.d * y.value + matrix.f,
        )
        if not all(map(math.isfinite, here)):
            before = None
            continue
        kind = pdfium.FPDFPathSegment_GetType(segment)
        if kind == pdfium.FPDF_SEGMENT_MOVETO:
            start = here
        elif kind == pdfium.FPDF_SEGMENT_LINETO and before is not None:
            yield _box(before, here)
        if start is not None and pdfium.FPDFPathSegment_GetClose(segment):
            yield _box(here, start)
        before = here


def _box(one: tuple[float, float], other: tuple[float, float]) -> tuple[float, float, float, float]:
    return min(one[0], other[0]), min(one[1], other[1]), max(one[0], other[0]), max(one[1], other[1])
