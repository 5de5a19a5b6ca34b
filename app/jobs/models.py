"""Tables of jobs."""

from __future__ import annotations

import uuid
from datetime import datetime
from typing import Literal, get_args

import sqlalchemy as sa
from sqlalchemy.orm import Mapped, mapped_column

from app.platform.postgres.db import Base

Kind = Literal["analyze", "analyze_batch"]
Status = Literal["pending", "running", "completed", "failed", "cancelled"]

KINDS: tuple[Kind, ...] = get_args(Kind)
STATUSES: tuple[Status, ...] = get_args(Status)


class Job(Base):
    """One job: its state and figures, without any content of documents.

    `attempt` counts the claims and is the fencing token: only the latest claim may write. While the job runs,
    its worker extends `lease_until`; after that moment the worker counts as dead. Payload and result are
    stored encrypted in Redis, each with its own data key; the row holds the keys, wrapped, while they are
    needed.
    """

    __tablename__ = "jobs"

    id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    account_id: Mapped[uuid.UUID] = mapped_column(sa.ForeignKey("accounts.id"))
    api_key_id: Mapped[uuid.UUID] = mapped_column(sa.ForeignKey("api_keys.id"))
    kind: Mapped[str]
    status: Mapped[str]
    request_id: Mapped[str]
    idempotency_key: Mapped[str | None]
    # Absolute, as the creation's answer had it: a worker does not know under which name it is reached.
    poll_url: Mapped[str]
    # Jobs that were started together, for a page that shows them together. Nobody names it.
    matter_id: Mapped[uuid.UUID | None]
    # Documents, and how many of them are through.
    total: Mapped[int]
    done: Mapped[int] = mapped_column(default=0)
    # By which accounts take turns: the documents, each once for every 50,000 characters begun.
    weight: Mapped[int] = mapped_column(server_default="1")
    hold_id: Mapped[uuid.UUID]
    credits_charged: Mapped[int] = mapped_column(default=0)
    created_at: Mapped[datetime]
    started_at: Mapped[datetime | None]
    # When it ended, however that was.
    completed_at: Mapped[datetime | None]
    # Of a pending job: past this no worker takes it up any more.
    expires_at: Mapped[datetime]
    # Of a pending job: not to be taken before; and when it was last seen or put into the queue.
    due_at: Mapped[datetime]
    queued_at: Mapped[datetime]
    attempt: Mapped[int] = mapped_column(default=0)
    lease_until: Mapped[datetime | None]
    worker: Mapped[str | None]
    error_code: Mapped[str | None]
    payload_key: Mapped[bytes | None] = mapped_column(sa.LargeBinary)
    result_key: Mapped[bytes | None] = mapped_column(sa.LargeBinary)
    result_expires_at: Mapped[datetime | None]

    __table_args__ = (
        sa.CheckConstraint("kind IN ('analyze', 'analyze_batch')", name="kind_known"),
        sa.CheckConstraint(
            "status IN ('pending', 'running', 'completed', 'failed', 'cancelled')", name="status_known"
        ),
        sa.CheckConstraint("done BETWEEN 0 AND total AND total > 0", name="done_within_total"),
        sa.CheckConstraint("(status = 'running') = (lease_until IS NOT NULL)", name="running_has_lease"),
        sa.CheckConstraint(
            "(status IN ('pending', 'running')) = (payload_key IS NOT NULL)", name="payload_key_while_open"
        ),
        sa.CheckConstraint("result_key IS NULL OR status = 'completed'", name="result_key_when_completed"),
        sa.CheckConstraint(
            "(status IN ('pending', 'running')) = (completed_at IS NULL)", name="ended_has_moment"
        ),
        sa.CheckConstraint("(status = 'failed') = (error_code IS NOT NULL)", name="failed_has_code"),
        sa.CheckConstraint(
            "credits_charged = 0 OR (status = 'completed' AND credits_charged > 0)",
            name="charged_when_completed",
        ),
        sa.Index("ix_jobs_api_key_id_created_at", "api_key_id", sa.text("created_at DESC")),
        sa.Index("ix_jobs_account_id_created_at", "account_id", sa.text("created_at DESC")),
        sa.Index(
            "ix_jobs_idempotency",
            "account_id",
            "kind",
            "idempotency_key",
            postgresql_where=sa.text("idempotency_key IS NOT NULL"),
        ),
        sa.Index(
            "ix_jobs_account_id_matter_id",
            "account_id",
            "matter_id",
            postgresql_where=sa.text("matter_id IS NOT NULL"),
        ),
        sa.Index("ix_jobs_pending_of_key", "api_key_id", postgresql_where=sa.text("status = 'pending'")),
        sa.Index("ix_jobs_pending", "queued_at", postgresql_where=sa.text("status = 'pending'")),
        sa.Index("ix_jobs_leases", "lease_until", postgresql_where=sa.text("status = 'running'")),
        sa.Index("ix_jobs_results", "result_expires_at", postgresql_where=sa.text("result_key IS NOT NULL")),
        sa.Index("ix_jobs_ended", "completed_at", postgresql_where=sa.text("completed_at IS NOT NULL")),
    )
