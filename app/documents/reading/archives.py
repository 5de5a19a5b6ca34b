"""Open the ZIP archives that office formats are, after judging their size; parse XML without its dangers."""

from __future__ import annotations

import io
import zipfile
import zlib
from typing import Any

from lxml import etree

from app.documents.errors import BROKEN, ENCRYPTED, TOO_COMPLEX, DocumentUnreadable

_MOST_ENTRIES = 5_000
_MOST_BYTES = 200 * 2**20
# A tree of lxml takes some five times its XML.
_MOST_XML = 40 * 2**20
_HIGHEST_RATIO, _RATIO_FROM = 300, 10 * 2**20
_DEEPEST = 250


class Archive:
    """An archive whose directory was judged: no more entries, bytes and inflation than a document needs.

    Raises:
        DocumentUnreadable: It is broken, encrypted, or a bomb.
    """

    def __init__(self, data: bytes) -> None:
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(data))
        # NotImplementedError is what zipfile raises for compression that it does not know.
        except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError, EOFError):
            raise DocumentUnreadable(BROKEN) from None
        entries = self._zip.infolist()
        total = sum(entry.file_size for entry in entries)
        if len(entries) > _MOST_ENTRIES or total > _MOST_BYTES:
            raise DocumentUnreadable(TOO_COMPLEX)
        if any(
            entry.file_size > _RATIO_FROM and entry.file_size > _HIGHEST_RATIO * max(entry.compress_size, 1)
            for entry in entries
        ):
            raise DocumentUnreadable(TOO_COMPLEX)
        if any(entry.flag_bits & 1 for entry in entries):
            raise DocumentUnreadable(ENCRYPTED)
        # Some programs write backslashes; names are looked up, never made files of.
        self._entries = {entry.filename.replace("\\", "/").lstrip("/"): entry for entry in entries}
        self._read = 0

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names of the entries."""
        return tuple(self._entries)

    def size(self, name: str) -> int:
        """Return how many bytes an entry says it has."""
        return self._entries[name].file_size

    def read(self, name: str, most: int = _MOST_XML) -> bytes:
        """Return the bytes of an entry; never more than it says it has.

        Raises:
            DocumentUnreadable: It is missing or broken, or larger than `most`.
        """
        entry = self._entries.get(name)
        if entry is None:
            raise DocumentUnreadable(BROKEN)
        self._read += entry.file_size
        if entry.file_size > most or self._read > _MOST_BYTES:
            raise DocumentUnreadable(TOO_COMPLEX)
        try:
            with self._zip.open(entry) as file:
                return file.read(entry.file_size)
        except (
            zipfile.BadZipFile,
            zlib.error,
            OSError,
            ValueError,
            NotImplementedError,  # of zipfile, for compression that it does not know
            EOFError,
            RuntimeError,
        ):
            raise DocumentUnreadable(BROKEN) from None

    def xml(self, name: str) -> Any:
        """Return the root element of an entry.

        Raises:
            DocumentUnreadable: As `read` and `parse`.
        """
        return parse(self.read(name))


def parse(data: bytes) -> Any:
    """Return the root element of an XML document, without its entities, its DTD or anything external.

    Raises:
        DocumentUnreadable: It is not well formed, too deep, or declares entities.
    """
    parser = etree.XMLParser(
        resolve_entities=False,
        load_dtd=False,
        no_network=True,
        dtd_validation=False,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
    )
    try:
        root = etree.fromstring(data, parser)
    except (etree.XMLSyntaxError, ValueError):
        raise DocumentUnreadable(BROKEN) from None
    internal = root.getroottree().docinfo.internalDTD
    if internal is not None and any(True for _ in internal.iterentities()):
        raise DocumentUnreadable(BROKEN)
    return root
