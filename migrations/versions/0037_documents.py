"""Uploaded documents: figures and wrapped data keys; file and reading rest sealed in Redis.

Revision 0037.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0037"
down_revision = "0036"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.create_table(
        "documents",
        sa.Column("id", sa.UUID(), nullable=False),
        sa.Column("account_id", sa.UUID(), nullable=False),
        sa.Column("api_key_id", sa.UUID(), nullable=False),
        sa.Column("media_type", sa.Text(), nullable=False),
        sa.Column("pages", sa.Integer(), nullable=True),
        sa.Column("characters", sa.Integer(), nullable=False),
        sa.Column("language", sa.Text(), nullable=True),
        sa.Column("ocr", sa.Boolean(), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("original_pieces", sa.Integer(), nullable=False),
        sa.Column("reading_pieces", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("own_until", sa.DateTime(timezone=True), nullable=False),
        sa.Column("kept_for", postgresql.JSONB(), server_default="{}", nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("data_key", sa.LargeBinary(), nullable=False),
        sa.CheckConstraint(
            "characters >= 0 AND size > 0 AND coalesce(pages, 1) > 0",
            name=op.f("ck_documents_figures_possible"),
        ),
        sa.CheckConstraint("expires_at >= own_until", name=op.f("ck_documents_expires_last")),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.id"], name=op.f("fk_documents_account_id_accounts")
        ),
        sa.ForeignKeyConstraint(
            ["api_key_id"], ["api_keys.id"], name=op.f("fk_documents_api_key_id_api_keys")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_documents")),
    )
    op.create_index("ix_documents_api_key_id", "documents", ["api_key_id"])
    op.create_index("ix_documents_account_id", "documents", ["account_id"])
    op.create_index("ix_documents_expires_at", "documents", ["expires_at"])
    op.execute("SELECT protect_tenant_rows('documents')")


def downgrade() -> None:
    op.drop_table("documents")
