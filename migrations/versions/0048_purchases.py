"""Purchases of credits at a checkout.

Revision 0048.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0048"
down_revision = "0047"
branch_labels = None
depends_on = None

_TIME = sa.DateTime(timezone=True)


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.create_table(
        "purchases",
        sa.Column("id", sa.UUID(), nullable=False),
        sa.Column("account_id", sa.UUID(), nullable=False),
        sa.Column("credits", sa.Integer(), nullable=False),
        sa.Column("amount", sa.Integer(), nullable=False),
        sa.Column("currency", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("session_id", sa.Text()),
        sa.Column("payment", sa.Text()),
        sa.Column("refunded", sa.Integer(), nullable=False),
        sa.Column("created_at", _TIME, nullable=False),
        sa.Column("paid_at", _TIME),
        sa.CheckConstraint("credits > 0 AND amount > 0", name=op.f("ck_purchases_amounts_positive")),
        sa.CheckConstraint("refunded BETWEEN 0 AND amount", name=op.f("ck_purchases_refunded_possible")),
        sa.CheckConstraint("state IN ('open', 'paid', 'failed')", name=op.f("ck_purchases_state_known")),
        sa.CheckConstraint(
            "(state = 'paid') = (paid_at IS NOT NULL)", name=op.f("ck_purchases_paid_at_fits")
        ),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.id"], name=op.f("fk_purchases_account_id_accounts")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_purchases")),
    )
    op.create_index(
        "ix_purchases_account_id_created_at", "purchases", ["account_id", sa.text("created_at DESC")]
    )
    op.create_index("uq_purchases_session_id", "purchases", ["session_id"], unique=True)
    op.create_index(
        "ix_purchases_payment", "purchases", ["payment"], postgresql_where=sa.text("payment IS NOT NULL")
    )
    op.execute("SELECT protect_tenant_rows('purchases')")


def downgrade() -> None:
    op.drop_table("purchases")
