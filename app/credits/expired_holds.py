"""Release of expired holds, whose processes died."""

from __future__ import annotations

import uuid
from datetime import datetime

from app.platform.postgres.db import Statements

# Locked rows belong to a capture or a release under way: they are left to it.
_EXPIRED = """
    WITH expired AS (
        SELECT id FROM credit_holds WHERE expires_at <= %(now)s
        ORDER BY expires_at LIMIT %(limit)s FOR UPDATE SKIP LOCKED
    ), freed AS (
        DELETE FROM credit_holds h USING expired WHERE h.id = expired.id RETURNING h.account_id, h.amount
    ), summed AS (
        SELECT account_id, sum(amount) AS amount, count(*) AS holds FROM freed GROUP BY account_id
    ), returned AS (
        UPDATE credit_balances b SET held = b.held - summed.amount
        FROM summed WHERE b.account_id = summed.account_id RETURNING b.account_id
    )
    SELECT coalesce(sum(holds), 0)::int AS holds FROM summed
    """


def release_expired(session: Statements, *, now: datetime, limit: int = 1000) -> int:
    """Release up to `limit` expired holds; return how many. Safe to run in many processes at once."""
    return int(session.one(_EXPIRED, {"now": now, "limit": limit}).holds)


_RELEASE_ALL = """
    WITH freed AS (
        DELETE FROM credit_holds WHERE account_id = %(account)s RETURNING account_id, amount
    ), summed AS (
        SELECT account_id, sum(amount) AS amount, count(*) AS holds FROM freed GROUP BY account_id
    ), returned AS (
        UPDATE credit_balances b SET held = b.held - summed.amount
        FROM summed WHERE b.account_id = summed.account_id RETURNING b.account_id
    )
    SELECT coalesce(sum(holds), 0)::int AS holds FROM summed
    """


def erase(session: Statements, account_id: uuid.UUID) -> int:
    """Release every hold of a closed account, so that running work cannot charge it; return how many."""
    return int(session.one(_RELEASE_ALL, {"account": account_id}).holds)
