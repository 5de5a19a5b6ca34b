"""Usage of many keys over long ranges, read from indexes alone.

Revision 0018, after 0017. Built beside the traffic, which needs statements outside a transaction; one that
failed half-way is dropped and built anew.
"""

from __future__ import annotations

from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None

_INDEXES = tuple(
    (
        f"ix_{table}_sums_of_key",
        f"{table} (account_id, api_key_id, {period}) INCLUDE (calls, errors, rate_limited, credits) "
        "WHERE grain = 1",
    )
    for table, period in (("usage_days", "day"), ("usage_months", "month"))
)


def upgrade() -> None:
    with op.get_context().autocommit_block():
        # Such a build waits for transactions that began before it, and nobody waits for it.
        op.execute("SET lock_timeout = 0")
        for name, rest in _INDEXES:
            op.execute(f"DROP INDEX CONCURRENTLY IF EXISTS {name}")
            op.execute(f"CREATE INDEX CONCURRENTLY {name} ON {rest}")
        op.execute("SET lock_timeout = '5s'")


def downgrade() -> None:
    with op.get_context().autocommit_block():
        for name, _rest in _INDEXES:
            op.execute(f"DROP INDEX CONCURRENTLY IF EXISTS {name}")
