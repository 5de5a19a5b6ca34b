"""Jobs that were started together share a matter.

Revision 0040.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0040"
down_revision = "0039"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.add_column("jobs", sa.Column("matter_id", sa.UUID(), nullable=True))
    # A new column has no value to index: the index is made at once, however many jobs there are.
    op.create_index(
        "ix_jobs_account_id_matter_id",
        "jobs",
        ["account_id", "matter_id"],
        postgresql_where=sa.text("matter_id IS NOT NULL"),
    )


def downgrade() -> None:
    op.drop_index("ix_jobs_account_id_matter_id", table_name="jobs")
    op.drop_column("jobs", "matter_id")
