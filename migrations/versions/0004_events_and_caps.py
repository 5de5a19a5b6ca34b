"""Events, and monthly spend caps of keys.

Revision 0004, after 0003.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "events",
        sa.Column("id", sa.UUID(), nullable=False),
        sa.Column("seq", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column("account_id", sa.UUID(), nullable=False),
        sa.Column("api_key_id", sa.UUID(), nullable=True),
        sa.Column("type", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("payload", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name=op.f("fk_events_account_id_accounts")),
        sa.ForeignKeyConstraint(["api_key_id"], ["api_keys.id"], name=op.f("fk_events_api_key_id_api_keys")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_events")),
        sa.UniqueConstraint("seq", name=op.f("uq_events_seq")),
    )
    op.create_index("ix_events_account_id_seq", "events", ["account_id", sa.literal_column("seq DESC")])
    op.add_column("api_keys", sa.Column("monthly_credit_cap", sa.Integer(), nullable=True))
    op.create_check_constraint(op.f("ck_api_keys_cap_not_negative"), "api_keys", "monthly_credit_cap >= 0")
    op.create_index(
        "ix_credit_ledger_api_key_id_created_at",
        "credit_ledger",
        ["api_key_id", "created_at"],
        postgresql_include=["amount"],
        postgresql_where=sa.text("kind = 'consumption'"),
    )


def downgrade() -> None:
    op.drop_index("ix_credit_ledger_api_key_id_created_at", "credit_ledger")
    op.drop_constraint(op.f("ck_api_keys_cap_not_negative"), "api_keys")
    op.drop_column("api_keys", "monthly_credit_cap")
    op.drop_table("events")
