"""Publishing an event."""

from __future__ import annotations

import json
import uuid
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from app.platform.db import Statements
from app.webhooks.catalogue import CATALOGUE

_INSERT = """
    INSERT INTO events (id, account_id, api_key_id, type, created_at, payload)
    VALUES (%(id)s, %(account)s, %(key)s, %(type)s, %(now)s, %(payload)s::jsonb)
    """


def publish(
    session: Statements,
    account_id: uuid.UUID,
    event_type: str,
    payload: Mapping[str, Any],
    *,
    now: datetime,
    api_key_id: uuid.UUID | None = None,
) -> uuid.UUID:
    """Write an event in the caller's transaction; returns its id.

    Raises `ValueError` for a type or a payload that the catalogue does not know: an event nobody documented
    must not leave.
    """
    known = CATALOGUE.get(event_type)
    if known is None or set(payload) != set(known.example):
        raise ValueError(f"event {event_type} with {sorted(payload)} is not in the catalogue")
    event_id = uuid.uuid4()
    session.run(
        _INSERT,
        {
            "id": event_id,
            "account": account_id,
            "key": api_key_id,
            "type": event_type,
            "now": now,
            "payload": json.dumps(dict(payload)),
        },
    )
    return event_id
