"""Endpoints, events and ended deliveries of an account."""

from __future__ import annotations

import uuid

import sqlalchemy as sa

from app import webhooks
from app.platform import clock
from app.platform.postgres import db
from tests.cast import Player


def registered(player: Player, key_id: uuid.UUID | None = None) -> uuid.UUID:
    with db.transaction() as session:
        made = webhooks.register(
            session,
            player.account_id,
            key_id or player.key_id,
            url="https://hooks.test/in",
            events=webhooks.SUBSCRIBABLE,
            description=None,
            now=clock.now(),
        )
        return made.row.id


def told(player: Player, times: int = 1) -> None:
    """Publish events, whose deliveries then wait."""
    for _ in range(times):
        db.atomically(
            lambda session: webhooks.publish(
                session,
                player.account_id,
                "credits.low",
                {"balance": 1, "threshold": 2},
                now=clock.now(),
            )
        )


def ended(endpoint_id: uuid.UUID, status: str = "exhausted") -> None:
    with db.transaction() as session:
        session.execute(
            sa.text(
                "UPDATE webhook_deliveries SET status = :status, attempts = 6, next_attempt_at = NULL, "
                "last_status_code = 503 WHERE endpoint_id = :endpoint"
            ),
            {"status": status, "endpoint": endpoint_id},
        )
