"""Tables of the event bus and of its deliveries."""

from __future__ import annotations

import uuid
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import ARRAY, JSONB
from sqlalchemy.orm import Mapped, mapped_column

from app.platform.postgres.db import Base, primary_key

STATUSES = ("pending", "success", "failed", "exhausted")


class Event(Base):
    """One event: type, time, account. `payload` never contains text of documents or analyses."""

    __tablename__ = "events"

    id: Mapped[uuid.UUID] = primary_key()
    # Within an account, the order in which facts were committed: readers page by it (see bus.py).
    seq: Mapped[int] = mapped_column(sa.BigInteger, sa.Identity(always=True), unique=True)
    account_id: Mapped[uuid.UUID] = mapped_column(sa.ForeignKey("accounts.id"))
    api_key_id: Mapped[uuid.UUID | None] = mapped_column(sa.ForeignKey("api_keys.id"))
    type: Mapped[str]
    created_at: Mapped[datetime]
    payload: Mapped[dict[str, Any]] = mapped_column(JSONB)

    __table_args__ = (
        sa.Index("ix_events_account_id_seq", "account_id", sa.text("seq DESC")),
        # News of the law, which an account with many jobs would not find among its other events.
        sa.Index(
            "ix_events_law",
            "account_id",
            sa.text("seq DESC"),
            postgresql_where=sa.text("type IN ('normativa.updated', 'judgment.cited')"),
        ),
    )


class EventHorizon(Base):
    """The last event of an account that was deleted for its age, and when it was created."""

    __tablename__ = "event_horizons"

    account_id: Mapped[uuid.UUID] = mapped_column(sa.ForeignKey("accounts.id"), primary_key=True)
    seq: Mapped[int] = mapped_column(sa.BigInteger)
    created_at: Mapped[datetime]


class Announcement(Base):
    """An event for every account with a key of `scope`, until the last account has its copy.

    `after` is the last account, in order of ids, that has its copy.
    """

    __tablename__ = "announcements"

    id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    type: Mapped[str]
    scope: Mapped[str]
    payload: Mapped[dict[str, Any]] = mapped_column(JSONB)
    created_at: Mapped[datetime]
    after: Mapped[uuid.UUID | None]
    # What it is about, as watches name it; `watchers` where only accounts that watch it are told at all.
    subjects: Mapped[list[str]] = mapped_column(ARRAY(sa.Text), default=list, server_default="{}")
    watchers: Mapped[bool] = mapped_column(server_default=sa.false())


class Watch(Base):
    """A law, article or judgment that an account wants to be told about.

    `subject` is its normal form (`ES:CC:art1902`, `CO:CC:T-760/08`), `names` that and the other forms by
    which an announcement may name it.
    """

    __tablename__ = "watches"

    id: Mapped[uuid.UUID] = primary_key()
    account_id: Mapped[uuid.UUID] = mapped_column(sa.ForeignKey("accounts.id"))
    kind: Mapped[str]
    subject: Mapped[str]
    names: Mapped[list[str]] = mapped_column(ARRAY(sa.Text))
    title: Mapped[str]
    article: Mapped[str | None]
    jurisdiction: Mapped[str]
    url: Mapped[str | None]
    mail: Mapped[bool]
    created_at: Mapped[datetime]

    __table_args__ = (
        sa.UniqueConstraint("account_id", "subject"),
        sa.CheckConstraint("kind IN ('law', 'article', 'judgment')", name="kind_known"),
        sa.Index("ix_watches_names", "names", postgresql_using="gin"),
    )


class Endpoint(Base):
    """A receiver that a key registered. Secrets are encrypted with a key derived from `SECRET_KEY`."""

    __tablename__ = "webhook_endpoints"

    id: Mapped[uuid.UUID] = primary_key()
    account_id: Mapped[uuid.UUID] = mapped_column(sa.ForeignKey("accounts.id"), index=True)
    api_key_id: Mapped[uuid.UUID] = mapped_column(sa.ForeignKey("api_keys.id"), index=True)
    url: Mapped[str]
    events: Mapped[list[str]] = mapped_column(ARRAY(sa.Text))
    description: Mapped[str | None]
    active: Mapped[bool]
    secret: Mapped[bytes] = mapped_column(sa.LargeBinary)
    # Of a rotation: signs beside the new one until the moment given.
    previous_secret: Mapped[bytes | None] = mapped_column(sa.LargeBinary)
    previous_secret_until: Mapped[datetime | None]
    created_at: Mapped[datetime]
    last_delivery_at: Mapped[datetime | None]
    last_failure_at: Mapped[datetime | None]
    exhausted_in_a_row: Mapped[int] = mapped_column(default=0)
    # The last attempt failed or took long: such receivers share a part of the senders (see claims.py).
    slow: Mapped[bool] = mapped_column(default=False)
    deactivated_at: Mapped[datetime | None]
    deactivated_because: Mapped[str | None]

    __table_args__ = (
        sa.CheckConstraint("length(description) <= 200", name="description_length"),
        sa.CheckConstraint("deactivated_because IN ('gone', 'exhausted')", name="reason_known"),
        sa.CheckConstraint("NOT active OR deactivated_at IS NULL", name="active_has_no_reason"),
    )


class Delivery(Base):
    """One event for one endpoint. The row holds no content; the event does.

    Open while `next_attempt_at` is set. A sender that claims it writes `claim` and sets `next_attempt_at` to
    the end of its lease, so that the delivery is due again if the sender dies (decision 048).
    """

    __tablename__ = "webhook_deliveries"

    id: Mapped[uuid.UUID] = primary_key()
    account_id: Mapped[uuid.UUID] = mapped_column(sa.ForeignKey("accounts.id"))
    endpoint_id: Mapped[uuid.UUID] = mapped_column(sa.ForeignKey("webhook_endpoints.id", ondelete="CASCADE"))
    event_id: Mapped[uuid.UUID] = mapped_column(sa.ForeignKey("events.id"))
    status: Mapped[str]
    attempts: Mapped[int]
    created_at: Mapped[datetime]
    next_attempt_at: Mapped[datetime | None]
    claim: Mapped[uuid.UUID | None]
    last_status_code: Mapped[int | None]
    last_error: Mapped[str | None]
    delivered_at: Mapped[datetime | None]
    # One object for each attempt, oldest first: `at`, `status` and `error`, the newest `HISTORY_MAX`.
    history: Mapped[list[dict[str, Any]]] = mapped_column(JSONB, default=list, server_default=sa.text("'[]'"))

    __table_args__ = (
        sa.CheckConstraint("status IN ('pending', 'success', 'failed', 'exhausted')", name="status_known"),
        sa.CheckConstraint(
            "(next_attempt_at IS NOT NULL) = (status IN ('pending', 'failed'))", name="open_has_next_attempt"
        ),
        sa.CheckConstraint("claim IS NULL OR next_attempt_at IS NOT NULL", name="claimed_is_open"),
        sa.Index(
            "ix_webhook_deliveries_endpoint_id_next_attempt_at",
            "endpoint_id",
            "next_attempt_at",
            postgresql_where=sa.text("next_attempt_at IS NOT NULL"),
        ),
        sa.Index(
            "ix_webhook_deliveries_claimed",
            "endpoint_id",
            postgresql_where=sa.text("claim IS NOT NULL"),
        ),
        sa.Index("ix_webhook_deliveries_endpoint_id_created_at", "endpoint_id", "created_at"),
        sa.Index("ix_webhook_deliveries_created_at", "created_at"),
        sa.Index("ix_webhook_deliveries_account_id", "account_id"),
        sa.Index("ix_webhook_deliveries_event_id", "event_id"),
    )
