"""Reaper: makes sure that every accepted job ends. Safe to run in any number of processes.

Requeues jobs whose lease has expired, fails those that had all attempts or waited too long, enqueues jobs
that are missing from Redis, and deletes the keys of expired results.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa

from app.jobs import errors, queue, storage
from app.jobs.execution import complete
from app.jobs.execution.claims import QUEUE, LeasedJob
from app.jobs.fair_queue import QueuedJob
from app.jobs.models import Job
from app.platform import clock, log, redis_client
from app.platform.postgres import bulk, db, rls

EVERY_S = 5.0
# A pending job is looked for in the queue when this long has passed since it was put or seen there.
_UNSEEN = timedelta(seconds=15)
_BATCH = 500

_logger = log.logger("jobs")

# Ended by the reaper as well: what waits after its last attempt, and what nobody took in time.
_WAITED_OUT = "t.status = 'pending' AND (t.attempt >= %(q_attempts)s OR t.expires_at <= %(q_now)s)"
_SEEN = "UPDATE jobs SET queued_at = %(now)s WHERE id = ANY(%(ids)s) AND status = 'pending'"
_FORGET_RESULTS = """
    UPDATE jobs SET result_key = NULL WHERE result_key IS NOT NULL AND result_expires_at <= %(now)s
    """
_FORGET = """
    DELETE FROM jobs WHERE id IN (
        SELECT id FROM jobs WHERE completed_at < %(before)s AND result_key IS NULL
        ORDER BY completed_at LIMIT %(limit)s FOR UPDATE SKIP LOCKED
    )
    """


class Reaper:
    """The reaper of one process, for use by one thread."""

    def __init__(self) -> None:
        self._rest_until = 0.0

    @rls.as_system()
    def round(self) -> None:
        """Run every step once, for all accounts. Raises the errors of the stores."""
        if time.monotonic() < self._rest_until:
            return
        try:
            self._revive()
            self._end_hopeless()
            db.atomically(lambda session: session.run(_FORGET_RESULTS, {"now": clock.now()}))
            self._queue_again()
        except Exception as error:
            if db.is_unavailable(error):
                # The living could not renew their leases either: give them time before calling them dead.
                self._rest_until = time.monotonic() + QUEUE.length.total_seconds()
            raise

    def _revive(self) -> None:
        revived: list[QueuedJob] = []
        while len(revived) < _BATCH:
            row = db.atomically(_revive_one)
            if row is None:
                break
            revived.append(row)
        if revived:
            _logger.warning("jobs taken from dead workers", count=len(revived))
            # They have waited once already.
            queue.enqueue(revived, at_front=True)

    def _end_hopeless(self) -> None:
        for _ in range(_BATCH):
            ended = db.atomically(self._end_one)
            if ended is None:
                return
            storage.drop(ended.job_id)
            queue.remove(ended.job_id)

    def _end_one(self, session: db.Statements) -> LeasedJob | None:
        now = clock.now()
        row = QUEUE.lock_exhausted(session, now=now, or_where=_WAITED_OUT)
        if row is None:
            return None
        held = LeasedJob(row.id, row.account_id, row.api_key_id, row.kind, row.attempt, row.hold_id)
        code = errors.ATTEMPTS_EXHAUSTED if row.attempt >= QUEUE.attempts else errors.JOB_EXPIRED
        complete.fail(session, held, code, now=now)
        _logger.warning("job ended by the reaper", jobId=str(held.job_id), code=code)
        return held

    def _queue_again(self) -> None:
        now = clock.now()
        with db.reading() as session:
            unseen = list(_unseen(session, now))
        try:
            lost = set(queue.missing([job.id for job in unseen]))
            # A worker may have died between taking one and letting the next follow.
            queue.refill()
        except redis_client.Unavailable:
            _logger.warning("the queue cannot be looked at")
            return
        if lost and not queue.enqueue(job for job in unseen if job.id in lost):
            return
        if lost:
            _logger.warning("jobs queued again", count=len(lost))
        if unseen:
            ids = [job.id for job in unseen]
            db.atomically(lambda session: session.run(_SEEN, {"ids": ids, "now": now}))


def _revive_one(session: db.Statements) -> Any:
    now = clock.now()
    return QUEUE.reap(session, now=now, queued_at=now)


def _unseen(session: db.Session, now: datetime) -> Sequence[Any]:
    """Return due pending jobs that were not seen in the queue for a while, oldest sighting first."""
    return session.execute(
        sa.select(Job.id, Job.account_id, Job.weight)
        .where(Job.status == "pending", Job.queued_at <= now - _UNSEEN, Job.due_at <= now)
        .order_by(Job.queued_at)
        .limit(_BATCH)
    ).all()


def release_worker(worker: str) -> None:
    """Requeue the job of a worker that is known to be dead without waiting for its lease. Never raises."""
    try:
        with rls.as_system():
            found = db.atomically(lambda session: QUEUE.expire_leases_of(session, worker, now=clock.now()))
        if found:
            Reaper().round()
    except Exception as error:
        _logger.warning("jobs of a dead worker left to their lease", exc_info=error)


def forget(session: db.Statements, *, before: datetime, limit: int = 5_000) -> int:
    """Delete up to `limit` rows of jobs that ended before a moment; return how many."""
    return session.run(_FORGET, {"before": before, "limit": limit})


def erase(session: db.Statements, account_id: uuid.UUID) -> int:
    """Delete a batch of jobs of a closed account in any state; return how many.

    The keys of stored documents and results go with the rows. A worker that runs such a job charges nothing.
    """
    return bulk.erase(session, ("jobs",), account_id)
