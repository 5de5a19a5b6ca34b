"""Sealed files and readings of uploaded documents, in Redis.

Each document has a data key of its own, which rests wrapped in its row (decisions 049 and 078).
"""

from __future__ import annotations

import math
import uuid
from typing import Literal

from app.platform import crypto
from app.platform.sealed_store import PIECE, DataKey, ItemAddress, SealedStore

Part = Literal["original", "reading"]

_STORE = SealedStore("documents")


def new_key(document_id: uuid.UUID) -> DataKey:
    """Return a key for one document; `wrapped` is for its row."""
    return _STORE.new_key(document_id.bytes)


def put(document_id: uuid.UUID, part: Part, key: bytes, clear: bytes, *, ttl_s: int) -> int:
    """Store one part in pieces; return how many. Raises `redis_client.Unavailable`."""
    return _STORE.put_pieces(_item(document_id, part), key, clear, ttl_s=ttl_s)


def get(document_id: uuid.UUID, part: Part, wrapped: bytes, pieces: int) -> bytes | None:
    """Return one part; `None` when it is gone. Raises `redis_client.Unavailable`."""
    try:
        key = _STORE.unwrap(wrapped, document_id.bytes)
    except crypto.Unreadable:
        return None
    return _STORE.get_pieces(_item(document_id, part), key, pieces)


def pieces(clear: bytes) -> int:
    """Return in how many pieces these bytes are stored."""
    return math.ceil(len(clear) / PIECE)


def extend(document_id: uuid.UUID, counts: dict[Part, int], *, ttl_s: int) -> None:
    """Keep the parts for at least `ttl_s` seconds from now. Raises `redis_client.Unavailable`."""
    _STORE.extend(_all(document_id, counts), ttl_s=ttl_s)


def drop(document_id: uuid.UUID, counts: dict[Part, int]) -> None:
    """Delete the parts. Never raises."""
    # One by one: deleting all of them in one command would hold Redis up.
    for item in _all(document_id, counts):
        _STORE.delete(item)


def _all(document_id: uuid.UUID, counts: dict[Part, int]) -> list[ItemAddress]:
    return [piece for part, count in counts.items() for piece in _item(document_id, part).pieces(count)]


def _item(document_id: uuid.UUID, part: Part) -> ItemAddress:
    return ItemAddress(f"document:{document_id.hex}:{part}", document_id.bytes + part.encode())
