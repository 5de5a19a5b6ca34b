"""Usage of keys in the last thirty days and in the current month, from the roll-up."""

from __future__ import annotations

import uuid
from collections.abc import Collection

from sqlalchemy.orm import Session

from app import usage
from app.platform import clock
from app.portal.web.session import access


def last_30_days(session: Session, key_id: uuid.UUID) -> usage.UsageTotals:
    """Return one key's sums of the last thirty days."""
    return of_keys(session, [key_id]).get(key_id, usage.UsageTotals())


def of_keys(session: Session, key_ids: Collection[uuid.UUID]) -> dict[uuid.UUID, usage.UsageTotals]:
    """Return each key's sums of the last thirty days; keys without a call are left out."""
    today = clock.today()
    return usage.of_keys(
        session, access.current_member().account_id, key_ids, first=today - usage.BURN_WINDOW, last=today
    )


def this_month(session: Session, key_id: uuid.UUID) -> usage.UsageTotals:
    """Return one key's sums since the first of the month (UTC), the period of monthly caps."""
    return of_this_month(session, [key_id]).get(key_id, usage.UsageTotals())


def of_this_month(session: Session, key_ids: Collection[uuid.UUID]) -> dict[uuid.UUID, usage.UsageTotals]:
    """Return each key's sums since the first of the month (UTC); keys without a call are left out."""
    today = clock.today()
    account_id = access.current_member().account_id
    return usage.of_keys(session, account_id, key_ids, first=today.replace(day=1), last=today)
