"""What of a job rests in Redis: sealed with AES-256-GCM, with a time to live, under names that say nothing.

Two data keys for each job: one for what comes in (the payload, and the documents of a batch that are through
already) and one for the result. They rest wrapped by a key derived from `SECRET_KEY` in the job's row. The
first is destroyed in the transaction that ends the job, the second when the result expires (decision 028).
"""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from typing import Literal, cast

from app.platform import crypto, log, redis_client, settings

_PURPOSE = "jobs"
_logger = log.logger("jobs")

Part = Literal["payload", "result"]


@dataclass(frozen=True, slots=True)
class DataKey:
    """A data key in both its forms. `repr` shows neither."""

    clear: bytes
    wrapped: bytes

    def __repr__(self) -> str:
        return "<DataKey>"


def new_key(job_id: uuid.UUID, part: Part) -> DataKey:
    """A key for one part of one job; `wrapped` is what the row keeps."""
    clear = crypto.new_key()
    return DataKey(clear, crypto.seal(_wrapping(), clear, context=_context(job_id, part)))


def unwrap(job_id: uuid.UUID, part: Part, wrapped: bytes) -> bytes:
    """The clear key. Raises `crypto.Unreadable`."""
    return crypto.unseal(_wrapping(), wrapped, context=_context(job_id, part))


def keep_payload(job_id: uuid.UUID, key: bytes, clear: bytes, *, ttl_s: int) -> None:
    """Seal and keep what the job is to do. Raises `keyvalue.Unavailable`."""
    sealed = crypto.seal(key, clear, context=_context(job_id, "payload"))
    redis_client.client().set(_payload(job_id), sealed, ex=ttl_s)


def payload(job_id: uuid.UUID, key: bytes) -> bytes | None:
    """What the job is to do; `None` when it is gone. Raises `keyvalue.Unavailable` or `crypto.Unreadable`."""
    sealed = redis_client.client().get(_payload(job_id))
    if not isinstance(sealed, bytes):
        return None
    return crypto.unseal(key, sealed, context=_context(job_id, "payload"))


def keep_document(job_id: uuid.UUID, key: bytes, place: int, clear: bytes, *, ttl_s: int) -> None:
    """Keep a finished document of a batch, so that another attempt need not do it again."""
    sealed = crypto.seal(key, clear, context=_context(job_id, "payload", place))
    with redis_client.client().pipeline(transaction=True) as pipe:
        pipe.hset(_documents(job_id), str(place), sealed)
        pipe.expire(_documents(job_id), ttl_s)
        pipe.execute()


def documents(job_id: uuid.UUID, key: bytes) -> dict[int, bytes]:
    """The documents that are through already, by their place in the batch."""
    found = {}
    kept = cast(dict[bytes, bytes], redis_client.client().hgetall(_documents(job_id)))
    for place, sealed in kept.items():
        try:
            found[int(place)] = crypto.unseal(key, sealed, context=_context(job_id, "payload", int(place)))
        except crypto.Unreadable:
            continue
    return found


def keep_result(job_id: uuid.UUID, attempt: int, key: bytes, clear: bytes, *, ttl_s: int) -> None:
    """Keep the result of one attempt. Raises `keyvalue.Unavailable`."""
    sealed = crypto.seal(key, clear, context=_context(job_id, "result", attempt))
    # Under a name of its own: an attempt that wakes up late must not overwrite the one that was charged.
    redis_client.client().set(_result(job_id, attempt), sealed, ex=ttl_s)


def result(job_id: uuid.UUID, attempt: int, wrapped: bytes) -> bytes | None:
    """The result; `None` when it is gone. Raises `keyvalue.Unavailable`."""
    sealed = redis_client.client().get(_result(job_id, attempt))
    if not isinstance(sealed, bytes):
        return None
    try:
        return crypto.unseal(
            unwrap(job_id, "result", wrapped), sealed, context=_context(job_id, "result", attempt)
        )
    except crypto.Unreadable:
        return None


def drop(job_id: uuid.UUID) -> None:
    """Delete payload and documents. Never raises: without their key they are noise, and they expire."""
    _delete(_payload(job_id), _documents(job_id))


def drop_result(job_id: uuid.UUID, attempt: int) -> None:
    """Delete the result of an attempt that was not charged."""
    _delete(_result(job_id, attempt))


def _delete(*names: str) -> None:
    try:
        redis_client.client().delete(*names)
    except redis_client.Unavailable as error:
        _logger.warning("sealed data left to expire", exc_info=error)


def _wrapping() -> bytes:
    return crypto.service_key(settings.current().secret_key.get_secret_value(), _PURPOSE)


def _context(job_id: uuid.UUID, part: Part, number: int | None = None) -> bytes:
    return job_id.bytes + part.encode() + (b"" if number is None else b":%d" % number)


def _payload(job_id: uuid.UUID) -> str:
    return f"job:{job_id.hex}:payload"


def _documents(job_id: uuid.UUID) -> str:
    return f"job:{job_id.hex}:documents"


def _result(job_id: uuid.UUID, attempt: int) -> str:
    return f"job:{job_id.hex}:result:{attempt}"
