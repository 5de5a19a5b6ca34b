"""Tables of branding."""

from __future__ import annotations

import uuid
from datetime import datetime

import sqlalchemy as sa
from sqlalchemy.orm import Mapped, mapped_column

from app.platform.postgres.db import Base

# Lengths of the wire; of an image after it was made small.
BRAND_NAME_MAX, LEGAL_NAME_MAX, IMAGE_BYTES_MAX = 80, 200, 1_000_000


class BrandingConfig(Base):
    """The branding of a solo or master key, which its children have too; columns are named as in the API."""

    __tablename__ = "branding_configs"

    api_key_id: Mapped[uuid.UUID] = mapped_column(sa.ForeignKey("api_keys.id"), primary_key=True)
    account_id: Mapped[uuid.UUID] = mapped_column(sa.ForeignKey("accounts.id"), index=True)
    branding: Mapped[str]
    partner_brand_name: Mapped[str | None]
    partner_legal_name: Mapped[str | None]
    partner_logo_url: Mapped[str | None]
    partner_primary_color: Mapped[str | None]
    partner_support_email: Mapped[str | None]
    partner_website: Mapped[str | None]
    updated_at: Mapped[datetime]

    __table_args__ = (
        sa.CheckConstraint("branding IN ('nexus', 'partner', 'none')", name="mode_known"),
        sa.CheckConstraint(
            "branding <> 'partner' OR partner_brand_name IS NOT NULL", name="partner_is_named"
        ),
        sa.CheckConstraint("length(partner_brand_name) BETWEEN 1 AND 80", name="brand_name_length"),
        sa.CheckConstraint("length(partner_legal_name) BETWEEN 1 AND 200", name="legal_name_length"),
        sa.CheckConstraint("partner_primary_color ~ '^#[0-9a-fA-F]{6}$'", name="color_form"),
    )


class BrandLogo(Base):
    """The logo at `partner_logo_url`, downloaded, checked and re-encoded.

    `wanted` until it is stored, also between attempts; `failed` for good, with its reason. `next_attempt_at`
    is a lease while a worker downloads it.
    """

    __tablename__ = "branding_logos"

    api_key_id: Mapped[uuid.UUID] = mapped_column(
        sa.ForeignKey("branding_configs.api_key_id", ondelete="CASCADE"), primary_key=True
    )
    account_id: Mapped[uuid.UUID] = mapped_column(sa.ForeignKey("accounts.id"), index=True)
    url: Mapped[str]
    state: Mapped[str]
    reason: Mapped[str | None]
    attempts: Mapped[int]
    next_attempt_at: Mapped[datetime | None]
    fetched_at: Mapped[datetime | None]
    # PNG, whatever came.
    image: Mapped[bytes | None] = mapped_column(sa.LargeBinary)
    width: Mapped[int | None]
    height: Mapped[int | None]

    __table_args__ = (
        sa.CheckConstraint("state IN ('wanted', 'ready', 'failed')", name="state_known"),
        sa.CheckConstraint("(state = 'wanted') = (next_attempt_at IS NOT NULL)", name="wanted_has_turn"),
        sa.CheckConstraint("(state = 'ready') = (image IS NOT NULL)", name="ready_has_image"),
        sa.CheckConstraint("octet_length(image) <= 1000000", name="image_size"),
        sa.Index(
            "ix_branding_logos_next_attempt_at",
            "next_attempt_at",
            postgresql_where=sa.text("next_attempt_at IS NOT NULL"),
        ),
    )
