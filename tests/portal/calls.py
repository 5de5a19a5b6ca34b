"""Calls of the API, written into the books of usage."""

from __future__ import annotations

import uuid
from datetime import timedelta
from typing import Any

from app import usage
from app.platform import clock
from app.platform.postgres import db
from app.usage.rollup import insert_calls
from tests.cast import Player


def called(
    player: Player,
    times: int = 1,
    *,
    ago: timedelta = timedelta(),
    key_id: uuid.UUID | None = None,
    **changes: Any,
) -> None:
    """Leave finished calls in the player's books."""
    values: dict[str, Any] = {"endpoint": "/api/v1/analyze", "status": 200, "latency_ms": 420, "credits": 1}
    calls = [
        usage.Call(
            at=clock.now() - ago,
            account_id=player.account_id,
            api_key_id=key_id or player.key_id,
            **{**values, **changes},
        )
        for _ in range(times)
    ]
    db.atomically(lambda session: insert_calls(session, calls))
