"""Lease queue of jobs: claim, renew, report progress, give back."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from app import tenancy
from app.jobs.models import Job, Kind
from app.platform.lease_queue import Lease, LeaseQueue
from app.platform.postgres.db import Statements, Step
from app.tenancy import Caller

# The lease is short, so that others soon take over from the dead; renewed every few seconds by the living.
QUEUE = LeaseQueue(
    id=Job.id,
    token=Job.attempt,
    due=Job.due_at,
    status=Job.status,
    until=Job.lease_until,
    worker=Job.worker,
    order=Job.created_at,
    length=timedelta(seconds=20),
    # A job whose attempt met something absent rests before the next.
    waits=(timedelta(seconds=15), timedelta(seconds=30)),
    early=timedelta(seconds=5),
)

# Past its lease a job goes back to the queue first: only the reaper gives it to another worker.
_READY = "t.id = %(job)s AND t.status = 'pending' AND t.attempt < %(q_attempts)s AND t.expires_at > %(q_now)s"
_CALLER = """
    SELECT k.id AS key_id, k.key_prefix, k.role, coalesce(p.tier, k.tier) AS tier, k.scopes,
        k.monthly_credit_cap, k.organization_id, k.parent_key_id, k.account_id,
        coalesce(k.revoked_at, p.revoked_at) AS revoked_at, a.mask_names, a.attestation, a.citator,
        b.branding, b.partner_brand_name,
        oa.id AS engine_a, oa.engine AS vendor_a, oa.base_url IS NULL AS official_a,
        ob.id AS engine_b, ob.engine AS vendor_b, ob.base_url IS NULL AS official_b
    FROM jobs j JOIN api_keys k ON k.id = j.api_key_id JOIN accounts a ON a.id = k.account_id
        LEFT JOIN api_keys p ON p.id = k.parent_key_id
        LEFT JOIN branding_configs b ON b.api_key_id = coalesce(k.parent_key_id, k.id)
        LEFT JOIN own_engines oa ON oa.account_id = k.account_id AND oa.node = 'A'
        LEFT JOIN own_engines ob ON ob.account_id = k.account_id AND ob.node = 'B'
    WHERE j.id = %(job)s
    """
_COMPLETED = """
    SELECT id FROM jobs WHERE id = %(job)s AND attempt = %(attempt)s AND status = 'completed'
    """


@dataclass(frozen=True, slots=True)
class LeasedJob:
    """A job and the attempt that may end it."""

    job_id: uuid.UUID
    account_id: uuid.UUID
    api_key_id: uuid.UUID
    kind: Kind
    attempt: int
    hold_id: uuid.UUID

    @property
    def lease(self) -> Lease:
        """Return the lease, whose fencing token is the attempt number."""
        return Lease(self.job_id, self.attempt)


@dataclass(frozen=True, slots=True)
class Claim(LeasedJob):
    """A job that this worker has claimed. `caller` is the key that sent it, in its present state."""

    caller: Caller
    revoked: bool
    request_id: str
    poll_url: str
    total: int
    payload_key: bytes

    def __repr__(self) -> str:
        return f"<Claim {self.job_id} attempt {self.attempt}>"

    @property
    def last(self) -> bool:
        """Return whether this is the last attempt."""
        return self.attempt >= QUEUE.attempts


def take(session: Statements, job_id: uuid.UUID, *, worker: str, now: datetime) -> Claim | None:
    """Claim a pending job; return `None` when it was cancelled, has ended or is another worker's."""
    row, caller = session.take(
        QUEUE.claiming(
            now=now,
            worker=worker,
            where=_READY,
            assign="started_at = coalesce(t.started_at, %(q_now)s)",
            values={"job": job_id},
        ),
        Step(_CALLER, {"job": job_id}, lambda found: found),
    )
    return None if row is None else _claim(row, caller)


def renew(session: Statements, held: LeasedJob, *, now: datetime) -> bool:
    """Extend the lease; return `False` when it was lost."""
    return QUEUE.renew(session, held.lease, now=now)


def progress(session: Statements, held: LeasedJob, done: int) -> None:
    """Store how many documents are done."""
    QUEUE.write(session, held.lease, where="t.done < %(set_done)s", done=done)


def give_back(session: Statements, held: LeasedJob, *, due: datetime, now: datetime) -> bool:
    """Release the job for another attempt from `due` on; return `False` when the lease was lost."""
    return QUEUE.release(session, held.lease, due=due, queued_at=now)


def completed(session: Statements, held: LeasedJob) -> bool:
    """Return whether this very attempt completed the job."""
    return session.one(_COMPLETED, {"job": held.job_id, "attempt": held.attempt}) is not None


def _claim(row: Any, key: Any) -> Claim:
    caller = Caller(
        key_id=key.key_id,
        account_id=key.account_id,
        key_prefix=key.key_prefix,
        role=key.role,
        tier=key.tier,
        scopes=frozenset(key.scopes),
        monthly_credit_cap=key.monthly_credit_cap,
        organization_id=key.organization_id,
        parent_key_id=key.parent_key_id,
        mask_names=key.mask_names,
        attestation=key.attestation,
        citator=key.citator,
        branding=key.branding,
        brand_name=key.partner_brand_name,
        own_engine_a=tenancy.own_engine(key, "a"),
        own_engine_b=tenancy.own_engine(key, "b"),
    )
    return Claim(
        job_id=row.id,
        account_id=row.account_id,
        api_key_id=row.api_key_id,
        kind=row.kind,
        attempt=row.attempt,
        hold_id=row.hold_id,
        caller=caller,
        revoked=key.revoked_at is not None,
        request_id=row.request_id,
        poll_url=row.poll_url,
        total=row.total,
        payload_key=bytes(row.payload_key),
    )
