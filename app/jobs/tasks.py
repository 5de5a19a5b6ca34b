"""Entry point that RQ calls by its dotted name; our own worker bypasses it."""

from __future__ import annotations

import contextlib
import uuid

from rq import get_current_job

from app.jobs import queue
from app.jobs.execution import runner
from app.platform import redis_client


def run() -> None:
    """Execute the job whose id is the id of the RQ entry. Raises no `Exception`."""
    entry = get_current_job()
    if entry is not None:
        with contextlib.suppress(redis_client.Unavailable):
            queue.refill()
        runner.run(uuid.UUID(entry.id), f"rq:{entry.worker_name}")
