"""Define the tables of redaction."""

from __future__ import annotations

import uuid
from datetime import datetime

import sqlalchemy as sa
from sqlalchemy.orm import Mapped, mapped_column

from app.platform.postgres.db import Base


class RedactionEvent(Base):
    """One value masked before a call left: when, what type of field, in which analysis. Never the value."""

    __tablename__ = "redaction_events"

    id: Mapped[int] = mapped_column(sa.BigInteger, sa.Identity(always=True), primary_key=True)
    account_id: Mapped[uuid.UUID] = mapped_column(sa.ForeignKey("accounts.id"))
    analysis_id: Mapped[uuid.UUID]
    at: Mapped[datetime]
    field_type: Mapped[str]

    __table_args__ = (sa.Index("ix_redaction_events_account_id_analysis_id", "account_id", "analysis_id"),)
