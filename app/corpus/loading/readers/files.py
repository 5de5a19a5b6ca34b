"""Read files as streams of text: compressed or not, in UTF-8 or what was meant to be."""

from __future__ import annotations

import codecs
import gzip
import hashlib
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any, cast

from app.corpus.loading.records import Skip

_BLOCK = 1 << 20


def _as_windows(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeDecodeError), "only registered for reading"
    return error.object[error.start : error.end].decode("cp1252", "replace"), error.end


codecs.register_error("as-windows-1252", _as_windows)


def binary(path: Path) -> IO[bytes]:
    """Open a file for its bytes, decompressed where its name ends in `.gz`."""
    return cast(IO[bytes], gzip.open(path, "rb") if path.suffix == ".gz" else path.open("rb"))


def text(path: Path) -> IO[str]:
    """Open a file for its characters; bytes that are no UTF-8 are read as Windows-1252: nothing is lost."""
    return io.TextIOWrapper(binary(path), encoding="utf-8-sig", errors="as-windows-1252", newline="")


def lines(path: Path) -> Iterator[str]:
    """Yield its lines, one at a time, without their ends."""
    with text(path) as file:
        for line in file:
            yield line.rstrip("\r\n")


def json_object(line: str) -> dict[str, Any] | Skip:
    """Parse a line of a JSON Lines file, with its text made clean; `Skip` where it is not an object."""
    try:
        row = json.loads(clean(line))
    except (ValueError, RecursionError):
        return Skip("a line that is no JSON")
    return row if isinstance(row, dict) else Skip("a line that is no JSON object")


def digest(path: Path) -> bytes:
    """Return the SHA-256 of the file as stored, read in blocks."""
    made = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            made.update(block)
    return made.digest()


def clean(written: str) -> str:
    """Return text as PostgreSQL takes it: no NUL, no lone surrogate, paragraphs ended by a newline.

    Where lines end in newlines, a lone carriage return is where an exporter wrapped a paragraph: it becomes a
    space. Removed, as some readers do, it would run two words together.
    """
    plain = written.replace("\r\n", "\n").replace("\x00", "")
    if "\r" in plain:
        plain = plain.replace("\r", " " if "\n" in plain else "\n")
    return plain if plain.isascii() else plain.encode("utf-8", "replace").decode("utf-8")
