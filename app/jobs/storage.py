"""Sealed payloads, progress and results of jobs, in Redis.

Two data keys for each job: one for what comes in (the payload, the documents of a batch that are through
already, the progress of an attempt) and one for the result. They rest wrapped in the job's row. The first is
destroyed in the transaction that ends the job, the second when the result expires (decision 028).
"""

from __future__ import annotations

import uuid
from typing import Literal

from app.platform import crypto
from app.platform.sealed_store import DataKey, ItemAddress, SealedStore

Part = Literal["payload", "result"]

_STORE = SealedStore("jobs")


def new_key(job_id: uuid.UUID, part: Part) -> DataKey:
    """Return a key for one part of one job; `wrapped` is for its row."""
    return _STORE.new_key(_context(job_id, part))


def unwrap(job_id: uuid.UUID, part: Part, wrapped: bytes) -> bytes:
    """Return the clear key. Raises `crypto.Unreadable`."""
    return _STORE.unwrap(wrapped, _context(job_id, part))


def keep_payload(job_id: uuid.UUID, key: bytes, clear: bytes, *, ttl_s: int) -> None:
    """Store the documents of a job. Raises `redis_client.Unavailable`."""
    _STORE.put(_payload(job_id), key, clear, ttl_s=ttl_s)


def payload(job_id: uuid.UUID, key: bytes) -> bytes | None:
    """Return the documents of a job; `None` when they are gone. Raises `redis_client.Unavailable`."""
    return _STORE.get(_payload(job_id), key)


def keep_document(job_id: uuid.UUID, key: bytes, place: int, clear: bytes, *, ttl_s: int) -> None:
    """Store a finished document of a batch, so that another attempt need not analyse it again."""
    _STORE.put_part(_documents(job_id), place, key, clear, ttl_s=ttl_s)


def documents(job_id: uuid.UUID, key: bytes) -> dict[int, bytes]:
    """Return the finished documents of a batch, by their place in it."""
    return _STORE.get_parts(_documents(job_id), key)


def keep_result(job_id: uuid.UUID, attempt: int, key: bytes, clear: bytes, *, ttl_s: int) -> None:
    """Store the result of one attempt. Raises `redis_client.Unavailable`."""
    _STORE.put(_result(job_id, attempt), key, clear, ttl_s=ttl_s)


def result(job_id: uuid.UUID, attempt: int, wrapped: bytes) -> bytes | None:
    """Return the result; `None` when it is gone. Raises `redis_client.Unavailable`."""
    try:
        key = unwrap(job_id, "result", wrapped)
    except crypto.Unreadable:
        return None
    return _STORE.get(_result(job_id, attempt), key)


def keep_progress(job_id: uuid.UUID, attempt: int, key: bytes, clear: bytes, *, ttl_s: int) -> None:
    """Store the progress of one attempt. Raises `redis_client.Unavailable`."""
    _STORE.put(_progress(job_id, attempt), key, clear, ttl_s=ttl_s)


def progress(job_id: uuid.UUID, attempt: int, wrapped: bytes) -> bytes | None:
    """Return the progress of an attempt; `None` when there is none. Raises `redis_client.Unavailable`."""
    try:
        key = unwrap(job_id, "payload", wrapped)
    except crypto.Unreadable:
        return None
    return _STORE.get(_progress(job_id, attempt), key)


def drop_progress(job_id: uuid.UUID, attempt: int) -> None:
    """Delete the progress of an attempt that is over. Never raises."""
    _STORE.delete(_progress(job_id, attempt))


def drop(job_id: uuid.UUID) -> None:
    """Delete payload and finished documents. Never raises."""
    _STORE.delete(_payload(job_id), _documents(job_id))


def drop_result(job_id: uuid.UUID, attempt: int) -> None:
    """Delete the result of an attempt that was not charged. Never raises."""
    _STORE.delete(_result(job_id, attempt))


def _context(job_id: uuid.UUID, part: Part) -> bytes:
    return job_id.bytes + part.encode()


def _payload(job_id: uuid.UUID) -> ItemAddress:
    return ItemAddress(f"job:{job_id.hex}:payload", _context(job_id, "payload"))


def _documents(job_id: uuid.UUID) -> ItemAddress:
    return ItemAddress(f"job:{job_id.hex}:documents", _context(job_id, "payload"))


def _progress(job_id: uuid.UUID, attempt: int) -> ItemAddress:
    # As of results: what an attempt writes after it was superseded, nobody reads.
    return ItemAddress(
        f"job:{job_id.hex}:progress:{attempt}", _context(job_id, "payload") + b":progress:%d" % attempt
    )


def _result(job_id: uuid.UUID, attempt: int) -> ItemAddress:
    # A slot of its own: an attempt that wakes up late must not overwrite the one that was charged.
    return ItemAddress(f"job:{job_id.hex}:result:{attempt}", _context(job_id, "result") + b":%d" % attempt)
