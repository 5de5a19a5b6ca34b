"""Burn rate: how fast an account spends its credits, and how long they last. Pure."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

WINDOW = timedelta(days=29)  # thirty days with the present one
_FAR_DAYS = 3650


@dataclass(frozen=True, slots=True)
class BurnRate:
    """Credits `spent` in the last `days` days, counted from the first day with a charge."""

    spent: int
    days: int

    @property
    def daily(self) -> float:
        """Credits per day."""
        return self.spent / self.days if self.days else 0.0

    def lasts_days(self, available: int) -> int | None:
        """Return how many days `available` credits last; `None` without spending or beyond ten years."""
        if not self.spent:
            return None
        days = math.floor(available / self.daily)
        return days if days <= _FAR_DAYS else None


def burn_rate(spent: Sequence[tuple[date, int]], today: date) -> BurnRate:
    """Return the burn rate of daily sums; a new account is measured from its first charge."""
    charged = [day for day, credits in spent if credits]
    if not charged:
        return BurnRate(0, 0)
    return BurnRate(sum(credits for _, credits in spent), (today - min(charged)).days + 1)
