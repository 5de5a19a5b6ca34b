"""The citator: its edges, and the marks of what it has read.

Revision 0010, after 0009.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.add_column("corpus_norms", sa.Column("whole", sa.Boolean(), server_default=sa.false(), nullable=False))
    op.add_column("corpus_norms", sa.Column("read_at", sa.DateTime(timezone=True), nullable=True))
    op.create_index(
        "ix_corpus_norms_unread", "corpus_norms", ["id"], postgresql_where=sa.text("read_at IS NULL")
    )
    op.create_index("ix_corpus_judgments_series", "corpus_judgments", ["jurisdiction", "court", "year"])
    op.create_table(
        "citator_edges",
        sa.Column("id", sa.UUID(), nullable=False),
        sa.Column("jurisdiction", sa.Text(), nullable=False),
        sa.Column("reader", sa.UUID(), nullable=False),
        sa.Column("citing_kind", sa.Text(), nullable=False),
        sa.Column("citing", sa.Text(), nullable=False),
        sa.Column("cited_kind", sa.Text(), nullable=False),
        sa.Column("cited", sa.Text(), nullable=False),
        sa.Column("article", sa.Text(), server_default="", nullable=False),
        sa.Column("treatment", sa.Text(), nullable=False),
        sa.Column("partial", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("times", sa.Integer(), nullable=False),
        sa.Column("dated", sa.Date(), nullable=True),
        sa.Column("source", sa.Text(), nullable=False),
        sa.CheckConstraint("citing_kind IN ('judgment', 'norm')", name=op.f("ck_citator_edges_citing_known")),
        sa.CheckConstraint("cited_kind IN ('judgment', 'norm')", name=op.f("ck_citator_edges_cited_known")),
        sa.CheckConstraint(
            "treatment IN ('cites', 'follows', 'distinguishes', 'overrules', 'annuls', "
            "'declares_unconstitutional', 'amends', 'repeals')",
            name=op.f("ck_citator_edges_treatment_known"),
        ),
        sa.CheckConstraint(
            "source IN ('text', 'reported', 'registry', 'versions')",
            name=op.f("ck_citator_edges_source_known"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_citator_edges")),
    )
    op.create_index("ix_citator_edges_cited_article", "citator_edges", ["cited", "article"])
    op.create_index("ix_citator_edges_citing", "citator_edges", ["citing"])
    op.create_index("ix_citator_edges_reader", "citator_edges", ["reader"])


def downgrade() -> None:
    op.drop_table("citator_edges")
    op.drop_index("ix_corpus_judgments_series", "corpus_judgments")
    op.drop_index("ix_corpus_norms_unread", "corpus_norms")
    op.drop_column("corpus_norms", "read_at")
    op.drop_column("corpus_norms", "whole")
