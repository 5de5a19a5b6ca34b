"""Submission and cancellation of jobs."""

from __future__ import annotations

import uuid
from datetime import datetime, timedelta

from app import credits, documents
from app.jobs import queries, queue, storage
from app.jobs.errors import NotPending, TooManyPending
from app.jobs.models import Job
from app.jobs.payload import Payload
from app.platform import settings
from app.platform.postgres.db import Session, Statements
from app.tenancy import Caller

PENDING_MAX = 1_000
# Between the latest end of a job and the moment its credits would be free by themselves.
_SPARE = timedelta(minutes=15)

# Acceptances of one key are put in order, so that a rush cannot pass the limit together.
_TURN = "SELECT pg_advisory_xact_lock(hashtextextended('jobs:' || %(key)s::text, 0))"
_PENDING = """
    SELECT count(*) AS waiting FROM jobs
    WHERE account_id = %(account)s AND api_key_id = %(key)s AND status = 'pending'
    """
_COLUMNS = (
    "id", "account_id", "api_key_id", "kind", "status", "request_id", "idempotency_key", "poll_url",
    "total", "weight", "done", "hold_id", "credits_charged", "created_at", "expires_at",
    "due_at", "queued_at", "attempt", "payload_key", "matter_id",
)  # fmt: skip
_INSERT = """
    INSERT INTO jobs (id, account_id, api_key_id, kind, status, request_id, idempotency_key, poll_url, total,
                      weight, done, hold_id, credits_charged, created_at, expires_at, due_at, queued_at,
                      attempt, payload_key, matter_id)
    VALUES (%(id)s, %(account_id)s, %(api_key_id)s, %(kind)s, %(status)s, %(request_id)s,
            %(idempotency_key)s, %(poll_url)s, %(total)s, %(weight)s, %(done)s, %(hold_id)s,
            %(credits_charged)s, %(created_at)s, %(expires_at)s, %(due_at)s, %(queued_at)s,
            %(attempt)s, %(payload_key)s, %(matter_id)s)
    """


def accept(
    session: Statements,
    caller: Caller,
    payload: Payload,
    *,
    request_id: str,
    base_url: str,
    now: datetime,
    idempotency_key: str | None = None,
    matter_id: uuid.UUID | None = None,
) -> Job:
    """Accept a job in the caller's transaction: hold its credits, encrypt its documents, insert its row.

    After the commit, call `enqueue([job])`; the reaper enqueues jobs for which that was missed.

    Args:
        session: The caller's transaction.
        caller: The key that sends the job.
        payload: The documents.
        request_id: Id of the request, for the audit records.
        base_url: URL of this service without a trailing slash, for `pollUrl`.
        now: The current time.
        idempotency_key: The key that the job was sent with, if any.
        matter_id: What jobs that are started together have in common, if any.

    Raises:
        TooManyPending: 429, the key has `PENDING_MAX` pending jobs.
        InsufficientCredits: 402.
        SpendCapReached: 402.
        redis_client.Unavailable: The documents cannot be stored.
    """
    config = settings.current()
    job_id = uuid.uuid4()
    key = storage.new_key(job_id, "payload")
    expires_at = now + timedelta(hours=config.job_lifetime_hours)
    # The last attempt may begin just before that.
    longest = timedelta(seconds=payload.longest_s(config.analysis_deadline_s))
    over_at = expires_at + longest + _SPARE
    lives_s = round((over_at - now).total_seconds())
    storage.keep_payload(job_id, key.clear, payload.as_bytes(), ttl_s=lives_s)
    try:
        session.run(_TURN, {"key": caller.key_id})
        _refuse_too_many(session, caller)
        hold = credits.hold(
            session,
            caller.account_id,
            payload.worst_case,
            api_key_id=caller.key_id,
            now=now,
            ttl_s=lives_s,
            monthly_cap=caller.monthly_credit_cap,
        )
        job = Job(
            id=job_id,
            account_id=caller.account_id,
            api_key_id=caller.key_id,
            kind=payload.kind,
            status="pending",
            request_id=request_id,
            idempotency_key=idempotency_key,
            poll_url=f"{base_url}/api/v1/jobs/{job_id}",
            total=len(payload.items),
            weight=sum(payload.units),
            done=0,
            hold_id=hold,
            credits_charged=0,
            created_at=now,
            expires_at=expires_at,
            due_at=now,
            queued_at=now,
            attempt=0,
            payload_key=key.wrapped,
            matter_id=matter_id,
        )
        session.run(_INSERT, {name: getattr(job, name) for name in _COLUMNS})
        documents.keep_until(
            session,
            caller,
            payload.documents,
            user=job_id,
            until=over_at,
            at_most=over_at + timedelta(hours=config.job_result_hours),
            now=now,
        )
    except BaseException:
        storage.drop(job_id)
        raise
    return job


def cancel(
    session: Session, account_id: uuid.UUID, job_id: uuid.UUID, *, now: datetime, caller: Caller | None = None
) -> Job:
    """Cancel a pending job: release its credits, delete the key of its documents.

    `caller` is as in `find`. After the commit, call `discard(job.id)`.

    Raises:
        NotFound: No such job for this reader.
        NotPending: 409, with the state of the job.
    """
    row = queries.find(session, account_id, job_id, caller=caller, for_update=True)
    if row.status != "pending":
        raise NotPending(
            f"Only a pending job can be cancelled; this one is {row.status}.", details={"status": row.status}
        )
    row.status, row.completed_at, row.payload_key = "cancelled", now, None
    session.flush()
    credits.release(session, account_id, row.hold_id)
    documents.release(session, account_id, user=job_id)
    return row


def discard(job_id: uuid.UUID) -> None:
    """Delete what Redis holds of a job whose cancellation was committed. Never raises."""
    storage.drop(job_id)
    queue.remove(job_id)


def _refuse_too_many(session: Statements, caller: Caller) -> None:
    found = session.one(_PENDING, {"account": caller.account_id, "key": caller.key_id})
    if found.waiting >= PENDING_MAX:
        raise TooManyPending(
            f"This key has {found.waiting} pending jobs; the maximum is {PENDING_MAX}. Submit more when "
            "some have started.",
            details={"limit": PENDING_MAX, "pending": found.waiting},
        )
