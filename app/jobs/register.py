"""Reading jobs: one, many, and a result."""

from __future__ import annotations

import json
import uuid
from collections.abc import Sequence
from datetime import datetime
from typing import Any, cast

import sqlalchemy as sa

from app.jobs import vault
from app.jobs.errors import UnknownJob
from app.jobs.models import Job, Kind, Status
from app.platform.db import Session
from app.tenancy import ApiKey, Caller


def find(
    session: Session,
    account_id: uuid.UUID,
    job_id: uuid.UUID,
    *,
    caller: Caller | None = None,
    for_update: bool = False,
) -> Job:
    """A job of the account. Raises `NotFound`, for another account's like for a random id.

    A `caller` sees its own and, unless it is a child, those of the account's other keys that are not: who
    replaced a key can still collect. A child's jobs are its own. Without a caller, any of the account.
    """
    query = sa.select(Job).where(Job.id == job_id, Job.account_id == account_id)
    if caller is not None:
        mine = Job.api_key_id == caller.key_id
        if caller.role != "child":
            grown = sa.select(ApiKey.id).where(ApiKey.account_id == account_id, ApiKey.role != "child")
            mine = sa.or_(mine, Job.api_key_id.in_(grown))
        query = query.where(mine)
    row = session.scalar(query.with_for_update() if for_update else query)
    if row is None:
        raise UnknownJob
    return row


def listing(
    session: Session,
    account_id: uuid.UUID,
    *,
    api_key_id: uuid.UUID | None = None,
    status: Status | None = None,
    limit: int = 20,
) -> Sequence[Job]:
    """The newest jobs of a key, or of the whole account, newest first."""
    query = sa.select(Job).where(Job.account_id == account_id)
    if api_key_id is not None:
        query = query.where(Job.api_key_id == api_key_id)
    if status is not None:
        query = query.where(Job.status == status)
    return session.scalars(query.order_by(Job.created_at.desc(), Job.id).limit(limit)).all()


def created_under(
    session: Session, account_id: uuid.UUID, kind: Kind, idempotency_key: str, *, caller: Caller
) -> Job:
    """The newest job that was created under an Idempotency-Key. Raises `NotFound`."""
    query = sa.select(Job).where(
        Job.account_id == account_id, Job.kind == kind, Job.idempotency_key == idempotency_key
    )
    if caller.role == "child":
        query = query.where(Job.api_key_id == caller.key_id)
    row = session.scalar(query.order_by(Job.created_at.desc()).limit(1))
    if row is None:
        raise UnknownJob
    return row


def result(job: Job, *, now: datetime) -> dict[str, Any] | None:
    """What the synchronous endpoint would have answered; `None` unless completed and still kept.

    Raises `keyvalue.Unavailable`: that Redis is away does not mean that the result is gone.
    """
    if job.result_key is None or job.result_expires_at is None or job.result_expires_at <= now:
        return None
    clear = vault.result(job.id, job.attempt, job.result_key)
    return None if clear is None else cast(dict[str, Any], json.loads(clear))


def expired(job: Job, *, now: datetime) -> bool:
    """Whether the job had a result whose time is over."""
    return job.status == "completed" and (
        job.result_key is None or job.result_expires_at is None or job.result_expires_at <= now
    )
