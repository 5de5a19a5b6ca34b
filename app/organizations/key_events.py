"""Publish the events `apikey.created`, `apikey.updated` and `apikey.revoked` (decision 008)."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from app import webhooks
from app.platform.postgres.db import Session
from app.tenancy import ApiKey

Act = Literal["created", "updated", "revoked"]


def announce(session: Session, act: Act, *keys: ApiKey, now: datetime) -> None:
    """Publish the event of each key, in the caller's transaction, as its last step."""
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
