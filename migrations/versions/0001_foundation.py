"""Foundation: accounts, members, keys, credits, usage, redaction log, audit trail.

Revision 0001, the first.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

# What was written stays written: an UPDATE or DELETE, by whatever hand, is an error.
APPEND_ONLY = ("credit_ledger", "audit_records", "redaction_events")


def upgrade() -> None:
    op.create_table(
        "accounts",
        sa.Column("id", sa.UUID(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("attestation", sa.Boolean(), nullable=False),
        sa.Column("citator", sa.Boolean(), nullable=False),
        sa.Column("mask_names", sa.Boolean(), nullable=False),
        sa.CheckConstraint("length(name) BETWEEN 1 AND 120", name=op.f("ck_accounts_name_length")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_accounts")),
    )
    op.create_table(
        "usage_calls",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("account_id", sa.UUID(), nullable=False),
        sa.Column("api_key_id", sa.UUID(), nullable=False),
        sa.Column("endpoint", sa.Text(), nullable=False),
        sa.Column("status", sa.SmallInteger(), nullable=False),
        sa.Column("latency_ms", sa.Integer(), nullable=False),
        sa.Column("credits", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_usage_calls")),
    )
    op.create_index("ix_usage_calls_account_id_at", "usage_calls", ["account_id", "at"], unique=False)
    op.create_table(
        "api_keys",
        sa.Column("id", sa.UUID(), nullable=False),
        sa.Column("account_id", sa.UUID(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("key_prefix", sa.Text(), nullable=False),
        sa.Column("key_hash", sa.LargeBinary(), nullable=False),
        sa.Column("role", sa.Text(), nullable=False),
        sa.Column("tier", sa.Text(), nullable=False),
        sa.Column("scopes", postgresql.ARRAY(sa.Text()), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("revoked_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("last_used_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint("role IN ('solo', 'master', 'child')", name=op.f("ck_api_keys_role_known")),
        sa.CheckConstraint(
            "scopes <@ ARRAY['analyze', 'query', 'mcp']", name=op.f("ck_api_keys_scopes_known")
        ),
        sa.CheckConstraint(
            "tier IN ('standard', 'premium', 'enterprise')", name=op.f("ck_api_keys_tier_known")
        ),
        sa.CheckConstraint("length(key_prefix) = 12", name=op.f("ck_api_keys_prefix_length")),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.id"], name=op.f("fk_api_keys_account_id_accounts")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_api_keys")),
        sa.UniqueConstraint("key_hash", name=op.f("uq_api_keys_key_hash")),
    )
    op.create_index(op.f("ix_api_keys_account_id"), "api_keys", ["account_id"], unique=False)
    op.create_table(
        "audit_heads",
        sa.Column("account_id", sa.UUID(), nullable=False),
        sa.Column("seq", sa.BigInteger(), nullable=False),
        sa.Column("previous_hash", sa.Text(), nullable=False),
        sa.Column("hash", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.id"], name=op.f("fk_audit_heads_account_id_accounts")
        ),
        sa.PrimaryKeyConstraint("account_id", name=op.f("pk_audit_heads")),
    )
    op.create_table(
        "credit_balances",
        sa.Column("account_id", sa.UUID(), nullable=False),
        sa.Column("balance", sa.Integer(), nullable=False),
        sa.Column("held", sa.Integer(), nullable=False),
        sa.Column("low_threshold", sa.Integer(), nullable=False),
        sa.Column("low_announced", sa.Boolean(), nullable=False),
        sa.CheckConstraint("balance >= 0", name=op.f("ck_credit_balances_balance_not_negative")),
        sa.CheckConstraint("held BETWEEN 0 AND balance", name=op.f("ck_credit_balances_held_within_balance")),
        sa.CheckConstraint("low_threshold >= 0", name=op.f("ck_credit_balances_threshold_not_negative")),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.id"], name=op.f("fk_credit_balances_account_id_accounts")
        ),
        sa.PrimaryKeyConstraint("account_id", name=op.f("pk_credit_balances")),
    )
    op.create_table(
        "members",
        sa.Column("id", sa.UUID(), nullable=False),
        sa.Column("account_id", sa.UUID(), nullable=False),
        sa.Column("email", sa.Text(), nullable=False),
        sa.Column("password_hash", sa.Text(), nullable=False),
        sa.Column("role", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("last_sign_in_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint(
            "role IN ('owner', 'admin', 'developer', 'compliance')", name=op.f("ck_members_role_known")
        ),
        sa.CheckConstraint("email = lower(email)", name=op.f("ck_members_email_folded")),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name=op.f("fk_members_account_id_accounts")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_members")),
        sa.UniqueConstraint("email", name=op.f("uq_members_email")),
    )
    op.create_index(op.f("ix_members_account_id"), "members", ["account_id"], unique=False)
    op.create_table(
        "redaction_events",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column("account_id", sa.UUID(), nullable=False),
        sa.Column("analysis_id", sa.UUID(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("field_type", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.id"], name=op.f("fk_redaction_events_account_id_accounts")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_redaction_events")),
    )
    op.create_index(
        "ix_redaction_events_account_id_analysis_id",
        "redaction_events",
        ["account_id", "analysis_id"],
        unique=False,
    )
    op.create_table(
        "audit_records",
        sa.Column("id", sa.UUID(), nullable=False),
        sa.Column("account_id", sa.UUID(), nullable=False),
        sa.Column("seq", sa.BigInteger(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("api_key_id", sa.UUID(), nullable=False),
        sa.Column("request_id", sa.Text(), nullable=False),
        sa.Column("content", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("previous_hash", sa.Text(), nullable=False),
        sa.Column("hash", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.id"], name=op.f("fk_audit_records_account_id_accounts")
        ),
        sa.ForeignKeyConstraint(
            ["api_key_id"], ["api_keys.id"], name=op.f("fk_audit_records_api_key_id_api_keys")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_audit_records")),
        sa.UniqueConstraint("account_id", "seq", name=op.f("uq_audit_records_account_id_seq")),
    )
    op.create_index(
        "ix_audit_records_account_id_at",
        "audit_records",
        ["account_id", sa.literal_column("at DESC")],
        unique=False,
    )
    op.create_index(
        "ix_audit_records_account_id_request_id", "audit_records", ["account_id", "request_id"], unique=False
    )
    op.create_table(
        "credit_holds",
        sa.Column("id", sa.UUID(), nullable=False),
        sa.Column("account_id", sa.UUID(), nullable=False),
        sa.Column("api_key_id", sa.UUID(), nullable=False),
        sa.Column("amount", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("amount > 0", name=op.f("ck_credit_holds_amount_positive")),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.id"], name=op.f("fk_credit_holds_account_id_accounts")
        ),
        sa.ForeignKeyConstraint(
            ["api_key_id"], ["api_keys.id"], name=op.f("fk_credit_holds_api_key_id_api_keys")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_credit_holds")),
    )
    op.create_index(op.f("ix_credit_holds_account_id"), "credit_holds", ["account_id"], unique=False)
    op.create_index(op.f("ix_credit_holds_expires_at"), "credit_holds", ["expires_at"], unique=False)
    op.create_table(
        "credit_ledger",
        sa.Column("id", sa.UUID(), nullable=False),
        sa.Column("account_id", sa.UUID(), nullable=False),
        sa.Column("seq", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("amount", sa.Integer(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("balance_after", sa.Integer(), nullable=False),
        sa.Column("api_key_id", sa.UUID(), nullable=True),
        sa.Column("reference_type", sa.Text(), nullable=True),
        sa.Column("reference_id", sa.Text(), nullable=True),
        sa.Column("operation_type", sa.Text(), nullable=True),
        sa.Column("description", sa.Text(), nullable=True),
        sa.CheckConstraint(
            "(kind = 'consumption') = (amount < 0)", name=op.f("ck_credit_ledger_sign_fits_kind")
        ),
        sa.CheckConstraint(
            "kind IN ('purchase', 'consumption', 'refund', 'admin_gift')",
            name=op.f("ck_credit_ledger_kind_known"),
        ),
        sa.CheckConstraint("amount <> 0", name=op.f("ck_credit_ledger_amount_not_zero")),
        sa.CheckConstraint("balance_after >= 0", name=op.f("ck_credit_ledger_balance_after_not_negative")),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.id"], name=op.f("fk_credit_ledger_account_id_accounts")
        ),
        sa.ForeignKeyConstraint(
            ["api_key_id"], ["api_keys.id"], name=op.f("fk_credit_ledger_api_key_id_api_keys")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_credit_ledger")),
        sa.UniqueConstraint("seq", name=op.f("uq_credit_ledger_seq")),
    )
    op.create_index(
        "ix_credit_ledger_account_id_seq",
        "credit_ledger",
        ["account_id", sa.literal_column("seq DESC")],
        unique=False,
    )
    op.execute(
        """
        CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
        END $$
        """
    )
    for table in APPEND_ONLY:
        op.execute(
            f"CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON {table} "
            "FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()"
        )


def downgrade() -> None:
    op.drop_index("ix_credit_ledger_account_id_seq", table_name="credit_ledger")
    op.drop_table("credit_ledger")
    op.drop_index(op.f("ix_credit_holds_expires_at"), table_name="credit_holds")
    op.drop_index(op.f("ix_credit_holds_account_id"), table_name="credit_holds")
    op.drop_table("credit_holds")
    op.drop_index("ix_audit_records_account_id_request_id", table_name="audit_records")
    op.drop_index("ix_audit_records_account_id_at", table_name="audit_records")
    op.drop_table("audit_records")
    op.drop_index("ix_redaction_events_account_id_analysis_id", table_name="redaction_events")
    op.drop_table("redaction_events")
    op.drop_index(op.f("ix_members_account_id"), table_name="members")
    op.drop_table("members")
    op.drop_table("credit_balances")
    op.drop_table("audit_heads")
    op.drop_index(op.f("ix_api_keys_account_id"), table_name="api_keys")
    op.drop_table("api_keys")
    op.drop_index("ix_usage_calls_account_id_at", table_name="usage_calls")
    op.drop_table("usage_calls")
    op.drop_table("accounts")
    op.execute("DROP FUNCTION refuse_change()")
