"""Settings of single sign-on: the account's provider, its domains, and whether members must use it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from flask import flash, make_response, redirect, render_template, request, url_for
from flask_babel import gettext, ngettext
from flask_babel import lazy_gettext as _
from flask_wtf import FlaskForm
from werkzeug.wrappers import Response as AnyResponse
from wtforms import PasswordField, SelectField, StringField
from wtforms.validators import DataRequired, InputRequired, Length

from app import sso, tenancy
from app.platform import clock, errors, ratelimit
from app.platform.postgres import db
from app.portal.account.profile import proved
from app.portal.auth.sign_on import REASONS, callback_address
from app.portal.web.blueprints import site
from app.portal.web.display.labels import ROLES
from app.portal.web.fields import printable
from app.portal.web.session import access, form_version

# Each asks a provider or a name server.
_PER_MINUTE = 10


class ConnectionForm(FlaskForm):  # type: ignore[misc]  # flask_wtf ships no types
    """The provider, and as whom it knows this service."""

    issuer = StringField(
        validators=[
            DataRequired(_("Enter the address of the issuer.")),
            Length(max=500, message=_("This URL is too long.")),
            printable,
        ]
    )
    client_id = StringField(
        validators=[
            DataRequired(_("Enter the client id.")),
            Length(max=300, message=_("A client id can have at most 300 characters.")),
            printable,
        ]
    )
    client_secret = PasswordField(
        validators=[Length(max=500, message=_("A secret can have at most 500 characters."))]
    )
    role = SelectField(choices=list(sso.JOINING_ROLES))
    current = PasswordField(validators=[InputRequired(_("Enter your current password."))])


class DomainForm(FlaskForm):  # type: ignore[misc]
    """A domain of mail addresses."""

    domain = StringField(
        validators=[
            DataRequired(_("Enter a domain.")),
            Length(max=253, message=_("This is too long for a domain.")),
            printable,
        ]
    )


@dataclass(frozen=True, slots=True)
class DomainRow:
    """A domain with the record that proves it."""

    item: sso.SsoDomain
    record: str
    text: str


@site.get("/account/sign-on")
@access.member_only(access.OWNER)
def single_sign_on() -> AnyResponse:
    """Show the account's single sign-on."""
    return _page()


@site.post("/account/sign-on")
@access.member_only(access.OWNER)
def save_sign_on() -> AnyResponse:
    """Ask the provider for its metadata and save the connection; where that fails, say why."""
    form, me = ConnectionForm(), access.current_member()
    if not form.validate():
        return _page(form)
    with db.reading() as session:
        is_owner = proved(tenancy.get_member(session, me.member_id), form.current.data)
    if not is_owner:
        form.current.errors = [gettext("This is not your current password.")]
        return _page(form)
    _slow_down()
    issuer = form.issuer.data.strip()
    try:
        sso.check_issuer(issuer)
    except errors.Invalid:
        form.issuer.errors = [
            gettext("Enter the https:// address of a public server, as your provider states it.")
        ]
        return _page(form)
    except sso.ProviderFailed as failed:
        form.issuer.errors = [
            gettext(
                "Its metadata shows another issuer. Copy the address exactly, with its final slash if it has "
                "one."
            )
            if failed.reason == "issuer"
            else str(REASONS[failed.reason])
        ]
        return _page(form)
    with db.transaction() as session:
        form_version.take_turn(session)
        if form_version.is_stale(_saved(sso.connection_of(session, me.account_id))):
            return _page(is_stale=True)
        sso.save_connection(
            session,
            me.account_id,
            issuer=issuer,
            client_id=form.client_id.data.strip(),
            client_secret=form.client_secret.data or None,
            role=form.role.data,
            now=clock.now(),
        )
    return _done(
        gettext("The provider answered and the settings are saved. Sign in through it once to test them.")
    )


@site.post("/account/sign-on/required")
@access.member_only(access.OWNER)
def require_sign_on() -> AnyResponse:
    """Require single sign-on of all members but owners, or leave it to them."""
    account_id, required = access.current_member().account_id, request.form.get("required") == "y"
    with db.transaction() as session:
        try:
            sso.require(session, account_id, required=required)
        except errors.Conflict:
            flash(gettext("Sign in through it once first, so that nobody is locked out."), "warn")
            return redirect(url_for("portal.single_sign_on"), 303)
    if required:
        return _done(
            gettext(
                "Members who signed in with a password are signed out at their next click, except owners."
            )
        )
    return _done(gettext("Members may sign in with their passwords again."))


@site.route("/account/sign-on/remove", methods=["GET", "POST"])
@access.member_only(access.OWNER)
def remove_sign_on() -> AnyResponse | str:
    """Ask for confirmation, then remove the connection; members sign in with their passwords again."""
    account_id = access.current_member().account_id
    if request.method == "POST":
        with db.transaction() as session:
            sso.remove_connection(session, account_id)
        return _done(gettext("Single sign-on is off. Members sign in with their passwords."))
    with db.reading() as session:
        row = sso.connection_of(session, account_id)
        if row is None:
            raise errors.NotFound("The account has no single sign-on.")
        people = sso.count_people(session, account_id)
        return render_template(
            "portal/account/remove_sign_on.html",
            connection=row,
            is_required=tenancy.get_account(session, account_id).required_connection is not None,
            users=ngettext(
                "%(num)s member has signed in through it and needs a password from now on.",
                "%(num)s members have signed in through it and need passwords from now on.",
                people,
            )
            if people
            else gettext("Nobody has signed in through it yet."),
        )


@site.post("/account/sign-on/domains")
@access.member_only(access.OWNER)
def add_sign_on_domain() -> AnyResponse:
    """Claim a domain; its record says how to prove it."""
    form = DomainForm()
    if not form.validate():
        return _page(domain=form)
    try:
        with db.transaction() as session:
            sso.add_domain(session, access.current_member().account_id, form.domain.data, now=clock.now())
    except errors.Conflict:
        form.domain.errors = [gettext("This domain is on the list already.")]
        return _page(domain=form)
    except errors.Invalid as refused:
        form.domain.errors = [
            gettext("An account can have 20 domains. Remove one first.")
            if refused.status == 422
            else gettext("Enter a domain such as firm.example.")
        ]
        return _page(domain=form)
    return _done(gettext("Publish its TXT record, then check it."))


@site.post("/account/sign-on/domains/<domain>/check")
@access.member_only(access.OWNER)
def check_sign_on_domain(domain: str) -> AnyResponse:
    """Look for the record that proves a domain."""
    _slow_down()
    try:
        with db.transaction() as session:
            found = sso.check_domain(session, access.current_member().account_id, domain, now=clock.now())
    except errors.Conflict:
        flash(
            gettext("Another account has verified this domain. Contact the operator of the service."), "warn"
        )
        return redirect(url_for("portal.single_sign_on"), 303)
    if found:
        return _done(
            gettext(
                "%(domain)s is verified: people with an address there can join through your provider.",
                domain=domain,
            )
        )
    flash(gettext("The record was not found. A new record can take up to an hour to become visible."), "warn")
    return redirect(url_for("portal.single_sign_on"), 303)


@site.post("/account/sign-on/domains/<domain>/remove")
@access.member_only(access.OWNER)
def remove_sign_on_domain(domain: str) -> AnyResponse:
    """Give a domain up."""
    with db.transaction() as session:
        sso.remove_domain(session, access.current_member().account_id, domain)
    return _done(gettext("People can no longer join through this domain. Existing members stay."))


def _slow_down() -> None:
    rate = ratelimit.limiter().hit(f"sso-check:{access.current_member().account_id}", _PER_MINUTE)
    if not rate.allowed:
        raise errors.Exhausted("Too many checks in a minute; wait a little.", retry_after=rate.retry_after)


def _done(words: str) -> AnyResponse:
    flash(words, "ok")
    return redirect(url_for("portal.single_sign_on"), 303)


def _roles(chosen: str) -> Sequence[tuple[str, Any, bool]]:
    return [(role, ROLES[role], role == chosen) for role in sso.JOINING_ROLES]


def _saved(row: sso.SsoConnection | None) -> tuple[object, ...]:
    """Return what `ConnectionForm` changes, as it is saved."""
    return (row.issuer, row.client_id, row.role) if row else ()


def _page(
    form: ConnectionForm | None = None, domain: DomainForm | None = None, *, is_stale: bool = False
) -> AnyResponse:
    account_id = access.current_member().account_id
    with db.reading() as session:
        row = sso.connection_of(session, account_id)
        account = tenancy.get_account(session, account_id)
        saved: Mapping[str, object] = (
            {"issuer": row.issuer, "client_id": row.client_id, "role": row.role}
            if row
            else {"role": "developer"}
        )
        shown = form or ConnectionForm(formdata=None, **saved)
        page = render_template(
            "portal/account/single_sign_on.html",
            connection=row,
            has_secret=row is not None and row.client_secret is not None,
            is_required=account.required_connection is not None,
            form=shown,
            version=form_version.version(_saved(row)),
            is_stale=is_stale,
            roles=_roles(shown.role.data),
            domain_form=domain or DomainForm(formdata=None),
            domains=[DomainRow(one, *sso.txt_record(one)) for one in sso.domains_of(session, account_id)],
            callback=callback_address(row.id) if row else None,
            start=url_for("portal.sign_on_start", connection_id=row.id, _external=True) if row else None,
        )
    return make_response(page, 409 if is_stale else 422 if (form or domain) else 200)
