"""The sender of a worker process: one thread claims and writes down, others send."""

from __future__ import annotations

import queue
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from app.platform import clock, settings
from app.platform.lease_queue import Lease
from app.webhooks import claims, delivery
from app.webhooks.claims import Claimed, Result

# A round ends after this long whatever is going on, so that its worker can be told to stop.
_ROUND_S = 1.0
# How long to wait for the first result before asking again what is due: after a claim, and after none.
_BREATH_S, _PAUSE_S = 0.02, 0.25


class Sender:
    """Sends what is due. Any number of them may run; each belongs to one thread.

    What is in flight when a round ends is written down in the next one, and by `finish` after the last. A
    sender that is killed loses nothing: its leases run out, and others take over.
    """

    def __init__(
        self, make: Callable[[Claimed], Result] | None = None, *, threads: int | None = None
    ) -> None:
        config = settings.current()
        self._quick = threads or config.webhook_threads
        self._slow = max(1, self._quick // 4)
        self._make = make or (
            lambda claimed: delivery.make(
                claimed, wire_name=config.wire_name, allow_hosts=config.allowed_hosts
            )
        )
        self._pool: ThreadPoolExecutor | None = None
        self._done: queue.SimpleQueue[Result] = queue.SimpleQueue()
        # Results that were taken from the queue and could not be written yet.
        self._unwritten: list[Result] = []
        self._in_flight: dict[Lease, tuple[bool, float]] = {}

    def round(self) -> int:
        """Claim, send and write down until nothing is due, but not much longer than a second.

        Returns how many attempts were written down. Raises what the database raises; nothing is lost by it.
        """
        until, written = time.monotonic() + _ROUND_S, 0
        while True:
            claimed = self._claim()
            written += self._write_down(_BREATH_S if claimed else _PAUSE_S)
            if time.monotonic() >= until or (not claimed and not self._in_flight):
                return written

    def finish(self) -> None:
        """Wait for what is in flight and write it down; claim nothing more."""
        while self._in_flight or self._unwritten:
            self._write_down(_PAUSE_S)
        if self._pool is not None:
            self._pool.shutdown()
            self._pool = None

    def _claim(self) -> list[Claimed]:
        quick_room, slow_room = self._room()
        if quick_room <= 0 and slow_room <= 0:
            return []
        claimed = claims.take(quick_room=max(0, quick_room), slow_room=max(0, slow_room), now=clock.now())
        if claimed and self._pool is None:
            # Not a ContextPool: who talks to receivers reads no database, and is to see none of it.
            self._pool = ThreadPoolExecutor(2 * self._quick + self._slow, thread_name_prefix="webhook")
        for one in claimed:
            assert self._pool is not None
            self._in_flight[one.lease] = (one.slow, time.monotonic())
            self._pool.submit(self._attempt, one)
        return claimed

    def _room(self) -> tuple[int, int]:
        """How many more of each kind may be sent. An attempt that takes long makes room for quick ones."""
        recently = time.monotonic() - delivery.SLOW_S
        slow = sum(kind for kind, _ in self._in_flight.values())
        quick = sum(not kind and began > recently for kind, began in self._in_flight.values())
        unspent = 2 * self._quick - (len(self._in_flight) - slow)
        return min(self._quick - quick, unspent), self._slow - slow

    def _attempt(self, claimed: Claimed) -> None:
        self._done.put(self._make(claimed))

    def _write_down(self, patience: float) -> int:
        """Wait up to `patience` seconds for a result, if any is to come; write down all there are."""
        try:
            if self._in_flight and not self._unwritten:
                self._collect(self._done.get(timeout=patience))
            while True:
                self._collect(self._done.get_nowait())
        except queue.Empty:
            pass
        if not self._unwritten:
            return 0
        claims.settle(self._unwritten)
        written = len(self._unwritten)
        self._unwritten = []
        return written

    def _collect(self, result: Result) -> None:
        self._unwritten.append(result)
        del self._in_flight[result.claimed.lease]
