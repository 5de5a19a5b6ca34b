"""Sender of a worker process: one thread claims and stores results, others send."""

from __future__ import annotations

import queue
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from app.platform import clock, settings
from app.platform.lease_queue import Lease
from app.webhooks import claims, delivery
from app.webhooks.claims import AttemptResult, ClaimedDelivery

# A round ends after this long whatever is going on, so that its worker can be told to stop.
_ROUND_S = 1.0
# How long to wait for the first result before asking again what is due: after a claim, and after none.
_BREATH_S, _PAUSE_S = 0.02, 0.25


class Sender:
    """Sends the deliveries that are due. Any number may run; each belongs to one thread.

    Deliveries in flight at the end of a round are stored in the next one, and by `finish` after the last. A
    killed sender loses nothing: its leases expire, and others take over.
    """

    def __init__(
        self, make: Callable[[ClaimedDelivery], AttemptResult] | None = None, *, threads: int | None = None
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
        self._done: queue.SimpleQueue[AttemptResult] = queue.SimpleQueue()
        # Results that were taken from the queue and could not be written yet.
        self._unwritten: list[AttemptResult] = []
        self._in_flight: dict[Lease, tuple[bool, float]] = {}

    def round(self) -> int:
        """Claim, send and store results until nothing is due, for about a second at most.

        Returns:
            The number of stored attempts.

        Raises:
            sqlalchemy.exc.SQLAlchemyError: The database failed; results are kept for the next round.
        """
        until, written = time.monotonic() + _ROUND_S, 0
        while True:
            claimed = self._claim()
            written += self._write_down(_BREATH_S if claimed else _PAUSE_S)
            if time.monotonic() >= until or (not claimed and not self._in_flight):
                return written

    def finish(self) -> None:
        """Wait for the deliveries in flight and store their results, without claiming more."""
        while self._in_flight or self._unwritten:
            self._write_down(_PAUSE_S)
        if self._pool is not None:
            self._pool.shutdown()
            self._pool = None

    def _claim(self) -> list[ClaimedDelivery]:
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
        """Return how many more deliveries of each kind may be sent.

        An attempt that takes long no longer counts against quick ones.
        """
        recently = time.monotonic() - delivery.SLOW_S
        slow = sum(kind for kind, _ in self._in_flight.values())
        quick = sum(not kind and began > recently for kind, began in self._in_flight.values())
        unspent = 2 * self._quick - (len(self._in_flight) - slow)
        return min(self._quick - quick, unspent), self._slow - slow

    def _attempt(self, claimed: ClaimedDelivery) -> None:
        self._done.put(self._make(claimed))

    def _write_down(self, patience: float) -> int:
        """Wait up to `patience` seconds for a result, if any is expected, and store all there are."""
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

    def _collect(self, result: AttemptResult) -> None:
        self._unwritten.append(result)
        del self._in_flight[result.claimed.lease]
