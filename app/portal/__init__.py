"""The portal: server-rendered pages where a tenant's people sign in and do their work. Owns no tables.

One module per screen. Invariants: a session lives on the server and dies at sign-out; every unsafe request
carries a CSRF token and comes from our own pages; every query is limited to the account of who is signed in;
every page works without JavaScript.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from flask import Flask
from flask_wtf.csrf import CSRFProtect
from htmx_flask import Htmx

from app.platform.settings import Settings

# Imported for the routes they add to the site.
from app.portal import (
    access,
    account,
    analyse,
    analyses,
    branding,
    credits,
    documents,
    furniture,
    guide,
    jobs,
    joining,
    keys,
    language,
    law,
    letters,
    organizations,
    overview,
    preferences,
    profile,
    reference,
    sign_in,
    signature,
    subkeys,
    team,
    usage,
    webhooks,
)
from app.portal.closing import erase_closed
from app.portal.letters import compose
from app.portal.reference import warm
from app.portal.sessions import RedisSessions
from app.portal.site import front, site

__all__ = ["compose", "erase_closed", "install", "warm"]

SCREENS = (
    sign_in,
    joining,
    overview,
    analyse,
    jobs,
    keys,
    organizations,
    subkeys,
    branding,
    usage,
    credits,
    webhooks,
    signature,
    analyses,
    documents,
    law,
    team,
    account,
    profile,
    preferences,
    guide,
)


def install(app: Flask, config: Settings, document: Callable[[], Mapping[str, Any]]) -> None:
    """Put the portal on `app`: sessions, sign-in, CSRF, languages, pages. Call after `web.install`.

    `document` gives the OpenAPI document, which the reference shows; it is asked for once.
    """
    letters.require_an_address(config)
    app.session_interface = RedisSessions(config.session_hours)
    app.config.update(
        # The portal's own hook asks for the token, after it has looked where the request comes from; the API
        # has no cookies and needs none.
        WTF_CSRF_CHECK_DEFAULT=False,
        # As long as the session that holds its other half.
        WTF_CSRF_TIME_LIMIT=None,
        WTF_CSRF_SSL_STRICT=False,
    )
    CSRFProtect(app)
    Htmx(app)
    language.install(app)
    access.install(app)
    furniture.install(app, config)
    reference.shelve(app, document)
    app.register_blueprint(front)
    app.register_blueprint(site)
