"""Index by which one record of the audit trail is found by its own hash.

Revision 0030.
"""

from __future__ import annotations

from alembic import op

revision = "0030"
down_revision = "0029"
branch_labels = None
depends_on = None

_NAME = "ix_audit_records_account_id_hash"


def upgrade() -> None:
    # The table grows with every analysis: built while records are appended.
    with op.get_context().autocommit_block():
        op.execute("SET lock_timeout = 0")
        op.execute(f"DROP INDEX CONCURRENTLY IF EXISTS {_NAME}")
        op.execute(f"CREATE INDEX CONCURRENTLY {_NAME} ON audit_records (account_id, hash)")
        op.execute("SET lock_timeout = '5s'")


def downgrade() -> None:
    op.drop_index(_NAME, "audit_records")
