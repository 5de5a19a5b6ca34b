"""Retention of the event bus, and what closing an account leaves to delete.

Revision 0023.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"
branch_labels = None
depends_on = None

_MOMENT = sa.DateTime(timezone=True)
# Of a foreign key: without it each event that is deleted costs a look at every delivery.
_INDEX = "ix_webhook_deliveries_event_id"


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.add_column("accounts", sa.Column("erased_at", _MOMENT, nullable=True))
    op.create_index(
        "ix_accounts_to_erase",
        "accounts",
        ["closed_at"],
        postgresql_where=sa.text("closed_at IS NOT NULL AND erased_at IS NULL"),
    )
    op.create_table(
        "event_horizons",
        sa.Column("account_id", sa.UUID(), nullable=False),
        sa.Column("seq", sa.BigInteger(), nullable=False),
        sa.Column("created_at", _MOMENT, nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.id"], name=op.f("fk_event_horizons_account_id_accounts")
        ),
        sa.PrimaryKeyConstraint("account_id", name=op.f("pk_event_horizons")),
    )
    op.execute("SELECT protect_tenant_rows('event_horizons')")
    with op.get_context().autocommit_block():
        op.execute("SET lock_timeout = 0")
        # An attempt that broke off left an index that is not valid.
        op.execute(f"DROP INDEX IF EXISTS {_INDEX}")
        op.execute(f"CREATE INDEX CONCURRENTLY {_INDEX} ON webhook_deliveries (event_id)")
        op.execute("SET lock_timeout = '5s'")


def downgrade() -> None:
    op.drop_index(_INDEX, "webhook_deliveries")
    op.drop_table("event_horizons")
    op.drop_index("ix_accounts_to_erase", "accounts")
    op.drop_column("accounts", "erased_at")
