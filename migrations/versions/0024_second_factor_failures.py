"""Wrong codes of second factors are counted; the link of a letter lets codes be entered again.

Revision 0024, after 0019.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"
branch_labels = None
depends_on = None

_TABLE = "one_time_links"


def upgrade() -> None:
    op.add_column(
        "members", sa.Column("totp_failures", sa.SmallInteger(), nullable=False, server_default="0")
    )
    _checks(
        kinds="kind IN ('invitation', 'reset', 'sign_up', 'second_factor')",
        of_a_member="(kind IN ('reset', 'second_factor')) = (member_id IS NOT NULL)",
    )


def downgrade() -> None:
    # As the owner no row is seen: row-level security.
    op.execute("SET LOCAL ROLE candado_system")
    op.execute(f"DELETE FROM {_TABLE} WHERE kind = 'second_factor'")
    op.execute("RESET ROLE")
    _checks(
        kinds="kind IN ('invitation', 'reset', 'sign_up')",
        of_a_member="(kind = 'reset') = (member_id IS NOT NULL)",
    )
    op.drop_column("members", "totp_failures")


def _checks(*, kinds: str, of_a_member: str) -> None:
    for name, condition in (
        ("ck_one_time_links_kind_known", kinds),
        ("ck_one_time_links_reset_of_a_member", of_a_member),
    ):
        op.drop_constraint(op.f(name), _TABLE, type_="check")
        op.create_check_constraint(op.f(name), _TABLE, condition)
