"""When a delivery is tried again (decision 030). Pure."""

from __future__ import annotations

from datetime import datetime, timedelta

# After the first attempt, which leaves at once: five more, then no more.
WAITS = (
    timedelta(minutes=1),
    timedelta(minutes=5),
    timedelta(minutes=30),
    timedelta(hours=2),
    timedelta(hours=12),
)
ATTEMPTS = 1 + len(WAITS)

# An endpoint that lets this many deliveries in a row run out is deactivated.
EXHAUSTED_IN_A_ROW = 20


def next_attempt(attempts: int, now: datetime) -> datetime | None:
    """When to try again after `attempts` (1 or more) that failed, the last of them `now`; `None`: never."""
    return now + WAITS[attempts - 1] if attempts < ATTEMPTS else None
