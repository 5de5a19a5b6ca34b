"""Documents of the audit trail that a worker makes.

Revision 0015, after 0013.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None

_MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.create_table(
        "audit_documents",
        sa.Column("id", sa.UUID(), nullable=False),
        sa.Column("account_id", sa.UUID(), nullable=False),
        sa.Column("first_day", sa.Date(), nullable=False),
        sa.Column("last_day", sa.Date(), nullable=False),
        sa.Column("api_key_id", sa.UUID(), nullable=True),
        sa.Column("flagged", sa.Boolean(), nullable=False),
        sa.Column("language", sa.Text(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("stage", sa.Text(), nullable=True),
        sa.Column("done", sa.Integer(), nullable=False),
        sa.Column("total", sa.Integer(), nullable=False),
        sa.Column("records", sa.Integer(), nullable=False),
        sa.Column("created_at", _MOMENT, nullable=False),
        sa.Column("due_at", _MOMENT, nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("lease_until", _MOMENT, nullable=True),
        sa.Column("worker", sa.Text(), nullable=True),
        sa.Column("completed_at", _MOMENT, nullable=True),
        sa.Column("error_code", sa.Text(), nullable=True),
        sa.Column("file_key", sa.LargeBinary(), nullable=True),
        sa.Column("parts", sa.Integer(), nullable=False),
        sa.Column("size", sa.BigInteger(), nullable=False),
        sa.Column("expires_at", _MOMENT, nullable=True),
        *(
            sa.CheckConstraint(condition, name=op.f(f"ck_audit_documents_{name}"))
            for name, condition in (
                ("period_forward", "first_day <= last_day"),
                ("language_known", "language IN ('es', 'en')"),
                ("status_known", "status IN ('pending', 'running', 'ready', 'failed', 'expired')"),
                ("stage_known", "stage IN ('chain', 'records', 'pages')"),
                ("running_has_lease", "(status = 'running') = (lease_until IS NOT NULL)"),
                ("ready_has_key", "(status = 'ready') = (file_key IS NOT NULL)"),
                ("failed_has_code", "(status = 'failed') = (error_code IS NOT NULL)"),
                ("ended_has_moment", "(status IN ('pending', 'running')) = (completed_at IS NULL)"),
            )
        ),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.id"], name=op.f("fk_audit_documents_account_id_accounts")
        ),
        sa.ForeignKeyConstraint(
            ["api_key_id"], ["api_keys.id"], name=op.f("fk_audit_documents_api_key_id_api_keys")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_audit_documents")),
    )
    for name, columns, where in (
        ("account_id_created_at", ["account_id", sa.text("created_at DESC")], None),
        ("open", ["created_at"], "status IN ('pending', 'running')"),
        ("kept", ["expires_at"], "file_key IS NOT NULL"),
    ):
        op.create_index(
            f"ix_audit_documents_{name}",
            "audit_documents",
            columns,
            postgresql_where=sa.text(where) if where else None,
        )
    op.execute("SELECT protect_tenant_rows('audit_documents')")


def downgrade() -> None:
    op.drop_table("audit_documents")
