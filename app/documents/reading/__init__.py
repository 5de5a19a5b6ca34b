"""Read documents in an isolated process: text, pages, paragraphs, and pictures of pages. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from app.documents import isolation
from app.documents.errors import BROKEN, MAX_BYTES, TOO_LARGE, DocumentUnreadable
from app.documents.reading.reading import Page, Paragraph, Reading, ReadingWarning

__all__ = ["DocumentUnreadable", "Page", "Paragraph", "Reading", "ReadingWarning", "page_image", "read"]

_NARROWEST, _WIDEST = 100, 2_000


def read(data: bytes, *, media_type: str | None = None, file_name: str | None = None) -> Reading:
    """Read a document in a process of its own.

    Args:
        data: The file.
        media_type: The declared type, a hint where the content does not tell.
        file_name: The declared name, of which only a known ending is used.

    Raises:
        DocumentUnreadable: 413, 415 or 422, with what to do.
        Upstream: 503, when too many documents are being read, or no process can be started.
    """
    _judge_size(data)
    hints = {"media_type": (media_type or "")[:200], "ending": ending(file_name)}
    result = isolation.run("read", data, hints)
    try:
        return Reading.from_bytes(result)
    except (ValueError, KeyError, TypeError, AttributeError):
        raise DocumentUnreadable(BROKEN) from None


def page_image(
    data: bytes,
    media_type: str,
    page: int,
    *,
    marks: Sequence[tuple[int, int]] = (),
    width: int = 1000,
    reading: Reading | None = None,
) -> bytes:
    """Return a page of a PDF or an image as PNG, with words marked.

    Args:
        data: The file that was read.
        media_type: `Reading.media_type`.
        page: Number of the page, from 1.
        marks: Start and end offsets in `Reading.text` of what to mark; what is not on the page is ignored.
        width: Of the picture, in pixels, 100 to 2,000.
        reading: What was read of the file; without it, the file is read again to know what is marked.

    Raises:
        DocumentUnreadable: 404 for an unknown page, 415 for a format without pages, else as `read`.
        Upstream: 503, as `read`.
    """
    _judge_size(data)
    if marks and reading is None:
        reading = read(data, media_type=media_type)
    found = _on_page(reading, page, marks) if reading is not None and page >= 1 else []
    return isolation.run(
        "page_image",
        data,
        {
            "page": page,
            "marks": found,
            "width": max(_NARROWEST, min(width, _WIDEST)),
            "ocr": reading is not None and any(one.source == "ocr" for one in reading.pages[page - 1 : page]),
        },
    )


def _on_page(reading: Reading, page: int, marks: Sequence[tuple[int, int]]) -> list[dict[str, Any]]:
    """Return the words of the marks that stand on a page, with their places, 0 to 1, in its text."""
    if page > len(reading.pages):
        return []
    text, whole = reading.text.reveal(), reading.pages[page - 1]
    found = []
    for start, end in marks:
        if reading.page_at(start) == page or whole.start <= start < whole.end or start < whole.start < end:
            moved = reading.page_at(start) == page and not whole.start <= start < whole.end
            first, last = (start, end) if moved else (max(start, whole.start), min(end, whole.end))
            place = (first - whole.start) / max(whole.end - whole.start, 1)
            found.append({"words": text[first:last], "place": min(max(place, 0.0), 1.0)})
    return found


def ending(file_name: str | None) -> str:
    """Return the ending of a file's name in lower case, `""` where it is none of letters and figures."""
    _, dot, last = (file_name or "").rpartition(".")
    return last.lower() if dot and len(last) <= 8 and last.isascii() and last.isalnum() else ""


def _judge_size(data: bytes) -> None:
    if len(data) > MAX_BYTES:
        raise DocumentUnreadable(TOO_LARGE)
