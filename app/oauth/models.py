"""Tables of OAuth: clients, grants with their authorization codes, tokens."""

from __future__ import annotations

import uuid
from datetime import datetime

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.orm import Mapped, mapped_column

from app.oauth import rules
from app.oauth.metadata import SCOPES
from app.platform.postgres.db import Base, created_at, primary_key


class OAuthClient(Base):
    """A program that asks for access, such as an assistant. It belongs to no tenant and has no secret.

    `client_id` is the address of its metadata document, read last at `fetched_at`, or was made when the
    client registered itself. The methods are those that Authlib asks a client for.
    """

    __tablename__ = "oauth_clients"

    client_id: Mapped[str] = mapped_column(primary_key=True)
    name: Mapped[str]
    redirect_uris: Mapped[list[str]] = mapped_column(ARRAY(sa.Text))
    created_at: Mapped[datetime] = created_at()
    # When it is forgotten unless a grant names it: a day after registration, long after its last token.
    expires_at: Mapped[datetime] = mapped_column(index=True)
    fetched_at: Mapped[datetime | None]

    __table_args__ = (
        sa.CheckConstraint("length(client_id) BETWEEN 1 AND 1000", name="client_id_length"),
        sa.CheckConstraint("length(name) <= 80", name="name_length"),
        sa.CheckConstraint("cardinality(redirect_uris) BETWEEN 1 AND 20", name="redirect_uris_few"),
    )

    @property
    def is_document(self) -> bool:
        """Whether its metadata are a document at its own address."""
        return self.fetched_at is not None

    def get_client_id(self) -> str:
        """Return the client id."""
        return self.client_id

    def get_default_redirect_uri(self) -> None:
        """Return no redirect URI: a request names its own."""

    def get_allowed_scope(self, scope: str | None) -> str | None:
        """Return what of the requested scope exists; all of it where none was requested."""
        if not scope:
            return " ".join(SCOPES)
        asked = set(scope.split())
        return " ".join(one for one in SCOPES if one in asked) or None

    def check_redirect_uri(self, redirect_uri: str) -> bool:
        """Return whether the client registered this redirect URI."""
        return rules.wrong_redirect(redirect_uri) is None and any(
            rules.redirects_alike(one, redirect_uri) for one in self.redirect_uris
        )

    def check_client_secret(self, client_secret: str) -> bool:
        """Return `False`: clients have no secret."""
        return False

    def check_endpoint_auth_method(self, method: str, endpoint: str) -> bool:
        """Return whether the client may authenticate by `method`: by its id alone."""
        return method == "none"

    def check_response_type(self, response_type: str) -> bool:
        """Return whether the client may use this response type."""
        return response_type == "code"

    def check_grant_type(self, grant_type: str) -> bool:
        """Return whether the client may use this grant type."""
        return grant_type in ("authorization_code", "refresh_token")


class OAuthGrant(Base):
    """A member's consent for a client, with its authorization code.

    Once the code is exchanged, `api_key_id` is the key through which the grant acts. `requested` are the
    scopes that the client asked for, `scopes` those of the key. `member_id` is kept when the member leaves,
    so it is no foreign key.
    """

    __tablename__ = "oauth_grants"

    id: Mapped[uuid.UUID] = primary_key()
    account_id: Mapped[uuid.UUID] = mapped_column(sa.ForeignKey("accounts.id"), index=True)
    client_id: Mapped[str] = mapped_column(sa.ForeignKey("oauth_clients.client_id"), index=True)
    api_key_id: Mapped[uuid.UUID | None] = mapped_column(sa.ForeignKey("api_keys.id"), unique=True)
    member_id: Mapped[uuid.UUID]
    redirect_uri: Mapped[str]
    requested: Mapped[list[str]] = mapped_column(ARRAY(sa.Text))
    scopes: Mapped[list[str]] = mapped_column(ARRAY(sa.Text))
    audience: Mapped[str]
    code_hash: Mapped[bytes] = mapped_column(sa.LargeBinary, unique=True)
    code_challenge: Mapped[str]
    code_expires_at: Mapped[datetime]
    code_used_at: Mapped[datetime | None]
    monthly_credit_cap: Mapped[int | None]
    created_at: Mapped[datetime] = created_at()
    expires_at: Mapped[datetime]

    __table_args__ = (
        sa.CheckConstraint("api_key_id IS NULL OR code_used_at IS NOT NULL", name="key_of_a_used_code"),
        sa.CheckConstraint("scopes <@ ARRAY['analyze', 'query', 'mcp']", name="scopes_known"),
    )

    # The only method of PKCE that is accepted (RFC 7636).
    code_challenge_method = "S256"

    def get_redirect_uri(self) -> str:
        """Return the redirect URI of the authorization request."""
        return self.redirect_uri

    def get_scope(self) -> str:
        """Return the scope that the client is told: what it asked for and the member allowed."""
        return " ".join(one for one in SCOPES if one in self.requested and one in self.scopes)


class OAuthToken(Base):
    """An access or refresh token of a grant. `token_hash` is SHA-256 of it; it has 256 random bits.

    A refresh token that was exchanged for the next has `rotated_at`, after which it works for a short while.
    """

    __tablename__ = "oauth_tokens"

    id: Mapped[uuid.UUID] = primary_key()
    account_id: Mapped[uuid.UUID] = mapped_column(sa.ForeignKey("accounts.id"), index=True)
    grant_id: Mapped[uuid.UUID] = mapped_column(
        sa.ForeignKey("oauth_grants.id", ondelete="CASCADE"), index=True
    )
    kind: Mapped[str]
    token_hash: Mapped[bytes] = mapped_column(sa.LargeBinary, unique=True)
    created_at: Mapped[datetime] = created_at()
    expires_at: Mapped[datetime] = mapped_column(index=True)
    rotated_at: Mapped[datetime | None]

    __table_args__ = (
        sa.CheckConstraint("kind IN ('access', 'refresh')", name="kind_known"),
        sa.CheckConstraint("rotated_at IS NULL OR kind = 'refresh'", name="refresh_tokens_rotate"),
    )
