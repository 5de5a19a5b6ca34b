"""Weight of a job: its documents by their length, by which accounts take turns.

Revision 0032.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0032"
down_revision = "0031"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.add_column("jobs", sa.Column("weight", sa.Integer(), server_default="1", nullable=False))
    # Jobs that wait now have short documents only.
    op.execute("SET LOCAL ROLE candado_system")
    op.execute("UPDATE jobs SET weight = total WHERE status IN ('pending', 'running')")
    op.execute("RESET ROLE")


def downgrade() -> None:
    op.drop_column("jobs", "weight")
