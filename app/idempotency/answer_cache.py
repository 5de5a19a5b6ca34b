"""Sealed answers for replays, in Redis, for 24 h."""

from __future__ import annotations

import base64
import json
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field

from app.platform import log, redis_client
from app.platform.sealed_store import ItemAddress, SealedStore

KEPT_S = 24 * 3600
STORE = SealedStore("idempotency")

_logger = log.logger("idempotency")


@dataclass(frozen=True, slots=True)
class StoredAnswer:
    """An answer as it was sent: status, its own headers, body bytes. `repr` shows no text.

    `variants` are the same answer in other forms, by media type: a repeat may ask for another form.
    """

    status: int
    headers: dict[str, str]
    body: bytes
    variants: Mapping[str, bytes] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"<StoredAnswer {self.status} of {len(self.body)} bytes>"


def remember(token: uuid.UUID, data_key: bytes, stored: StoredAnswer) -> bool:
    """Store an answer under its record's token; return `False` when Redis is unavailable.

    A repeat then runs again without charge.
    """
    clear = json.dumps(
        {
            "status": stored.status,
            "headers": stored.headers,
            "body": base64.b64encode(stored.body).decode(),
            "variants": {name: base64.b64encode(form).decode() for name, form in stored.variants.items()},
        }
    ).encode()
    try:
        STORE.put(_slot(token), data_key, clear, ttl_s=KEPT_S)
    except redis_client.Unavailable as error:
        _logger.warning("answer not kept for replays", exc_info=error)
        return False
    return True


def recall(token: uuid.UUID, data_key: bytes) -> StoredAnswer | None:
    """Return the answer stored under `token`; `None` when it is gone or Redis is unavailable."""
    try:
        clear = STORE.get(_slot(token), data_key)
    except redis_client.Unavailable as error:
        _logger.warning("answer not found for replay", exc_info=error)
        return None
    if clear is None:
        return None
    found = json.loads(clear)
    variants = {name: base64.b64decode(form) for name, form in found.get("variants", {}).items()}
    return StoredAnswer(found["status"], found["headers"], base64.b64decode(found["body"]), variants)


def _slot(token: uuid.UUID) -> ItemAddress:
    return ItemAddress(f"answer:{token.hex}", token.bytes)
