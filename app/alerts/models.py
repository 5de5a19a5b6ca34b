"""Table of alerts."""

from __future__ import annotations

import uuid
from datetime import datetime

import sqlalchemy as sa
from sqlalchemy.orm import Mapped, mapped_column

from app.platform.postgres.db import Base


class Alert(Base):
    """That an account was told something; `name` says what, of which key and of which period."""

    __tablename__ = "alerts"

    account_id: Mapped[uuid.UUID] = mapped_column(sa.ForeignKey("accounts.id"), primary_key=True)
    name: Mapped[str] = mapped_column(primary_key=True)
    at: Mapped[datetime]

    __table_args__ = (sa.Index("ix_alerts_at", "at"),)
