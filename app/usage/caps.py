"""Keys that have spent most of their monthly cap, and when they reach it at the present rate."""

from __future__ import annotations

import calendar
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

import sqlalchemy as sa
from sqlalchemy.orm import Session

from app.tenancy import ApiKey
from app.usage.models import ALL_ENDPOINTS, UsageMonth

# `grain` of rows that sum over all endpoints of a key (UsageDay).
_BY_KEY = 1


@dataclass(frozen=True, slots=True)
class CapUse:
    """What a key has spent of its monthly cap, in credits."""

    api_key_id: uuid.UUID
    organization_id: uuid.UUID | None
    name: str
    cap: int
    spent: int

    @property
    def percent(self) -> int:
        """The share that is spent, rounded down; 100 for a cap of nothing."""
        return self.spent * 100 // self.cap if self.cap else 100

    def reached_on(self, today: date) -> date | None:
        """Return the day of this month on which the cap is reached at its average rate; `None` for none."""
        if self.spent >= self.cap:
            return today
        if not self.spent:
            return None
        day = -(-self.cap * today.day // self.spent)
        return today.replace(day=day) if day <= calendar.monthrange(today.year, today.month)[1] else None


def near_caps(
    session: Session, account_id: uuid.UUID, *, today: date, percent: int, limit: int
) -> Sequence[CapUse]:
    """Return the keys of an account that have spent this share of their cap this month, the nearest first.

    A cap of nothing is not neared: such a key is to spend nothing.
    """
    share = sa.cast(UsageMonth.credits, sa.BigInteger) * 100
    cap = ApiKey.monthly_credit_cap
    query = (
        sa.select(
            ApiKey.id,
            ApiKey.organization_id,
            sa.func.coalesce(ApiKey.child_label, ApiKey.name),
            cap,
            UsageMonth.credits,
        )
        .join(UsageMonth, UsageMonth.api_key_id == ApiKey.id)
        .where(
            ApiKey.account_id == account_id,
            ApiKey.revoked_at.is_(None),
            cap > 0,
            UsageMonth.account_id == account_id,
            UsageMonth.grain == _BY_KEY,
            UsageMonth.month == today.replace(day=1),
            UsageMonth.endpoint == ALL_ENDPOINTS,
            share >= sa.cast(cap, sa.BigInteger) * percent,
        )
        .order_by((share / sa.func.greatest(cap, 1)).desc(), ApiKey.id)
        .limit(limit)
    )
    return [
        CapUse(key, organization, name, most or 0, spent)
        for key, organization, name, most, spent in session.execute(query)
    ]
