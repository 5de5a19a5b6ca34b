"""Taking an ordered document, keeping it, ending it: each one statement, fenced by the attempt's number.

A claim is a lease. Its worker pushes it ahead while it lives; past its end another takes the document, and
whatever the first one writes afterwards touches no row, because the attempt is another.
"""

from __future__ import annotations

import threading
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Literal

from app.governance.documents.export_requests import ATTEMPTS_EXHAUSTED
from app.governance.documents.file_store import Kept
from app.governance.models import Stage
from app.platform import clock, log
from app.platform.postgres import db, rls

ATTEMPTS = 3
LEASE = timedelta(seconds=30)
_RENEW_EVERY_S = 5.0
# A worker that hangs loses its document: it is not kept longer than this.
_LONGEST = timedelta(minutes=30)

_logger = log.logger("governance")

_TAKE = """
    WITH next AS (
        SELECT id FROM audit_documents
        WHERE (status = 'pending' AND due_at <= %(now)s)
           OR (status = 'running' AND lease_until <= %(now)s AND attempt < %(attempts)s)
        ORDER BY created_at LIMIT 1 FOR UPDATE SKIP LOCKED
    )
    UPDATE audit_documents d SET status = 'running', attempt = d.attempt + 1, lease_until = %(lease)s,
        worker = %(worker)s, stage = 'chain', done = 0, total = 0
    FROM next WHERE d.id = next.id
    RETURNING d.id, d.account_id, d.attempt, d.first_day, d.last_day, d.api_key_id, d.flagged, d.language
    """
_RENEW = """
    UPDATE audit_documents SET lease_until = %(lease)s
    WHERE id = %(id)s AND attempt = %(attempt)s AND status = 'running'
    """
_PROGRESS = """
    UPDATE audit_documents SET stage = %(stage)s, done = %(done)s, total = %(total)s
    WHERE id = %(id)s AND attempt = %(attempt)s AND status = 'running'
    """
_GIVE_BACK = """
    UPDATE audit_documents SET status = 'pending', lease_until = NULL, worker = NULL, stage = NULL,
        due_at = %(due)s
    WHERE id = %(id)s AND attempt = %(attempt)s AND status = 'running'
    """
_COMPLETE = """
    UPDATE audit_documents SET status = 'ready', lease_until = NULL, worker = NULL, stage = NULL,
        completed_at = %(now)s, expires_at = %(expires)s, file_key = %(key)s, parts = %(parts)s,
        size = %(size)s, records = %(records)s
    WHERE id = %(id)s AND attempt = %(attempt)s AND status = 'running'
    """
_FAIL = """
    UPDATE audit_documents SET status = 'failed', lease_until = NULL, worker = NULL, stage = NULL,
        completed_at = %(now)s, error_code = %(code)s
    WHERE id = %(id)s AND attempt = %(attempt)s AND status = 'running'
    """
_END_HOPELESS = """
    UPDATE audit_documents SET status = 'failed', lease_until = NULL, worker = NULL, stage = NULL,
        completed_at = %(now)s, error_code = %(code)s
    WHERE status = 'running' AND lease_until <= %(now)s AND attempt >= %(attempts)s
    """
_ABANDON = """
    UPDATE audit_documents SET lease_until = %(now)s WHERE worker = %(worker)s AND status = 'running'
    """


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
        return self.attempt >= ATTEMPTS

    def named(self, **values: object) -> dict[str, object]:
        return {"id": self.id, "attempt": self.attempt, **values}


def take(session: db.Statements, *, worker: str, now: datetime) -> Claim | None:
    """Take the document that waits longest; `None` where none does."""
    values = {"worker": worker, "now": now, "lease": now + LEASE, "attempts": ATTEMPTS}
    row = session.one(_TAKE, values)
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


def renew(session: db.Statements, claim: Claim, *, now: datetime) -> bool:
    """Push the lease ahead; `False` when the document is no longer ours."""
    return session.run(_RENEW, claim.named(lease=now + LEASE)) == 1


def progress(session: db.Statements, claim: Claim, stage: Stage, done: int, total: int) -> bool:
    """Say how far it is; `False` when the document is no longer ours."""
    return session.run(_PROGRESS, claim.named(stage=stage, done=done, total=total)) == 1


def give_back(session: db.Statements, claim: Claim, *, due: datetime) -> bool:
    """Let somebody have it from `due` on; `False` when it was no longer ours."""
    return session.run(_GIVE_BACK, claim.named(due=due)) == 1


def complete(
    session: db.Statements, claim: Claim, kept: Kept, *, records: int, expires: datetime, now: datetime
) -> bool:
    """It is ready; `False` when it was no longer ours."""
    values = claim.named(
        now=now, expires=expires, key=kept.key, parts=kept.parts, size=kept.size, records=records
    )
    return session.run(_COMPLETE, values) == 1


def fail(session: db.Statements, claim: Claim, code: str, *, now: datetime) -> bool:
    """It cannot be made; `False` when it was no longer ours."""
    return session.run(_FAIL, claim.named(now=now, code=code)) == 1


def end_hopeless(session: db.Statements, *, now: datetime) -> int:
    """End what `ATTEMPTS` workers died over; how many."""
    return session.run(_END_HOPELESS, {"now": now, "code": ATTEMPTS_EXHAUSTED, "attempts": ATTEMPTS})


def abandon(session: db.Statements, worker: str, *, now: datetime) -> int:
    """End the lease of a worker that is known to be dead."""
    return session.run(_ABANDON, {"worker": worker, "now": now})


@contextmanager
def keeping(claim: Claim) -> Iterator[None]:
    """Keep the lease while the block runs, from a thread of its own: layout makes no pauses for it."""
    over, give_up = threading.Event(), clock.now() + _LONGEST

    def keep() -> None:
        while not over.wait(_RENEW_EVERY_S) and clock.now() < give_up:
            try:
                with rls.acting_for(claim.account_id):
                    ours = db.atomically(lambda session: renew(session, claim, now=clock.now()))
                if not ours:
                    return
            except Exception as error:
                _logger.warning("lease not renewed", exc_info=error, document=str(claim.id))

    thread = threading.Thread(target=keep, name="lease", daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
