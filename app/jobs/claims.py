"""Taking a job, keeping it, giving it back: each one statement, fenced by the attempt's number.

A claim is a lease. Its worker pushes it ahead while it lives; past its end any reaper gives the job to
somebody else, and whatever the first one writes afterwards touches no row, because the attempt is another.
"""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from app.jobs.models import Kind
from app.platform.postgres.db import Statements
from app.tenancy import Caller

ATTEMPTS = 3
# Short, so that others soon take over from the dead; renewed every few seconds by the living.
LEASE = timedelta(seconds=20)
# Machines' clocks differ: a job that has just become due there is due here.
_SKEW = timedelta(seconds=5)

_TAKE = """
    UPDATE jobs j SET status = 'running', attempt = j.attempt + 1, lease_until = %(lease)s,
        worker = %(worker)s, started_at = coalesce(j.started_at, %(now)s)
    FROM api_keys k JOIN accounts a ON a.id = k.account_id LEFT JOIN api_keys p ON p.id = k.parent_key_id
        LEFT JOIN branding_configs b ON b.api_key_id = coalesce(k.parent_key_id, k.id)
    WHERE j.id = %(job)s AND j.status = 'pending' AND j.attempt < %(attempts)s AND j.due_at <= %(soon)s
      AND j.expires_at > %(now)s AND k.id = j.api_key_id
    RETURNING j.id AS job_id, j.account_id, j.kind, j.attempt, j.request_id, j.poll_url, j.hold_id, j.total,
        j.payload_key, k.id AS key_id, k.key_prefix, k.role, coalesce(p.tier, k.tier) AS tier, k.scopes,
        k.monthly_credit_cap, k.organization_id, k.parent_key_id,
        coalesce(k.revoked_at, p.revoked_at) AS revoked_at, a.mask_names, a.attestation, a.citator,
        b.branding, b.partner_brand_name
    """
_RENEW = """
    UPDATE jobs SET lease_until = %(lease)s
    WHERE id = %(job)s AND attempt = %(attempt)s AND status = 'running'
    """
_PROGRESS = """
    UPDATE jobs SET done = %(done)s
    WHERE id = %(job)s AND attempt = %(attempt)s AND status = 'running' AND done < %(done)s
    """
_GIVE_BACK = """
    UPDATE jobs SET status = 'pending', lease_until = NULL, worker = NULL, due_at = %(due)s,
        queued_at = %(now)s
    WHERE id = %(job)s AND attempt = %(attempt)s AND status = 'running'
    """
_COMPLETED = """
    SELECT id FROM jobs WHERE id = %(job)s AND attempt = %(attempt)s AND status = 'completed'
    """
_ABANDONED = """
    UPDATE jobs SET lease_until = %(now)s
    WHERE worker = ANY(%(workers)s) AND status = 'running' AND lease_until > %(now)s
    """


@dataclass(frozen=True, slots=True)
class Held:
    """What ending a job takes, whoever ends it."""

    job_id: uuid.UUID
    account_id: uuid.UUID
    api_key_id: uuid.UUID
    kind: Kind
    attempt: int
    hold_id: uuid.UUID


@dataclass(frozen=True, slots=True)
class Claim(Held):
    """A job in the hands of one worker. `caller` is the key that sent it, as it is now."""

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
        return self.attempt >= ATTEMPTS


def take(session: Statements, job_id: uuid.UUID, *, worker: str, now: datetime) -> Claim | None:
    """Take a pending job; `None` when there is nothing to take: cancelled, ended, or in other hands."""
    row = session.one(
        _TAKE,
        {
            "job": job_id,
            "worker": worker,
            "now": now,
            "lease": now + LEASE,
            "soon": now + _SKEW,
            "attempts": ATTEMPTS,
        },
    )
    return None if row is None else _claim(row)


def renew(session: Statements, held: Held, *, now: datetime) -> bool:
    """Push the lease ahead; `False` when the job is no longer ours."""
    values = {"job": held.job_id, "attempt": held.attempt, "lease": now + LEASE}
    return session.run(_RENEW, values) == 1


def progress(session: Statements, held: Held, done: int) -> None:
    """Say how many documents are through."""
    session.run(_PROGRESS, {"job": held.job_id, "attempt": held.attempt, "done": done})


def give_back(session: Statements, held: Held, *, due: datetime, now: datetime) -> bool:
    """Let somebody else have it, from `due` on; `False` when it was no longer ours."""
    values = {"job": held.job_id, "attempt": held.attempt, "due": due, "now": now}
    return session.run(_GIVE_BACK, values) == 1


def completed(session: Statements, held: Held) -> bool:
    """Whether this very attempt completed the job."""
    return session.one(_COMPLETED, {"job": held.job_id, "attempt": held.attempt}) is not None


def abandoned_by(session: Statements, workers: Sequence[str], *, now: datetime) -> int:
    """End the leases of workers that are known to be dead; the next round of a reaper takes their jobs."""
    return session.run(_ABANDONED, {"workers": list(workers), "now": now})


def _claim(row: Any) -> Claim:
    caller = Caller(
        key_id=row.key_id,
        account_id=row.account_id,
        key_prefix=row.key_prefix,
        role=row.role,
        tier=row.tier,
        scopes=frozenset(row.scopes),
        monthly_credit_cap=row.monthly_credit_cap,
        organization_id=row.organization_id,
        parent_key_id=row.parent_key_id,
        mask_names=row.mask_names,
        attestation=row.attestation,
        citator=row.citator,
        branding=row.branding,
        brand_name=row.partner_brand_name,
    )
    return Claim(
        job_id=row.job_id,
        account_id=row.account_id,
        api_key_id=row.key_id,
        kind=row.kind,
        attempt=row.attempt,
        hold_id=row.hold_id,
        caller=caller,
        revoked=row.revoked_at is not None,
        request_id=row.request_id,
        poll_url=row.poll_url,
        total=row.total,
        payload_key=bytes(row.payload_key),
    )
