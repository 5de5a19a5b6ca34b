"""Consent page: a member lets an assistant use the tool server on behalf of the account (decision 061).

It is the authorization endpoint of OAuth. Everything that was asked for stays in the address, and is checked
again when the form is sent.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from flask import Response, make_response, render_template, request
from flask_babel import gettext
from flask_babel import lazy_gettext as _
from wtforms import RadioField, SelectMultipleField
from wtforms.validators import ValidationError
from wtforms.widgets import CheckboxInput, ListWidget

from app import credits, oauth, tenancy
from app.platform import clock, ratelimit, settings
from app.platform.postgres import db
from app.platform.web import http, public_address
from app.portal.web.blueprints import site
from app.portal.web.display.view_models import options, scope_options
from app.portal.web.fields import MonthlyCapForm
from app.portal.web.session import access

# Metadata documents that an account's members may have read in a minute.
DOCUMENTS_PER_MINUTE = 20
# What the tools need beside the scope `mcp`: a client that asks for `mcp` alone is offered both.
_WORK: tuple[tenancy.Scope, ...] = ("query", "analyze")
_DAYS = {"30": _("30 days"), "90": _("90 days"), "365": _("1 year")}


class ConsentForm(MonthlyCapForm):
    """Form of the consent: scopes, duration and monthly cap of an assistant."""

    scopes = SelectMultipleField(
        choices=_WORK, validate_choice=False, widget=ListWidget(), option_widget=CheckboxInput()
    )
    days = RadioField(choices=tuple(_DAYS), default="90", validate_choice=False)

    def validate_days(self, field: Any) -> None:
        """Accept only the choices of the page."""
        if field.data not in _DAYS:
            raise ValidationError(gettext("Choose from the list."))


@site.route("/authorize", methods=["GET", "POST"])
@access.member_only(access.KEY_ROLES)
def authorize() -> Response:
    """Ask whether an assistant may use the tools; then lead back to it with a code or a refusal."""
    now, here = clock.now(), _service()
    if not here.is_secure:
        return _unusable(is_insecure=True)
    values = request.args.to_dict(flat=False)
    try:
        _read_document(request.args.get("client_id", ""))
    except oauth.WrongMetadata as wrong:
        return _unusable(wrong.message)
    with db.transaction() as session:
        server = oauth.AuthorizationServer(session, here, now=now)
        pending = server.read_authorization(oauth.AuthorizationRequest("GET", here, values, {}))
        if isinstance(pending, oauth.OAuthResponse):
            return _sent(pending) if pending.location else _unusable()
        form = ConsentForm()
        if request.method != "POST":
            form.scopes.data = list(_offered(pending))
            return _page(session, form, pending)
        if request.form.get("decision") != "allow":
            return _sent(server.finish_authorization(pending, None))
        if not form.validate():
            return _page(session, form, pending, 422)
        chosen = {*form.scopes.data, "mcp"} & {*_offered(pending), *pending.scopes}
        member = access.current_member()
        consent = oauth.Consent(
            account_id=member.account_id,
            member_id=member.member_id,
            scopes=tuple(one for one in tenancy.SCOPES if one in chosen),
            monthly_credit_cap=form.monthly_cap,
            expires_at=now + timedelta(days=int(form.days.data)),
        )
        return _sent(server.finish_authorization(pending, consent))


def _service() -> oauth.Site:
    config = settings.current()
    return oauth.Site(base=public_address.base(), name=config.service_name, key_prefix=config.key_prefix)


def _read_document(client_id: str) -> None:
    """Read the client's metadata document where that is due, outside of any transaction.

    Raises:
        WrongMetadata: It cannot be read or accepted, or too many were read.
    """
    with db.reading() as session:
        if not oauth.document_is_due(session, client_id, now=clock.now()):
            return
    rate = ratelimit.limiter().hit(
        f"client-document:{access.current_member().account_id}", DOCUMENTS_PER_MINUTE
    )
    if not rate.allowed:
        raise oauth.WrongMetadata("Too many clients in a minute; wait a little.")
    read = oauth.read_document(client_id, allow_hosts=settings.current().allowed_hosts)
    with db.transaction() as session:
        oauth.keep_document(session, client_id, read, now=clock.now())


def _offered(pending: oauth.PendingAuthorization) -> tuple[tenancy.Scope, ...]:
    """Return the kinds of work that the page offers: those requested, or all where none was named."""
    named = tuple(one for one in _WORK if one in pending.scopes)
    return named or (_WORK if "mcp" in pending.scopes else ())


def _sent(answer: oauth.OAuthResponse) -> Response:
    return Response(answer.body, answer.status, answer.headers)


def _unusable(reason: str = "", *, is_insecure: bool = False) -> Response:
    """Say that the request is wrong, or came where OAuth may not be spoken; nobody is led anywhere."""
    page = render_template("portal/keys/authorize_refused.html", reason=reason, is_insecure=is_insecure)
    return make_response(page, 400)


def _page(
    session: db.Session, form: ConsentForm, pending: oauth.PendingAuthorization, status: int = 200
) -> Response:
    member, client, target = access.current_member(), pending.client, pending.redirect_uri
    page = render_template(
        "portal/keys/authorize.html",
        form=form,
        client_name=client.name,
        document_host=oauth.host_of(client.client_id) if client.is_document else None,
        target=oauth.host_of(target),
        is_local=oauth.is_loopback(target),
        scope_choices=scope_options(_offered(pending), form.scopes.data),
        durations=options(_DAYS, form.days.data),
        account_name=member.account_name,
        rate=settings.current().tier_rates[member.plan],
        available=credits.balance(session, member.account_id).available,
    )
    answer = make_response(page, status)
    # The form is answered with a redirect to the client, which this policy must allow.
    answer.headers["Content-Security-Policy"] = http.CSP.replace(
        "form-action 'self'", f"form-action 'self' {oauth.form_action(target)}"
    )
    return answer
