"""Judgments are found by the number of the decision as well, as lawyers cite the courts that number theirs.

Revision 0058.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0058"
down_revision = "0057"
branch_labels = None
depends_on = None

_NAME = "ix_corpus_judgments_number"


def upgrade() -> None:
    op.create_index(
        _NAME,
        "corpus_judgments",
        ["jurisdiction", "number"],
        postgresql_where=sa.text("number IS NOT NULL"),
    )


def downgrade() -> None:
    op.drop_index(_NAME, "corpus_judgments")
