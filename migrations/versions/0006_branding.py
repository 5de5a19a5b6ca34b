"""Branding: configuration by key, and the logo behind it.

Revision 0006, after 0005.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

_MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    op.create_table(
        "branding_configs",
        sa.Column("api_key_id", sa.UUID(), nullable=False),
        sa.Column("account_id", sa.UUID(), nullable=False),
        sa.Column("branding", sa.Text(), nullable=False),
        sa.Column("partner_brand_name", sa.Text(), nullable=True),
        sa.Column("partner_legal_name", sa.Text(), nullable=True),
        sa.Column("partner_logo_url", sa.Text(), nullable=True),
        sa.Column("partner_primary_color", sa.Text(), nullable=True),
        sa.Column("partner_support_email", sa.Text(), nullable=True),
        sa.Column("partner_website", sa.Text(), nullable=True),
        sa.Column("updated_at", _MOMENT, nullable=False),
        sa.CheckConstraint(
            "branding IN ('nexus', 'partner', 'none')", name=op.f("ck_branding_configs_mode_known")
        ),
        sa.CheckConstraint(
            "branding <> 'partner' OR partner_brand_name IS NOT NULL",
            name=op.f("ck_branding_configs_partner_is_named"),
        ),
        sa.CheckConstraint(
            "length(partner_brand_name) BETWEEN 1 AND 80", name=op.f("ck_branding_configs_brand_name_length")
        ),
        sa.CheckConstraint(
            "length(partner_legal_name) BETWEEN 1 AND 200", name=op.f("ck_branding_configs_legal_name_length")
        ),
        sa.CheckConstraint(
            "partner_primary_color ~ '^#[0-9a-fA-F]{6}$'", name=op.f("ck_branding_configs_color_form")
        ),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.id"], name=op.f("fk_branding_configs_account_id_accounts")
        ),
        sa.ForeignKeyConstraint(
            ["api_key_id"], ["api_keys.id"], name=op.f("fk_branding_configs_api_key_id_api_keys")
        ),
        sa.PrimaryKeyConstraint("api_key_id", name=op.f("pk_branding_configs")),
    )
    op.create_index(op.f("ix_branding_configs_account_id"), "branding_configs", ["account_id"])
    op.create_table(
        "branding_logos",
        sa.Column("api_key_id", sa.UUID(), nullable=False),
        sa.Column("account_id", sa.UUID(), nullable=False),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("next_attempt_at", _MOMENT, nullable=True),
        sa.Column("fetched_at", _MOMENT, nullable=True),
        sa.Column("image", sa.LargeBinary(), nullable=True),
        sa.Column("width", sa.Integer(), nullable=True),
        sa.Column("height", sa.Integer(), nullable=True),
        sa.CheckConstraint(
            "state IN ('wanted', 'ready', 'failed')", name=op.f("ck_branding_logos_state_known")
        ),
        sa.CheckConstraint(
            "(state = 'wanted') = (next_attempt_at IS NOT NULL)",
            name=op.f("ck_branding_logos_wanted_has_turn"),
        ),
        sa.CheckConstraint(
            "(state = 'ready') = (image IS NOT NULL)", name=op.f("ck_branding_logos_ready_has_image")
        ),
        sa.CheckConstraint("octet_length(image) <= 1000000", name=op.f("ck_branding_logos_image_size")),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.id"], name=op.f("fk_branding_logos_account_id_accounts")
        ),
        sa.ForeignKeyConstraint(
            ["api_key_id"],
            ["branding_configs.api_key_id"],
            name=op.f("fk_branding_logos_api_key_id_branding_configs"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("api_key_id", name=op.f("pk_branding_logos")),
    )
    op.create_index(op.f("ix_branding_logos_account_id"), "branding_logos", ["account_id"])
    op.create_index(
        "ix_branding_logos_next_attempt_at",
        "branding_logos",
        ["next_attempt_at"],
        postgresql_where=sa.text("next_attempt_at IS NOT NULL"),
    )


def downgrade() -> None:
    op.drop_table("branding_logos")
    op.drop_table("branding_configs")
