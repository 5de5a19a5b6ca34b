"""Tables of idempotency."""

from __future__ import annotations

import uuid
from datetime import datetime

import sqlalchemy as sa
from sqlalchemy.orm import Mapped, mapped_column

from app.platform.postgres.db import Base


class IdempotencyRecord(Base):
    """One key of one account on one route, which includes the calling key where the record is limited to it.

    `token` is a fencing token: only its holder may complete or delete the record.
    """

    __tablename__ = "idempotency_records"

    account_id: Mapped[uuid.UUID] = mapped_column(sa.ForeignKey("accounts.id"), primary_key=True)
    route: Mapped[str] = mapped_column(primary_key=True)
    key: Mapped[str] = mapped_column(primary_key=True)
    body_hash: Mapped[bytes] = mapped_column(sa.LargeBinary)
    token: Mapped[uuid.UUID]
    # While set, an execution is under way; past it, its process is taken for dead.
    running_until: Mapped[datetime | None]
    # Set once, by the transaction that charged.
    charged_at: Mapped[datetime | None]
    # Of the sealed answer in Redis, wrapped by the service's key.
    data_key: Mapped[bytes] = mapped_column(sa.LargeBinary)
    created_at: Mapped[datetime]
    expires_at: Mapped[datetime] = mapped_column(index=True)
