"""Draw a page of a document as a picture, with words marked. Runs in the isolated process."""

from __future__ import annotations

import io
from bisect import bisect_right
from collections.abc import Sequence
from contextlib import closing
from typing import Any

import numpy as np
from PIL import Image as Pictures
from PIL import ImageDraw

from app.documents.errors import PAGE_UNKNOWN, UNSUPPORTED, DocumentUnreadable
from app.documents.reading import formats, images, layout, ocr, pdf
from app.documents.reading.layout import Line, Word
from app.documents.reading.pdf_pages import extract

_MARK = (255, 214, 0, 96)
_EDGE = (196, 130, 0, 220)
_TALLEST = 6_000


def page_image(data: bytes, arguments: dict[str, Any]) -> bytes:
    """Return a page as PNG.

    Args:
        data: The file.
        arguments: `page` from 1, `width` in pixels, and of what is marked `marks`, each with its `words` and
            the `place`, 0 to 1, at which they stand in the text of the page; `ocr` tells whether the text of
            the page was recognised from its picture.

    Raises:
        DocumentUnreadable: There is no such page, or the format has none.
    """
    page, width = int(arguments["page"]), int(arguments["width"])
    media_type = formats.type_of(data)
    if media_type == formats.PDF:
        picture, size, words = _of_pdf(data, page, width, arguments)
    elif media_type in (formats.PNG, formats.JPEG, formats.TIFF, formats.WEBP):
        picture, size, words = _of_image(data, page, width, arguments)
    else:
        raise DocumentUnreadable(UNSUPPORTED)
    marked = _marked(picture, size, boxes(words, arguments["marks"]) if arguments["marks"] else [])
    output = io.BytesIO()
    marked.save(output, "PNG", optimize=False)
    return output.getvalue()


_Page = tuple[Any, tuple[float, float], list[Word]]


def _of_pdf(data: bytes, number: int, width: int, arguments: dict[str, Any]) -> _Page:
    with closing(pdf.open_pdf(data)) as document:
        if not 1 <= number <= len(document):
            raise DocumentUnreadable(PAGE_UNKNOWN, pages=len(document), page=number)
        with closing(pdf.shown_page(document, number - 1)) as page:
            size = page.get_size()
            scale = min(width / max(size[0], 1.0), _TALLEST / max(size[1], 1.0))
            bitmap = page.render(scale=scale, may_draw_forms=False, rev_byteorder=True)
            with closing(bitmap):
                picture = bitmap.to_pil().convert("RGB")
            words: list[Word] = []
            if arguments["marks"] and arguments.get("ocr"):
                words = _recognised(ocr.rendered(page), size)
            elif arguments["marks"]:
                found = extract(page)
                words = [*found.words.words, *found.words.aside]
    return picture, size, words


def _of_image(data: bytes, number: int, width: int, arguments: dict[str, Any]) -> _Page:
    with closing(images.open_image(data)) as image:
        pages = images.pages_of(image)
        if not 1 <= number <= pages:
            raise DocumentUnreadable(PAGE_UNKNOWN, pages=pages, page=number)
        size = images.size_in_points(image, number - 1)
        words: list[Word] = []
        if arguments["marks"]:
            words = _recognised(images.grey(image, number - 1), size)
        picture = images.upright(image, number - 1, "RGB")
        scale = min(width / picture.size[0], _TALLEST / picture.size[1])
        wanted = (max(1, round(picture.size[0] * scale)), max(1, round(picture.size[1] * scale)))
        return picture.resize(wanted, Pictures.Resampling.LANCZOS), size, words


def _recognised(image: ocr.Image, size: tuple[float, float]) -> list[Word]:
    """Return the words of a picture where they stand in it, before it was straightened."""
    if not ocr.available():
        return []
    turned, angle = ocr.straightened(image)
    [(_, found)] = ocr.recognised([ocr.Picture(0, lambda: turned)], count=1, sizes={0: size})
    if angle:
        _turn_back(found.words, angle, size)
    return found.words


def _turn_back(words: Sequence[Word], angle: float, size: tuple[float, float]) -> None:
    """Move words to where they stood before the page was turned anticlockwise by `angle` degrees."""
    sine, cosine = np.sin(np.radians(angle)), np.cos(np.radians(angle))
    middle_x, middle_y = size[0] / 2, size[1] / 2
    for word in words:
        x, y = (word.x0 + word.x1) / 2 - middle_x, (word.y0 + word.y1) / 2 - middle_y
        moved_x, moved_y = cosine * x - sine * y - x, sine * x + cosine * y - y
        word.x0, word.x1 = float(word.x0 + moved_x), float(word.x1 + moved_x)
        word.y0, word.y1 = float(word.y0 + moved_y), float(word.y1 + moved_y)


Box = tuple[float, float, float, float]


def boxes(words: Sequence[Word], marks: Sequence[dict[str, Any]]) -> list[Box]:
    """Return the boxes of marked words on a page, in points.

    The letters and figures of the page, in reading order, are searched for those of a mark; of several places
    the one nearest to where the mark stands in the text of the page is taken.
    """
    ordered = [word for line in _in_order(words) for word in line.words]
    starts: list[int] = []
    parts: list[str] = []
    length = 0
    for word in ordered:
        letters = _letters(word.text)
        starts.append(length)
        parts.append(letters)
        length += len(letters)
    text = "".join(parts)
    found: list[Box] = []
    for mark in marks:
        wanted = _letters(str(mark["words"]))
        at = _nearest(text, wanted, float(mark["place"]) * len(text))
        if at is None:
            continue
        for index in range(max(bisect_right(starts, at) - 1, 0), len(ordered)):
            if starts[index] >= at + len(wanted):
                break
            count = len(parts[index])
            first, last = max(at - starts[index], 0), min(at + len(wanted) - starts[index], count)
            if count and first < last:
                word = ordered[index]
                step = (word.x1 - word.x0) / count
                found.append((word.x0 + first * step, word.y0, word.x0 + last * step, word.y1))
    return found


def _in_order(words: Sequence[Word]) -> list[Line]:
    width = max((word.x1 for word in words), default=0.0)
    return [line for region in layout.regions(list(words), width) for line in region]


def _letters(text: str) -> str:
    """Return letters and figures of a text alone, without case."""
    return "".join(character for character in text.casefold() if character.isalnum())


def _nearest(text: str, wanted: str, place: float) -> int | None:
    """Return where `wanted` stands in `text`, nearest to a place; `None` where it stands nowhere."""
    if not wanted:
        return None
    best: int | None = None
    at = text.find(wanted)
    while at >= 0:
        if best is None or abs(at - place) < abs(best - place):
            best = at
        at = text.find(wanted, at + 1)
    return best


def _marked(picture: Any, size: tuple[float, float], found: Sequence[Box]) -> Any:
    """Return the picture with boxes, given in points, laid over it."""
    if not found:
        return picture
    across, down = picture.size[0] / max(size[0], 1.0), picture.size[1] / max(size[1], 1.0)
    over = Pictures.new("RGBA", picture.size, (0, 0, 0, 0))
    draw = ImageDraw.Draw(over)
    for x0, y0, x1, y1 in found:
        left, top = x0 * across - 2, y0 * down - 1
        draw.rectangle((left, top, max(x1 * across + 2, left + 1), max(y1 * down + 1, top + 1)), _MARK, _EDGE)
    return Pictures.alpha_composite(picture.convert("RGBA"), over).convert("RGB")
