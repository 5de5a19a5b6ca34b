"""Webhook endpoints and deliveries.

Revision 0007, after 0006.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

_MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    op.create_table(
        "webhook_endpoints",
        sa.Column("id", sa.UUID(), nullable=False),
        sa.Column("account_id", sa.UUID(), nullable=False),
        sa.Column("api_key_id", sa.UUID(), nullable=False),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("events", postgresql.ARRAY(sa.Text()), nullable=False),
        sa.Column("description", sa.Text(), nullable=True),
        sa.Column("active", sa.Boolean(), nullable=False),
        sa.Column("secret", sa.LargeBinary(), nullable=False),
        sa.Column("previous_secret", sa.LargeBinary(), nullable=True),
        sa.Column("previous_secret_until", _MOMENT, nullable=True),
        sa.Column("created_at", _MOMENT, nullable=False),
        sa.Column("last_delivery_at", _MOMENT, nullable=True),
        sa.Column("last_failure_at", _MOMENT, nullable=True),
        sa.Column("exhausted_in_a_row", sa.Integer(), nullable=False),
        sa.Column("slow", sa.Boolean(), nullable=False),
        sa.Column("deactivated_at", _MOMENT, nullable=True),
        sa.Column("deactivated_because", sa.Text(), nullable=True),
        sa.CheckConstraint(
            "length(description) <= 200", name=op.f("ck_webhook_endpoints_description_length")
        ),
        sa.CheckConstraint(
            "deactivated_because IN ('gone', 'exhausted')", name=op.f("ck_webhook_endpoints_reason_known")
        ),
        sa.CheckConstraint(
            "NOT active OR deactivated_at IS NULL", name=op.f("ck_webhook_endpoints_active_has_no_reason")
        ),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.id"], name=op.f("fk_webhook_endpoints_account_id_accounts")
        ),
        sa.ForeignKeyConstraint(
            ["api_key_id"], ["api_keys.id"], name=op.f("fk_webhook_endpoints_api_key_id_api_keys")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_webhook_endpoints")),
    )
    for column in ("account_id", "api_key_id"):
        op.create_index(op.f(f"ix_webhook_endpoints_{column}"), "webhook_endpoints", [column])
    op.create_table(
        "webhook_deliveries",
        sa.Column("id", sa.UUID(), nullable=False),
        sa.Column("account_id", sa.UUID(), nullable=False),
        sa.Column("endpoint_id", sa.UUID(), nullable=False),
        sa.Column("event_id", sa.UUID(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("created_at", _MOMENT, nullable=False),
        sa.Column("next_attempt_at", _MOMENT, nullable=True),
        sa.Column("claim", sa.UUID(), nullable=True),
        sa.Column("last_status_code", sa.Integer(), nullable=True),
        sa.Column("last_error", sa.Text(), nullable=True),
        sa.Column("delivered_at", _MOMENT, nullable=True),
        sa.CheckConstraint(
            "status IN ('pending', 'success', 'failed', 'exhausted')",
            name=op.f("ck_webhook_deliveries_status_known"),
        ),
        sa.CheckConstraint(
            "(next_attempt_at IS NOT NULL) = (status IN ('pending', 'failed'))",
            name=op.f("ck_webhook_deliveries_open_has_next_attempt"),
        ),
        sa.CheckConstraint(
            "claim IS NULL OR next_attempt_at IS NOT NULL", name=op.f("ck_webhook_deliveries_claimed_is_open")
        ),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.id"], name=op.f("fk_webhook_deliveries_account_id_accounts")
        ),
        sa.ForeignKeyConstraint(
            ["endpoint_id"],
            ["webhook_endpoints.id"],
            name=op.f("fk_webhook_deliveries_endpoint_id_webhook_endpoints"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["event_id"], ["events.id"], name=op.f("fk_webhook_deliveries_event_id_events")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_webhook_deliveries")),
    )
    for name, columns, where in (
        ("endpoint_id_next_attempt_at", ["endpoint_id", "next_attempt_at"], "next_attempt_at IS NOT NULL"),
        ("claimed", ["endpoint_id"], "claim IS NOT NULL"),
        ("endpoint_id_created_at", ["endpoint_id", "created_at"], None),
        ("created_at", ["created_at"], None),
        ("account_id", ["account_id"], None),
    ):
        op.create_index(
            f"ix_webhook_deliveries_{name}",
            "webhook_deliveries",
            columns,
            postgresql_where=sa.text(where) if where else None,
        )


def downgrade() -> None:
    op.drop_table("webhook_deliveries")
    op.drop_table("webhook_endpoints")
