"""Alert of keys that exceed their rate limit for minutes."""

from __future__ import annotations

import uuid
from datetime import datetime

import psycopg
import sqlalchemy as sa

from app.platform import log, ratelimit
from app.platform.postgres import db
from app.webhooks.event_bus.outbox import publish

# Once is a burst that `Retry-After` settles; so many minutes in a row, a client made for another tier.
SUSTAINED_MINUTES = 5

# Namespace of the ids of these events (RFC 9562, 5.5).
_ANNOUNCED = uuid.UUID("a0c5f8de-3f0e-4e0b-9c51-0d7f5b0e6a44")

_logger = log.logger("webhooks")


def refused(account_id: uuid.UUID, api_key_id: uuid.UUID, *, now: datetime) -> None:
    """Count a refused call of a key and publish `rate_limit.sustained` where it is due. Never raises.

    Due in the fifth clock minute in a row with a refusal, and then once an hour while refusals continue. The
    event's id is derived from key and hour, so any process may publish it.
    """
    limiter, name = ratelimit.limiter(), str(api_key_id)
    found = limiter.refusals(name)
    if found is None or found.notified or found.minutes < SUSTAINED_MINUTES:
        return
    try:
        with db.transaction() as session:
            publish(
                session,
                account_id,
                "rate_limit.sustained",
                {"minutes": found.minutes, "refused": found.refused},
                now=now,
                api_key_id=api_key_id,
                event_id=uuid.uuid5(_ANNOUNCED, f"rate_limit.sustained {api_key_id} {found.hour}"),
            )
    except (psycopg.Error, sa.exc.SQLAlchemyError) as error:
        # The next refusal tries again.
        _logger.warning("refusals not announced", exc_info=error)
    else:
        limiter.mark_notified(name, found)
