"""Tokens of models by day, key, model and stage.

Revision 0033, after 0032.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0033"
down_revision = "0032"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.create_table(
        "usage_tokens",
        sa.Column("account_id", sa.UUID(), nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("api_key_id", sa.UUID(), nullable=False),
        sa.Column("model", sa.Text(), nullable=False),
        sa.Column("stage", sa.Text(), nullable=False),
        sa.Column("own", sa.Boolean(), nullable=False),
        sa.Column("input", sa.BigInteger(), nullable=False),
        sa.Column("cached", sa.BigInteger(), nullable=False),
        sa.Column("output", sa.BigInteger(), nullable=False),
        sa.CheckConstraint(
            "stage IN ('draft', 'tools', 'audit', 'repair')", name=op.f("ck_usage_tokens_stage_known")
        ),
        sa.CheckConstraint(
            "0 <= cached AND 0 <= input AND 0 <= output", name=op.f("ck_usage_tokens_not_negative")
        ),
        sa.PrimaryKeyConstraint(
            "account_id", "day", "api_key_id", "model", "stage", "own", name=op.f("pk_usage_tokens")
        ),
    )
    op.execute("SELECT protect_tenant_rows('usage_tokens')")


def downgrade() -> None:
    op.drop_table("usage_tokens")
