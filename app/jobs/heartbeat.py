"""Keeps the lease of the job that this process has in hand, and ends the process when it must not go on.

One thread for each process. A job is kept only within the time that it may take: a worker that hangs loses
it to another. When the process was told to stop, what it has in hand may go on for a while and is given back
after that. Ending is `os._exit`: as with a kill from outside, the transaction decides.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from app.jobs import claims, complete, errors
from app.jobs.claims import Claim
from app.platform import clock, log
from app.platform.postgres import db, rls

RENEW_EVERY_S = 5.0
_LOOK_EVERY_S = 0.5
# Until the payload is open and says how many documents there are.
_AT_FIRST_S = 120.0
# Exit codes: told to stop and did not come to an end; worked longer than allowed.
STOPPED, OVERDUE = 0, 70

_logger = log.logger("jobs")
_lock = threading.Lock()
_changed = threading.Condition(_lock)


@dataclass(slots=True)
class _Hand:
    claim: Claim
    renewed: float
    limit: float


_hand: _Hand | None = None
_thread: threading.Thread | None = None
_stop_by: float | None = None


@contextmanager
def keeping(claim: Claim) -> Iterator[None]:
    """Keep the lease of `claim` while the block runs."""
    global _hand, _thread
    now = time.monotonic()
    with _changed:
        _hand = _Hand(claim, now, now + _AT_FIRST_S)
        if _thread is None or not _thread.is_alive():
            _thread = threading.Thread(target=_keep_for_ever, name="lease", daemon=True)
            _thread.start()
    try:
        yield
    finally:
        with _changed:
            _hand = None


def limit(seconds: float) -> None:
    """The job in hand may take this long from now."""
    with _changed:
        if _hand is not None:
            _hand.limit = time.monotonic() + seconds


def stop_within(seconds: float) -> None:
    """What is in hand may go on for so long; then it is given back and the process ends.

    Safe to call from a signal handler: it takes no lock.
    """
    global _stop_by
    _stop_by = time.monotonic() + seconds


def _keep_for_ever() -> None:
    pause = threading.Event()
    while not pause.wait(_LOOK_EVERY_S):
        with _lock:
            hand = _hand
        if hand is None:
            continue
        now = time.monotonic()
        if _stop_by is not None and now >= _stop_by:
            _give_back(hand.claim)
        elif now >= hand.limit:
            _give_up(hand.claim)
        elif now - hand.renewed >= RENEW_EVERY_S:
            _renew(hand, now)


def _renew(hand: _Hand, now: float) -> None:
    try:
        with rls.acting_for(hand.claim.account_id), db.statements() as session:
            if not claims.renew(session, hand.claim, now=clock.now()):
                _logger.warning("lease lost", jobId=str(hand.claim.job_id), attempt=hand.claim.attempt)
        hand.renewed = now
    except Exception as error:
        _logger.warning("lease not renewed", exc_info=error, jobId=str(hand.claim.job_id))


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


def _forget_after_fork() -> None:
    global _hand, _thread, _stop_by
    _hand = _thread = _stop_by = None


os.register_at_fork(after_in_child=_forget_after_fork)
