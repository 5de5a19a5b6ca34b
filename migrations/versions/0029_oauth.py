"""OAuth: clients, grants with their codes, tokens; a key says for which client it was made.

Revision 0029, after 0028.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0029"
down_revision = "0028"
branch_labels = None
depends_on = None

_MOMENT = sa.DateTime(timezone=True)
_TEXTS = postgresql.ARRAY(sa.Text())


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.add_column("api_keys", sa.Column("issued_to", sa.Text(), nullable=True))
    op.create_table(
        "oauth_clients",
        sa.Column("client_id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("redirect_uris", _TEXTS, nullable=False),
        sa.Column("created_at", _MOMENT, nullable=False),
        sa.Column("expires_at", _MOMENT, nullable=False),
        sa.Column("fetched_at", _MOMENT, nullable=True),
        sa.CheckConstraint(
            "length(client_id) BETWEEN 1 AND 1000", name=op.f("ck_oauth_clients_client_id_length")
        ),
        sa.CheckConstraint("length(name) <= 80", name=op.f("ck_oauth_clients_name_length")),
        sa.CheckConstraint(
            "cardinality(redirect_uris) BETWEEN 1 AND 20", name=op.f("ck_oauth_clients_redirect_uris_few")
        ),
        sa.PrimaryKeyConstraint("client_id", name=op.f("pk_oauth_clients")),
    )
    op.create_index("ix_oauth_clients_expires_at", "oauth_clients", ["expires_at"])
    op.create_table(
        "oauth_grants",
        sa.Column("id", sa.UUID(), nullable=False),
        sa.Column("account_id", sa.UUID(), nullable=False),
        sa.Column("client_id", sa.Text(), nullable=False),
        sa.Column("api_key_id", sa.UUID(), nullable=True),
        sa.Column("member_id", sa.UUID(), nullable=False),
        sa.Column("redirect_uri", sa.Text(), nullable=False),
        sa.Column("requested", _TEXTS, nullable=False),
        sa.Column("scopes", _TEXTS, nullable=False),
        sa.Column("audience", sa.Text(), nullable=False),
        sa.Column("code_hash", sa.LargeBinary(), nullable=False),
        sa.Column("code_challenge", sa.Text(), nullable=False),
        sa.Column("code_expires_at", _MOMENT, nullable=False),
        sa.Column("code_used_at", _MOMENT, nullable=True),
        sa.Column("monthly_credit_cap", sa.Integer(), nullable=True),
        sa.Column("created_at", _MOMENT, nullable=False),
        sa.Column("expires_at", _MOMENT, nullable=False),
        sa.CheckConstraint(
            "api_key_id IS NULL OR code_used_at IS NOT NULL", name=op.f("ck_oauth_grants_key_of_a_used_code")
        ),
        sa.CheckConstraint(
            "scopes <@ ARRAY['analyze', 'query', 'mcp']", name=op.f("ck_oauth_grants_scopes_known")
        ),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.id"], name=op.f("fk_oauth_grants_account_id_accounts")
        ),
        sa.ForeignKeyConstraint(
            ["client_id"], ["oauth_clients.client_id"], name=op.f("fk_oauth_grants_client_id_oauth_clients")
        ),
        sa.ForeignKeyConstraint(
            ["api_key_id"], ["api_keys.id"], name=op.f("fk_oauth_grants_api_key_id_api_keys")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_oauth_grants")),
        sa.UniqueConstraint("api_key_id", name=op.f("uq_oauth_grants_api_key_id")),
        sa.UniqueConstraint("code_hash", name=op.f("uq_oauth_grants_code_hash")),
    )
    op.create_index("ix_oauth_grants_account_id", "oauth_grants", ["account_id"])
    op.create_index("ix_oauth_grants_client_id", "oauth_grants", ["client_id"])
    op.create_table(
        "oauth_tokens",
        sa.Column("id", sa.UUID(), nullable=False),
        sa.Column("account_id", sa.UUID(), nullable=False),
        sa.Column("grant_id", sa.UUID(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("token_hash", sa.LargeBinary(), nullable=False),
        sa.Column("created_at", _MOMENT, nullable=False),
        sa.Column("expires_at", _MOMENT, nullable=False),
        sa.Column("rotated_at", _MOMENT, nullable=True),
        sa.CheckConstraint("kind IN ('access', 'refresh')", name=op.f("ck_oauth_tokens_kind_known")),
        sa.CheckConstraint(
            "rotated_at IS NULL OR kind = 'refresh'", name=op.f("ck_oauth_tokens_refresh_tokens_rotate")
        ),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.id"], name=op.f("fk_oauth_tokens_account_id_accounts")
        ),
        sa.ForeignKeyConstraint(
            ["grant_id"],
            ["oauth_grants.id"],
            name=op.f("fk_oauth_tokens_grant_id_oauth_grants"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_oauth_tokens")),
        sa.UniqueConstraint("token_hash", name=op.f("uq_oauth_tokens_token_hash")),
    )
    for column in ("account_id", "grant_id", "expires_at"):
        op.create_index(f"ix_oauth_tokens_{column}", "oauth_tokens", [column])
    for table in ("oauth_grants", "oauth_tokens"):
        op.execute(f"SELECT protect_tenant_rows('{table}')")


def downgrade() -> None:
    for table in ("oauth_tokens", "oauth_grants", "oauth_clients"):
        op.drop_table(table)
    op.drop_column("api_keys", "issued_to")
