"""Branding of pages before sign-in, by the host name that the visitor asked for (`BRAND_HOSTS`)."""

from __future__ import annotations

from flask import request

from app import branding, tenancy
from app.platform import errors, settings
from app.platform.postgres import db, rls
from app.portal.web.theme import PageBranding, page_branding


def branding_of_host() -> PageBranding | None:
    """Return the branding of the account whose host name this is; `None` for every other host.

    A host whose account was closed shows the service's own branding, like an unknown one.
    """
    config = settings.current()
    account_id = config.accounts_of_hosts.get(request.host.lower().rsplit(":", 1)[0])
    if account_id is None:
        return None
    with rls.acting_for(account_id), db.reading() as session:
        try:
            account = tenancy.get_account(session, account_id)
        except errors.NotFound:
            return None
        if account.closed_at is not None:
            return None
        return page_branding(
            branding.of_account(session, account_id),
            account_name=account.name,
            service_name=config.service_name,
        )
