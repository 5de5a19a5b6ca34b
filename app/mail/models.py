"""Tables of mail."""

from __future__ import annotations

import uuid
from datetime import datetime

import sqlalchemy as sa
from sqlalchemy.orm import Mapped, mapped_column

from app.platform.postgres.db import Base, created_at, primary_key


class OutgoingMail(Base):
    """A mail that is not sent yet, encrypted. `account_id` is null for recipients without an account."""

    __tablename__ = "outgoing_mails"

    id: Mapped[uuid.UUID] = primary_key()
    account_id: Mapped[uuid.UUID | None] = mapped_column(sa.ForeignKey("accounts.id"))
    sealed: Mapped[bytes] = mapped_column(sa.LargeBinary)
    created_at: Mapped[datetime] = created_at()
    attempts: Mapped[int] = mapped_column(sa.SmallInteger, default=0)
    next_attempt_at: Mapped[datetime]

    __table_args__ = (sa.Index("ix_outgoing_mails_next_attempt_at", "next_attempt_at"),)


class NotificationSetting(Base):
    """A member's choice for one kind of mail, where it differs from that of the role."""

    __tablename__ = "notification_settings"

    member_id: Mapped[uuid.UUID] = mapped_column(
        sa.ForeignKey("members.id", ondelete="CASCADE"), primary_key=True
    )
    kind: Mapped[str] = mapped_column(primary_key=True)
    account_id: Mapped[uuid.UUID] = mapped_column(sa.ForeignKey("accounts.id"), index=True)
    wanted: Mapped[bool]

    __table_args__ = (
        sa.CheckConstraint(
            "kind IN ('cap', 'balance', 'webhook_off', 'key_expiring', 'export_ready')", name="kind_known"
        ),
    )
