"""The citator keeps the words that say what was done, and knows a law upheld on a condition.

Every text is read again, since what it says was told in less detail.

Revision 0034.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0034"
down_revision = "0033"
branch_labels = None
depends_on = None

_BEFORE = "'cites', 'follows', 'distinguishes', 'overrules', 'annuls', 'declares_unconstitutional'"


def _known(treatments: str) -> None:
    # Named here and not above: outside of a migration there is nothing to ask.
    name = op.f("ck_citator_edges_treatment_known")
    op.drop_constraint(name, "citator_edges", type_="check")
    op.create_check_constraint(name, "citator_edges", f"treatment IN ({treatments}, 'amends', 'repeals')")


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.add_column("citator_edges", sa.Column("line", sa.Text(), nullable=True))
    _known(f"{_BEFORE}, 'upholds_conditionally'")
    op.execute("UPDATE corpus_judgments SET read_at = NULL WHERE text_known")
    op.execute("UPDATE corpus_norms SET read_at = NULL WHERE source <> 'index'")


def downgrade() -> None:
    op.execute("DELETE FROM citator_edges WHERE treatment = 'upholds_conditionally'")
    _known(_BEFORE)
    op.drop_column("citator_edges", "line")
