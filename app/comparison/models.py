"""Tables of comparisons."""

from __future__ import annotations

import uuid
from datetime import datetime

import sqlalchemy as sa
from sqlalchemy.orm import Mapped, mapped_column

from app.platform.postgres.db import Base


class Comparison(Base):
    """One comparison: times, counts and its wrapped data key, no content of documents (decision 080).

    The answer and both texts are stored encrypted in Redis until `expires_at`; past that moment the
    comparison does not exist for anybody.
    """

    __tablename__ = "comparisons"

    id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    account_id: Mapped[uuid.UUID] = mapped_column(sa.ForeignKey("accounts.id"))
    api_key_id: Mapped[uuid.UUID] = mapped_column(sa.ForeignKey("api_keys.id"))
    request_id: Mapped[str]
    # Clauses by what became of them, and risks.
    added: Mapped[int]
    removed: Mapped[int]
    changed: Mapped[int]
    moved: Mapped[int]
    unchanged: Mapped[int]
    risks_appeared: Mapped[int]
    risks_went: Mapped[int]
    risks_stayed: Mapped[int]
    credits_charged: Mapped[int]
    created_at: Mapped[datetime]
    expires_at: Mapped[datetime]
    data_key: Mapped[bytes] = mapped_column(sa.LargeBinary)

    __table_args__ = (
        sa.CheckConstraint(
            "least(added, removed, changed, moved, unchanged, risks_appeared, risks_went, risks_stayed, "
            "credits_charged) >= 0",
            name="counts_possible",
        ),
        sa.CheckConstraint("expires_at > created_at", name="expires_later"),
        sa.Index("ix_comparisons_account_id_created_at", "account_id", sa.text("created_at DESC")),
        sa.Index("ix_comparisons_expires_at", "expires_at"),
    )
