"""A month of thousands of keys lies side by side: 60,000 rows in 565 pages of the index, not in 11,400.

Revision 0019, after 0018. Built beside the traffic, which needs statements outside a transaction; one that
failed half-way is dropped and built anew. The index of 0018 stays until the other is there.
"""

from __future__ import annotations

from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None

_OLD, _NEW = "ix_usage_days_sums_of_key", "ix_usage_days_sums_by_day"


def upgrade() -> None:
    _replace(_OLD, _NEW, "account_id, day, api_key_id")


def downgrade() -> None:
    _replace(_NEW, _OLD, "account_id, api_key_id, day")


def _replace(old: str, new: str, columns: str) -> None:
    with op.get_context().autocommit_block():
        # Such a build waits for transactions that began before it, and nobody waits for it.
        op.execute("SET lock_timeout = 0")
        op.execute(f"DROP INDEX CONCURRENTLY IF EXISTS {new}")
        op.execute(
            f"CREATE INDEX CONCURRENTLY {new} ON usage_days ({columns}) "
            "INCLUDE (calls, errors, rate_limited, credits) WHERE grain = 1"
        )
        op.execute(f"DROP INDEX CONCURRENTLY IF EXISTS {old}")
        op.execute("SET lock_timeout = '5s'")
