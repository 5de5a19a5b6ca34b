"""Claiming an ordered document, renewing its lease, ending it: the lease queue over `audit_documents`."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Literal

from app.governance.documents.export_requests import ATTEMPTS_EXHAUSTED
from app.governance.documents.file_store import Kept
from app.governance.models import AuditDocument, Stage
from app.platform import clock
from app.platform.lease_queue import Lease, LeaseQueue, LeaseRenewer
from app.platform.postgres import db, rls

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
    """A document in the hands of one worker."""

    id: uuid.UUID
    account_id: uuid.UUID
    attempt: int
    first: date
    last: date
    key_id: uuid.UUID | None
    flagged: bool
    language: Literal["es", "en"]

    @property
    def is_last(self) -> bool:
        """Return whether no other attempt follows."""
        return self.attempt >= QUEUE.attempts

    @property
    def lease(self) -> Lease:
        """Return the fenced lease: the document and the number of the attempt."""
        return Lease(self.id, self.attempt)


def take(session: db.Statements, *, worker: str, now: datetime) -> Claim | None:
    """Claim the document that was ordered first; return `None` when none waits."""
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
        language="en" if row.language == "en" else "es",
    )


def progress(session: db.Statements, claim: Claim, stage: Stage, done: int, total: int) -> bool:
    """Write how far the document is; return `False` when it is no longer held."""
    return QUEUE.write(session, claim.lease, stage=stage, done=done, total=total)


def give_back(session: db.Statements, claim: Claim, *, due: datetime) -> bool:
    """Let another worker claim the document from `due` on; return `False` when it was no longer held."""
    return QUEUE.release(session, claim.lease, due=due, stage=None)


def complete(
    session: db.Statements, claim: Claim, kept: Kept, *, records: int, expires: datetime, now: datetime
) -> bool:
    """Mark the document as ready; return `False` when it was no longer held."""
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
    """Mark the document as failed; return `False` when it was no longer held."""
    return _fail(session, claim.lease, code, now=now)


def end_exhausted(session: db.Statements, *, now: datetime) -> int:
    """Mark documents as failed whose last attempt died; return how many."""
    ended = 0
    while (row := QUEUE.lock_exhausted(session, now=now)) is not None:
        ended += _fail(session, QUEUE.lease_of(row), ATTEMPTS_EXHAUSTED, now=now)
    return ended


def _fail(session: db.Statements, lease: Lease, code: str, *, now: datetime) -> bool:
    return QUEUE.close(session, lease, status="failed", stage=None, completed_at=now, error_code=code)


@contextmanager
def keeping(claim: Claim) -> Iterator[None]:
    """Renew the lease while the block runs, from a thread of its own: page layout does not pause for it."""
    with _RENEWER.keeping((claim, clock.now() + _LONGEST)):
        yield


def _renew(held: list[tuple[Claim, datetime]]) -> None:
    for claim, give_up in held:
        now = clock.now()
        if now < give_up:
            with rls.acting_for(claim.account_id), db.statements() as session:
                QUEUE.renew(session, claim.lease, now=now)


_RENEWER = LeaseRenewer("document lease", _renew)
