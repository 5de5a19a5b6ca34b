"""Branding of pages before sign-in, by the host name that the visitor asked for (`BRAND_HOSTS`)."""

from __future__ import annotations

import uuid

import psycopg
import sqlalchemy as sa

from app import branding, tenancy
from app.platform import errors, settings
from app.platform.postgres import db, rls
from app.platform.web import public_address
from app.portal.web.theme import PageBranding, page_branding


def site_name() -> str:
    """Return the name that the service bears at the host name that the visitor asked for."""
    branded = branding_of_host()
    return branded.name if branded else settings.current().service_name


def branding_of_host() -> PageBranding | None:
    """Return the branding of the account whose host name this is; `None` for every other host.

    A host of an unknown or closed account shows the service's own branding; so does one while the database is
    away, since the page that says so bears a brand as well.
    """
    account_id = public_address.account_of_host()
    if account_id is None:
        return None
    try:
        return _branding_of(account_id)
    except errors.NotFound:
        return None
    except (sa.exc.SQLAlchemyError, psycopg.Error) as error:
        if db.is_unavailable(error):
            return None
        raise


def _branding_of(account_id: uuid.UUID) -> PageBranding | None:
    with rls.acting_for(account_id), db.reading() as session:
        account = tenancy.get_account(session, account_id)
        if account.closed_at is not None:
            return None
        return page_branding(
            branding.of_account(session, account_id),
            account_name=account.name,
            service_name=settings.current().service_name,
        )
