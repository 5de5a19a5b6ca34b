"""Monthly spending caps of keys. Months are calendar months in UTC."""

from __future__ import annotations

import uuid
from datetime import datetime, timedelta

from app.credits.errors import SpendCapReached
from app.platform import clock
from app.platform.postgres.db import Statements

# Requests of one capped key are put in order, so that two at once cannot both fit under what is left.
_LOCK = "SELECT pg_advisory_xact_lock(hashtextextended(CAST(%(key)s AS text), 0))"
_COMMITTED = """
    SELECT
        (SELECT coalesce(-sum(amount), 0) FROM credit_ledger
         WHERE api_key_id = %(key)s AND kind = 'consumption' AND created_at >= %(month)s) AS spent,
        (SELECT coalesce(sum(amount), 0) FROM credit_holds
         WHERE api_key_id = %(key)s AND expires_at > %(now)s) AS held
    """


def check(session: Statements, api_key_id: uuid.UUID, amount: int, cap: int, *, now: datetime) -> None:
    """Check that `amount` more credits stay within `cap`; held credits count as spent.

    Raises:
        SpendCapReached: 402.
    """
    month = now.replace(day=1, hour=0, minute=0, second=0, microsecond=0)
    session.run(_LOCK, {"key": str(api_key_id)})
    found = session.one(_COMMITTED, {"key": api_key_id, "month": month, "now": now})
    if found.spent + found.held + amount > cap:
        resets_at = (month.replace(day=28) + timedelta(days=4)).replace(day=1)
        raise SpendCapReached(
            f"This key has a cap of {cap} credits a month; {max(0, cap - found.spent - found.held)} are "
            f"left and {amount} are needed. Raise the cap or wait for the next month.",
            details={
                "monthlyCreditCap": cap,
                "spent": int(found.spent),
                "required": amount,
                "resetsAt": clock.iso(resets_at),
            },
        )
