"""The corpus: norms, articles, versions, judgments, passages.

Revision 0009, after 0008.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

# A loader that meets a new jurisdiction owns no table: it asks the owner, who made this function.
_OPEN_PARTITION = """
    CREATE FUNCTION open_corpus_partition(code text) RETURNS void LANGUAGE plpgsql SECURITY DEFINER
    SET search_path FROM CURRENT AS $$
    BEGIN
        IF code !~ '^[A-Z]{2,4}$' THEN
            RAISE EXCEPTION 'not a jurisdiction: %', code;
        END IF;
        EXECUTE format(
            'CREATE TABLE IF NOT EXISTS %I PARTITION OF corpus_passages FOR VALUES IN (%L)',
            'corpus_passages_' || lower(code), code);
    END
    $$
    """


def upgrade() -> None:
    op.create_table(
        "corpus_norms",
        sa.Column("id", sa.UUID(), nullable=False),
        sa.Column("jurisdiction", sa.Text(), nullable=False),
        sa.Column("official_id", sa.Text(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("short_title", sa.Text(), nullable=True),
        sa.Column("rank", sa.Text(), nullable=True),
        sa.Column("number", sa.Text(), nullable=True),
        sa.Column("dated", sa.Date(), nullable=True),
        sa.Column("published", sa.Date(), nullable=True),
        sa.Column("in_force", sa.Date(), nullable=True),
        sa.Column("repealed", sa.Date(), nullable=True),
        sa.Column("repealed_by", sa.Text(), nullable=True),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("url", sa.Text(), nullable=True),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("edition", sa.Date(), nullable=True),
        sa.Column("digest", sa.LargeBinary(), nullable=False),
        sa.Column("loaded_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint(
            "status IN ('in_force', 'repealed', 'expired', 'annulled')",
            name=op.f("ck_corpus_norms_status_known"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_corpus_norms")),
        sa.UniqueConstraint(
            "jurisdiction", "official_id", name=op.f("uq_corpus_norms_jurisdiction_official_id")
        ),
    )
    op.create_table(
        "corpus_articles",
        sa.Column("id", sa.UUID(), nullable=False),
        sa.Column("norm_id", sa.UUID(), nullable=False),
        sa.Column("number", sa.Text(), nullable=False),
        sa.Column("occurrence", sa.SmallInteger(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("heading", sa.Text(), nullable=True),
        sa.Column("path", postgresql.ARRAY(sa.Text()), nullable=False),
        sa.ForeignKeyConstraint(
            ["norm_id"],
            ["corpus_norms.id"],
            name=op.f("fk_corpus_articles_norm_id_corpus_norms"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_corpus_articles")),
        sa.UniqueConstraint(
            "norm_id", "number", "occurrence", name=op.f("uq_corpus_articles_norm_id_number_occurrence")
        ),
    )
    op.create_table(
        "corpus_versions",
        sa.Column("id", sa.UUID(), nullable=False),
        sa.Column("article_id", sa.UUID(), nullable=False),
        sa.Column("version", sa.SmallInteger(), nullable=False),
        sa.Column("in_force_from", sa.Date(), nullable=True),
        sa.Column("in_force_to", sa.Date(), nullable=True),
        sa.Column("amended_by", sa.Text(), nullable=True),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("digest", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["article_id"],
            ["corpus_articles.id"],
            name=op.f("fk_corpus_versions_article_id_corpus_articles"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_corpus_versions")),
        sa.UniqueConstraint("article_id", "version", name=op.f("uq_corpus_versions_article_id_version")),
    )
    op.create_table(
        "corpus_judgments",
        sa.Column("id", sa.UUID(), nullable=False),
        sa.Column("jurisdiction", sa.Text(), nullable=False),
        sa.Column("canonical", sa.Text(), nullable=False),
        sa.Column("court", sa.Text(), nullable=False),
        sa.Column("chamber", sa.Text(), nullable=True),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("number", sa.Text(), nullable=True),
        sa.Column("year", sa.SmallInteger(), nullable=True),
        sa.Column("dated", sa.Date(), nullable=True),
        sa.Column("ecli", sa.Text(), nullable=True),
        sa.Column("roj", sa.Text(), nullable=True),
        sa.Column("docket", sa.Text(), nullable=True),
        sa.Column("judge", sa.Text(), nullable=True),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("summary", sa.Text(), nullable=True),
        sa.Column("url", sa.Text(), nullable=True),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("text_known", sa.Boolean(), nullable=False),
        sa.Column("facts", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("digest", sa.LargeBinary(), nullable=False),
        sa.Column("loaded_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("read_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_corpus_judgments")),
        sa.UniqueConstraint(
            "jurisdiction", "canonical", name=op.f("uq_corpus_judgments_jurisdiction_canonical")
        ),
    )
    for column in ("ecli", "roj"):
        op.create_index(
            f"ix_corpus_judgments_{column}",
            "corpus_judgments",
            [column],
            postgresql_where=sa.text(f"{column} IS NOT NULL"),
        )
    op.create_index(
        "ix_corpus_judgments_unread",
        "corpus_judgments",
        ["id"],
        postgresql_where=sa.text("read_at IS NULL"),
    )
    op.create_table(
        "corpus_passages",
        sa.Column("jurisdiction", sa.Text(), nullable=False),
        sa.Column("id", sa.UUID(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("norm_id", sa.UUID(), nullable=True),
        sa.Column("version_id", sa.UUID(), nullable=True),
        sa.Column("judgment_id", sa.UUID(), nullable=True),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("path", sa.Text(), nullable=False),
        sa.Column("heading", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("in_force_from", sa.Date(), nullable=True),
        sa.Column("in_force_to", sa.Date(), nullable=True),
        sa.Column("indexed_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint("kind IN ('article', 'judgment')", name=op.f("ck_corpus_passages_kind_known")),
        sa.ForeignKeyConstraint(
            ["judgment_id"],
            ["corpus_judgments.id"],
            name=op.f("fk_corpus_passages_judgment_id_corpus_judgments"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["norm_id"],
            ["corpus_norms.id"],
            name=op.f("fk_corpus_passages_norm_id_corpus_norms"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["version_id"],
            ["corpus_versions.id"],
            name=op.f("fk_corpus_passages_version_id_corpus_versions"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("jurisdiction", "id", name=op.f("pk_corpus_passages")),
        postgresql_partition_by="LIST (jurisdiction)",
    )
    for column in ("judgment_id", "norm_id", "version_id"):
        op.create_index(f"ix_corpus_passages_{column}", "corpus_passages", [column])
    op.create_index(
        "ix_corpus_passages_waiting",
        "corpus_passages",
        ["id"],
        postgresql_where=sa.text("indexed_at IS NULL"),
    )
    op.create_table(
        "corpus_loads",
        sa.Column("id", sa.UUID(), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("form", sa.Text(), nullable=False),
        sa.Column("digest", sa.LargeBinary(), nullable=False),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("moved_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("finished_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("position", sa.BigInteger(), nullable=False),
        sa.Column("counts", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("skipped", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_corpus_loads")),
        sa.UniqueConstraint("source", "form", name=op.f("uq_corpus_loads_source_form")),
    )
    op.execute(_OPEN_PARTITION)


def downgrade() -> None:
    op.execute("DROP FUNCTION open_corpus_partition(text)")
    for table in (
        "corpus_loads",
        "corpus_passages",
        "corpus_judgments",
        "corpus_versions",
        "corpus_articles",
        "corpus_norms",
    ):
        op.drop_table(table)
