"""Tables of tenancy."""

from __future__ import annotations

import uuid
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import ARRAY, CIDR, JSONB
from sqlalchemy.orm import Mapped, mapped_column

from app.platform.postgres.db import Base, created_at, primary_key


class Account(Base):
    """A tenant, which owns members, keys and credits, with its add-ons and privacy options (decision 006)."""

    __tablename__ = "accounts"

    id: Mapped[uuid.UUID] = primary_key()
    name: Mapped[str]
    created_at: Mapped[datetime] = created_at()
    attestation: Mapped[bool] = mapped_column(default=False)
    citator: Mapped[bool] = mapped_column(default=False)
    # Null: nobody chose; names are masked where an engine outside the process is used (decision 024).
    mask_names: Mapped[bool | None]
    # The highest tier its keys may have.
    plan: Mapped[str] = mapped_column(default="enterprise", server_default="enterprise")
    # In which the portal shows times; what is counted by day is counted in UTC.
    time_zone: Mapped[str] = mapped_column(default="UTC", server_default="UTC")
    # Without one, members see no page but the one that sets it up.
    second_factor_required: Mapped[bool] = mapped_column(default=False, server_default=sa.false())
    # The single sign-on (`app/sso`) without which members but owners have no session.
    required_connection: Mapped[uuid.UUID | None]
    closed_at: Mapped[datetime | None]
    # When nothing was left to delete of it (portal/closing.py).
    erased_at: Mapped[datetime | None]

    __table_args__ = (
        sa.Index(
            "ix_accounts_to_erase",
            "closed_at",
            postgresql_where=sa.text("closed_at IS NOT NULL AND erased_at IS NULL"),
        ),
        sa.CheckConstraint("length(name) BETWEEN 1 AND 120", name="name_length"),
        sa.CheckConstraint("plan IN ('standard', 'premium', 'enterprise')", name="plan_known"),
    )


class Member(Base):
    """A person who signs in to the portal. `email` is in lower case.

    `totp_secret` is encrypted; `totp_last_step` is the last 30-second step whose code was used, so that a
    code is accepted once; `totp_failures` counts wrong codes since the last right one. `recovery_hashes` are
    SHA-256 of codes with 80 random bits each. `language` is that of the mails the person did not ask for: the
    one in which they last used the portal. `first_steps_hidden_at` is when they put the first steps of the
    overview away.
    """

    __tablename__ = "members"

    id: Mapped[uuid.UUID] = primary_key()
    account_id: Mapped[uuid.UUID] = mapped_column(sa.ForeignKey("accounts.id"), index=True)
    email: Mapped[str] = mapped_column(unique=True)
    password_hash: Mapped[str]
    role: Mapped[str]
    created_at: Mapped[datetime] = created_at()
    last_sign_in_at: Mapped[datetime | None]
    language: Mapped[str] = mapped_column(default="es", server_default="es")
    totp_secret: Mapped[bytes | None] = mapped_column(sa.LargeBinary)
    totp_last_step: Mapped[int | None] = mapped_column(sa.BigInteger)
    totp_failures: Mapped[int] = mapped_column(sa.SmallInteger, default=0, server_default="0")
    recovery_hashes: Mapped[list[bytes]] = mapped_column(
        ARRAY(sa.LargeBinary), default=list, server_default="{}"
    )
    first_steps_hidden_at: Mapped[datetime | None]

    __table_args__ = (
        sa.CheckConstraint("email = lower(email)", name="email_folded"),
        sa.CheckConstraint("role IN ('owner', 'admin', 'developer', 'compliance')", name="role_known"),
        sa.CheckConstraint("language IN ('es', 'en')", name="language_known"),
    )


class OneTimeLink(Base):
    """A link in a mail that can be used once.

    It is an invitation, a password reset, a sign-up, or unlocks the second factor. The row holds only the
    SHA-256 of its token. A sign-up has no account yet.
    """

    __tablename__ = "one_time_links"

    id: Mapped[uuid.UUID] = primary_key()
    account_id: Mapped[uuid.UUID | None] = mapped_column(sa.ForeignKey("accounts.id"), index=True)
    member_id: Mapped[uuid.UUID | None] = mapped_column(sa.ForeignKey("members.id", ondelete="CASCADE"))
    kind: Mapped[str]
    email: Mapped[str] = mapped_column(index=True)
    role: Mapped[str | None]
    token_hash: Mapped[bytes] = mapped_column(sa.LargeBinary, unique=True)
    created_at: Mapped[datetime] = created_at()
    expires_at: Mapped[datetime]

    __table_args__ = (
        sa.CheckConstraint("kind IN ('invitation', 'reset', 'sign_up', 'second_factor')", name="kind_known"),
        sa.CheckConstraint("(kind = 'invitation') = (role IS NOT NULL)", name="invited_to_a_role"),
        sa.CheckConstraint(
            "(kind IN ('reset', 'second_factor')) = (member_id IS NOT NULL)", name="reset_of_a_member"
        ),
        sa.CheckConstraint("(kind = 'sign_up') = (account_id IS NULL)", name="of_an_account"),
    )


class Organization(Base):
    """A group of child keys under one master key.

    Deletion is soft, because usage and audit records refer to the row.
    """

    __tablename__ = "organizations"

    id: Mapped[uuid.UUID] = primary_key()
    account_id: Mapped[uuid.UUID] = mapped_column(sa.ForeignKey("accounts.id"), index=True)
    name: Mapped[str]
    description: Mapped[str | None]
    created_at: Mapped[datetime] = created_at()
    deleted_at: Mapped[datetime | None]

    __table_args__ = (
        sa.CheckConstraint("length(name) BETWEEN 2 AND 80", name="name_length"),
        sa.CheckConstraint("length(description) <= 300", name="description_length"),
    )


class EnforcementPolicy(Base):
    """Whether outputs with a broken citation are withheld: of a key, an organization or the account ("user").

    `target_id` is the key's or the organization's id, null for the account. `version` goes up with each
    change.
    """

    __tablename__ = "enforcement_policies"

    id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    account_id: Mapped[uuid.UUID] = mapped_column(sa.ForeignKey("accounts.id"))
    scope: Mapped[str]
    target_id: Mapped[uuid.UUID | None]
    enabled: Mapped[bool]
    version: Mapped[int]
    updated_at: Mapped[datetime]

    __table_args__ = (
        sa.CheckConstraint("scope IN ('api_key', 'organization', 'user')", name="scope_known"),
        sa.CheckConstraint("(scope = 'user') = (target_id IS NULL)", name="target_fits"),
        sa.UniqueConstraint("account_id", "scope", "target_id"),
        sa.Index(
            "uq_enforcement_policies_user",
            "account_id",
            unique=True,
            postgresql_where=sa.text("scope = 'user'"),
        ),
    )


class AllowedAddress(Base):
    """A network that may use the account's keys. Without any row every address is allowed."""

    __tablename__ = "ip_allowlist"

    id: Mapped[uuid.UUID] = primary_key()
    account_id: Mapped[uuid.UUID] = mapped_column(sa.ForeignKey("accounts.id"))
    cidr: Mapped[str] = mapped_column(CIDR)
    label: Mapped[str | None]
    created_at: Mapped[datetime] = created_at()

    __table_args__ = (
        sa.UniqueConstraint("account_id", "cidr"),
        sa.CheckConstraint("length(label) <= 80", name="label_length"),
    )


class ApiKey(Base):
    """An API key. `key_hash` is SHA-256 of the plaintext, which has 190 random bits and so needs no salt.

    After a rotation `previous_hash` is accepted too, until `previous_until`. A child refers to its
    organization and its master for good; a master refers to its organization while it has one. `created_by`
    is the member who created it in the portal; it is kept when the member leaves, so it is no foreign key.
    """

    __tablename__ = "api_keys"

    id: Mapped[uuid.UUID] = primary_key()
    account_id: Mapped[uuid.UUID] = mapped_column(sa.ForeignKey("accounts.id"))
    name: Mapped[str]
    key_prefix: Mapped[str]
    key_hash: Mapped[bytes] = mapped_column(sa.LargeBinary, unique=True)
    role: Mapped[str] = mapped_column(default="solo")
    tier: Mapped[str]
    scopes: Mapped[list[str]] = mapped_column(ARRAY(sa.Text))
    created_at: Mapped[datetime] = created_at()
    expires_at: Mapped[datetime | None]
    revoked_at: Mapped[datetime | None]
    last_used_at: Mapped[datetime | None]
    monthly_credit_cap: Mapped[int | None]
    organization_id: Mapped[uuid.UUID | None] = mapped_column(sa.ForeignKey("organizations.id"))
    parent_key_id: Mapped[uuid.UUID | None] = mapped_column(sa.ForeignKey("api_keys.id"))
    child_label: Mapped[str | None]
    previous_hash: Mapped[bytes | None] = mapped_column(sa.LargeBinary)
    previous_until: Mapped[datetime | None]
    created_by: Mapped[uuid.UUID | None]
    # Host of the client for whose OAuth grant the key was made; tokens open it, nobody has its plaintext.
    issued_to: Mapped[str | None]

    __table_args__ = (
        # The order of `register`: those in use first, then by age.
        sa.Index(
            "ix_api_keys_register",
            "account_id",
            sa.text("(revoked_at IS NULL) DESC"),
            sa.text("created_at DESC"),
            sa.text("id DESC"),
        ),
        sa.Index(
            "uq_api_keys_previous_hash",
            "previous_hash",
            unique=True,
            postgresql_where=sa.text("previous_hash IS NOT NULL"),
        ),
        sa.Index(
            "ix_api_keys_organization_id",
            "organization_id",
            postgresql_where=sa.text("organization_id IS NOT NULL"),
        ),
        sa.CheckConstraint("(role = 'child') = (parent_key_id IS NOT NULL)", name="child_has_parent"),
        sa.CheckConstraint("role = 'solo' OR organization_id IS NOT NULL", name="organization_known"),
        sa.CheckConstraint("monthly_credit_cap >= 0", name="cap_not_negative"),
        sa.CheckConstraint("role IN ('solo', 'master', 'child')", name="role_known"),
        sa.CheckConstraint("tier IN ('standard', 'premium', 'enterprise')", name="tier_known"),
        sa.CheckConstraint("scopes <@ ARRAY['analyze', 'query', 'mcp']", name="scopes_known"),
        sa.CheckConstraint("length(key_prefix) = 12", name="prefix_length"),
    )

    @property
    def active(self) -> bool:
        """Whether the key is not revoked; an expired key is still active in this sense (see `expires_at`)."""
        return self.revoked_at is None


class Activity(Base):
    """An act of a member or key. Rows are never changed, but for names that end with the account.

    Names are those of the moment: a member may be gone since. `seq` is the order.
    """

    __tablename__ = "activities"

    id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    account_id: Mapped[uuid.UUID] = mapped_column(sa.ForeignKey("accounts.id"))
    seq: Mapped[int] = mapped_column(sa.BigInteger, sa.Identity(always=True), unique=True)
    at: Mapped[datetime]
    actor_kind: Mapped[str]
    actor_id: Mapped[uuid.UUID | None]
    actor_name: Mapped[str | None]
    # Of the caller's address, /24 or /48; the address itself is not kept.
    network: Mapped[str | None]
    action: Mapped[str]
    target_kind: Mapped[str | None]
    target_id: Mapped[str | None]
    target_name: Mapped[str | None]
    details: Mapped[dict[str, Any]] = mapped_column(JSONB)

    __table_args__ = (
        sa.CheckConstraint(
            "actor_kind IN ('member', 'api_key', 'visitor', 'service')", name="actor_kind_known"
        ),
        sa.Index("ix_activities_account_id_seq", "account_id", sa.text("seq DESC")),
        sa.Index("ix_activities_of_actor", "account_id", "actor_id", sa.text("seq DESC")),
    )
