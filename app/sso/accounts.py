"""Whom of a provider's people an account lets in."""

from __future__ import annotations

import secrets
import uuid
from datetime import datetime
from typing import cast

import sqlalchemy as sa
from sqlalchemy.orm import Session

from app import tenancy
from app.platform.errors import Conflict, Invalid
from app.platform.postgres import bulk, db
from app.sso.connections import connection_of, is_proved
from app.sso.models import SsoConnection, SsoIdentity
from app.sso.protocol import Identity


class SignOnRefused(Exception):
    """The account does not let this person in.

    Attributes:
        reason: Why, a word that the portal explains.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def admit(session: db.Session, row: SsoConnection, who: Identity, *, now: datetime) -> tenancy.Member:
    """Return the member of the connection's account who this is; one who may join becomes one.

    A member is known by the provider's `sub`. One who signs in for the first time is found by the verified
    address, in this account alone; a member whom the provider knew as somebody else is not.

    Raises:
        SignOnRefused: They are no member and may not become one.
    """
    account_id = row.account_id
    try:
        email = tenancy.normalize_email(who.email)
    except Invalid:
        raise SignOnRefused("stranger") from None
    known = session.scalar(
        sa.select(SsoIdentity).where(
            SsoIdentity.account_id == account_id,
            SsoIdentity.connection_id == row.id,
            SsoIdentity.subject == who.subject,
        )
    )
    if known is not None:
        return tenancy.get_member(session, known.member_id)
    member = tenancy.find_member(session, email)
    if member is not None and member.account_id != account_id:
        raise SignOnRefused("stranger")
    if member is None:
        member = _join(session, row, email, now=now)
    elif _identity_of(session, member.id) is not None:
        raise SignOnRefused("other_person")
    session.add(
        SsoIdentity(
            member_id=member.id,
            account_id=account_id,
            connection_id=row.id,
            subject=who.subject,
            created_at=now,
        )
    )
    session.flush()
    return member


def _join(session: db.Session, row: SsoConnection, email: str, *, now: datetime) -> tenancy.Member:
    """Make a member of an address that was invited or whose domain is proved."""
    link = next(
        (
            one
            for one in tenancy.one_time_links.invitations(session, row.account_id, now=now)
            if one.email == email
        ),
        None,
    )
    # Nobody knows this password; a new one can be asked for by mail.
    password = secrets.token_urlsafe(32)
    try:
        if link is not None:
            return tenancy.one_time_links.join(session, link, password=password)
        if not is_proved(session, row.account_id, email):
            raise SignOnRefused("stranger")
        role = cast(tenancy.Role, row.role)
        return tenancy.add_member(session, row.account_id, email=email, password=password, role=role)
    except Conflict:
        raise SignOnRefused("stranger") from None


def may_come_back(session: Session, account_id: uuid.UUID, email: str) -> bool:
    """Return whether somebody with this address would join again when the account's provider says so."""
    return connection_of(session, account_id) is not None and is_proved(session, account_id, email)


def count_people(session: Session, account_id: uuid.UUID) -> int:
    """Return how many members have signed in through the account's connection."""
    query = sa.select(sa.func.count()).select_from(SsoIdentity).where(SsoIdentity.account_id == account_id)
    return session.scalar(query) or 0


def _identity_of(session: Session, member_id: uuid.UUID) -> SsoIdentity | None:
    return session.get(SsoIdentity, member_id)


def erase(session: db.Statements, account_id: uuid.UUID) -> int:
    """Delete the single sign-on of a closed account; return how many rows."""
    return bulk.erase(session, ("sso_identities", "sso_connections", "sso_domains"), account_id)
