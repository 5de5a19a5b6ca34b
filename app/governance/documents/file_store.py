"""Sealed files of finished documents, in Redis.

Each document has a data key of its own, which rests wrapped in its row and is destroyed when the file's time
is over. A file is stored in parts, because tens of megabytes in one value would hold Redis up.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from dataclasses import dataclass

from app.platform import crypto
from app.platform.sealed_store import ItemAddress, SealedStore

_STORE = SealedStore("audit documents")


class FileMissing(Exception):
    """The file, or a part of it, is no longer there."""


@dataclass(frozen=True, slots=True)
class StoredFile:
    """A stored file: its wrapped key, the number of its parts, its size in bytes. `repr` shows no key."""

    key: bytes
    parts: int
    size: int

    def __repr__(self) -> str:
        return f"<StoredFile {self.size} bytes>"


def keep(document_id: uuid.UUID, attempt: int, clear: bytes, *, ttl_s: int) -> StoredFile:
    """Store a file for `ttl_s` seconds. Raises `redis_client.Unavailable`."""
    key = _STORE.new_key(document_id.bytes)
    parts = _STORE.put_pieces(_item(document_id, attempt), key.clear, clear, ttl_s=ttl_s)
    return StoredFile(key.wrapped, parts, len(clear))


def is_there(document_id: uuid.UUID, attempt: int, parts: int) -> bool:
    """Return whether every part is still there. Raises `redis_client.Unavailable`."""
    return _STORE.has_all(_slots(document_id, attempt, parts))


def read(document_id: uuid.UUID, attempt: int, kept: StoredFile) -> Iterator[bytes]:
    """Return the file, part by part.

    Raises:
        Lost: The file is gone; raised before the first part, or at a part that vanished since.
        redis_client.Unavailable: Redis does not answer.
    """
    try:
        key = _STORE.unwrap(kept.key, document_id.bytes)
    except crypto.Unreadable:
        raise FileMissing from None
    slots = _slots(document_id, attempt, kept.parts)
    if not _STORE.has_all(slots):
        raise FileMissing
    return _opened(slots, key)


def drop(document_id: uuid.UUID, attempt: int, parts: int) -> None:
    """Delete a file. Never raises."""
    # One by one: deleting all the parts in one command would hold Redis up.
    for slot in _slots(document_id, attempt, parts):
        _STORE.delete(slot)


def _opened(slots: list[ItemAddress], key: bytes) -> Iterator[bytes]:
    for slot in slots:
        clear = _STORE.get(slot, key)
        if clear is None:
            raise FileMissing
        yield clear


def _slots(document_id: uuid.UUID, attempt: int, parts: int) -> list[ItemAddress]:
    return _item(document_id, attempt).pieces(parts)


def _item(document_id: uuid.UUID, attempt: int) -> ItemAddress:
    # Slots of its own: an attempt that wakes up late must not overwrite the one that counts.
    return ItemAddress(f"audit:{document_id.hex}:{attempt}", document_id.bytes + b":%d" % attempt)
