"""Redis queue of job ids, kept by RQ, in fair order (`fair_queue`).

It is a hint; the rows in PostgreSQL decide. A job that is queued twice is claimed once, and the reaper finds
jobs that are missing from the queue (decision 027). RQ's keys hold the job's id and the name of the entry
point only: no arguments, results or messages of exceptions.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Sequence

import redis
from redis.client import Pipeline
from rq import Queue
from rq.job import Job
from rq.serializers import JSONSerializer

from app.jobs import fair_queue
from app.platform import log, redis_client

NAME = "jobs"
ENTRY = "app.jobs.tasks.run"
# Where RQ itself runs a task (a stock worker), what it notes of a failed one goes after this many seconds.
_FAILURE_TTL_S = 60
# An entry that nobody came for; the reaper makes another as long as its job waits.
_ENTRY_TTL_S = 7 * 24 * 3600

_logger = log.logger("jobs")


def of(connection: redis.Redis) -> fair_queue.FairQueue:
    """Return the queue over this connection."""
    return fair_queue.FairQueue(NAME, connection=connection, serializer=JSONSerializer)


def enqueue(waiting: Iterable[fair_queue.QueuedJob], *, at_front: bool = False) -> bool:
    """Enqueue jobs whose rows are committed. Never raises.

    Args:
        waiting: The jobs.
        at_front: Serve them before all others instead of in fair order.

    Returns:
        `False` when Redis is unavailable; the reaper enqueues the jobs later.
    """
    try:
        queue = of(redis_client.client())
        with redis_client.client().pipeline(transaction=False) as pipe:
            for job in waiting:
                queue.joining = job
                entry = queue.enqueue_call(
                    ENTRY,
                    job_id=str(job.id),
                    description=str(job.id),
                    timeout=-1,
                    result_ttl=0,
                    failure_ttl=_FAILURE_TTL_S,
                    at_front=at_front,
                    pipeline=pipe,
                )
                pipe.expire(entry.key, _ENTRY_TTL_S)
            pipe.execute()
    except redis_client.Unavailable as error:
        _logger.warning("jobs left for the reaper to queue", exc_info=error)
        return False
    return True


def missing(job_ids: Sequence[uuid.UUID]) -> list[uuid.UUID]:
    """Return those of `job_ids` that are not in the queue. Raises `redis_client.Unavailable`."""
    client = redis_client.client()
    return fair_queue.missing(client, of(client).key, job_ids)


def refill() -> None:
    """Make the next job in fair order available. Raises `redis_client.Unavailable`."""
    client = redis_client.client()
    fair_queue.refill(client, of(client).key)


def remove(job_id: uuid.UUID) -> None:
    """Remove a job that has ended. Never raises: a worker that takes its id finds that it has ended."""
    try:
        client = redis_client.client()
        with client.pipeline(transaction=False) as pipe:
            leave(pipe, of(client), str(job_id))
            fair_queue.leave(pipe, of(client).key, [str(job_id)])
            fair_queue.refill(pipe, of(client).key)
            pipe.execute()
    except redis_client.Unavailable as error:
        _logger.warning("ended job left in the queue", exc_info=error)


def leave(pipe: Pipeline, queue: Queue, entry_id: str) -> None:
    """Delete what RQ stores about an id that was taken from the queue."""
    pipe.lrem(queue.intermediate_queue_key, 0, entry_id)
    pipe.delete(Job.key_for(entry_id))
