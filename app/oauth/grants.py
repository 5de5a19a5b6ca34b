"""Grants and their tokens: made, exchanged, revoked, and whom an access token stands for."""

from __future__ import annotations

import secrets
import uuid
from dataclasses import dataclass
from datetime import datetime, timedelta

import sqlalchemy as sa
from sqlalchemy.orm import Session as OrmSession

from app import organizations, tenancy
from app.oauth import clients, rules
from app.oauth.metadata import Site
from app.oauth.models import OAuthClient, OAuthGrant, OAuthToken
from app.platform.errors import Denied
from app.platform.postgres import bulk
from app.platform.postgres.db import Session, Statements

CODE_TTL = timedelta(minutes=5)
ACCESS_TTL = timedelta(hours=1)
REFRESH_TTL = timedelta(days=30)
# A client whose answer was lost, or that refreshes twice at once, may use the old refresh token this long.
GRACE = timedelta(seconds=60)


@dataclass(frozen=True, slots=True)
class Consent:
    """A member's consent to the access of a client.

    Args:
        account_id: The member's account.
        member_id: Who consents.
        scopes: Scopes of the key that the grant gets.
        monthly_credit_cap: Credits it may spend in a calendar month; `None` for no cap.
        expires_at: When it ends.
    """

    account_id: uuid.UUID
    member_id: uuid.UUID
    scopes: tuple[tenancy.Scope, ...]
    monthly_credit_cap: int | None
    expires_at: datetime


@dataclass(frozen=True, slots=True)
class Tokens:
    """A new pair of tokens in plaintext, which exists only here; `expires_in_s` is of the access token."""

    access: str
    refresh: str
    expires_in_s: int

    def __repr__(self) -> str:
        return "<Tokens>"


def mint(site: Site, kind: str) -> str:
    """Return a new secret with 256 random bits."""
    return f"{site.key_prefix}-{kind}-{secrets.token_urlsafe(32)}"


def account_of(session: Statements, secret: str) -> uuid.UUID | None:
    """Return the account of a code or token, whatever became of it.

    Args:
        session: Statements that see the rows of all tenants.
        secret: The plaintext.
    """
    row = session.one(_ACCOUNT_OF, {"hash": tenancy.digest(secret)}) if secret.isascii() else None
    return row.account_id if row else None


def begin(
    session: OrmSession,
    consent: Consent,
    *,
    client_id: str,
    redirect_uri: str,
    requested: list[str],
    audience: str,
    code: str,
    code_challenge: str,
    now: datetime,
) -> None:
    """Record a consent with its authorization code; its key is made when the code is exchanged."""
    session.add(
        OAuthGrant(
            account_id=consent.account_id,
            client_id=client_id,
            member_id=consent.member_id,
            redirect_uri=redirect_uri,
            requested=requested,
            scopes=list(consent.scopes),
            audience=audience,
            code_hash=tenancy.digest(code),
            code_challenge=code_challenge,
            code_expires_at=now + CODE_TTL,
            monthly_credit_cap=consent.monthly_credit_cap,
            created_at=now,
            expires_at=consent.expires_at,
        )
    )
    session.flush()
    tenancy.activity.record(
        session,
        consent.account_id,
        "assistant.connected",
        tenancy.activity.Target("assistant", client_id, rules.host_of(redirect_uri)),
        details={"scopes": list(consent.scopes), "monthlyCreditCap": consent.monthly_credit_cap},
    )


def by_code(session: Session, code: str, client_id: str, *, now: datetime) -> OAuthGrant | None:
    """Return the grant of an authorization code, locked; `None` where the code opens nothing.

    A code that its client presents again revokes the grant (RFC 6749, section 4.1.2).
    """
    grant = session.scalar(
        sa.select(OAuthGrant).where(OAuthGrant.code_hash == tenancy.digest(code)).with_for_update()
    )
    if grant is None or grant.client_id != client_id:
        return None
    if grant.code_used_at is not None:
        revoke(session, grant, now=now)
        return None
    return grant if grant.code_expires_at > now else None


def by_refresh_token(
    session: Session, token: str, client_id: str, *, now: datetime
) -> tuple[OAuthGrant, OAuthToken] | None:
    """Return the grant of a refresh token, locked, with the token's row; `None` where it opens nothing.

    A token that was exchanged and comes back after the grace period was copied: the grant is revoked
    (RFC 9700, section 4.14.2).
    """
    found = _lock(session, token)
    if found is None or found[1].kind != "refresh" or found[0].client_id != client_id:
        return None
    grant, row = found
    if row.rotated_at is not None and now > row.rotated_at + GRACE:
        revoke(session, grant, now=now)
        return None
    if row.expires_at <= now or not _key_works(session, grant, now):
        return None
    return grant, row


def issue(session: Session, grant: OAuthGrant, client: OAuthClient, site: Site, *, now: datetime) -> Tokens:
    """Return a new pair of tokens; the first of a grant comes with its key."""
    if grant.api_key_id is None:
        _make_key(session, grant, client, site, now=now)
    clients.keep(client, now=now)
    tokens = mint(site, "access"), mint(site, "refresh")
    ends = min(now + ACCESS_TTL, grant.expires_at), min(now + REFRESH_TTL, grant.expires_at)
    for kind, token, end in zip(("access", "refresh"), tokens, ends, strict=True):
        session.add(
            OAuthToken(
                account_id=grant.account_id,
                grant_id=grant.id,
                kind=kind,
                token_hash=tenancy.digest(token),
                created_at=now,
                expires_at=end,
            )
        )
    session.flush()
    return Tokens(*tokens, int((ends[0] - now).total_seconds()))


def revoke_token(session: Session, token: str, client_id: str, *, now: datetime) -> None:
    """Revoke a token (RFC 7009): an access token alone, a refresh token with its whole grant."""
    found = _lock(session, token)
    if found is None or found[0].client_id != client_id:
        return
    grant, row = found
    if row.kind == "refresh":
        revoke(session, grant, now=now)
    else:
        session.delete(row)
        session.flush()


def revoke(session: Session, grant: OAuthGrant, *, now: datetime) -> None:
    """End a grant: its key is revoked, its tokens are deleted. The caller has locked it."""
    if grant.api_key_id is not None:
        organizations.account_keys.revoke(session, grant.account_id, grant.api_key_id, now=now)
    session.execute(sa.delete(OAuthToken).where(OAuthToken.grant_id == grant.id))
    session.flush()


def identify(
    session: Statements, token: str, *, audience: str, now: datetime, address: str | None
) -> tenancy.Caller:
    """Return the caller that an access token stands for: the key of its grant.

    Args:
        session: Statements that see the rows of all tenants.
        token: The access token.
        audience: The resource that was called.
        now: The current time.
        address: IP address of the caller, checked against the account's allow-list.

    Raises:
        Denied: 401 where the token is unknown, expired, revoked or for another resource; 403
            `IP_NOT_ALLOWED`.
    """
    row = session.one(_KEY_OF_BEARER, {"hash": tenancy.digest(token), "audience": audience, "now": now})
    if row is None:
        raise Denied("This access token is unknown or has expired, or is for another service. Connect again.")
    return tenancy.identify_key(session, row.account_id, row.api_key_id, now=now, address=address)


def forget(session: Statements, *, now: datetime) -> int:
    """Delete what opens nothing any more: old tokens, ended grants, unused clients; return the row count."""
    return sum(session.run(sql, {"now": now}) for sql in _FORGET)


def erase(session: Statements, account_id: uuid.UUID) -> int:
    """Delete a closed account's grants and tokens; return the row count."""
    return bulk.erase(session, ("oauth_tokens", "oauth_grants"), account_id)


def _lock(session: Session, token: str) -> tuple[OAuthGrant, OAuthToken] | None:
    """Lock the grant of a token, then read the token: what held the lock may have exchanged or deleted it."""
    digest = tenancy.digest(token)
    grant = session.scalar(
        sa.select(OAuthGrant)
        .where(
            OAuthGrant.id
            == sa.select(OAuthToken.grant_id).where(OAuthToken.token_hash == digest).scalar_subquery()
        )
        .with_for_update()
    )
    row = session.scalar(sa.select(OAuthToken).where(OAuthToken.token_hash == digest))
    return (grant, row) if grant is not None and row is not None else None


def _key_works(session: Session, grant: OAuthGrant, now: datetime) -> bool:
    if grant.api_key_id is None:
        return False
    key = tenancy.key_of(session, grant.account_id, grant.api_key_id)
    return key.active and (key.expires_at is None or key.expires_at > now)


def _make_key(session: Session, grant: OAuthGrant, client: OAuthClient, site: Site, *, now: datetime) -> None:
    host = rules.host_of(client.client_id if client.is_document else grant.redirect_uri)
    names = {one.id: one.email for one in tenancy.members_of(session, grant.account_id)}
    # The client brings the code, but it was the member who consented.
    consented = tenancy.activity.Actor("member", grant.member_id, names.get(grant.member_id))
    with tenancy.activity.acting(consented):
        made = organizations.account_keys.create(
            session,
            grant.account_id,
            name=client.name,
            tier=tenancy.get_account(session, grant.account_id).plan,
            scopes=grant.scopes,
            expires_at=grant.expires_at,
            created_by=grant.member_id,
            # Its plaintext is dropped here: nothing but tokens opens it.
            prefix=site.key_prefix,
            now=now,
            issued_to=host,
            monthly_credit_cap=grant.monthly_credit_cap,
        )
    grant.code_used_at, grant.api_key_id = now, made.row.id


_ACCOUNT_OF = """
    SELECT account_id FROM oauth_grants WHERE code_hash = %(hash)s
    UNION ALL SELECT account_id FROM oauth_tokens WHERE token_hash = %(hash)s
    LIMIT 1
    """
_KEY_OF_BEARER = """
    SELECT g.account_id, g.api_key_id FROM oauth_tokens t JOIN oauth_grants g ON g.id = t.grant_id
    WHERE t.token_hash = %(hash)s AND t.kind = 'access' AND t.expires_at > %(now)s
      AND g.audience = %(audience)s AND g.api_key_id IS NOT NULL
    """
_FORGET = (
    "DELETE FROM oauth_tokens WHERE expires_at < %(now)s",
    """
    DELETE FROM oauth_grants g WHERE (g.api_key_id IS NULL AND g.code_expires_at < %(now)s)
        OR g.expires_at < %(now)s
        OR EXISTS (SELECT FROM api_keys k WHERE k.id = g.api_key_id AND k.revoked_at < %(now)s)
    """,
    """
    DELETE FROM oauth_clients c WHERE c.expires_at < %(now)s
        AND NOT EXISTS (SELECT FROM oauth_grants g WHERE g.client_id = c.client_id)
    """,
)
