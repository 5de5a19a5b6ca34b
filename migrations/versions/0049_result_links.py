"""Links to the result of an analysis.

Revision 0049.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0049"
down_revision = "0048"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.create_table(
        "result_links",
        sa.Column("id", sa.UUID(), nullable=False),
        sa.Column("account_id", sa.UUID(), nullable=False),
        sa.Column("job_id", sa.UUID(), nullable=False),
        sa.Column("member_id", sa.UUID(), nullable=False),
        sa.Column("audience", sa.Text(), nullable=False),
        sa.Column("token_hash", sa.LargeBinary(), nullable=False),
        sa.Column("password_hash", sa.Text(), nullable=True),
        sa.Column("tries", sa.Integer(), nullable=False, server_default="0"),
        sa.Column("opened", sa.Integer(), nullable=False, server_default="0"),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint(
            "audience IN ('members', 'password')", name=op.f("ck_result_links_audience_known")
        ),
        sa.CheckConstraint(
            "(audience = 'password') = (password_hash IS NOT NULL)",
            name=op.f("ck_result_links_password_where_asked"),
        ),
        sa.CheckConstraint("octet_length(token_hash) = 32", name=op.f("ck_result_links_token_hash_length")),
        sa.CheckConstraint("tries >= 0 AND opened >= 0", name=op.f("ck_result_links_counts_possible")),
        sa.CheckConstraint("expires_at > created_at", name=op.f("ck_result_links_expires_later")),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.id"], name=op.f("fk_result_links_account_id_accounts")
        ),
        sa.ForeignKeyConstraint(
            ["job_id"], ["jobs.id"], name=op.f("fk_result_links_job_id_jobs"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["member_id"], ["members.id"], name=op.f("fk_result_links_member_id_members"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_result_links")),
        sa.UniqueConstraint("token_hash", name=op.f("uq_result_links_token_hash")),
    )
    op.create_index("ix_result_links_account_id_job_id", "result_links", ["account_id", "job_id"])
    op.create_index("ix_result_links_job_id", "result_links", ["job_id"])
    op.create_index("ix_result_links_member_id", "result_links", ["member_id"])
    op.create_index("ix_result_links_expires_at", "result_links", ["expires_at"])
    op.execute("SELECT protect_tenant_rows('result_links')")


def downgrade() -> None:
    op.drop_table("result_links")
