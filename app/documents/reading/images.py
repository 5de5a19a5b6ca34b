"""Read pictures of documents (PNG, JPEG, TIFF with several pages, WebP) by optical character recognition."""

from __future__ import annotations

import io
import warnings as python_warnings
from contextlib import closing
from functools import partial
from typing import Any

import numpy as np
from PIL import Image as Pictures
from PIL import ImageOps, UnidentifiedImageError

from app.documents.errors import (
    BROKEN,
    EMPTY,
    MAX_PAGES,
    OCR_MISSING,
    TOO_COMPLEX,
    TOO_LONG,
    DocumentUnreadable,
)
from app.documents.reading import layout, ocr
from app.documents.reading.blocks import PageFacts, reading_of
from app.documents.reading.reading import Reading, ReadingWarning

_MEDIA_TYPES = {
    "PNG": "image/png",
    "JPEG": "image/jpeg",
    "MPO": "image/jpeg",
    "TIFF": "image/tiff",
    "WEBP": "image/webp",
}
_MOST_PIXELS = 60_000_000
# A page is taken to be as wide as paper whatever its picture says: cameras say 72 dots to the inch.
_USUAL_WIDTH = 595.0
_NARROW = 1_700
Pictures.MAX_IMAGE_PIXELS = _MOST_PIXELS


def open_image(data: bytes) -> Any:
    """Return the `PIL.Image` of a file, not yet inflated.

    Raises:
        DocumentUnreadable: It is broken, or has too many points or pages.
    """
    python_warnings.simplefilter("ignore")
    try:
        image = Pictures.open(io.BytesIO(data), formats=("PNG", "JPEG", "TIFF", "WEBP", "MPO"))
        pages = getattr(image, "n_frames", 1) if image.format == "TIFF" else 1
    except Pictures.DecompressionBombError:
        raise DocumentUnreadable(TOO_COMPLEX) from None
    except (UnidentifiedImageError, OSError, ValueError, SyntaxError, EOFError, KeyError, TypeError):
        raise DocumentUnreadable(BROKEN) from None
    if pages > MAX_PAGES:
        raise DocumentUnreadable(TOO_LONG)
    return image


def pages_of(image: Any) -> int:
    """Return how many pages a picture has."""
    return int(getattr(image, "n_frames", 1)) if image.format == "TIFF" else 1


def read_image(data: bytes) -> Reading:
    """Read the text in a picture.

    Raises:
        DocumentUnreadable: It is broken, shows no text, has too many points, or no recognition is installed.
    """
    with closing(open_image(data)) as image:
        media_type = _MEDIA_TYPES.get(image.format, "image/png")
        if not ocr.available():
            raise DocumentUnreadable(OCR_MISSING)
        count = pages_of(image)
        sizes = {index: size_in_points(image, index) for index in range(count)}
        pictures = (ocr.Picture(index, partial(grey, image, index)) for index in range(count))
        pages: list[layout.PageWords] = []
        facts: list[PageFacts] = []
        warnings: list[ReadingWarning] = []
        for index, found in ocr.recognised(pictures, count=count, sizes=sizes):
            pages.append(layout.PageWords(*sizes[index], found.words, exact=False))
            facts.append(PageFacts("ocr" if found.words else "none", found.confidence))
            warnings += ocr.doubts(found, index + 1)
    blocks = layout.blocks_of(pages)
    if not blocks:
        raise DocumentUnreadable(EMPTY)
    return reading_of(blocks, media_type, pages=facts, warnings=warnings)


def size_in_points(image: Any, index: int) -> tuple[float, float]:
    """Return width and height of a page in points, upright as it is shown."""
    frame(image, index)
    width, height = image.size
    if _turned(image):
        width, height = height, width
    return _USUAL_WIDTH, _USUAL_WIDTH * height / max(width, 1)


def frame(image: Any, index: int) -> None:
    """Go to a page, after judging how many points it has.

    Raises:
        DocumentUnreadable: It is broken, or has too many points.
    """
    try:
        image.seek(index)
    except (EOFError, OSError, ValueError, SyntaxError, KeyError, TypeError, Pictures.DecompressionBombError):
        raise DocumentUnreadable(BROKEN) from None
    if image.size[0] * image.size[1] > _MOST_PIXELS:
        raise DocumentUnreadable(TOO_COMPLEX)


def grey(image: Any, index: int) -> ocr.Image:
    """Return a page as grey values, upright, at about 300 dots to the inch of paper.

    Raises:
        DocumentUnreadable: As `frame`.
    """
    shown = upright(image, index, "L")
    width, height = shown.size
    if width * height > 25_000_000:
        shown.thumbnail((5_000, 5_000))
    elif min(width, height) < _NARROW and width * height * 4 < 25_000_000 and min(width, height) > 300:
        # The program reads letters of some 30 points in height best; photographs of screens have 15.
        shown = shown.resize((width * 2, height * 2), Pictures.Resampling.BICUBIC)
    return np.asarray(shown, np.uint8)


def upright(image: Any, index: int, mode: str) -> Any:
    """Return a page as a picture of its own in a mode of PIL, on white, turned as its camera says.

    Raises:
        DocumentUnreadable: As `frame`.
    """
    frame(image, index)
    try:
        if image.format == "JPEG":
            # Decodes a large photograph at a fraction of its size.
            image.draft("L" if mode == "L" else "RGB", (4_000, 4_000))
        image.load()
        shown = ImageOps.exif_transpose(image) or image
        if shown.mode in ("RGBA", "LA", "PA") or "transparency" in shown.info:
            clear = shown.convert("RGBA")
            paper = Pictures.new("RGBA", clear.size, "white")
            paper.alpha_composite(clear)
            shown = paper
        if shown.mode.startswith("I;16") or shown.mode in ("I", "F"):
            values = np.asarray(shown, np.float32)
            low, high = float(values.min()), float(values.max())
            shown = Pictures.fromarray(((values - low) / max(high - low, 1e-6) * 255).astype(np.uint8))
        return shown.convert(mode)
    except (OSError, ValueError, SyntaxError, EOFError, KeyError, TypeError, Pictures.DecompressionBombError):
        raise DocumentUnreadable(BROKEN) from None


def _turned(image: Any) -> bool:
    """Tell whether a page is shown on its side, by what its camera says."""
    try:
        return image.getexif().get(0x0112) in (5, 6, 7, 8)
    except (OSError, ValueError, SyntaxError, KeyError, TypeError):
        return False
