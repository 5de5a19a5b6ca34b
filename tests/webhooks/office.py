"""Endpoints, events and deliveries at the package's door, and a clock that the test turns."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

import sqlalchemy as sa

from app import webhooks
from app.platform import clock
from app.platform.postgres import db
from tests.cast import Player


class Office:
    """What a test does to one account's webhooks."""

    def __init__(self) -> None:
        self._ahead = timedelta()

    @classmethod
    @contextmanager
    def opened(cls) -> Iterator[Office]:
        with db.transaction() as session:
            session.execute(
                sa.text(
                    "UPDATE webhook_deliveries SET status = 'exhausted', next_attempt_at = NULL, "
                    "claim = NULL WHERE next_attempt_at IS NOT NULL"
                )
            )
        office = cls()
        clock.install(lambda: datetime.now(UTC) + office._ahead)
        try:
            yield office
        finally:
            clock.install(None)

    def forward(self, **by: float) -> None:
        """Turn the clock: `forward(minutes=1)`."""
        self._ahead += timedelta(**by)

    def endpoint(
        self, player: Player, url: str, *events: str, key_id: uuid.UUID | None = None
    ) -> webhooks.NewEndpoint:
        with db.transaction() as session:
            return webhooks.register(
                session,
                player.account_id,
                key_id or player.key_id,
                url=url,
                events=events or webhooks.SUBSCRIBABLE,
                description=None,
                now=clock.now(),
            )

    def publish(self, player: Player, event: str = "credits.low", *, of_key: bool = True) -> uuid.UUID:
        payload = webhooks.CATALOGUE[event].example
        key = player.key_id if of_key else None
        return db.atomically(
            lambda session: webhooks.publish(
                session, player.account_id, event, payload, now=clock.now(), api_key_id=key
            )
        )

    def endpoint_now(self, player: Player, endpoint_id: uuid.UUID) -> Any:
        with db.reading() as session:
            return webhooks.get(session, player.account_id, player.key_id, endpoint_id)

    def log(self, player: Player, endpoint_id: uuid.UUID) -> webhooks.Log:
        with db.reading() as session:
            return webhooks.log(session, player.account_id, player.key_id, endpoint_id, limit=100)

    def change(self, player: Player, endpoint_id: uuid.UUID, **to: Any) -> None:
        with db.transaction() as session:
            webhooks.change(session, player.account_id, player.key_id, endpoint_id, **to)

    def redrive(self, player: Player, endpoint_id: uuid.UUID) -> list[uuid.UUID]:
        with db.transaction() as session:
            return webhooks.redrive(
                session, player.account_id, player.key_id, endpoint_id, delivery_id=None, now=clock.now()
            )
