"""Verification of long chains rests in PostgreSQL, where its batches are leased.

Revision 0026, after 0025. It was in Redis: a check that runs during the release is requested again.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0026"
down_revision = "0025"
branch_labels = None
depends_on = None

_MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.create_table(
        "chain_checks",
        sa.Column("account_id", sa.UUID(), nullable=False),
        sa.Column("walk", postgresql.JSONB(), nullable=False),
        sa.Column("updated_at", _MOMENT, nullable=False),
        sa.Column("next_batch_at", _MOMENT, nullable=True),
        sa.Column("claim", sa.UUID(), nullable=True),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.id"], name=op.f("fk_chain_checks_account_id_accounts")
        ),
        sa.PrimaryKeyConstraint("account_id", name=op.f("pk_chain_checks")),
    )
    op.create_index(
        "ix_chain_checks_next_batch_at",
        "chain_checks",
        ["next_batch_at"],
        postgresql_where=sa.text("next_batch_at IS NOT NULL"),
    )
    op.execute("SELECT protect_tenant_rows('chain_checks')")


def downgrade() -> None:
    op.drop_table("chain_checks")
