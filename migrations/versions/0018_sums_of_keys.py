"""A year of hundreds of keys, month by month, read from an index alone.

Revision 0018, after 0017. Built beside the traffic, which needs statements outside a transaction; one that
failed half-way is dropped and built anew.
"""

from __future__ import annotations

from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None

_INDEX = "ix_usage_months_sums_of_key"


def upgrade() -> None:
    with op.get_context().autocommit_block():
        # Such a build waits for transactions that began before it, and nobody waits for it.
        op.execute("SET lock_timeout = 0")
        op.execute(f"DROP INDEX CONCURRENTLY IF EXISTS {_INDEX}")
        op.execute(
            f"CREATE INDEX CONCURRENTLY {_INDEX} ON usage_months (account_id, api_key_id, month) "
            "INCLUDE (calls, errors, rate_limited, credits) WHERE grain = 1"
        )
        op.execute("SET lock_timeout = '5s'")


def downgrade() -> None:
    with op.get_context().autocommit_block():
        op.execute(f"DROP INDEX CONCURRENTLY IF EXISTS {_INDEX}")
