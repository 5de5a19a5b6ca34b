"""Alerts on spending and on keys that expire, each told once; members choose which mails they get.

Revision 0046.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0046"
down_revision = "0045"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.create_table(
        "alerts",
        sa.Column("account_id", sa.UUID(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name=op.f("fk_alerts_account_id_accounts")),
        sa.PrimaryKeyConstraint("account_id", "name", name=op.f("pk_alerts")),
    )
    op.create_index("ix_alerts_at", "alerts", ["at"])
    op.execute("SELECT protect_tenant_rows('alerts')")
    op.create_table(
        "notification_settings",
        sa.Column("member_id", sa.UUID(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("account_id", sa.UUID(), nullable=False),
        sa.Column("wanted", sa.Boolean(), nullable=False),
        sa.CheckConstraint(
            "kind IN ('cap', 'balance', 'webhook_off', 'key_expiring', 'export_ready')",
            name=op.f("ck_notification_settings_kind_known"),
        ),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.id"], name=op.f("fk_notification_settings_account_id_accounts")
        ),
        sa.ForeignKeyConstraint(
            ["member_id"],
            ["members.id"],
            name=op.f("fk_notification_settings_member_id_members"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("member_id", "kind", name=op.f("pk_notification_settings")),
    )
    op.create_index("ix_notification_settings_account_id", "notification_settings", ["account_id"])
    op.execute("SELECT protect_tenant_rows('notification_settings')")
    for column, kind in (("topped_up_to", sa.Integer()), ("told_percent", sa.SmallInteger())):
        op.add_column("credit_balances", sa.Column(column, kind, nullable=False, server_default="0"))
    # Of older top-ups nothing is told: shares are counted from what is there now.
    op.execute("SET LOCAL ROLE candado_system")
    op.execute("UPDATE credit_balances SET topped_up_to = balance WHERE balance > 0")
    op.execute("RESET ROLE")


def downgrade() -> None:
    op.drop_column("credit_balances", "told_percent")
    op.drop_column("credit_balances", "topped_up_to")
    op.drop_table("notification_settings")
    op.drop_table("alerts")
