"""Find out what a file is by its content, and have the reader of that format read it.

Runs in the isolated process. A reader's libraries are imported only when a file of its format comes.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Mapping
from typing import Any

from app.documents.errors import UNSUPPORTED, DocumentUnreadable
from app.documents.reading import plain_text
from app.documents.reading.reading import Reading

TEXT, MARKDOWN = "text/plain", "text/markdown"

_READERS: Mapping[str, str] = {
    TEXT: "plain_text:read_text",
    MARKDOWN: "plain_text:read_markdown",
}
_MARKDOWN_ENDINGS = frozenset({"md", "markdown", "mdown"})


def read(data: bytes, arguments: dict[str, Any]) -> bytes:
    """Read a file; return `Reading.as_bytes`.

    Args:
        data: The file.
        arguments: The hints `media_type` and `ending`.

    Raises:
        DocumentUnreadable: As the reader of its format.
    """
    return reading(data, str(arguments.get("media_type", "")), str(arguments.get("ending", ""))).as_bytes()


def reading(data: bytes, media_type: str = "", ending: str = "") -> Reading:
    """Read a file, of which `media_type` and `ending` are hints.

    Raises:
        DocumentUnreadable: 415 where no reader knows it, else as the reader of its format.
    """
    module, _, name = _READERS[type_of(data, media_type, ending)].partition(":")
    reader: Callable[[bytes], Reading] = getattr(
        importlib.import_module(f"app.documents.reading.{module}"), name
    )
    return reader(data)


def type_of(data: bytes, media_type: str = "", ending: str = "") -> str:
    """Return the media type of `data`, by its content and then by the hints.

    Raises:
        DocumentUnreadable: 415, no reader knows it.
    """
    declared = re.split(r"[;,\s]", media_type.strip().lower(), maxsplit=1)[0]
    if plain_text.is_text(data) or not data:
        return MARKDOWN if declared == MARKDOWN or ending in _MARKDOWN_ENDINGS else TEXT
    raise DocumentUnreadable(UNSUPPORTED)
