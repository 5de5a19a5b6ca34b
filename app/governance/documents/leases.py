"""Lease queue of audit documents: claim, renew, report progress, end."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from app.governance.documents.export_requests import ATTEMPTS_EXHAUSTED
from app.governance.documents.file_store import StoredFile
from app.governance.models import AuditDocument, Stage
from app.platform import clock
from app.platform.lease_queue import Lease, LeaseQueue, LeaseRenewer
from app.platform.postgres import db, rls
from app.text.bilingual import Language, language_of

QUEUE = LeaseQueue(
    id=AuditDocument.id,
    token=AuditDocument.attempt,
    due=AuditDocument.due_at,
    status=AuditDocument.status,
    until=AuditDocument.lease_until,
    worker=AuditDocument.worker,
    order=AuditDocument.created_at,
    length=timedelta(seconds=30),
    waits=(timedelta(seconds=15), timedelta(seconds=30)),
)
# A worker that hangs loses its document: its lease is not renewed for longer than this.
_LONGEST = timedelta(minutes=30)


@dataclass(frozen=True, slots=True)
class Claim:
    """A document that this worker has claimed."""

    id: uuid.UUID
    account_id: uuid.UUID
    attempt: int
    first: date
    last: date
    key_id: uuid.UUID | None
    flagged: bool
    language: Language

    @property
    def is_last(self) -> bool:
        """Return whether this is the last attempt."""
        return self.attempt >= QUEUE.attempts

    @property
    def lease(self) -> Lease:
        """Return the lease, whose fencing token is the attempt number."""
        return Lease(self.id, self.attempt)


def take(session: db.Statements, *, worker: str, now: datetime) -> Claim | None:
    """Claim the document that was ordered first; return `None` when none is due."""
    row = QUEUE.claim(session, now=now, worker=worker, stage="chain", done=0, total=0)
    if row is None:
        return None
    return Claim(
        id=row.id,
        account_id=row.account_id,
        attempt=row.attempt,
        first=row.first_day,
        last=row.last_day,
        key_id=row.api_key_id,
        flagged=row.flagged,
        language=language_of(row.language),
    )


def progress(session: db.Statements, claim: Claim, stage: Stage, done: int, total: int) -> bool:
    """Store the progress; return `False` when the lease was lost."""
    return QUEUE.write(session, claim.lease, stage=stage, done=done, total=total)


def give_back(session: db.Statements, claim: Claim, *, due: datetime) -> bool:
    """Release the document for another attempt from `due` on; return `False` when the lease was lost."""
    return QUEUE.release(session, claim.lease, due=due, stage=None)


def complete(
    session: db.Statements, claim: Claim, kept: StoredFile, *, records: int, expires: datetime, now: datetime
) -> bool:
    """Mark the document as ready; return `False` when the lease was lost."""
    return QUEUE.close(
        session,
        claim.lease,
        status="ready",
        stage=None,
        completed_at=now,
        expires_at=expires,
        file_key=kept.key,
        parts=kept.parts,
        size=kept.size,
        records=records,
    )


def fail(session: db.Statements, claim: Claim, code: str, *, now: datetime) -> bool:
    """Mark the document as failed; return `False` when the lease was lost."""
    return _fail(session, claim.lease, code, now=now)


def end_exhausted(session: db.Statements, *, now: datetime) -> int:
    """Mark documents as failed whose last attempt ended with its worker; return how many."""
    ended = 0
    while (row := QUEUE.lock_exhausted(session, now=now)) is not None:
        ended += _fail(session, QUEUE.lease_of(row), ATTEMPTS_EXHAUSTED, now=now)
    return ended


def _fail(session: db.Statements, lease: Lease, code: str, *, now: datetime) -> bool:
    return QUEUE.close(session, lease, status="failed", stage=None, completed_at=now, error_code=code)


@contextmanager
def keeping(claim: Claim) -> Iterator[None]:
    """Renew the lease while the block runs, from another thread."""
    with _RENEWER.keeping((claim, clock.now() + _LONGEST)):
        yield


def _renew(held: list[tuple[Claim, datetime]]) -> None:
    for claim, give_up in held:
        now = clock.now()
        if now < give_up:
            with rls.acting_for(claim.account_id), db.statements() as session:
                QUEUE.renew(session, claim.lease, now=now)


_RENEWER = LeaseRenewer("document lease", _renew)
