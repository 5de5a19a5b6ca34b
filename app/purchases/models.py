"""Table of purchases."""

from __future__ import annotations

import uuid
from datetime import datetime

import sqlalchemy as sa
from sqlalchemy.orm import Mapped, mapped_column

from app.platform.postgres.db import Base, created_at, primary_key


class Purchase(Base):
    """Credits that were ordered at the checkout. Amounts are in the currency's smallest unit, such as cents.

    `session_id` and `payment` are the checkout's names of it; `refunded` is what was paid back so far, which
    takes no credits away.
    """

    __tablename__ = "purchases"

    id: Mapped[uuid.UUID] = primary_key()
    account_id: Mapped[uuid.UUID] = mapped_column(sa.ForeignKey("accounts.id"))
    credits: Mapped[int]
    amount: Mapped[int]
    currency: Mapped[str]
    state: Mapped[str] = mapped_column(default="open")
    session_id: Mapped[str | None]
    payment: Mapped[str | None]
    refunded: Mapped[int] = mapped_column(default=0)
    created_at: Mapped[datetime] = created_at()
    paid_at: Mapped[datetime | None]

    __table_args__ = (
        sa.Index("ix_purchases_account_id_created_at", "account_id", sa.text("created_at DESC")),
        sa.Index("uq_purchases_session_id", "session_id", unique=True),
        sa.Index("ix_purchases_payment", "payment", postgresql_where=sa.text("payment IS NOT NULL")),
        sa.CheckConstraint("credits > 0 AND amount > 0", name="amounts_positive"),
        sa.CheckConstraint("refunded BETWEEN 0 AND amount", name="refunded_possible"),
        sa.CheckConstraint("state IN ('open', 'paid', 'failed')", name="state_known"),
        sa.CheckConstraint("(state = 'paid') = (paid_at IS NOT NULL)", name="paid_at_fits"),
    )
