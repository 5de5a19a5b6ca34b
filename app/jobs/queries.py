"""Queries: jobs of a key, summaries for the account, and results.

A job of a child key and its result belong to that key alone, since its holder may be another firm (decision
009). The account's other keys and its members get a `JobSummary`, which has no access to the result.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Literal, cast

import sqlalchemy as sa

from app import governance
from app.jobs import storage
from app.jobs.errors import UnknownJob
from app.jobs.models import Job, Kind, Status
from app.platform.postgres import db
from app.platform.postgres.db import Session
from app.tenancy import ApiKey, Caller

# `standing`: jobs wait and nobody works on any; `slow`: a job has waited for long.
QueuePace = Literal["fast", "slow", "standing"]
# How long a job may wait, and for how long a worker that ended a job counts as working.
_PATIENCE, _LATELY = timedelta(minutes=1), timedelta(minutes=5)
# Where a stored answer names the analyses that are attested when it is read; never sent.
ANALYSES = "_analyses"


def find(
    session: Session,
    account_id: uuid.UUID,
    job_id: uuid.UUID,
    *,
    caller: Caller | None = None,
    for_update: bool = False,
) -> Job:
    """Return a job that the reader may open.

    A `caller` may open its own jobs and, unless it is a child key, those of the account's other keys that are
    no children either, so that a new key can fetch the results of the key it replaced. Without a caller, the
    reader is a member of the account, who may open the jobs of all keys but child keys.

    Raises:
        NotFound: No such job, or one of another account or another reader.
    """
    query = sa.select(Job).where(Job.id == job_id, Job.account_id == account_id)
    if caller is not None and caller.role == "child":
        query = query.where(Job.api_key_id == caller.key_id)
    else:
        query = query.where(_of_no_child(account_id))
    row = session.scalar(query.with_for_update() if for_update else query)
    if row is None:
        raise UnknownJob
    return row


def listing(
    session: Session,
    account_id: uuid.UUID,
    api_key_id: uuid.UUID,
    *,
    status: Status | None = None,
    limit: int = 20,
) -> Sequence[Job]:
    """Return the newest jobs of a key, newest first."""
    query = sa.select(Job).where(Job.account_id == account_id, Job.api_key_id == api_key_id)
    if status is not None:
        query = query.where(Job.status == status)
    return session.scalars(query.order_by(Job.created_at.desc(), Job.id).limit(limit)).all()


@dataclass(frozen=True, slots=True)
class JobSummary:
    """State, times and cost of a job, for the account's members.

    `key_name` is the account's name for the key. Of jobs with `of_child`, members see nothing else.
    """

    id: uuid.UUID
    api_key_id: uuid.UUID
    kind: Kind
    status: Status
    total: int
    done: int
    created_at: datetime
    started_at: datetime | None
    completed_at: datetime | None
    credits_charged: int
    error_code: str | None
    result_expires_at: datetime | None
    expired: bool
    key_name: str
    key_prefix: str
    of_child: bool


def summaries(
    session: Session,
    account_id: uuid.UUID,
    *,
    now: datetime,
    status: Status | None = None,
    limit: int = 20,
) -> list[JobSummary]:
    """Return summaries of the newest jobs of all the account's keys, newest first."""
    query = _with_keys(account_id)
    if status is not None:
        query = query.where(Job.status == status)
    rows = session.execute(query.order_by(Job.created_at.desc(), Job.id).limit(limit))
    return [_summary(job, key, now) for job, key in rows]


def of_matter(session: Session, account_id: uuid.UUID, matter_id: uuid.UUID) -> Sequence[Job]:
    """Return the jobs that were started together, in their order; those of child keys are left out."""
    query = sa.select(Job).where(
        Job.account_id == account_id, Job.matter_id == matter_id, _of_no_child(account_id)
    )
    return session.scalars(query.order_by(Job.created_at, Job.id)).all()


def summary(session: Session, account_id: uuid.UUID, job_id: uuid.UUID, *, now: datetime) -> JobSummary:
    """Return the summary of a job of any of the account's keys. Raises `NotFound`."""
    row = session.execute(_with_keys(account_id).where(Job.id == job_id)).one_or_none()
    if row is None:
        raise UnknownJob
    return _summary(row[0], row[1], now)


def created_under(
    session: Session, account_id: uuid.UUID, kind: Kind, idempotency_key: str, *, caller: Caller
) -> Job:
    """Return the newest job that was created with an Idempotency-Key. Raises `NotFound`."""
    query = sa.select(Job).where(
        Job.account_id == account_id, Job.kind == kind, Job.idempotency_key == idempotency_key
    )
    if caller.role == "child":
        query = query.where(Job.api_key_id == caller.key_id)
    else:
        query = query.where(_of_no_child(account_id))
    row = session.scalar(query.order_by(Job.created_at.desc()).limit(1))
    if row is None:
        raise UnknownJob
    return row


def result(job: Job, *, now: datetime) -> dict[str, Any] | None:
    """Return the result of a job, in the form of the synchronous endpoint; `None` unless it is stored.

    The origin of its analyses says which were reviewed since, and they carry their attestations where the
    account had opted in when they were made (decision 055). Call it outside a transaction.

    Raises:
        redis_client.Unavailable: Redis does not answer, so it is not known whether the result is still
            stored.
    """
    if job.result_key is None or job.result_expires_at is None or job.result_expires_at <= now:
        return None
    clear = storage.result(job.id, job.attempt, job.result_key)
    if clear is None:
        return None
    found = cast(dict[str, Any], json.loads(clear))
    _mark_reviewed(job, found)
    _attest(job.account_id, found)
    return found


def _mark_reviewed(job: Job, answer: dict[str, Any]) -> None:
    """Say in the origin of each analysis whether a person has reviewed it since (decision 059)."""
    with db.reading() as session:
        hashes = governance.reviewed_hashes(session, job.account_id, job.request_id)
    for item in answer.get("results", [answer]) if hashes else ():
        if "contentOrigin" in item and governance.content_hash(item["analysis"]) in hashes:
            item["contentOrigin"]["reviewed"] = True


def _attest(account_id: uuid.UUID, answer: dict[str, Any]) -> None:
    """Replace the ids of a stored answer's analyses by their attestations."""
    ids = answer.pop(ANALYSES, None)
    if ids is None:
        return
    # A transaction, since the first attestation of all makes the key that signs it.
    with db.transaction() as session:
        made = governance.outputs.attestations(
            session, account_id, [uuid.UUID(one) for one in ids if one is not None]
        )
    for item, one in zip(answer.get("results", [answer]), ids, strict=True):
        if one is not None and uuid.UUID(one) in made:
            item["attestation"] = made[uuid.UUID(one)]


def expired(job: Job, *, now: datetime) -> bool:
    """Return whether the result of the job has expired."""
    return job.status == "completed" and (
        job.result_key is None or job.result_expires_at is None or job.result_expires_at <= now
    )


def queue_pace(session: Session, *, now: datetime) -> QueuePace:
    """Return how fast jobs of all accounts are taken up. Call it in the context of the system."""
    pending, ended = Job.status == "pending", Job.completed_at > now - _LATELY
    waits = session.scalar(
        sa.select(
            sa.exists().where(pending, Job.due_at <= now - _PATIENCE, Job.created_at <= now - _PATIENCE)
        )
    )
    works = session.scalar(
        sa.select(sa.or_(sa.exists().where(Job.status == "running"), sa.exists().where(ended)))
    )
    return "standing" if waits and not works else "slow" if waits else "fast"


def _of_no_child(account_id: uuid.UUID) -> sa.ColumnElement[bool]:
    grown = sa.select(ApiKey.id).where(ApiKey.account_id == account_id, ApiKey.role != "child")
    return Job.api_key_id.in_(grown)


def _with_keys(account_id: uuid.UUID) -> sa.Select[Job, ApiKey]:
    return (
        sa.select(Job, ApiKey)
        .join(ApiKey, sa.and_(ApiKey.id == Job.api_key_id, ApiKey.account_id == Job.account_id))
        .where(Job.account_id == account_id)
    )


def _summary(job: Job, key: ApiKey, now: datetime) -> JobSummary:
    return JobSummary(
        id=job.id,
        api_key_id=job.api_key_id,
        kind=cast(Kind, job.kind),
        status=cast(Status, job.status),
        total=job.total,
        done=job.done,
        created_at=job.created_at,
        started_at=job.started_at,
        completed_at=job.completed_at,
        credits_charged=job.credits_charged,
        error_code=job.error_code,
        result_expires_at=job.result_expires_at,
        expired=expired(job, now=now),
        key_name=key.child_label or key.name,
        key_prefix=key.key_prefix,
        of_child=key.role == "child",
    )
