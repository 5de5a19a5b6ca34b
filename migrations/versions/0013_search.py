"""Search: entries and postings of the inverted index, vectors and the models that made them.

Revision 0013, after 0012.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from pgvector.sqlalchemy import HALFVEC

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None

# Whoever indexes a new jurisdiction owns no table: it asks the owner, who made these functions.
_OPEN = """
    CREATE FUNCTION open_search_partition(code text) RETURNS void LANGUAGE plpgsql SECURITY DEFINER
    SET search_path FROM CURRENT AS $$
    DECLARE
        parent text;
    BEGIN
        IF code !~ '^[A-Z]{2,4}$' THEN
            RAISE EXCEPTION 'not a jurisdiction: %', code;
        END IF;
        FOREACH parent IN ARRAY ARRAY['search_entries', 'search_postings', 'search_vectors'] LOOP
            EXECUTE format('CREATE TABLE IF NOT EXISTS %I PARTITION OF %I FOR VALUES IN (%L)',
                parent || '_' || lower(code), parent, code);
        END LOOP;
    END
    $$
    """
# One index per shelf and model: vectors of different lengths stand in one column.
_INDEX = """
    CREATE FUNCTION index_search_vectors(code text, shelf text, made_by text, dimensions integer)
    RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
    BEGIN
        IF code !~ '^[A-Z]{2,4}$' OR shelf NOT IN ('article', 'judgment') OR dimensions NOT BETWEEN 1 AND 4000
        THEN
            RAISE EXCEPTION 'not a shelf of vectors: % %', code, shelf;
        END IF;
        EXECUTE format(
            'CREATE INDEX IF NOT EXISTS %I ON %I USING hnsw ((embedding::halfvec(%s)) halfvec_cosine_ops) '
            || 'WITH (m = 16, ef_construction = 128) WHERE kind = %L AND model = %L',
            'hnsw_' || lower(code) || '_' || shelf || '_' || substr(md5(made_by), 1, 12),
            'search_vectors_' || lower(code), dimensions, shelf, made_by);
    END
    $$
    """
_DROP = """
    CREATE FUNCTION drop_search_vectors_index(code text, shelf text, made_by text)
    RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
    BEGIN
        EXECUTE format('DROP INDEX IF EXISTS %I',
            'hnsw_' || lower(code) || '_' || shelf || '_' || substr(md5(made_by), 1, 12));
    END
    $$
    """
_FUNCTIONS = (
    "open_search_partition(text)",
    "index_search_vectors(text, text, text, integer)",
    "drop_search_vectors_index(text, text, text)",
)


def _passage(table: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(
        ["jurisdiction", "passage_id"],
        ["corpus_passages.jurisdiction", "corpus_passages.id"],
        name=op.f(f"fk_{table}_jurisdiction_corpus_passages"),
        ondelete="CASCADE",
    )


def _kind(table: str) -> sa.CheckConstraint:
    return sa.CheckConstraint("kind IN ('article', 'judgment')", name=op.f(f"ck_{table}_kind_known"))


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.execute("CREATE EXTENSION IF NOT EXISTS vector")
    op.create_table(
        "search_shelves",
        sa.Column("jurisdiction", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("epoch", sa.Integer(), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("model", sa.Text(), nullable=True),
        _kind("search_shelves"),
        sa.PrimaryKeyConstraint("jurisdiction", "kind", name=op.f("pk_search_shelves")),
    )
    op.create_table(
        "search_entries",
        sa.Column("jurisdiction", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("ordinal", sa.Integer(), nullable=False),
        sa.Column("passage_id", sa.UUID(), nullable=False),
        sa.Column("replaces", sa.Integer(), nullable=True),
        sa.Column("in_force_from", sa.Date(), nullable=True),
        sa.Column("in_force_to", sa.Date(), nullable=True),
        _passage("search_entries"),
        sa.PrimaryKeyConstraint("jurisdiction", "kind", "ordinal", name=op.f("pk_search_entries")),
        sa.UniqueConstraint(
            "jurisdiction", "passage_id", name=op.f("uq_search_entries_jurisdiction_passage_id")
        ),
        postgresql_partition_by="LIST (jurisdiction)",
    )
    op.create_table(
        "search_postings",
        sa.Column("jurisdiction", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("stem", sa.Text(), nullable=False),
        sa.Column("block", sa.Integer(), nullable=False),
        sa.Column("postings", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("jurisdiction", "kind", "stem", "block", name=op.f("pk_search_postings")),
        postgresql_partition_by="LIST (jurisdiction)",
    )
    # Read whole and appended to: compressing would cost more than it saves.
    op.execute("ALTER TABLE search_postings ALTER COLUMN postings SET STORAGE EXTERNAL")
    op.create_table(
        "search_models",
        sa.Column("model", sa.Text(), nullable=False),
        sa.Column("jurisdiction", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("dimensions", sa.Integer(), nullable=False),
        sa.Column("passages", sa.Integer(), nullable=False),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("jurisdiction", "kind", "model", name=op.f("pk_search_models")),
    )
    op.create_table(
        "search_projections",
        sa.Column("model", sa.Text(), nullable=False),
        sa.Column("stem", sa.Text(), nullable=False),
        sa.Column("weights", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("model", "stem", name=op.f("pk_search_projections")),
    )
    op.create_table(
        "search_vectors",
        sa.Column("jurisdiction", sa.Text(), nullable=False),
        sa.Column("model", sa.Text(), nullable=False),
        sa.Column("passage_id", sa.UUID(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("embedding", HALFVEC(), nullable=False),
        _passage("search_vectors"),
        sa.PrimaryKeyConstraint("jurisdiction", "model", "passage_id", name=op.f("pk_search_vectors")),
        postgresql_partition_by="LIST (jurisdiction)",
    )
    op.create_index("ix_search_vectors_passage_id", "search_vectors", ["passage_id"])
    for statement in (_OPEN, _INDEX, _DROP):
        op.execute(statement)
    for function in _FUNCTIONS:
        op.execute(f"REVOKE EXECUTE ON FUNCTION {function} FROM PUBLIC")
        op.execute(f"GRANT EXECUTE ON FUNCTION {function} TO candado_system")


def downgrade() -> None:
    for function in _FUNCTIONS:
        op.execute(f"DROP FUNCTION {function}")
    for table in (
        "search_vectors",
        "search_projections",
        "search_models",
        "search_postings",
        "search_entries",
        "search_shelves",
    ):
        op.drop_table(table)
