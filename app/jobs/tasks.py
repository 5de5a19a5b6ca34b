"""What RQ calls, by its dotted name. Our own work-horse does the same without RQ's books around it."""

from __future__ import annotations

import contextlib
import uuid

from rq import get_current_job

from app.jobs import execution, queue
from app.platform import redis_client


def run() -> None:
    """Do the job whose id the queue's entry bears; there are no arguments. Raises no `Exception`."""
    entry = get_current_job()
    if entry is not None:
        with contextlib.suppress(redis_client.Unavailable):
            queue.refill()
        execution.run(uuid.UUID(entry.id), f"rq:{entry.worker_name}")
