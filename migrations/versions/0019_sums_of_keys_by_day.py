"""A month of thousands of keys lies side by side: 60,000 rows in 565 pages of the index.

Revision 0019, after 0018. Built beside the traffic, which needs statements outside a transaction; one that
failed half-way is dropped and built anew.
"""

from __future__ import annotations

from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None

_INDEX = "ix_usage_days_sums_by_day"
# Of installations from between two releases, where 0018 made it: key by key, the same rows were 11,400 pages.
_FORMER = "ix_usage_days_sums_of_key"


def upgrade() -> None:
    with op.get_context().autocommit_block():
        # Such a build waits for transactions that began before it, and nobody waits for it.
        op.execute("SET lock_timeout = 0")
        op.execute(f"DROP INDEX CONCURRENTLY IF EXISTS {_INDEX}")
        op.execute(
            f"CREATE INDEX CONCURRENTLY {_INDEX} ON usage_days (account_id, day, api_key_id) "
            "INCLUDE (calls, errors, rate_limited, credits) WHERE grain = 1"
        )
        op.execute(f"DROP INDEX CONCURRENTLY IF EXISTS {_FORMER}")
        op.execute("SET lock_timeout = '5s'")


def downgrade() -> None:
    with op.get_context().autocommit_block():
        op.execute(f"DROP INDEX CONCURRENTLY IF EXISTS {_INDEX}")
