"""The file of a finished document: sealed with AES-256-GCM, in Redis, in parts, with a time to live.

Each document has a data key of its own, which rests wrapped in its row and is destroyed when the file's time
is over. Parts, because a file of tens of megabytes in one value would hold Redis up.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from dataclasses import dataclass

from app.platform import crypto, log, redis_client, settings

_PURPOSE = "audit documents"
PART = 512 * 1024

_logger = log.logger("governance")


class Lost(Exception):
    """The file, or a part of it, is no longer there."""


@dataclass(frozen=True, slots=True)
class Kept:
    """Where a file rests: the key to it, wrapped, and its size. `repr` shows no key."""

    key: bytes
    parts: int
    size: int

    def __repr__(self) -> str:
        return f"<Kept {self.size} bytes>"


def keep(document_id: uuid.UUID, attempt: int, clear: bytes, *, ttl_s: int) -> Kept:
    """Seal and keep a file. Raises `keyvalue.Unavailable`."""
    key = crypto.new_key()
    parts = 0
    # Under names of its own: an attempt that wakes up late must not overwrite the one that counts.
    for at in range(0, len(clear), PART):
        sealed = crypto.seal(key, clear[at : at + PART], context=_context(document_id, attempt, parts))
        redis_client.client().set(_name(document_id, attempt, parts), sealed, ex=ttl_s)
        parts += 1
    wrapped = crypto.seal(_wrapping(), key, context=document_id.bytes)
    return Kept(wrapped, parts, len(clear))


def is_there(document_id: uuid.UUID, attempt: int, parts: int) -> bool:
    """Whether every part is still there. Raises `keyvalue.Unavailable`."""
    names = [_name(document_id, attempt, part) for part in range(parts)]
    return bool(redis_client.client().exists(*names) == len(names))


def read(document_id: uuid.UUID, attempt: int, kept: Kept) -> Iterator[bytes]:
    """The file, part by part. Raises `Lost` and `keyvalue.Unavailable`, the former before the first part."""
    try:
        key = crypto.unseal(_wrapping(), kept.key, context=document_id.bytes)
    except crypto.Unreadable:
        raise Lost from None
    if not is_there(document_id, attempt, kept.parts):
        raise Lost
    return _unsealed(document_id, attempt, key, kept.parts)


def drop(document_id: uuid.UUID, attempt: int, parts: int) -> None:
    """Delete a file. Never raises: without its key it is noise, and it expires."""
    try:
        for part in range(parts):
            redis_client.client().delete(_name(document_id, attempt, part))
    except redis_client.Unavailable as error:
        _logger.warning("sealed data left to expire", exc_info=error)


def _unsealed(document_id: uuid.UUID, attempt: int, key: bytes, parts: int) -> Iterator[bytes]:
    for part in range(parts):
        sealed = redis_client.client().get(_name(document_id, attempt, part))
        if not isinstance(sealed, bytes):
            raise Lost
        try:
            yield crypto.unseal(key, sealed, context=_context(document_id, attempt, part))
        except crypto.Unreadable:
            raise Lost from None


def _wrapping() -> bytes:
    return crypto.service_key(settings.current().secret_key.get_secret_value(), _PURPOSE)


def _context(document_id: uuid.UUID, attempt: int, part: int) -> bytes:
    return document_id.bytes + b":%d:%d" % (attempt, part)


def _name(document_id: uuid.UUID, attempt: int, part: int) -> str:
    return f"audit:{document_id.hex}:{attempt}:{part}"
