"""Members have a language for mails, and events about the law an index of their own.

Revision 0036.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0036"
down_revision = "0035"
branch_labels = None
depends_on = None

_NAME = "ix_events_law"


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.add_column("members", sa.Column("language", sa.Text(), server_default="es", nullable=False))
    op.create_check_constraint(op.f("ck_members_language_known"), "members", "language IN ('es', 'en')")
    # The table grows with every job: built while events are written.
    with op.get_context().autocommit_block():
        op.execute("SET lock_timeout = 0")
        op.execute(f"DROP INDEX CONCURRENTLY IF EXISTS {_NAME}")
        op.execute(
            f"CREATE INDEX CONCURRENTLY {_NAME} ON events (account_id, seq DESC) "
            "WHERE type IN ('normativa.updated', 'judgment.cited')"
        )
        op.execute("SET lock_timeout = '5s'")


def downgrade() -> None:
    op.drop_index(_NAME, "events")
    op.drop_column("members", "language")
