"""Branding of mails and of the portal, which belong to an account and not to a key."""

from __future__ import annotations

import uuid

import sqlalchemy as sa

from app.branding.configuration import Branding, read
from app.branding.models import BrandingConfig
from app.platform.postgres import db
from app.tenancy import ApiKey


def of_account(session: db.Session, account_id: uuid.UUID) -> Branding:
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
