"""Branding of what no caller is at hand for: mails and the portal of an account, documents of a key."""

from __future__ import annotations

import uuid

import sqlalchemy as sa
from sqlalchemy.orm import Session

from app import tenancy
from app.branding.configuration import Branding, get, read
from app.branding.logo import Logo, logo_of
from app.branding.models import BrandingConfig
from app.platform import errors, settings
from app.platform.postgres import db, rls
from app.tenancy import ApiKey


def of_account(session: Session, account_id: uuid.UUID) -> Branding:
    """Return the account's branding for mails and for the portal.

    It is that of the oldest active master key that has one, else of the oldest other key, else the default.
    """
    row = session.scalar(
        sa.select(BrandingConfig)
        .join(ApiKey, BrandingConfig.api_key_id == ApiKey.id)
        .where(ApiKey.account_id == account_id, ApiKey.revoked_at.is_(None), ApiKey.role != "child")
        .order_by((ApiKey.role == "master").desc(), ApiKey.created_at, ApiKey.id)
        .limit(1)
    )
    return Branding() if row is None else read(row)


def name_for(found: Branding, account_name: str) -> str:
    """Return the name that pages of an account bear: under `none`, the account's own."""
    return found.attribution.author(settings.current().service_name) or account_name


def name_at(account_id: uuid.UUID | None) -> str:
    """Return the name of the service at the host name of an account; its own for `None`.

    So it is where the account is unknown or closed.
    """
    service_name = settings.current().service_name
    if account_id is None:
        return service_name
    with rls.acting_for(account_id), db.reading() as session:
        try:
            account = tenancy.get_account(session, account_id)
        except errors.NotFound:
            return service_name
        found = of_account(session, account_id)
        return service_name if account.closed_at is not None else name_for(found, account.name)


def of_key(session: db.Session, account_id: uuid.UUID, key_id: uuid.UUID) -> tuple[Branding, Logo | None]:
    """Return the branding under which documents of a key go out, and its logo where that is a partner's.

    A child key has its master's; a key that is revoked has what it had.

    Raises:
        NotFound: The account has no such key.
    """
    key = tenancy.key_of(session, account_id, key_id)
    holder = key.parent_key_id or key.id
    found = get(session, account_id, holder)
    return found, logo_of(session, account_id, holder) if found.branding == "partner" else None


def foot(found: Branding, service_name: str) -> tuple[str, ...]:
    """Return the parts of a mail's last line: sender, address for answers, website (decision 039).

    A partner signs with its legal name where it gave one; `none` names nobody; under the service's own name
    nothing of the partner is shown.
    """
    name = found.attribution.author(service_name)
    if name is None:
        signed: tuple[str | None, ...] = (found.partner_support_email, found.partner_website)
    elif found.branding == "partner" and found.partner_brand_name:
        signed = (found.partner_legal_name or name, found.partner_support_email, found.partner_website)
    else:
        signed = (name,)
    return tuple(part for part in signed if part)


def reply_to(found: Branding) -> str | None:
    """Return the address for answers to mails; `None` for the service's own."""
    return None if found.branding == "nexus" else found.partner_support_email
