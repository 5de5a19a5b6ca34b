"""Tables of single sign-on."""

from __future__ import annotations

import uuid
from datetime import datetime

import sqlalchemy as sa
from sqlalchemy.orm import Mapped, mapped_column

from app.platform.postgres.db import Base, created_at, primary_key


class SsoConnection(Base):
    """The OpenID Connect provider of an account. A changed issuer or client is another connection.

    `client_secret` is sealed, null for a public client. `role` is that of members who join by a proved
    domain. `tested_at` is when a member first signed in through it.
    """

    __tablename__ = "sso_connections"

    id: Mapped[uuid.UUID] = primary_key()
    account_id: Mapped[uuid.UUID] = mapped_column(sa.ForeignKey("accounts.id"), unique=True)
    issuer: Mapped[str]
    client_id: Mapped[str]
    client_secret: Mapped[bytes | None] = mapped_column(sa.LargeBinary)
    role: Mapped[str]
    created_at: Mapped[datetime] = created_at()
    tested_at: Mapped[datetime | None]

    __table_args__ = (
        sa.CheckConstraint("role IN ('admin', 'developer', 'compliance')", name="role_known"),
        sa.CheckConstraint("length(issuer) <= 500 AND length(client_id) <= 300", name="lengths"),
    )


class SsoDomain(Base):
    """A domain of mail addresses that an account claims; `verified_at` once its TXT record was seen."""

    __tablename__ = "sso_domains"

    account_id: Mapped[uuid.UUID] = mapped_column(sa.ForeignKey("accounts.id"), primary_key=True)
    domain: Mapped[str] = mapped_column(primary_key=True)
    token: Mapped[str]
    created_at: Mapped[datetime] = created_at()
    verified_at: Mapped[datetime | None]

    __table_args__ = (
        sa.Index(
            "uq_sso_domains_verified",
            "domain",
            unique=True,
            postgresql_where=sa.text("verified_at IS NOT NULL"),
        ),
        sa.CheckConstraint("domain = lower(domain) AND length(domain) <= 253", name="domain_folded"),
    )


class SsoIdentity(Base):
    """As whom the provider knows a member: its `sub`, which outlives a change of address."""

    __tablename__ = "sso_identities"

    member_id: Mapped[uuid.UUID] = mapped_column(
        sa.ForeignKey("members.id", ondelete="CASCADE"), primary_key=True
    )
    account_id: Mapped[uuid.UUID] = mapped_column(sa.ForeignKey("accounts.id"))
    connection_id: Mapped[uuid.UUID] = mapped_column(sa.ForeignKey("sso_connections.id", ondelete="CASCADE"))
    subject: Mapped[str]
    created_at: Mapped[datetime] = created_at()

    __table_args__ = (
        sa.Index("uq_sso_identities_subject", "connection_id", "subject", unique=True),
        sa.Index("ix_sso_identities_account_id", "account_id"),
    )
