"""Tables of governance."""

from __future__ import annotations

import uuid
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from app.platform.db import Base

# A record with a citation that was not found, is out of force or says something else: the condition of an
# index, so the query uses these very words.
FLAGGED = " OR ".join(
    f"(content #>> '{{citations,{verdict}}}')::integer > 0"
    for verdict in ("not_found", "derogated", "mismatch")
)


class AuditHead(Base):
    """The end of an account's chain; its row lock puts appends in order."""

    __tablename__ = "audit_heads"

    account_id: Mapped[uuid.UUID] = mapped_column(sa.ForeignKey("accounts.id"), primary_key=True)
    seq: Mapped[int] = mapped_column(sa.BigInteger)
    previous_hash: Mapped[str]
    hash: Mapped[str]


class AuditRecord(Base):
    """What is kept of an analysis: metadata, fingerprints, verdict counts. Rows are never changed."""

    __tablename__ = "audit_records"

    id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    account_id: Mapped[uuid.UUID] = mapped_column(sa.ForeignKey("accounts.id"))
    seq: Mapped[int] = mapped_column(sa.BigInteger)
    at: Mapped[datetime]
    api_key_id: Mapped[uuid.UUID] = mapped_column(sa.ForeignKey("api_keys.id"))
    request_id: Mapped[str]
    content: Mapped[dict[str, Any]] = mapped_column(JSONB)
    previous_hash: Mapped[str]
    hash: Mapped[str]

    __table_args__ = (
        sa.UniqueConstraint("account_id", "seq"),
        sa.Index("ix_audit_records_newest", "account_id", sa.text("at DESC"), sa.text("seq DESC")),
        sa.Index(
            "ix_audit_records_of_key", "account_id", "api_key_id", sa.text("at DESC"), sa.text("seq DESC")
        ),
        sa.Index(
            "ix_audit_records_flagged",
            "account_id",
            sa.text("at DESC"),
            sa.text("seq DESC"),
            postgresql_where=sa.text(FLAGGED),
        ),
        sa.Index("ix_audit_records_account_id_request_id", "account_id", "request_id"),
    )
