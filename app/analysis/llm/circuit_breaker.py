"""Stop asking a vendor for a while after several outages in a row: a circuit breaker.

Kept per process: it protects this process's threads from waiting, and needs no agreement with others.
"""

from __future__ import annotations

import threading

# Outages in a row that open the circuit, and the seconds it stays open before one question may try again.
THRESHOLD, OPEN_S = 5, 30.0


class CircuitBreaker:
    """Closed, open, half open. Every time is monotonic seconds, given by the caller. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._outages = 0
        self._open_until = 0.0

    def wait_s(self, now: float) -> float:
        """Seconds for which nobody should ask, 0 when asking is fine.

        When the wait is over one caller is let through to try; for the others the circuit stays open until
        that caller has reported.
        """
        with self._lock:
            if self._outages < THRESHOLD:
                return 0.0
            if now < self._open_until:
                return self._open_until - now
            self._open_until = now + OPEN_S
            return 0.0

    def succeeded(self) -> None:
        """Close the circuit."""
        with self._lock:
            self._outages = 0

    def failed(self, now: float) -> bool:
        """Count an outage; return whether it opened the circuit."""
        with self._lock:
            self._outages += 1
            if self._outages < THRESHOLD:
                return False
            self._open_until = now + OPEN_S
            return self._outages == THRESHOLD
