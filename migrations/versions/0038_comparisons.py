"""Comparisons of two versions of a text: counts and wrapped data keys; the answer rests sealed in Redis.

Revision 0038.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0038"
down_revision = "0037"
branch_labels = None
depends_on = None

_COUNTS = (
    "added", "removed", "changed", "moved", "unchanged", "risks_appeared", "risks_went", "risks_stayed",
    "credits_charged",
)  # fmt: skip


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.create_table(
        "comparisons",
        sa.Column("id", sa.UUID(), nullable=False),
        sa.Column("account_id", sa.UUID(), nullable=False),
        sa.Column("api_key_id", sa.UUID(), nullable=False),
        sa.Column("request_id", sa.Text(), nullable=False),
        *(sa.Column(name, sa.Integer(), nullable=False) for name in _COUNTS),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("data_key", sa.LargeBinary(), nullable=False),
        sa.CheckConstraint(
            "least(added, removed, changed, moved, unchanged, risks_appeared, risks_went, risks_stayed, "
            "credits_charged) >= 0",
            name=op.f("ck_comparisons_counts_possible"),
        ),
        sa.CheckConstraint("expires_at > created_at", name=op.f("ck_comparisons_expires_later")),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.id"], name=op.f("fk_comparisons_account_id_accounts")
        ),
        sa.ForeignKeyConstraint(
            ["api_key_id"], ["api_keys.id"], name=op.f("fk_comparisons_api_key_id_api_keys")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_comparisons")),
    )
    op.create_index(
        "ix_comparisons_account_id_created_at", "comparisons", ["account_id", sa.text("created_at DESC")]
    )
    op.create_index("ix_comparisons_expires_at", "comparisons", ["expires_at"])
    op.execute("SELECT protect_tenant_rows('comparisons')")


def downgrade() -> None:
    op.drop_table("comparisons")
