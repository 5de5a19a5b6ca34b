"""Heartbeat of a worker process: renews the lease of its job, writes its progress, enforces its time limit.

A job that exceeds its limit is failed, and one that does not end within the grace period of a stop is given
back; then the process ends with `os._exit`, which skips all cleanup, so only the database decides what became
of the job.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from app.jobs import errors
from app.jobs.execution import claims, complete
from app.jobs.execution.claims import Claim
from app.jobs.progress import ProgressWriter
from app.platform import clock, log
from app.platform.lease_queue import LeaseRenewer
from app.platform.postgres import db, rls

# Until the payload is open and says how many documents there are.
_AT_FIRST_S = 120.0
# Exit codes: told to stop and did not come to an end; worked longer than allowed.
STOPPED, OVERDUE = 0, 70

_logger = log.logger("jobs")


@dataclass(slots=True)
class _ActiveJob:
    claim: Claim
    # When it is overdue, by the monotonic clock.
    limit: float
    progress: ProgressWriter | None = None


_running: _ActiveJob | None = None
_stop_by: float | None = None


@contextmanager
def keeping(claim: Claim) -> Iterator[None]:
    """Renew the lease of `claim` while the block runs."""
    global _running
    running = _running = _ActiveJob(claim, time.monotonic() + _AT_FIRST_S)
    try:
        with _RENEWER.keeping(running):
            yield
    finally:
        _running = None
        if running.progress is not None:
            running.progress.end()


def limit(seconds: float) -> None:
    """Let the current job take up to `seconds` from now."""
    if _running is not None:
        _running.limit = time.monotonic() + seconds


def report(progress: ProgressWriter) -> None:
    """Write the progress of the current job from now on, twice a second at most, until it is over."""
    if _running is not None:
        _running.progress = progress


def stop_within(seconds: float) -> None:
    """Give the current job back and end the process if it does not finish within `seconds`.

    Safe in a signal handler, because it takes no lock.
    """
    global _stop_by
    _stop_by = time.monotonic() + seconds


def _check(running: _ActiveJob) -> None:
    now = time.monotonic()
    if _stop_by is not None and now >= _stop_by:
        _give_back(running.claim)
    elif now >= running.limit:
        _give_up(running.claim)
    elif running.progress is not None:
        running.progress.write()


def _renew(held: list[_ActiveJob]) -> None:
    for running in held:
        claim = running.claim
        with rls.acting_for(claim.account_id), db.statements() as session:
            if not claims.renew(session, claim, now=clock.now()):
                _logger.warning("lease lost", jobId=str(claim.job_id), attempt=claim.attempt)
                if running.progress is not None:
                    running.progress.end()


def _give_back(claim: Claim) -> None:
    now = clock.now()
    try:
        with rls.acting_for(claim.account_id):
            db.atomically(lambda session: claims.give_back(session, claim, due=now, now=now))
        _logger.info("job given back: the worker stops", jobId=str(claim.job_id))
    except Exception as error:
        _logger.warning("job left to its lease", exc_info=error, jobId=str(claim.job_id))
    os._exit(STOPPED)


def _give_up(claim: Claim) -> None:
    _logger.error("job took too long", jobId=str(claim.job_id), kind=claim.kind)
    try:
        with rls.acting_for(claim.account_id):
            db.atomically(lambda session: complete.fail(session, claim, errors.JOB_TIMEOUT, now=clock.now()))
    except Exception as error:
        _logger.warning("job left to its lease", exc_info=error, jobId=str(claim.job_id))
    os._exit(OVERDUE)


def _after_fork() -> None:
    global _running, _stop_by
    _running = _stop_by = None


_RENEWER = LeaseRenewer("job lease", _renew, check=_check)
os.register_at_fork(after_in_child=_after_fork)
