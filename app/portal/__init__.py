"""The portal: server-rendered pages where a tenant's members sign in and work. Owns no tables.

One module per screen. Invariants: a session is kept on the server and ends at sign-out; every unsafe request
has a CSRF token and comes from our own pages; every query is limited to the account of the member who is
signed in; every page works without JavaScript.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from flask import Flask
from flask_wtf.csrf import CSRFProtect
from htmx_flask import Htmx

from app.platform.settings import Settings
from app.portal.account import engines, mails, options, profile, single_sign_on, team
from app.portal.account.closing import erase_closed
from app.portal.analysis import analyse, compare, document_page, jobs, matter, share
from app.portal.assistants import assistants
from app.portal.audit import analyses, analysis_record, documents
from app.portal.auth import sign_in, sign_on, signup
from app.portal.branding import form
from app.portal.docs import guide, reference, try_it
from app.portal.docs.reference import warm
from app.portal.governance import activity, policies
from app.portal.home import checklist, find, landing, overview, status
from app.portal.keys import api_keys, authorize, new_client, organizations, subkeys
from app.portal.law import lookup, watches
from app.portal.usage import credits, purchase, report, request_log

# Imported for the routes they add to the site.
from app.portal.web import emails
from app.portal.web.blueprints import front, site
from app.portal.web.display import jinja_env, language, preferences
from app.portal.web.host_branding import site_name
from app.portal.web.notices import compose
from app.portal.web.session import access
from app.portal.web.session.sessions import RedisSessions
from app.portal.webhooks import endpoints, signature

__all__ = ["compose", "erase_closed", "install", "site_name", "warm"]

SCREENS = (
    sign_in,
    sign_on,
    signup,
    landing,
    status,
    find,
    overview,
    checklist,
    analyse,
    compare,
    matter,
    document_page,
    jobs,
    share,
    api_keys,
    authorize,
    assistants,
    organizations,
    subkeys,
    new_client,
    form,
    report,
    request_log,
    credits,
    purchase,
    endpoints,
    signature,
    analyses,
    analysis_record,
    documents,
    policies,
    activity,
    lookup,
    watches,
    team,
    options,
    engines,
    profile,
    mails,
    single_sign_on,
    preferences,
    guide,
    try_it,
)


def install(
    app: Flask,
    config: Settings,
    document: Callable[[], Mapping[str, Any]],
    check_connection: assistants.ConnectionCheck,
) -> None:
    """Install the portal on `app`: sessions, sign-in, CSRF, languages, pages. Call it after `http.install`.

    `document` returns the OpenAPI document for the API reference; it is called once for each name that the
    service bears. `check_connection` calls the tool server as a key.
    """
    emails.require_an_address(config)
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
    jinja_env.install(app, config)
    reference.register(app, document)
    assistants.register(app, check_connection)
    app.register_blueprint(front)
    app.register_blueprint(site)
