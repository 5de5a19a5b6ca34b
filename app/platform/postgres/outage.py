"""Transient failures of PostgreSQL, Redis or a model, and retrying while they last.

Transient are: PostgreSQL restarting, overloaded or silent; Redis unreachable, loading or failing over; our
own `DEPENDENCY_UNAVAILABLE`. Every other error of a store is final: the same statement would fail again.
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


def is_transient(error: BaseException) -> bool:
    """Return whether the failure is transient, so that the same work may succeed a little later."""
    if isinstance(error, Upstream):
        return error.code == Upstream.code
    return isinstance(error, _REDIS) or db.is_unavailable(error)


def retry_while_unavailable(
    work: Callable[[], T], *, until: float, on_retry: Callable[[Exception], object] = lambda _: None
) -> T:
    """Call `work` until it succeeds, with growing pauses while a store is unavailable.

    Args:
        work: Safe to repeat.
        until: Monotonic time (`time.monotonic`) after which no further attempt begins.
        on_retry: Called with each error that is retried.

    Raises:
        Exception: The last error of `work`, when it is not transient or the time is over.
    """
    pause = FIRST_PAUSE_S
    while True:
        try:
            return work()
        except Exception as error:
            if not is_transient(error) or time.monotonic() + pause >= until:
                raise
            on_retry(error)
        time.sleep(pause)
        pause = min(pause * 2, LONGEST_PAUSE_S)
