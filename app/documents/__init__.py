"""Read files as offices have them, in a process of their own.

Owns no tables. Invariant: bytes that a client sent are parsed only in a process without network that is bound
in memory, time and files, and what of them fails is told by a code and a sentence of this package.
"""

from app.documents.errors import DocumentUnreadable
from app.documents.isolation import run
from app.documents.reading import Page, Paragraph, Reading, ReadingWarning, page_image, read

__all__ = [
    "DocumentUnreadable",
    "Page",
    "Paragraph",
    "Reading",
    "ReadingWarning",
    "page_image",
    "read",
    "run",
]
