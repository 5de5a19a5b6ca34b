"""Worker process: an RQ worker that executes jobs one after another without forking.

RQ's own worker forks a process for each job, which was measured to cost three times as much as a whole
analysis. This one stays; if it is killed, its parent starts another, which first requeues the dead one's job.
The queue, blocking pop, suspension and registration are RQ's. Its records of each job (executions, results,
registries) are not kept, because the rows in PostgreSQL decide and because unwritten data cannot leak.
"""

from __future__ import annotations

import logging
import resource
import signal
import time
import uuid
from pathlib import Path
from types import FrameType
from typing import Any

import redis
from rq import Queue, SimpleWorker
from rq.exceptions import StopRequested
from rq.job import Job
from rq.serializers import JSONSerializer
from rq.worker import WorkerStatus

from app.jobs.execution import heartbeat as job_heartbeat
from app.jobs.execution import reaper, runner
from app.jobs.fair_queue import FairQueue
from app.jobs.queue import leave, of
from app.platform import log, redis_client, settings

_logger = log.logger("worker")

# Longest wait for a job, and the interval of heartbeats, in seconds.
_WAIT_S, _BEAT_S = 30, 10.0


class JobWorker(SimpleWorker):
    """RQ worker that executes jobs in this process, one after another."""

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
        """Register the worker, without RQ's log handlers and its listener for remote commands.

        RQ's handlers would print messages of exceptions, which ours never do.
        """
        logging.getLogger("rq").setLevel(logging.WARNING)
        self.log.setLevel(logging.WARNING)
        self.register_birth()  # type: ignore[no-untyped-call]
        self.set_state(WorkerStatus.STARTED)

    def execute_job(self, job: Job, queue: Queue) -> None:
        """Execute a job and delete RQ's record of it. Raises no `Exception`."""
        self._state = WorkerStatus.BUSY
        try:
            runner.run(uuid.UUID(job.id), self.name)
        finally:
            self._state = WorkerStatus.IDLE
        with self.connection.pipeline(transaction=False) as pipe:
            leave(pipe, queue, job.id)
            pipe.execute()
        # Between two jobs it holds none, so that nothing is lost: the next one stays in the queue.
        limit_mb, resident_mb = settings.current().job_max_mb, _resident_mb()
        if limit_mb and resident_mb >= limit_mb:
            _logger.info("process is replaced for its memory", resident_mb=resident_mb, limit_mb=limit_mb)
            self._stop_requested = True

    def heartbeat(self, timeout: int | None = None, pipeline: Any = None) -> None:
        """Refresh the worker's registration every ten seconds; RQ would do it four times for each job."""
        now = time.monotonic()
        if now >= self._beat_again_at:
            self._beat_again_at = now + _BEAT_S
            super().heartbeat(timeout, pipeline)

    def set_state(self, state: str, pipeline: Any = None) -> None:
        """Set the state in memory; Redis learns of it with a heartbeat only."""
        self._state = state

    def check_for_suspension(self, burst: bool) -> None:
        """Look for `rq suspend` once a second."""
        now = time.monotonic()
        if now >= self._looked_for_suspension_at:
            self._looked_for_suspension_at = now + 1.0
            super().check_for_suspension(burst)

    def run_maintenance_tasks(self) -> None:
        """Skip RQ's maintenance: its registries are empty, and the reaper handles lost jobs."""
        self.last_cleaned_at = _never()

    def request_stop(self, _number: int, _frame: FrameType | None) -> None:
        """Handle SIGTERM and SIGINT: end the current job within `WORKER_GRACE_S`, or give it back."""
        if self._stop_requested:
            return
        job_heartbeat.stop_within(settings.current().worker_grace_s)
        self._stop_requested = True
        if self._state != WorkerStatus.BUSY:
            raise StopRequested

    def _install_signal_handlers(self) -> None:
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self.request_stop)


def _resident_mb() -> int:
    """Return the resident memory of this process, in MB; 0 where the system does not tell."""
    try:
        pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
    except OSError:
        return 0
    return pages * resource.getpagesize() >> 20


def _never() -> Any:
    """Return a moment in the far future, so that RQ takes maintenance for done."""
    from datetime import UTC, datetime

    return datetime.max.replace(tzinfo=UTC)


def work(name: str, previous: str | None) -> int:
    """Run the worker loop until SIGTERM; return the exit code.

    Args:
        name: Name of this process.
        previous: Name of the dead process that this one replaces.
    """
    if previous is not None:
        reaper.release_worker(previous)
    url = settings.current().redis_url.get_secret_value()
    connection = redis_client.connect(url, socket_connect_timeout=2.0)
    JobWorker(name, connection).work()
    redis_client.close()
    return 0
