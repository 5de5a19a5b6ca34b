"""How fast an account spends its credits, and for how long they last so. Pure."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

WINDOW = timedelta(days=29)  # thirty days with the present one
_FAR_DAYS = 3650


@dataclass(frozen=True, slots=True)
class Pace:
    """Credits `spent` in the last `days` days, the first of which is the first with a charge."""

    spent: int
    days: int

    @property
    def daily(self) -> float:
        return self.spent / self.days if self.days else 0.0

    def lasts_days(self, available: int) -> int | None:
        """Whole days that `available` credits last; `None` where nothing is spent or it is ten years."""
        if not self.spent:
            return None
        days = math.floor(available / self.daily)
        return days if days <= _FAR_DAYS else None


def pace(spent: Sequence[tuple[date, int]], today: date) -> Pace:
    """The pace of daily sums; a new account is measured from its first charge, which is fairer."""
    charged = [day for day, credits in spent if credits]
    if not charged:
        return Pace(0, 0)
    return Pace(sum(credits for _, credits in spent), (today - min(charged)).days + 1)
