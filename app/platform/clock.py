"""The clock: the only module that reads the current time, always in UTC. Tests install their own clock."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, date, datetime

_source: Callable[[], datetime] | None = None


def now() -> datetime:
    """Return the current time, timezone-aware, in UTC."""
    return _source() if _source else datetime.now(UTC)


def today() -> date:
    """Return the current day in UTC (decision 038: days are UTC)."""
    return now().date()


def epoch() -> float:
    """Return Unix time in seconds, from the same source as `now`."""
    return _source().timestamp() if _source else time.time()


def install(source: Callable[[], datetime] | None) -> None:
    """Replace the clock (`None` restores the real one)."""
    global _source
    _source = source


def iso_day(day: date | None) -> str | None:
    """Format a day as ISO 8601, such as 2027-01-31; `None` stays `None`."""
    return day.isoformat() if day else None


def iso(moment: datetime) -> str:
    """Format `moment` as ISO 8601 in UTC with milliseconds and `Z`, as in every answer of the API."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
