"""Signing secrets at rest: AES-256-GCM with a key derived from `SECRET_KEY`, bound to their endpoint."""

from __future__ import annotations

import uuid
from datetime import datetime

from app.platform import crypto, settings

_PURPOSE = "webhooks"


def seal(endpoint_id: uuid.UUID, secret: str) -> bytes:
    """Encrypt a signing secret for the row of its endpoint."""
    return crypto.seal(_key(), secret.encode(), context=endpoint_id.bytes)


def signing_keys(
    endpoint_id: uuid.UUID,
    current: bytes,
    previous: bytes | None,
    previous_until: datetime | None,
    *,
    now: datetime,
) -> list[str]:
    """Return the secrets that sign at `now`, oldest first. Raises `crypto.Unreadable`."""
    overlaps = previous is not None and previous_until is not None and previous_until > now
    sealed = [previous, current] if overlaps else [current]
    return [crypto.unseal(_key(), found, context=endpoint_id.bytes).decode() for found in sealed if found]


def _key() -> bytes:
    return crypto.service_key(settings.current().secret_key.get_secret_value(), _PURPOSE)
