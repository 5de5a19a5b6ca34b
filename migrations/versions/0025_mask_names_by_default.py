"""Names are masked by default where a model outside the process is used: the switch has a third position.

Revision 0025, after 0024. `accounts.mask_names` may be null: nobody chose, and the engine decides. `false`
was the default until now and no choice of anybody's, so it becomes null; `true` stays.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.alter_column("accounts", "mask_names", existing_type=sa.Boolean(), nullable=True)
    # As the tables' owner no row would be seen.
    op.execute("SET LOCAL ROLE candado_system")
    op.execute("UPDATE accounts SET mask_names = NULL WHERE NOT mask_names")
    op.execute("RESET ROLE")


def downgrade() -> None:
    op.execute("SET LOCAL ROLE candado_system")
    op.execute("UPDATE accounts SET mask_names = false WHERE mask_names IS NULL")
    op.execute("RESET ROLE")
    op.alter_column("accounts", "mask_names", existing_type=sa.Boolean(), nullable=False)
