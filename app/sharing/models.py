"""Table of links to results."""

from __future__ import annotations

import uuid
from datetime import datetime
from typing import Literal

import sqlalchemy as sa
from sqlalchemy.orm import Mapped, mapped_column

from app.platform.postgres.db import Base

Audience = Literal["members", "password"]


class ResultLink(Base):
    """One link to the result of one job, without any content (decision 097).

    `token_hash` is the SHA-256 of the link's 256 random bits, `password_hash` of a link with a password a
    scrypt hash. `tries` counts wrong passwords, `opened` how often a reader was let in. The row goes with its
    job and with the member who made it.
    """

    __tablename__ = "result_links"

    id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    account_id: Mapped[uuid.UUID] = mapped_column(sa.ForeignKey("accounts.id"))
    job_id: Mapped[uuid.UUID] = mapped_column(sa.ForeignKey("jobs.id", ondelete="CASCADE"))
    member_id: Mapped[uuid.UUID] = mapped_column(sa.ForeignKey("members.id", ondelete="CASCADE"))
    audience: Mapped[str]
    token_hash: Mapped[bytes] = mapped_column(sa.LargeBinary)
    password_hash: Mapped[str | None]
    tries: Mapped[int] = mapped_column(server_default="0")
    opened: Mapped[int] = mapped_column(server_default="0")
    created_at: Mapped[datetime]
    expires_at: Mapped[datetime]

    __table_args__ = (
        sa.CheckConstraint("audience IN ('members', 'password')", name="audience_known"),
        sa.CheckConstraint(
            "(audience = 'password') = (password_hash IS NOT NULL)", name="password_where_asked"
        ),
        sa.CheckConstraint("octet_length(token_hash) = 32", name="token_hash_length"),
        sa.CheckConstraint("tries >= 0 AND opened >= 0", name="counts_possible"),
        sa.CheckConstraint("expires_at > created_at", name="expires_later"),
        sa.UniqueConstraint("token_hash"),
        sa.Index("ix_result_links_account_id_job_id", "account_id", "job_id"),
        sa.Index("ix_result_links_job_id", "job_id"),
        sa.Index("ix_result_links_member_id", "member_id"),
        sa.Index("ix_result_links_expires_at", "expires_at"),
    )
