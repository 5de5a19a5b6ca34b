"""Single sign-on at a provider of the account's own.

Revision 0047.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0047"
down_revision = "0046"
branch_labels = None
depends_on = None

_TIME = sa.DateTime(timezone=True)


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.create_table(
        "sso_connections",
        sa.Column("id", sa.UUID(), nullable=False),
        sa.Column("account_id", sa.UUID(), nullable=False),
        sa.Column("issuer", sa.Text(), nullable=False),
        sa.Column("client_id", sa.Text(), nullable=False),
        sa.Column("client_secret", sa.LargeBinary()),
        sa.Column("role", sa.Text(), nullable=False),
        sa.Column("created_at", _TIME, nullable=False),
        sa.Column("tested_at", _TIME),
        sa.CheckConstraint(
            "role IN ('admin', 'developer', 'compliance')", name=op.f("ck_sso_connections_role_known")
        ),
        sa.CheckConstraint(
            "length(issuer) <= 500 AND length(client_id) <= 300", name=op.f("ck_sso_connections_lengths")
        ),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.id"], name=op.f("fk_sso_connections_account_id_accounts")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sso_connections")),
        sa.UniqueConstraint("account_id", name=op.f("uq_sso_connections_account_id")),
    )
    op.create_table(
        "sso_domains",
        sa.Column("account_id", sa.UUID(), nullable=False),
        sa.Column("domain", sa.Text(), nullable=False),
        sa.Column("token", sa.Text(), nullable=False),
        sa.Column("created_at", _TIME, nullable=False),
        sa.Column("verified_at", _TIME),
        sa.CheckConstraint(
            "domain = lower(domain) AND length(domain) <= 253", name=op.f("ck_sso_domains_domain_folded")
        ),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.id"], name=op.f("fk_sso_domains_account_id_accounts")
        ),
        sa.PrimaryKeyConstraint("account_id", "domain", name=op.f("pk_sso_domains")),
    )
    op.create_index(
        "uq_sso_domains_verified",
        "sso_domains",
        ["domain"],
        unique=True,
        postgresql_where=sa.text("verified_at IS NOT NULL"),
    )
    op.create_table(
        "sso_identities",
        sa.Column("member_id", sa.UUID(), nullable=False),
        sa.Column("account_id", sa.UUID(), nullable=False),
        sa.Column("connection_id", sa.UUID(), nullable=False),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("created_at", _TIME, nullable=False),
        sa.ForeignKeyConstraint(
            ["member_id"],
            ["members.id"],
            name=op.f("fk_sso_identities_member_id_members"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.id"], name=op.f("fk_sso_identities_account_id_accounts")
        ),
        sa.ForeignKeyConstraint(
            ["connection_id"],
            ["sso_connections.id"],
            name=op.f("fk_sso_identities_connection_id_sso_connections"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("member_id", name=op.f("pk_sso_identities")),
    )
    op.create_index("uq_sso_identities_subject", "sso_identities", ["connection_id", "subject"], unique=True)
    op.create_index("ix_sso_identities_account_id", "sso_identities", ["account_id"])
    for table in ("sso_connections", "sso_domains", "sso_identities"):
        op.execute(f"SELECT protect_tenant_rows('{table}')")
    op.add_column("accounts", sa.Column("required_connection", sa.UUID()))


def downgrade() -> None:
    op.drop_column("accounts", "required_connection")
    op.drop_table("sso_identities")
    op.drop_table("sso_domains")
    op.drop_table("sso_connections")
