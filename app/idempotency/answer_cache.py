"""Stored answers for replays: encrypted, in Redis, for 24 h."""

from __future__ import annotations

import base64
import json
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field

from app.platform import crypto, log, redis_client

KEPT_S = 24 * 3600

_logger = log.logger("idempotency")


@dataclass(frozen=True, slots=True)
class Stored:
    """An answer as it was sent: status, its own headers, body bytes. `repr` shows no text.

    `variants` are the same answer in other forms, by media type: a repeat may ask for another form.
    """

    status: int
    headers: dict[str, str]
    body: bytes
    variants: Mapping[str, bytes] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"<Stored {self.status} of {len(self.body)} bytes>"


def remember(token: uuid.UUID, data_key: bytes, stored: Stored) -> bool:
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
        redis_client.client().set(_name(token), crypto.seal(data_key, clear, context=token.bytes), ex=KEPT_S)
    except redis_client.Unavailable as error:
        _logger.warning("answer not kept for replays", exc_info=error)
        return False
    return True


def recall(token: uuid.UUID, data_key: bytes) -> Stored | None:
    """Return the answer stored under `token`; `None` when it is gone or Redis is unavailable."""
    try:
        sealed = redis_client.client().get(_name(token))
    except redis_client.Unavailable as error:
        _logger.warning("answer not found for replay", exc_info=error)
        return None
    if not isinstance(sealed, bytes):
        return None
    try:
        found = json.loads(crypto.unseal(data_key, sealed, context=token.bytes))
    except crypto.Unreadable:
        return None
    variants = {name: base64.b64decode(form) for name, form in found.get("variants", {}).items()}
    return Stored(found["status"], found["headers"], base64.b64decode(found["body"]), variants)


def _name(token: uuid.UUID) -> str:
    return f"answer:{token.hex}"
