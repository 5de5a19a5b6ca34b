"""Sealed comparisons, in Redis.

Each has a data key of its own, which rests wrapped in its row (decisions 049 and 080).
"""

from __future__ import annotations

import uuid

from app.platform import crypto
from app.platform.sealed_store import DataKey, ItemAddress, SealedStore

_STORE = SealedStore("comparisons")


def new_key(comparison_id: uuid.UUID) -> DataKey:
    """Return a key for one comparison; `wrapped` is for its row."""
    return _STORE.new_key(comparison_id.bytes)


def put(comparison_id: uuid.UUID, key: bytes, clear: bytes, *, ttl_s: int) -> None:
    """Store a comparison. Raises `redis_client.Unavailable`."""
    _STORE.put(_item(comparison_id), key, clear, ttl_s=ttl_s)


def get(comparison_id: uuid.UUID, wrapped: bytes) -> bytes | None:
    """Return a comparison; `None` when it is gone. Raises `redis_client.Unavailable`."""
    try:
        key = _STORE.unwrap(wrapped, comparison_id.bytes)
    except crypto.Unreadable:
        return None
    return _STORE.get(_item(comparison_id), key)


def drop(*comparison_ids: uuid.UUID) -> None:
    """Delete comparisons. Never raises."""
    if comparison_ids:
        _STORE.delete(*map(_item, comparison_ids))


def _item(comparison_id: uuid.UUID) -> ItemAddress:
    return ItemAddress(f"comparison:{comparison_id.hex}", comparison_id.bytes)
