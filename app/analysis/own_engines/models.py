"""Table of the engines that accounts bring themselves."""

from __future__ import annotations

import uuid
from datetime import datetime

import sqlalchemy as sa
from sqlalchemy.orm import Mapped, mapped_column

from app.platform.postgres.db import Base


class OwnEngine(Base):
    """The engine of one node of an account, in place of the operator's (decision 081).

    Setting it again writes a new row, so that an `id` names one address, model and key for good. `api_key` is
    sealed for this row; `key_hint` is its last four characters. `set_by_name` is the name that the member or
    key had then.
    """

    __tablename__ = "own_engines"

    id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    account_id: Mapped[uuid.UUID] = mapped_column(sa.ForeignKey("accounts.id"))
    node: Mapped[str]
    engine: Mapped[str]
    model: Mapped[str]
    # Null: the vendor's own address.
    base_url: Mapped[str | None]
    protocol: Mapped[str]
    api_key: Mapped[bytes] = mapped_column(sa.LargeBinary)
    key_hint: Mapped[str]
    tested_at: Mapped[datetime]
    created_at: Mapped[datetime]
    set_by_kind: Mapped[str]
    set_by_id: Mapped[uuid.UUID | None]
    set_by_name: Mapped[str | None]

    __table_args__ = (
        sa.UniqueConstraint("account_id", "node"),
        sa.CheckConstraint("node IN ('A', 'B')", name="node_known"),
        sa.CheckConstraint("engine IN ('anthropic', 'openai')", name="engine_known"),
        sa.CheckConstraint("protocol IN ('messages', 'responses', 'chat')", name="protocol_known"),
        sa.CheckConstraint("length(model) BETWEEN 1 AND 120", name="model_length"),
        sa.CheckConstraint("length(key_hint) <= 4", name="hint_is_short"),
    )
