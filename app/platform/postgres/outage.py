"""Whether an error will pass: a store that is away for a moment, as against work that cannot succeed.

Passing: PostgreSQL that is restarting, too busy or silent; Redis that cannot be reached, is loading or is
being failed over; our own `DEPENDENCY_UNAVAILABLE`. Whatever else a store says about a statement is final: it
will say the same the next time.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

from redis import exceptions as redis_errors

from app.platform.errors import Upstream
from app.platform.postgres import db

T = TypeVar("T")

_REDIS = (
    redis_errors.ConnectionError,
    redis_errors.TimeoutError,
    redis_errors.ReadOnlyError,
    redis_errors.OutOfMemoryError,
    redis_errors.TryAgainError,
    redis_errors.MasterDownError,
)
FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.25, 4.0


def is_passing(error: BaseException) -> bool:
    """Return whether the same work, a little later, may well succeed."""
    if isinstance(error, Upstream):
        return error.code == Upstream.code
    return isinstance(error, _REDIS) or db.is_unavailable(error)


def patiently(
    work: Callable[[], T], *, until: float, noticing: Callable[[Exception], object] = lambda _: None
) -> T:
    """Call `work`, and again with growing pauses while a store is away, until the monotonic time `until`.

    `noticing` is called with each error that is waited out. `work` must do nothing twice when it is repeated.
    Raises what `work` raised last.
    """
    pause = FIRST_PAUSE_S
    while True:
        try:
            return work()
        except Exception as error:
            if not is_passing(error) or time.monotonic() + pause >= until:
                raise
            noticing(error)
        time.sleep(pause)
        pause = min(pause * 2, LONGEST_PAUSE_S)
