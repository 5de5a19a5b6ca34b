"""Jobs.

Revision 0008, after 0007.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

_MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    op.create_table(
        "jobs",
        sa.Column("id", sa.UUID(), nullable=False),
        sa.Column("account_id", sa.UUID(), nullable=False),
        sa.Column("api_key_id", sa.UUID(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("request_id", sa.Text(), nullable=False),
        sa.Column("idempotency_key", sa.Text(), nullable=True),
        sa.Column("poll_url", sa.Text(), nullable=False),
        sa.Column("total", sa.Integer(), nullable=False),
        sa.Column("done", sa.Integer(), nullable=False),
        sa.Column("hold_id", sa.UUID(), nullable=False),
        sa.Column("credits_charged", sa.Integer(), nullable=False),
        sa.Column("created_at", _MOMENT, nullable=False),
        sa.Column("started_at", _MOMENT, nullable=True),
        sa.Column("completed_at", _MOMENT, nullable=True),
        sa.Column("expires_at", _MOMENT, nullable=False),
        sa.Column("due_at", _MOMENT, nullable=False),
        sa.Column("queued_at", _MOMENT, nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("lease_until", _MOMENT, nullable=True),
        sa.Column("worker", sa.Text(), nullable=True),
        sa.Column("error_code", sa.Text(), nullable=True),
        sa.Column("payload_key", sa.LargeBinary(), nullable=True),
        sa.Column("result_key", sa.LargeBinary(), nullable=True),
        sa.Column("result_expires_at", _MOMENT, nullable=True),
        *(
            sa.CheckConstraint(condition, name=op.f(f"ck_jobs_{name}"))
            for name, condition in (
                ("kind_known", "kind IN ('analyze', 'analyze_batch')"),
                ("status_known", "status IN ('pending', 'running', 'completed', 'failed', 'cancelled')"),
                ("done_within_total", "done BETWEEN 0 AND total AND total > 0"),
                ("running_has_lease", "(status = 'running') = (lease_until IS NOT NULL)"),
                (
                    "payload_key_while_open",
                    "(status IN ('pending', 'running')) = (payload_key IS NOT NULL)",
                ),
                ("result_key_when_completed", "result_key IS NULL OR status = 'completed'"),
                ("ended_has_moment", "(status IN ('pending', 'running')) = (completed_at IS NULL)"),
                ("failed_has_code", "(status = 'failed') = (error_code IS NOT NULL)"),
                (
                    "charged_when_completed",
                    "credits_charged = 0 OR (status = 'completed' AND credits_charged > 0)",
                ),
            )
        ),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name=op.f("fk_jobs_account_id_accounts")),
        sa.ForeignKeyConstraint(["api_key_id"], ["api_keys.id"], name=op.f("fk_jobs_api_key_id_api_keys")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_jobs")),
    )
    newest = sa.text("created_at DESC")
    for name, columns, where in (
        ("api_key_id_created_at", ["api_key_id", newest], None),
        ("account_id_created_at", ["account_id", newest], None),
        ("idempotency", ["account_id", "kind", "idempotency_key"], "idempotency_key IS NOT NULL"),
        ("pending_of_key", ["api_key_id"], "status = 'pending'"),
        ("pending", ["queued_at"], "status = 'pending'"),
        ("leases", ["lease_until"], "status = 'running'"),
        ("results", ["result_expires_at"], "result_key IS NOT NULL"),
        ("ended", ["completed_at"], "completed_at IS NOT NULL"),
    ):
        op.create_index(
            f"ix_jobs_{name}", "jobs", columns, postgresql_where=sa.text(where) if where else None
        )


def downgrade() -> None:
    op.drop_table("jobs")
