"""`apikey.created`, `apikey.updated`, `apikey.revoked` (decision 008)."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from app import webhooks
from app.platform.postgres.db import Session
from app.tenancy import ApiKey

Act = Literal["created", "updated", "revoked"]


def announce(session: Session, act: Act, *keys: ApiKey, now: datetime) -> None:
    """Put what happened to keys on the bus, in the caller's transaction. Call it last there."""
    for key in keys:
        webhooks.publish(
            session,
            key.account_id,
            f"apikey.{act}",
            {
                "apiKeyId": str(key.id),
                "keyPrefix": key.key_prefix,
                "name": key.name,
                "role": key.role,
            },
            now=now,
            api_key_id=key.id,
        )
