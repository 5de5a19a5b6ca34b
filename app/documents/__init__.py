"""Read files as offices have them, in a process of their own, and keep them sealed for who uploaded them.

Owns `documents`. Invariants: bytes that a client sent are parsed only in a process without network that is
bound in memory, time and files, and what of them fails is told by a code and a sentence of this package.
Neither name nor content of a file rests in clear. A document past its time, of another key, or lost by Redis
does not exist, and its key is deleted with its row.

`read` reads a file; `keep` stores it with its reading, `find`, `reading_of` and `original` give them back.
`keep_until`, `settle` and `release` are for what uses a document longer than it lives by itself. `forget` and
`sweep` run in a transaction, `discard` after its commit.
"""

from app.documents.errors import MAX_BYTES, DocumentUnreadable, TooManyDocuments, UnknownDocument
from app.documents.isolation import run
from app.documents.models import Document
from app.documents.reading import Page, Paragraph, Reading, ReadingWarning, page_image, read
from app.documents.uploads import (
    DOCUMENTS_MAX,
    Dropped,
    discard,
    erase,
    find,
    find_of_key,
    forget,
    keep,
    keep_until,
    original,
    reading_of,
    release,
    settle,
    sweep,
)

__all__ = [
    "DOCUMENTS_MAX",
    "MAX_BYTES",
    "Document",
    "DocumentUnreadable",
    "Dropped",
    "Page",
    "Paragraph",
    "Reading",
    "ReadingWarning",
    "TooManyDocuments",
    "UnknownDocument",
    "discard",
    "erase",
    "find",
    "find_of_key",
    "forget",
    "keep",
    "keep_until",
    "original",
    "page_image",
    "read",
    "reading_of",
    "release",
    "run",
    "settle",
    "sweep",
]
