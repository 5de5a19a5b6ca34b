"""Accounts may bring engines of their own.

Revision 0039.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0039"
down_revision = "0038"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.create_table(
        "own_engines",
        sa.Column("id", sa.UUID(), nullable=False),
        sa.Column("account_id", sa.UUID(), nullable=False),
        sa.Column("node", sa.Text(), nullable=False),
        sa.Column("engine", sa.Text(), nullable=False),
        sa.Column("model", sa.Text(), nullable=False),
        sa.Column("base_url", sa.Text(), nullable=True),
        sa.Column("protocol", sa.Text(), nullable=False),
        sa.Column("api_key", sa.LargeBinary(), nullable=False),
        sa.Column("key_hint", sa.Text(), nullable=False),
        sa.Column("tested_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("set_by_kind", sa.Text(), nullable=False),
        sa.Column("set_by_id", sa.UUID(), nullable=True),
        sa.Column("set_by_name", sa.Text(), nullable=True),
        sa.CheckConstraint("node IN ('A', 'B')", name=op.f("ck_own_engines_node_known")),
        sa.CheckConstraint("engine IN ('anthropic', 'openai')", name=op.f("ck_own_engines_engine_known")),
        sa.CheckConstraint(
            "protocol IN ('messages', 'responses', 'chat')", name=op.f("ck_own_engines_protocol_known")
        ),
        sa.CheckConstraint("length(model) BETWEEN 1 AND 120", name=op.f("ck_own_engines_model_length")),
        sa.CheckConstraint("length(key_hint) <= 4", name=op.f("ck_own_engines_hint_is_short")),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.id"], name=op.f("fk_own_engines_account_id_accounts")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_own_engines")),
        sa.UniqueConstraint("account_id", "node", name=op.f("uq_own_engines_account_id_node")),
    )
    op.execute("SELECT protect_tenant_rows('own_engines')")


def downgrade() -> None:
    op.drop_table("own_engines")
