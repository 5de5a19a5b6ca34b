"""The work-horse: an RQ worker in a process of its own, which does one job after another.

RQ's own worker forks a process for each job; measured here, that costs three times what a whole analysis job
does. Ours stays, and a kill of it is survived by other means: its parent starts another, which first hands on
what the dead one had in hand. From RQ we take the queue, the waiting, suspension and registration; of its
books for each job (executions, results, registries) we keep none, because the rows in PostgreSQL are the
truth and because what is not written cannot leak.
"""

from __future__ import annotations

import logging
import signal
import time
import uuid
from types import FrameType
from typing import Any

import redis
from rq import Queue, SimpleWorker
from rq.exceptions import StopRequested
from rq.job import Job
from rq.serializers import JSONSerializer
from rq.worker import WorkerStatus

from app.jobs import execution, reaper
from app.jobs import heartbeat as keeper
from app.jobs.fair_queue import FairQueue
from app.jobs.queue import leave, of
from app.platform import redis_client, settings

# How long the horse waits for a job before it looks around, and how often it says that it lives.
_WAIT_S, _BEAT_S = 30, 10.0


class Horse(SimpleWorker):
    """Takes ids from the queue and does the jobs. Told to stop, it ends the job in hand, within limits."""

    queue_class = FairQueue
    log_result_lifespan = False
    # With a Redis that is away: how long between two tries at most.
    max_connection_wait_time = 2.0

    def __init__(self, name: str, connection: redis.Redis) -> None:
        super().__init__(
            [of(connection)],
            name=name,
            connection=connection,
            serializer=JSONSerializer,
            worker_ttl=_WAIT_S + 15,
            log_job_description=False,
            default_result_ttl=0,
        )
        self._beat_again_at = 0.0
        self._looked_for_suspension_at = 0.0

    def bootstrap(self, *_: Any, **__: Any) -> None:
        """Register, without RQ's own log handlers (ours never print what an exception says) and its ear for
        remote commands."""
        logging.getLogger("rq").setLevel(logging.WARNING)
        self.log.setLevel(logging.WARNING)
        self.register_birth()  # type: ignore[no-untyped-call]
        self.set_state(WorkerStatus.STARTED)

    def execute_job(self, job: Job, queue: Queue) -> None:
        """Do it, and take what RQ knows of it out of Redis. Nothing in here raises an `Exception`."""
        self._state = WorkerStatus.BUSY
        try:
            execution.run(uuid.UUID(job.id), self.name)
        finally:
            self._state = WorkerStatus.IDLE
        with self.connection.pipeline(transaction=False) as pipe:
            leave(pipe, queue, job.id)
            pipe.execute()

    def heartbeat(self, timeout: int | None = None, pipeline: Any = None) -> None:
        """Say that we live, now and then: RQ would say so four times for each job."""
        now = time.monotonic()
        if now >= self._beat_again_at:
            self._beat_again_at = now + _BEAT_S
            super().heartbeat(timeout, pipeline)

    def set_state(self, state: str, pipeline: Any = None) -> None:
        """Known here, and told to Redis with a heartbeat only."""
        self._state = state

    def check_for_suspension(self, burst: bool) -> None:
        """`rq suspend` is heeded within a second."""
        now = time.monotonic()
        if now >= self._looked_for_suspension_at:
            self._looked_for_suspension_at = now + 1.0
            super().check_for_suspension(burst)

    def run_maintenance_tasks(self) -> None:
        """None of RQ's: its registries are empty, and what was under way is the reaper's."""
        self.last_cleaned_at = _never()

    def request_stop(self, _number: int, _frame: FrameType | None) -> None:
        """SIGTERM, SIGINT: take no more; end what is in hand within `WORKER_GRACE_S`, else give it back."""
        if self._stop_requested:
            return
        keeper.stop_within(settings.current().worker_grace_s)
        self._stop_requested = True
        if self._state != WorkerStatus.BUSY:
            raise StopRequested

    def _install_signal_handlers(self) -> None:
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self.request_stop)


def _never() -> Any:
    """A moment in the far future: maintenance was done just then."""
    from datetime import UTC, datetime

    return datetime.max.replace(tzinfo=UTC)


def work(name: str, previous: str | None) -> int:
    """Be a work-horse until told to stop; the exit code. `previous` is the dead one whose place it takes."""
    if previous is not None:
        reaper.release_worker(previous)
    url = settings.current().redis_url.get_secret_value()
    connection = redis.Redis.from_url(url, socket_connect_timeout=2.0)
    Horse(name, connection).work()
    redis_client.close()
    return 0
