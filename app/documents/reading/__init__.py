"""Read documents in an isolated process: text, pages, paragraphs, and pictures of pages. Pure."""

from __future__ import annotations

from collections.abc import Sequence

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
    data: bytes, media_type: str, page: int, *, marks: Sequence[tuple[int, int]] = (), width: int = 1000
) -> bytes:
    """Return a page of a PDF or an image as PNG, with words marked.

    Args:
        data: The file that was read.
        media_type: `Reading.media_type`.
        page: Number of the page, from 1.
        marks: Start and end offsets in `Reading.text` of what to mark; what is not on the page is ignored.
        width: Of the picture, in pixels, 100 to 2,000.

    Raises:
        DocumentUnreadable: 404 for an unknown page, 415 for a format without pages, else as `read`.
        Upstream: 503, as `read`.
    """
    _judge_size(data)
    spans = [[int(start), int(end)] for start, end in marks]
    wide = max(_NARROWEST, min(width, _WIDEST))
    return isolation.run(
        "page_image", data, {"media_type": media_type, "page": page, "marks": spans, "width": wide}
    )


def ending(file_name: str | None) -> str:
    """Return the ending of a file's name in lower case, `""` where it is none of letters and figures."""
    _, dot, last = (file_name or "").rpartition(".")
    return last.lower() if dot and len(last) <= 8 and last.isascii() and last.isalnum() else ""


def _judge_size(data: bytes) -> None:
    if len(data) > MAX_BYTES:
        raise DocumentUnreadable(TOO_LARGE)
