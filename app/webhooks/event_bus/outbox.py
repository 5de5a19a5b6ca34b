"""Publishing events, together with their deliveries.

Readers page by `seq`, and a number that was drawn first may be committed last: a reader that has passed it
would never see that event. So publishers of an account take the account's lock first and keep it until the
commit. The lock is one more statement in the same round trip.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from app.platform.postgres.db import Statements, Step
from app.webhooks.event_bus.catalogue import CATALOGUE

_TURN = "SELECT pg_advisory_xact_lock(hashtextextended('events:' || %(account)s::text, 0))"

# What concerns a key goes to the endpoints of that key and of its master; what concerns the account, to those
# of every key but a child's, whose holder may be another firm. A key that was cut off receives nothing.
# An id that exists already writes nothing, so an event with a derived id is published once.
DELIVERIES = """
    INSERT INTO webhook_deliveries
        (id, account_id, endpoint_id, event_id, status, attempts, created_at, next_attempt_at)
    SELECT gen_random_uuid(), event.account_id, endpoint.id, event.id, 'pending', 0,
           event.created_at, event.created_at
    FROM event
    JOIN webhook_endpoints endpoint ON endpoint.account_id = event.account_id AND endpoint.active
     AND (endpoint.id = %(only)s OR (%(only)s::uuid IS NULL AND event.type = ANY(endpoint.events)))
    JOIN api_keys key ON key.id = endpoint.api_key_id AND key.revoked_at IS NULL
     AND (key.expires_at IS NULL OR key.expires_at > event.created_at)
     AND (key.id = event.api_key_id OR (event.api_key_id IS NULL AND key.role <> 'child')
          OR key.id = (SELECT concerned.parent_key_id FROM api_keys concerned
                       WHERE concerned.id = event.api_key_id))
    LEFT JOIN api_keys master ON master.id = key.parent_key_id
    WHERE master.revoked_at IS NULL AND (master.expires_at IS NULL OR master.expires_at > event.created_at)
    """
_INSERT = f"""
    WITH event AS (
        INSERT INTO events (id, account_id, api_key_id, type, created_at, payload)
        VALUES (%(id)s, %(account)s, %(key)s, %(type)s, %(now)s, %(payload)s::jsonb)
        ON CONFLICT (id) DO NOTHING
        RETURNING id, account_id, api_key_id, type, created_at
    )
    {DELIVERIES}
    """  # noqa: S608 - two constants


def publish(
    session: Statements,
    account_id: uuid.UUID,
    event_type: str,
    payload: Mapping[str, Any],
    *,
    now: datetime,
    api_key_id: uuid.UUID | None = None,
    event_id: uuid.UUID | None = None,
) -> uuid.UUID:
    """Write an event and its deliveries in the caller's transaction; return the event's id.

    Call it last in the transaction, because other publishers of the account wait for the commit.

    Args:
        session: The caller's transaction.
        account_id: The account.
        event_type: Name of the type in the catalogue.
        payload: Data of the event.
        now: The current time.
        api_key_id: The key that the event concerns, `None` where it concerns the account.
        event_id: Id of the event. If an event has it already, nothing is written.

    Raises:
        ValueError: The catalogue does not know the type or the payload.
    """
    event_id = event_id or uuid.uuid4()
    session.take(*publishing(event_id, account_id, event_type, payload, now=now, api_key_id=api_key_id))
    return event_id


def publishing(
    event_id: uuid.UUID,
    account_id: uuid.UUID,
    event_type: str,
    payload: Mapping[str, Any],
    *,
    now: datetime,
    api_key_id: uuid.UUID | None,
    only: uuid.UUID | None = None,
) -> list[Step[Any]]:
    """Return the steps of `publish`, to be taken last in a transaction with other steps.

    With `only`, the delivery goes to that endpoint alone, whatever it subscribes to.
    """
    known = CATALOGUE.get(event_type)
    if known is None or known.reserved or set(payload) != set(known.fields):
        raise ValueError(f"event {event_type} with {sorted(payload)} is not in the catalogue, or reserved")
    values = {
        "id": event_id,
        "account": account_id,
        "key": api_key_id,
        "type": event_type,
        "now": now,
        "payload": json.dumps(dict(payload)),
        "only": only,
    }
    return [Step(_TURN, {"account": account_id}, _nothing), Step(_INSERT, values, _nothing)]


def _nothing(_row: Any) -> None:
    return None
