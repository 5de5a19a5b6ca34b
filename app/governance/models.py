"""Tables of governance."""

from __future__ import annotations

import uuid
from datetime import date, datetime
from typing import Any, Literal, get_args

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from app.platform.postgres.db import Base

Status = Literal["pending", "running", "ready", "failed", "expired"]
Stage = Literal["chain", "pages"]

STATUSES: tuple[Status, ...] = get_args(Status)

# A record with a citation that was not found, is out of force or says something else: the condition of an
# index, so the query uses these very words.
FLAGGED = " OR ".join(
    f"(content #>> '{{citations,{verdict}}}')::integer > 0"
    for verdict in ("not_found", "derogated", "mismatch")
)


class AuditHead(Base):
    """The end of an account's chain; its row lock orders appends.

    Written by the database function `append_audit_record` only (migration 0021); the application may read it.
    """

    __tablename__ = "audit_heads"

    account_id: Mapped[uuid.UUID] = mapped_column(sa.ForeignKey("accounts.id"), primary_key=True)
    seq: Mapped[int] = mapped_column(sa.BigInteger)
    previous_hash: Mapped[str]
    hash: Mapped[str]


class AuditRecord(Base):
    """Metadata of an analysis: fingerprints and verdict counts. Rows are never changed.

    Every column used for listing repeats the hashed `content`, and verification compares them
    (`app.governance.chain`): a new column has to be added there and in `append_audit_record`.
    """

    __tablename__ = "audit_records"

    id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    account_id: Mapped[uuid.UUID] = mapped_column(sa.ForeignKey("accounts.id"))
    seq: Mapped[int] = mapped_column(sa.BigInteger)
    at: Mapped[datetime]
    # Of a review by a member there is no key.
    api_key_id: Mapped[uuid.UUID | None] = mapped_column(sa.ForeignKey("api_keys.id"))
    member_id: Mapped[uuid.UUID | None]
    kind: Mapped[str] = mapped_column(server_default="analysis")
    request_id: Mapped[str]
    content: Mapped[dict[str, Any]] = mapped_column(JSONB)
    previous_hash: Mapped[str]
    hash: Mapped[str]

    __table_args__ = (
        sa.CheckConstraint("kind IN ('analysis', 'review')", name="kind_known"),
        sa.CheckConstraint("api_key_id IS NOT NULL OR member_id IS NOT NULL", name="has_author"),
        sa.Index(
            "ix_audit_records_reviews",
            "account_id",
            "request_id",
            "seq",
            postgresql_where=sa.text("kind = 'review'"),
        ),
        sa.UniqueConstraint("account_id", "seq"),
        # Kind and key are in the index, so that analyses are counted without reading their rows.
        sa.Index(
            "ix_audit_records_newest",
            "account_id",
            sa.text("at DESC"),
            sa.text("seq DESC"),
            postgresql_include=["kind", "api_key_id"],
        ),
        sa.Index(
            "ix_audit_records_of_key", "account_id", "api_key_id", sa.text("at DESC"), sa.text("seq DESC")
        ),
        sa.Index(
            "ix_audit_records_flagged",
            "account_id",
            sa.text("at DESC"),
            sa.text("seq DESC"),
            postgresql_include=["kind", "api_key_id"],
            postgresql_where=sa.text(FLAGGED),
        ),
        sa.Index("ix_audit_records_of_key_in_order", "account_id", "api_key_id", sa.text("seq DESC")),
        sa.Index(
            "ix_audit_records_flagged_in_order",
            "account_id",
            sa.text("seq DESC"),
            postgresql_where=sa.text(FLAGGED),
        ),
        sa.Index("ix_audit_records_account_id_request_id", "account_id", "request_id"),
        sa.Index("ix_audit_records_account_id_hash", "account_id", "hash"),
    )


class ChainCheck(Base):
    """The verification of an account's chain that a worker is running, or ran last.

    `walk` is the state of the verification. While it runs, `next_batch_at` is the moment of the next batch or
    the end of the lease on the present one; it is null once the verification has finished.
    """

    __tablename__ = "chain_checks"

    account_id: Mapped[uuid.UUID] = mapped_column(sa.ForeignKey("accounts.id"), primary_key=True)
    walk: Mapped[dict[str, Any]] = mapped_column(JSONB)
    updated_at: Mapped[datetime]
    next_batch_at: Mapped[datetime | None]
    claim: Mapped[uuid.UUID | None]

    __table_args__ = (
        sa.Index(
            "ix_chain_checks_next_batch_at",
            "next_batch_at",
            postgresql_where=sa.text("next_batch_at IS NOT NULL"),
        ),
    )


class AuditDocument(Base):
    """The document of a period that a worker makes: its filters, progress and file.

    `attempt` counts the claims and is the fencing token: only the latest claim may write. While the document
    is being made, its worker extends `lease_until`. The file is stored encrypted in Redis, in `parts`; the
    row holds its key, wrapped, until `expires_at`.
    """

    __tablename__ = "audit_documents"

    id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    account_id: Mapped[uuid.UUID] = mapped_column(sa.ForeignKey("accounts.id"))
    # Of the period, both inclusive, in UTC.
    first_day: Mapped[date]
    last_day: Mapped[date]
    # The filters: one key, or every key; only analyses with a broken citation.
    api_key_id: Mapped[uuid.UUID | None] = mapped_column(sa.ForeignKey("api_keys.id"))
    flagged: Mapped[bool]
    language: Mapped[str]
    status: Mapped[str]
    # Of a running one: what it is at, and how much of that is through.
    stage: Mapped[str | None]
    done: Mapped[int] = mapped_column(default=0)
    total: Mapped[int] = mapped_column(default=0)
    # Analyses in it: as counted when it was ordered, then as they are in it.
    records: Mapped[int]
    created_at: Mapped[datetime]
    due_at: Mapped[datetime]
    attempt: Mapped[int] = mapped_column(default=0)
    lease_until: Mapped[datetime | None]
    worker: Mapped[str | None]
    # When it ended, however that was.
    completed_at: Mapped[datetime | None]
    error_code: Mapped[str | None]
    file_key: Mapped[bytes | None] = mapped_column(sa.LargeBinary)
    parts: Mapped[int] = mapped_column(default=0)
    size: Mapped[int] = mapped_column(sa.BigInteger, default=0)
    expires_at: Mapped[datetime | None]

    __table_args__ = (
        sa.CheckConstraint("first_day <= last_day", name="period_forward"),
        sa.CheckConstraint("language IN ('es', 'en')", name="language_known"),
        sa.CheckConstraint(
            "status IN ('pending', 'running', 'ready', 'failed', 'expired')", name="status_known"
        ),
        # 'records' is of workers of the release before, which collected in a stage of its own.
        sa.CheckConstraint("stage IN ('chain', 'records', 'pages')", name="stage_known"),
        sa.CheckConstraint("(status = 'running') = (lease_until IS NOT NULL)", name="running_has_lease"),
        sa.CheckConstraint("(status = 'ready') = (file_key IS NOT NULL)", name="ready_has_key"),
        sa.CheckConstraint("(status = 'failed') = (error_code IS NOT NULL)", name="failed_has_code"),
        sa.CheckConstraint(
            "(status IN ('pending', 'running')) = (completed_at IS NULL)", name="ended_has_moment"
        ),
        sa.Index("ix_audit_documents_account_id_created_at", "account_id", sa.text("created_at DESC")),
        sa.Index(
            "ix_audit_documents_open",
            "created_at",
            postgresql_where=sa.text("status IN ('pending', 'running')"),
        ),
        sa.Index("ix_audit_documents_kept", "expires_at", postgresql_where=sa.text("file_key IS NOT NULL")),
    )


class SigningKey(Base):
    """A key of the service's own; it signs from `signs_from` until the next one of its purpose does.

    Belongs to no account. `first` is unique per purpose, so that two processes that sign for the first time
    at once make one key.
    """

    __tablename__ = "signing_keys"

    kid: Mapped[str] = mapped_column(primary_key=True)
    purpose: Mapped[str]
    public_key: Mapped[bytes] = mapped_column(sa.LargeBinary)
    sealed_key: Mapped[bytes] = mapped_column(sa.LargeBinary)
    created_at: Mapped[datetime]
    signs_from: Mapped[datetime]
    first: Mapped[bool]

    __table_args__ = (
        sa.CheckConstraint("purpose IN ('attestation', 'log')", name="purpose_known"),
        sa.Index("uq_signing_keys_first", "purpose", unique=True, postgresql_where=sa.text("first")),
        sa.Index("ix_signing_keys_purpose_signs_from", "purpose", sa.text("signs_from DESC")),
    )


class LogEntry(Base):
    """An entry of the transparency log: what is hashed into its leaf. Of no account, and never changed."""

    __tablename__ = "log_entries"

    index: Mapped[int] = mapped_column(sa.BigInteger, primary_key=True, autoincrement=False)
    entry: Mapped[bytes] = mapped_column(sa.LargeBinary)


class LogTile(Base):
    """Up to 256 hashes of one height of the log's tree, one after the other. Of no account."""

    __tablename__ = "log_tiles"

    level: Mapped[int] = mapped_column(sa.SmallInteger, primary_key=True, autoincrement=False)
    index: Mapped[int] = mapped_column(sa.BigInteger, primary_key=True, autoincrement=False)
    hashes: Mapped[bytes] = mapped_column(sa.LargeBinary)


class LogCheckpoint(Base):
    """A signed head of the log, with the cosignatures and the time stamp that it got. Of no account."""

    __tablename__ = "log_checkpoints"

    size: Mapped[int] = mapped_column(sa.BigInteger, primary_key=True, autoincrement=False)
    root: Mapped[bytes] = mapped_column(sa.LargeBinary)
    note: Mapped[str]
    at: Mapped[datetime]
    # DER of the RFC 3161 token over the note, where a time-stamping authority is set.
    time_stamp: Mapped[bytes | None] = mapped_column(sa.LargeBinary)


class LogPosition(Base):
    """Position of an audit record in the log, and the nonce that blinds it."""

    __tablename__ = "log_positions"

    account_id: Mapped[uuid.UUID] = mapped_column(sa.ForeignKey("accounts.id"), primary_key=True)
    seq: Mapped[int] = mapped_column(sa.BigInteger, primary_key=True, autoincrement=False)
    log_index: Mapped[int] = mapped_column(sa.BigInteger, unique=True)
    nonce: Mapped[bytes] = mapped_column(sa.LargeBinary)
