"""Single sign-on: finding the account's provider, going there, coming back.

A visitor goes to the provider by a link, because the page's policy lets no form lead to another site. What
has to come back is in the visitor's session on the server, is used once, and names the connection, whose
return address is its own: one provider's answer is never taken for another's (RFC 9700, section 4.4).
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import asdict
from urllib.parse import urlsplit

from flask import make_response, redirect, render_template, request, session, url_for
from flask_babel import gettext
from flask_babel import lazy_gettext as _
from flask_wtf import FlaskForm
from werkzeug.wrappers import Response as AnyResponse
from wtforms import EmailField
from wtforms.validators import DataRequired, Length

from app import branding, sso, tenancy
from app.platform import clock, errors, log, ratelimit, settings
from app.platform.postgres import db, rls
from app.platform.web import public_address
from app.portal.web.blueprints import site
from app.portal.web.display.labels import Words
from app.portal.web.session import access
from app.portal.web.session.origin import local_path
from app.portal.web.theme import PageBranding, page_branding

# Kept of an attempt: the connection, when it began, where to go afterwards, and what has to come back.
_ATTEMPT = "sign_on"
# Each costs a request to a provider.
_PER_ADDRESS = 20

_logger = log.logger("portal")

REASONS: Mapping[str, Words] = {
    "state": _("The answer does not belong to a sign-in that began in this browser, or it was used already."),
    "issuer": _("The answer comes from a different provider than that of your account."),
    "refused": _("Your provider did not let you in, or does not know this service."),
    "token": _("The answer of your provider could not be verified."),
    "no_email": _("Your provider did not name your e-mail address."),
    "unverified": _("Your provider has not verified your e-mail address."),
    "metadata": _("The addresses that your provider publishes cannot be used."),
    "unreachable": _("Your provider did not answer."),
    "secret": _("The client secret cannot be read any more. An owner has to enter it again."),
    "stranger": _("You are not a member of this account. Ask a colleague for an invitation."),
    "other_person": _(
        "This address belonged to somebody else at your provider. Ask an owner of the account to remove that "
        "member."
    ),
}


class SignOnForm(FlaskForm):  # type: ignore[misc]  # flask_wtf ships no types
    """The e-mail address by whose domain the provider is found."""

    email = EmailField(
        validators=[
            DataRequired(_("Enter your e-mail address.")),
            Length(max=254, message=_("An e-mail address can have at most 254 characters.")),
        ]
    )


@site.route("/sso", methods=["GET", "POST"])
@access.public
def sign_on() -> AnyResponse:
    """Find the provider by the domain of an address; offer the link to it."""
    form, onwards = SignOnForm(), local_path(request.args.get("next"), url_for("portal.overview"))
    if request.method != "POST" or not form.validate():
        return _page(form, onwards)
    rate = ratelimit.limiter().hit(f"sso:{request.remote_addr}", _PER_ADDRESS)
    if not rate.allowed:
        raise errors.Exhausted("Too many attempts in a minute; wait a little.", retry_after=rate.retry_after)
    with rls.as_system(), db.reading() as database:
        row = sso.connection_of_domain(database, form.email.data) if form.email.data.isprintable() else None
        found = None if row is None else (row.id, urlsplit(row.issuer).hostname)
    if found is None:
        form.email.errors = [gettext("No account uses single sign-on for addresses of this domain.")]
    return _page(form, onwards, found=found)


@site.get("/sso/<uuid:connection_id>")
@access.public
def sign_on_start(connection_id: uuid.UUID) -> AnyResponse:
    """Go to the provider of an account."""
    rate = ratelimit.limiter().hit(f"sso:{request.remote_addr}", _PER_ADDRESS)
    if not rate.allowed:
        raise errors.Exhausted("Too many attempts in a minute; wait a little.", retry_after=rate.retry_after)
    try:
        with rls.as_system(), db.reading() as database:
            client = _client(sso.get_connection(database, connection_id))
        address, attempt = sso.begin(client)
    except sso.ProviderFailed as failed:
        return _refused(connection_id, failed.reason)
    onwards = local_path(request.args.get("next"), url_for("portal.overview"))
    session[_ATTEMPT] = [connection_id.hex, clock.epoch(), onwards, asdict(attempt)]
    return redirect(address, 303)


@site.get("/sso/<uuid:connection_id>/callback")
@access.public
def sign_on_callback(connection_id: uuid.UUID) -> AnyResponse:
    """Come back from the provider: sign in whom it names, or say why not."""
    kept = session.pop(_ATTEMPT, None)
    if not kept or kept[0] != connection_id.hex or clock.epoch() - kept[1] > sso.LASTS_S:
        return _refused(connection_id, "state")
    now = clock.now()
    try:
        with rls.as_system(), db.reading() as database:
            client = _client(sso.get_connection(database, connection_id))
        # No transaction is open while the provider is asked.
        who = sso.finish(client, sso.Attempt(**kept[3]), request.args.to_dict(), now=now)
        with rls.as_system(), db.transaction() as database:
            row = sso.get_connection(database, connection_id)
            if (row.issuer, row.client_id) != (client.issuer, client.client_id):
                raise sso.ProviderFailed("issuer")
            member = sso.admit(database, row, who, now=now)
            sso.note_tested(database, row, now=now)
            access.enter(database, member, sign_on=row.id)
    except (sso.ProviderFailed, sso.SignOnRefused) as failed:
        return _refused(connection_id, failed.reason)
    return redirect(kept[2], 303)


def callback_address(connection_id: uuid.UUID) -> str:
    """Return the address to which a provider sends visitors back, under the host that they came to."""
    return public_address.base() + url_for("portal.sign_on_callback", connection_id=connection_id)


def _client(row: sso.SsoConnection) -> sso.Client:
    return sso.client_of(row, callback_address(row.id))


def _branding(connection_id: uuid.UUID) -> PageBranding:
    """Return the branding of the account whose single sign-on it is. Raises `NotFound`."""
    with rls.as_system(), db.reading() as database:
        row = sso.get_connection(database, connection_id)
        return page_branding(
            branding.of_account(database, row.account_id),
            account_name=tenancy.get_account(database, row.account_id).name,
            service_name=settings.current().service_name,
        )


def _refused(connection_id: uuid.UUID, reason: str) -> AnyResponse:
    """Say why nobody was signed in. The operator's log names the reason, and nobody."""
    branded = _branding(connection_id)
    _logger.info("single sign-on refused", connection=str(connection_id), reason=reason)
    page = render_template(
        "portal/auth/sign_on_refused.html",
        reason=REASONS[reason],
        again=url_for("portal.sign_on_start", connection_id=connection_id),
        page_branding=branded,
    )
    return make_response(page, 403)


def _page(
    form: SignOnForm, onwards: str, *, found: tuple[uuid.UUID, str | None] | None = None
) -> AnyResponse:
    page = render_template(
        "portal/auth/sign_on.html",
        form=form,
        host=found[1] if found else None,
        href=url_for("portal.sign_on_start", connection_id=found[0], next=onwards) if found else None,
    )
    return make_response(page, 422 if form.errors else 200)
