"""Organizations and sub-keys, rotation of keys, the allow-list of addresses.

Revision 0005, after 0004.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "organizations",
        sa.Column("id", sa.UUID(), nullable=False),
        sa.Column("account_id", sa.UUID(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("description", sa.Text(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("deleted_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint("length(name) BETWEEN 2 AND 80", name=op.f("ck_organizations_name_length")),
        sa.CheckConstraint("length(description) <= 300", name=op.f("ck_organizations_description_length")),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.id"], name=op.f("fk_organizations_account_id_accounts")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_organizations")),
    )
    op.create_index(op.f("ix_organizations_account_id"), "organizations", ["account_id"])
    op.create_table(
        "ip_allowlist",
        sa.Column("id", sa.UUID(), nullable=False),
        sa.Column("account_id", sa.UUID(), nullable=False),
        sa.Column("cidr", postgresql.CIDR(), nullable=False),
        sa.Column("label", sa.Text(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("length(label) <= 80", name=op.f("ck_ip_allowlist_label_length")),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.id"], name=op.f("fk_ip_allowlist_account_id_accounts")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_ip_allowlist")),
        sa.UniqueConstraint("account_id", "cidr", name=op.f("uq_ip_allowlist_account_id_cidr")),
    )
    op.add_column("api_keys", sa.Column("organization_id", sa.UUID(), nullable=True))
    op.add_column("api_keys", sa.Column("parent_key_id", sa.UUID(), nullable=True))
    op.add_column("api_keys", sa.Column("child_label", sa.Text(), nullable=True))
    op.add_column("api_keys", sa.Column("previous_hash", sa.LargeBinary(), nullable=True))
    op.add_column("api_keys", sa.Column("previous_until", sa.DateTime(timezone=True), nullable=True))
    for column, table in (("organization_id", "organizations"), ("parent_key_id", "api_keys")):
        op.create_foreign_key(op.f(f"fk_api_keys_{column}_{table}"), "api_keys", table, [column], ["id"])
    op.create_index(
        "uq_api_keys_previous_hash",
        "api_keys",
        ["previous_hash"],
        unique=True,
        postgresql_where=sa.text("previous_hash IS NOT NULL"),
    )
    op.create_index(
        "ix_api_keys_organization_id",
        "api_keys",
        ["organization_id"],
        postgresql_where=sa.text("organization_id IS NOT NULL"),
    )
    op.create_check_constraint(
        op.f("ck_api_keys_child_has_parent"), "api_keys", "(role = 'child') = (parent_key_id IS NOT NULL)"
    )
    op.create_check_constraint(
        op.f("ck_api_keys_organization_known"), "api_keys", "role = 'solo' OR organization_id IS NOT NULL"
    )


def downgrade() -> None:
    op.drop_constraint(op.f("ck_api_keys_organization_known"), "api_keys")
    op.drop_constraint(op.f("ck_api_keys_child_has_parent"), "api_keys")
    for column in ("previous_until", "previous_hash", "child_label", "parent_key_id", "organization_id"):
        op.drop_column("api_keys", column)
    op.drop_table("ip_allowlist")
    op.drop_table("organizations")
