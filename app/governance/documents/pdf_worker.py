"""Worker for ordered documents: one after another, in memory that does not grow with their length.

Verifies the whole chain and meanwhile collects, compressed, the records that belong to the period by their
hashed content; then sets the pages. If the process is killed, another starts the document from the beginning.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import timedelta

from app import mail
from app.governance.chain import ChainVerdict, verify_chain
from app.governance.documents import file_store, leases
from app.governance.documents import issuer as issuers
from app.governance.documents.attachments import AttachmentWriter
from app.governance.documents.audit_document import Period, PeriodRecords, period_document
from app.governance.documents.export_requests import (
    CODES,
    DEPENDENCY_UNAVAILABLE,
    INTERNAL_ERROR,
    RECORDS_MAX,
    chosen_days,
)
from app.governance.documents.issuer import Issuer
from app.governance.documents.leases import Claim
from app.governance.models import Stage
from app.platform import clock, log, redis_client, settings
from app.platform.errors import DomainError, Upstream
from app.platform.lease_queue import LeaseLost
from app.platform.postgres import db, rls

EVERY_S = 1.0
_TELL_EVERY_S = 0.5

_logger = log.logger("governance")


class _ShutdownRequested(Exception):
    """This process was told to stop."""


class _ProgressReporter:
    """Reports progress to the database, at most twice a second, and finds out whether to go on."""

    def __init__(self, claim: Claim, stopping: Callable[[], bool]) -> None:
        self.claim = claim
        self._stopping = stopping
        self._next = 0.0

    def tell(self, stage: Stage, done: int, total: int, *, at_once: bool = False) -> None:
        """Store the progress.

        Raises:
            LeaseLost: Another attempt owns the document.
            _Stopped: This process was told to stop.
        """
        if self._stopping():
            raise _ShutdownRequested
        now = time.monotonic()
        if now < self._next and not at_once:
            return
        self._next = now + _TELL_EVERY_S
        if not db.atomically(lambda session: leases.progress(session, self.claim, stage, done, total)):
            raise LeaseLost


def never() -> bool:
    """Return `False`: this process is not told to stop."""
    return False


def make_due(worker: str, *, stopping: Callable[[], bool] = never) -> bool:
    """Make the document that was ordered first; return whether one was due.

    Args:
        worker: Name of this process, stored in the row while it works.
        stopping: Returns whether the process was told to stop; then the document is given back, unless its
            pages are being set.

    Raises:
        psycopg.Error: The database failed before a document was claimed.
    """
    now = clock.now()
    with rls.as_system():
        ended = db.atomically(lambda session: leases.end_exhausted(session, now=now))
        claim = db.atomically(lambda session: leases.take(session, worker=worker, now=now))
    if ended:
        _logger.warning("documents ended: their workers died", count=ended)
    if claim is None:
        return False
    started = time.monotonic()
    with rls.acting_for(claim.account_id), leases.keeping(claim):
        outcome = _run(claim, stopping)
    _logger.info(
        "audit document over",
        outcome=outcome,
        account=str(claim.account_id),
        document=str(claim.id),
        attempt=claim.attempt,
        ms=round((time.monotonic() - started) * 1000),
    )
    return True


def release(worker: str) -> None:
    """Release the document that a dead worker was making, so that another takes it. Never raises."""
    try:
        with rls.as_system():
            db.atomically(lambda session: leases.QUEUE.expire_leases_of(session, worker, now=clock.now()))
    except Exception as error:
        _logger.warning("document of a dead worker left to its lease", exc_info=error)


def _run(claim: Claim, stopping: Callable[[], bool]) -> str:
    """Make a claimed document and end it; return the outcome for the log."""
    try:
        body, records = _make(_ProgressReporter(claim, stopping))
        return "ready" if _keep(claim, body, records) else "left to another attempt"
    except LeaseLost:
        return "left to another attempt"
    except _ShutdownRequested:
        now = clock.now()
        return _end(lambda session: leases.give_back(session, claim, due=now), "given back")
    except Exception as error:
        if _is_passing(error) and not claim.is_last:
            _logger.warning("attempt given up", exc_info=error)
            now = clock.now()
            due = leases.QUEUE.retry_at(claim.attempt, now) or now
            return _end(lambda session: leases.give_back(session, claim, due=due), "given back")
        if not isinstance(error, DomainError):
            _logger.error("audit document failed", exc_info=error)
        code = _code(error)
        return _end(lambda session: leases.fail(session, claim, code, now=clock.now()), f"failed: {code}")


def _make(told: _ProgressReporter) -> tuple[bytes, int]:
    """Return the file and the number of its records."""
    claim = told.claim
    chosen = chosen_days(claim.first, claim.last, key_id=claim.key_id, flagged=claim.flagged)
    with db.reading() as session:
        issuer = issuers.issuer(session, claim.account_id, claim.key_id)
        collected = PeriodRecords(AttachmentWriter(issuer.subject.keys), chosen, most=RECORDS_MAX)
        verdict = verify_chain(
            session,
            claim.account_id,
            tell=lambda done, total: told.tell("chain", done, total),
            each=collected.consider,
        )
        if claim.key_id is None:
            # Under the name that the newest of these analyses went out under.
            issuer = issuers.issuer(session, claim.account_id, collected.newest_key)
    told.tell("pages", 0, 0, at_once=True)
    return _set(claim, collected, verdict, issuer), collected.records


def _set(claim: Claim, collected: PeriodRecords, verdict: ChainVerdict, issuer: Issuer) -> bytes:
    period = Period(claim.first, claim.last, str(claim.key_id) if claim.key_id else None, claim.flagged)
    return period_document(collected, verdict, issuer, period, language=claim.language, now=clock.now())


def _keep(claim: Claim, body: bytes, records: int) -> bool:
    hours = settings.current().audit_document_hours
    kept = file_store.keep(claim.id, claim.attempt, body, ttl_s=round(hours * 3600))
    now = clock.now()
    expires = now + timedelta(hours=hours)
    with db.transaction() as session:
        done = leases.complete(session, claim, kept, records=records, expires=expires, now=now)
        if done:
            facts = {
                "document": str(claim.id),
                "first": claim.first.isoformat(),
                "last": claim.last.isoformat(),
                "expiresAt": clock.iso(expires),
            }
            mail.notify(session, claim.account_id, "export_ready", facts, now=now)
    if not done:
        file_store.drop(claim.id, claim.attempt, kept.parts)
    return done


def _end(step: Callable[[db.Statements], bool], outcome: str) -> str:
    try:
        return outcome if db.atomically(step) else "left to another attempt"
    except Exception as error:
        _logger.warning("document left to its lease", exc_info=error)
        return "left to its lease"


def _is_passing(error: Exception) -> bool:
    """Return whether a later attempt may succeed."""
    return (
        isinstance(error, redis_client.Unavailable)
        or db.is_unavailable(error)
        or (isinstance(error, Upstream) and error.status == 503)
    )


def _code(error: Exception) -> str:
    if _is_passing(error):
        return DEPENDENCY_UNAVAILABLE
    if isinstance(error, DomainError) and error.code in CODES:
        return error.code
    return INTERNAL_ERROR
