"""Tables of credits."""

from __future__ import annotations

import uuid
from datetime import datetime

import sqlalchemy as sa
from sqlalchemy.orm import Mapped, mapped_column

from app.platform.postgres.db import Base, created_at, primary_key

KINDS = ("purchase", "consumption", "refund", "admin_gift")


class CreditBalance(Base):
    """The balance of an account and how much of it is held; it changes only with a ledger or hold row."""

    __tablename__ = "credit_balances"

    account_id: Mapped[uuid.UUID] = mapped_column(sa.ForeignKey("accounts.id"), primary_key=True)
    balance: Mapped[int] = mapped_column(default=0)
    held: Mapped[int] = mapped_column(default=0)
    low_threshold: Mapped[int]
    # True from the moment the balance fell below the threshold until a top-up lifts it above (decision 012).
    low_announced: Mapped[bool] = mapped_column(default=False)
    # The balance after the last top-up, and the share of it whose spending was told since (`app/alerts`).
    topped_up_to: Mapped[int] = mapped_column(default=0, server_default="0")
    told_percent: Mapped[int] = mapped_column(sa.SmallInteger, default=0, server_default="0")

    __table_args__ = (
        sa.CheckConstraint("balance >= 0", name="balance_not_negative"),
        sa.CheckConstraint("held BETWEEN 0 AND balance", name="held_within_balance"),
        sa.CheckConstraint("low_threshold >= 0", name="threshold_not_negative"),
    )


class CreditEntry(Base):
    """One movement of credits. A trigger refuses updates and deletes."""

    __tablename__ = "credit_ledger"

    id: Mapped[uuid.UUID] = primary_key()
    account_id: Mapped[uuid.UUID] = mapped_column(sa.ForeignKey("accounts.id"))
    # The order of movements of an account: clocks may tie, this does not.
    seq: Mapped[int] = mapped_column(sa.BigInteger, sa.Identity(always=True), unique=True)
    created_at: Mapped[datetime] = created_at()
    amount: Mapped[int]
    kind: Mapped[str]
    balance_after: Mapped[int]
    api_key_id: Mapped[uuid.UUID | None] = mapped_column(sa.ForeignKey("api_keys.id"))
    reference_type: Mapped[str | None]
    reference_id: Mapped[str | None]
    operation_type: Mapped[str | None]
    description: Mapped[str | None]

    __table_args__ = (
        sa.Index("ix_credit_ledger_account_id_seq", "account_id", sa.text("seq DESC")),
        sa.Index("ix_credit_ledger_by_time", "account_id", sa.text("created_at DESC"), sa.text("seq DESC")),
        # What a key with a monthly cap has spent is summed from this index alone.
        sa.Index(
            "ix_credit_ledger_of_key",
            "api_key_id",
            sa.text("created_at DESC"),
            sa.text("seq DESC"),
            postgresql_include=["amount", "kind"],
        ),
        # Few rows among many: what came in.
        sa.Index(
            "ix_credit_ledger_received",
            "account_id",
            sa.text("seq DESC"),
            postgresql_where=sa.text("kind <> 'consumption'"),
        ),
        sa.CheckConstraint("amount <> 0", name="amount_not_zero"),
        sa.CheckConstraint("balance_after >= 0", name="balance_after_not_negative"),
        sa.CheckConstraint("kind IN ('purchase', 'consumption', 'refund', 'admin_gift')", name="kind_known"),
        sa.CheckConstraint("(kind = 'consumption') = (amount < 0)", name="sign_fits_kind"),
    )


class CreditHold(Base):
    """Credits reserved for one request. The row is deleted when captured, released or after `expires_at`."""

    __tablename__ = "credit_holds"

    id: Mapped[uuid.UUID] = primary_key()
    account_id: Mapped[uuid.UUID] = mapped_column(sa.ForeignKey("accounts.id"), index=True)
    api_key_id: Mapped[uuid.UUID] = mapped_column(sa.ForeignKey("api_keys.id"))
    amount: Mapped[int]
    created_at: Mapped[datetime] = created_at()
    expires_at: Mapped[datetime] = mapped_column(index=True)

    __table_args__ = (sa.CheckConstraint("amount > 0", name="amount_positive"),)
