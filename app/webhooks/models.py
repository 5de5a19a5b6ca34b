"""Tables of the event bus."""

from __future__ import annotations

import uuid
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from app.platform.db import Base, primary_key


class Event(Base):
    """One fact: what, when, whose. `payload` never holds document or analysis text."""

    __tablename__ = "events"

    id: Mapped[uuid.UUID] = primary_key()
    # The order of facts as committed writers assigned it: readers page by it.
    seq: Mapped[int] = mapped_column(sa.BigInteger, sa.Identity(always=True), unique=True)
    account_id: Mapped[uuid.UUID] = mapped_column(sa.ForeignKey("accounts.id"))
    api_key_id: Mapped[uuid.UUID | None] = mapped_column(sa.ForeignKey("api_keys.id"))
    type: Mapped[str]
    created_at: Mapped[datetime]
    payload: Mapped[dict[str, Any]] = mapped_column(JSONB)

    __table_args__ = (sa.Index("ix_events_account_id_seq", "account_id", sa.text("seq DESC")),)
