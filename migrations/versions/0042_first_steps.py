"""Members may put the first steps of their overview away.

Revision 0042.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0042"
down_revision = "0041"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.add_column("members", sa.Column("first_steps_hidden_at", sa.DateTime(timezone=True)))


def downgrade() -> None:
    op.drop_column("members", "first_steps_hidden_at")
