"""The portal: one-time links, second factors, plans, letters that wait to leave.

Revision 0011, after 0010.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "one_time_links",
        sa.Column("id", sa.UUID(), nullable=False),
        sa.Column("account_id", sa.UUID(), nullable=True),
        sa.Column("member_id", sa.UUID(), nullable=True),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("email", sa.Text(), nullable=False),
        sa.Column("role", sa.Text(), nullable=True),
        sa.Column("token_hash", sa.LargeBinary(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint(
            "kind IN ('invitation', 'reset', 'sign_up')", name=op.f("ck_one_time_links_kind_known")
        ),
        sa.CheckConstraint(
            "(kind = 'invitation') = (role IS NOT NULL)", name=op.f("ck_one_time_links_invited_to_a_role")
        ),
        sa.CheckConstraint(
            "(kind = 'reset') = (member_id IS NOT NULL)", name=op.f("ck_one_time_links_reset_of_a_member")
        ),
        sa.CheckConstraint(
            "(kind = 'sign_up') = (account_id IS NULL)", name=op.f("ck_one_time_links_of_an_account")
        ),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.id"], name=op.f("fk_one_time_links_account_id_accounts")
        ),
        sa.ForeignKeyConstraint(
            ["member_id"],
            ["members.id"],
            name=op.f("fk_one_time_links_member_id_members"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_one_time_links")),
        sa.UniqueConstraint("token_hash", name=op.f("uq_one_time_links_token_hash")),
    )
    op.create_index(op.f("ix_one_time_links_account_id"), "one_time_links", ["account_id"])
    op.create_index(op.f("ix_one_time_links_email"), "one_time_links", ["email"])
    op.create_table(
        "outgoing_mails",
        sa.Column("id", sa.UUID(), nullable=False),
        sa.Column("account_id", sa.UUID(), nullable=True),
        sa.Column("sealed", sa.LargeBinary(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("attempts", sa.SmallInteger(), nullable=False),
        sa.Column("next_attempt_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.id"], name=op.f("fk_outgoing_mails_account_id_accounts")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_outgoing_mails")),
    )
    op.create_index("ix_outgoing_mails_next_attempt_at", "outgoing_mails", ["next_attempt_at"])
    op.add_column("members", sa.Column("totp_secret", sa.LargeBinary(), nullable=True))
    op.add_column("members", sa.Column("totp_last_step", sa.BigInteger(), nullable=True))
    op.add_column(
        "members",
        sa.Column("recovery_hashes", postgresql.ARRAY(sa.LargeBinary()), nullable=False, server_default="{}"),
    )
    # Who was here before plans had every tier.
    op.add_column("accounts", sa.Column("plan", sa.Text(), nullable=False, server_default="enterprise"))
    op.add_column("accounts", sa.Column("time_zone", sa.Text(), nullable=False, server_default="UTC"))
    op.add_column("accounts", sa.Column("closed_at", sa.DateTime(timezone=True), nullable=True))
    op.create_check_constraint(
        op.f("ck_accounts_plan_known"), "accounts", "plan IN ('standard', 'premium', 'enterprise')"
    )


def downgrade() -> None:
    op.drop_constraint(op.f("ck_accounts_plan_known"), "accounts")
    for column in ("closed_at", "time_zone", "plan"):
        op.drop_column("accounts", column)
    for column in ("recovery_hashes", "totp_last_step", "totp_secret"):
        op.drop_column("members", column)
    op.drop_table("outgoing_mails")
    op.drop_table("one_time_links")
