"""Watches of laws, articles and judgments; announcements say what they are about.

Revision 0035.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0035"
down_revision = "0034"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.create_table(
        "watches",
        sa.Column("id", sa.UUID(), nullable=False),
        sa.Column("account_id", sa.UUID(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("names", postgresql.ARRAY(sa.Text()), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("article", sa.Text(), nullable=True),
        sa.Column("jurisdiction", sa.Text(), nullable=False),
        sa.Column("url", sa.Text(), nullable=True),
        sa.Column("mail", sa.Boolean(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("kind IN ('law', 'article', 'judgment')", name=op.f("ck_watches_kind_known")),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name=op.f("fk_watches_account_id_accounts")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_watches")),
        sa.UniqueConstraint("account_id", "subject", name=op.f("uq_watches_account_id_subject")),
    )
    op.create_index("ix_watches_names", "watches", ["names"], postgresql_using="gin")
    op.execute("SELECT protect_tenant_rows('watches')")
    op.add_column(
        "announcements",
        sa.Column("subjects", postgresql.ARRAY(sa.Text()), server_default="{}", nullable=False),
    )
    op.add_column(
        "announcements", sa.Column("watchers", sa.Boolean(), server_default=sa.false(), nullable=False)
    )


def downgrade() -> None:
    op.drop_column("announcements", "watchers")
    op.drop_column("announcements", "subjects")
    op.drop_table("watches")
