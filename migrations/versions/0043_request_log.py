"""Calls keep their request id and, where they failed, the code of the error.

Revision 0043.
"""

from __future__ import annotations

from alembic import op

revision = "0043"
down_revision = "0042"
branch_labels = None
depends_on = None

_INDEXES = {
    "ix_usage_calls_account_id_request_id": "(account_id, request_id text_pattern_ops) "
    "WHERE request_id IS NOT NULL",
    "ix_usage_calls_account_id_errors": "(account_id, at) WHERE status >= 400",
}


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    # The columns are committed before the indexes are built: a second try after a failure finds them.
    op.execute("ALTER TABLE usage_calls ADD COLUMN IF NOT EXISTS request_id text")
    op.execute("ALTER TABLE usage_calls ADD COLUMN IF NOT EXISTS code text")
    # The table has a row for each call of ninety days: built while calls are written.
    with op.get_context().autocommit_block():
        op.execute("SET lock_timeout = 0")
        for name, what in _INDEXES.items():
            op.execute(f"DROP INDEX CONCURRENTLY IF EXISTS {name}")
            op.execute(f"CREATE INDEX CONCURRENTLY {name} ON usage_calls {what}")
        op.execute("SET lock_timeout = '5s'")


def downgrade() -> None:
    for name in _INDEXES:
        op.execute(f"DROP INDEX IF EXISTS {name}")
    op.execute("ALTER TABLE usage_calls DROP COLUMN IF EXISTS code, DROP COLUMN IF EXISTS request_id")
