"""The functions that may run in isolation: one entry for each, with its limits. Add yours here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from app.documents.errors import MAX_MEMORY, MAX_SECONDS


class IsolatedFunction(NamedTuple):
    """A function and what its process may use.

    Attributes:
        target: `package.module:name`, called as `name(data: bytes, arguments: dict) -> bytes`.
        programs: Whether it starts programs, such as tesseract; otherwise the process may start nothing.
        memory: Bytes of address space of each process.
        seconds: Of the whole, and of processor time of each process.
        result: Most bytes that it returns.
    """

    target: str
    programs: bool = False
    memory: int = MAX_MEMORY
    seconds: int = MAX_SECONDS
    result: int = 64 * 2**20


FUNCTIONS: Mapping[str, IsolatedFunction] = {
    "comment": IsolatedFunction("app.documents.writing.comments:comment"),
    "read": IsolatedFunction("app.documents.reading.formats:read", programs=True),
    "page_image": IsolatedFunction("app.documents.reading.page_images:page_image", programs=True),
    "tracked_changes": IsolatedFunction("app.documents.writing.tracked_changes:write"),
    "confinement": IsolatedFunction("app.documents.isolation.confinement:report"),
}
