"""Tables of uploaded documents."""

from __future__ import annotations

import uuid
from datetime import datetime

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql
from sqlalchemy.orm import Mapped, mapped_column

from app.platform.postgres.db import Base


class Document(Base):
    """One uploaded document: figures and its wrapped data key, no name and no content (decision 078).

    File and reading are stored encrypted in Redis, in pieces. `own_until` is when the upload expires by
    itself; `kept_for` has, for each job that uses the document, until when it needs it; `expires_at` is the
    latest of these moments, and past it the document does not exist for anybody.
    """

    __tablename__ = "documents"

    id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    account_id: Mapped[uuid.UUID] = mapped_column(sa.ForeignKey("accounts.id"))
    api_key_id: Mapped[uuid.UUID] = mapped_column(sa.ForeignKey("api_keys.id"))
    media_type: Mapped[str]
    # Null where the format has no pages.
    pages: Mapped[int | None]
    # Code points of the text that was read.
    characters: Mapped[int]
    language: Mapped[str | None]
    ocr: Mapped[bool]
    # Bytes of file and reading in Redis, and in how many pieces each is.
    size: Mapped[int]
    original_pieces: Mapped[int]
    reading_pieces: Mapped[int]
    created_at: Mapped[datetime]
    own_until: Mapped[datetime]
    kept_for: Mapped[dict[str, str]] = mapped_column(postgresql.JSONB, server_default="{}")
    expires_at: Mapped[datetime]
    data_key: Mapped[bytes] = mapped_column(sa.LargeBinary)

    __table_args__ = (
        sa.CheckConstraint(
            "characters >= 0 AND size > 0 AND coalesce(pages, 1) > 0", name="figures_possible"
        ),
        sa.CheckConstraint("expires_at >= own_until", name="expires_last"),
        sa.Index("ix_documents_api_key_id", "api_key_id"),
        sa.Index("ix_documents_account_id", "account_id"),
        sa.Index("ix_documents_expires_at", "expires_at"),
    )
