"""Long polling: hold an answer back until it differs from what the client has (decision 074).

A request that waits keeps a thread of its web process, so only some may; beyond them, and at once where
nothing is to be waited for, the answer is the present state, as for a client that polls.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from functools import cache
from typing import Final, Protocol, TypeVar

from app.platform import settings

# In seconds: below what proxies in front allow, and below the grace of a web process that is told to stop.
WAIT_MAX: Final = 20
_LOOK_EVERY_S: Final = 0.5


class Tagged(Protocol):
    """A state of something, with the entity tag of its representation; none where it changes no more."""

    @property
    def etag(self) -> str | None:
        """Return the entity tag."""


T = TypeVar("T", bound=Tagged)


def until_changed(look: Callable[[], T], has: Callable[[str], bool] | None, wait_s: float) -> T:
    """Return the state that `look` returns, once it is another than the client has or `wait_s` are over.

    Args:
        look: reads the present state; called every half second, outside a transaction.
        has: whether the client has the state of an entity tag; `None` where it has not said, and the state at
            the beginning is what it is taken to have.
        wait_s: how long to wait, in seconds.
    """
    found = look()
    if has is None:
        has = {found.etag}.__contains__
    if not wait_s or not _known(found, has) or not _seats().acquire(blocking=False):
        return found
    try:
        until = time.monotonic() + wait_s
        while _known(found, has) and (left := until - time.monotonic()) > 0:
            time.sleep(min(left, _LOOK_EVERY_S))
            found = look()
    finally:
        _seats().release()
    return found


def _known(found: Tagged, has: Callable[[str], bool]) -> bool:
    return found.etag is not None and has(found.etag)


@cache
def _seats() -> threading.BoundedSemaphore:
    """Return the seats of those who wait: a quarter of the threads of this process."""
    return threading.BoundedSemaphore(max(1, settings.current().web_threads // 4))
