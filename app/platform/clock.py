"""The one place that asks what time it is. UTC always; tests install a clock of their own."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, date, datetime

_source: Callable[[], datetime] | None = None


def now() -> datetime:
    """The present moment, timezone-aware, UTC."""
    return _source() if _source else datetime.now(UTC)


def today() -> date:
    """The present day in UTC (decision 038: days are UTC)."""
    return now().date()


def epoch() -> float:
    """Seconds since 1970, from the same source as `now`."""
    return _source().timestamp() if _source else time.time()


def install(source: Callable[[], datetime] | None) -> None:
    """Replace the clock (`None` restores the real one)."""
    global _source
    _source = source


def iso(moment: datetime) -> str:
    """ISO 8601 with milliseconds and `Z`, the form of every timestamp on the wire."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
