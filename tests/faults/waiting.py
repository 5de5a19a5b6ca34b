"""Waiting for what another process does."""

from __future__ import annotations

import time
from collections.abc import Callable


def eventually(met: Callable[[], bool], seconds: float = 60) -> bool:
    deadline = time.monotonic() + seconds
    while not met():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    return True
