"""Account settings: name, time zone, options, allow-list, retention, export, closing."""

from __future__ import annotations

import uuid
import zoneinfo
from collections.abc import Sequence
from datetime import datetime, timedelta

from flask import Response, flash, make_response, redirect, render_template, request, url_for
from flask_babel import gettext
from flask_babel import lazy_gettext as _
from flask_wtf import FlaskForm
from werkzeug.wrappers import Response as AnyResponse
from wtforms import BooleanField, PasswordField, SelectField, StringField
from wtforms.validators import DataRequired, InputRequired, Length

from app import governance, tenancy
from app.platform import clock, errors
from app.platform.postgres import db
from app.platform.web import http
from app.portal.account.profile import proved
from app.portal.web.blueprints import site
from app.portal.web.display import language
from app.portal.web.fields import printable
from app.portal.web.session import access, form_version
from app.portal.web.session.sessions import end_sessions
from app.text.bilingual import LANGUAGES, Bilingual

_ZONES = sorted(zone for zone in zoneinfo.available_timezones() if "/" in zone and not zone.startswith("Etc"))

# In the language that it leads to.
SWITCH = Bilingual(es="Cambiar a español", en="Switch to English")


class AccountForm(FlaskForm):  # type: ignore[misc]  # flask_wtf ships no types
    """Name and time zone of the account."""

    name = StringField(
        validators=[
            DataRequired(_("Enter the name of your firm.")),
            Length(max=120, message=_("A name can have at most 120 characters.")),
            printable,
        ]
    )
    time_zone = SelectField(choices=["UTC", *_ZONES])


class OptionsForm(FlaskForm):  # type: ignore[misc]
    """Add-ons and privacy options."""

    mask_names = StringField()
    attestation = BooleanField()
    citator = BooleanField()


# Networks that acted within this time are told before the first one is allowed.
_LATELY = timedelta(days=30)
_MASKING = {"y": True, "n": False}


class NetworkForm(FlaskForm):  # type: ignore[misc]
    """A network for the allow-list."""

    cidr = StringField(
        validators=[
            DataRequired(_("Enter a network.")),
            Length(max=49, message=_("This is too long for a network.")),
        ]
    )
    confirmed = BooleanField()
    label = StringField(
        validators=[Length(max=80, message=_("A note can have at most 80 characters.")), printable]
    )


class CloseForm(FlaskForm):  # type: ignore[misc]
    """Confirmation of closing: the account's name and the owner's password."""

    name = StringField(validators=[DataRequired(_("Type the name of the account."))])
    current = PasswordField(validators=[InputRequired(_("Enter your current password."))])


@site.get("/account")
@access.member_only(access.TEAM_ROLES)
def account() -> AnyResponse:
    """Show the account settings."""
    return _page()


@site.post("/account")
@access.member_only(access.TEAM_ROLES)
def describe_account() -> AnyResponse:
    """Save name and time zone."""
    form = AccountForm()
    if not form.validate():
        return _page(form=form)
    account_id = access.current_member().account_id
    with db.transaction() as session:
        form_version.take_turn(session)
        if form_version.is_stale(*_described(tenancy.get_account(session, account_id))):
            return _page(is_stale=True)
        tenancy.describe(session, account_id, name=form.name.data, time_zone=form.time_zone.data)
    return _done(gettext("Saved."))


@site.post("/account/options")
@access.member_only(access.TEAM_ROLES)
def set_options() -> AnyResponse:
    """Save the options; they take effect on the next request."""
    form, account_id = OptionsForm(), access.current_member().account_id
    with db.transaction() as session:
        form_version.take_turn(session)
        if form_version.is_stale(*_chosen(tenancy.get_account(session, account_id))):
            return _page(is_stale=True)
        tenancy.set_options(
            session,
            account_id,
            # Without a choice the engine decides: names leave for no model unless somebody said so.
            mask_names=_MASKING.get(form.mask_names.data or ""),
            attestation=form.attestation.data,
            citator=form.citator.data,
        )
    return _done(gettext("Saved. It takes effect on the next request."))


@site.post("/account/second-factor")
@access.member_only(access.OWNER)
def require_second_factor() -> AnyResponse:
    """Set whether members need a second factor; who requires it must have one."""
    account_id, required = access.current_member().account_id, request.form.get("required") == "y"
    with db.transaction() as session:
        mine = tenancy.get_member(session, access.current_member().member_id)
        if required and mine.totp_secret is None:
            flash(gettext("Set up your own authenticator app first, so that you can still sign in."), "warn")
            return redirect(url_for("portal.profile"), 303)
        tenancy.require_second_factor(session, account_id, required=required)
    if required:
        return _done(gettext("From their next click on, members without a second factor must set one up."))
    return _done(gettext("A second factor is each member's choice again."))


@site.post("/account/networks")
@access.member_only(access.TEAM_ROLES)
def allow_network() -> AnyResponse:
    """Add a network to the allow-list."""
    form, account_id = NetworkForm(), access.current_member().account_id
    if not form.validate():
        return _page(network=form)
    try:
        with db.transaction() as session:
            is_first = not tenancy.allowed_addresses(session, account_id)
            if is_first and not form.confirmed.data and tenancy.is_network(form.cidr.data):
                seen = tenancy.left_out(form.cidr.data, [network for network, _at in _seen(session)])
                if seen:
                    return _page(network=form, shut_out=seen)
            tenancy.allow_address(
                session,
                account_id,
                cidr=form.cidr.data,
                label=form.label.data or None,
                now=clock.now(),
            )
    except errors.Conflict:
        form.cidr.errors = [gettext("This network is already on the allow-list.")]
        return _page(network=form)
    except errors.Invalid:
        form.cidr.errors = [gettext("Enter a network such as 203.0.113.0/24 or 2001:db8::/48.")]
        return _page(network=form)
    return _done(gettext("API keys can now be used only from the listed networks."))


@site.post("/account/networks/<uuid:entry_id>/remove")
@access.member_only(access.TEAM_ROLES)
def disallow_network(entry_id: uuid.UUID) -> AnyResponse:
    """Remove a network from the allow-list."""
    with db.transaction() as session:
        tenancy.disallow_address(session, access.current_member().account_id, entry_id)
    return _done(gettext("The network has been removed."))


@site.get("/account/export")
@access.member_only(access.TEAM_ROLES)
def export_account() -> Response:
    """Download all data of the account as JSON (GDPR, articles 15 and 20)."""
    name, me = f"account_export_{clock.today()}.json", access.current_member()
    access.note("export.downloaded", details={"export": "account"})
    return Response(
        http.streamed(governance.bundle(me.account_id, initiated_by=f"member:{me.member_id}")),
        mimetype="application/json",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


@site.route("/account/close", methods=["GET", "POST"])
@access.member_only(access.OWNER)
def close_account() -> AnyResponse | str:
    """Ask for confirmation, listing the consequences; then close the account."""
    form, me = CloseForm(), access.current_member()
    if request.method == "POST" and form.validate():
        members: list[uuid.UUID] = []
        with db.transaction() as session:
            owner = tenancy.get_member(session, me.member_id, lock=True)
            if form.name.data.strip() != me.account_name:
                form.name.errors = [gettext("This is not the name of the account.")]
            elif not proved(owner, form.current.data):
                form.current.errors = [gettext("This is not your current password.")]
            else:
                members = [row.id for row in tenancy.members_of(session, me.account_id)]
                governance.delete_all(session, me.account_id)
                governance.chain_check.erase(session, me.account_id)
                tenancy.close_account(session, me.account_id, now=clock.now())
        if members:
            for member_id in members:
                end_sessions(member_id)
            access.leave()
            flash(gettext("The account has been closed."), "ok")
            return redirect(url_for("portal.sign_in"), 303)
    return make_response(
        render_template("portal/account/close_account.html", form=form), 422 if form.errors else 200
    )


def _done(words: str) -> AnyResponse:
    flash(words, "ok")
    return redirect(url_for("portal.account"), 303)


def _described(row: tenancy.Account) -> tuple[object, ...]:
    """Return what `AccountForm` changes, as it is saved."""
    return row.name, row.time_zone


def _chosen(row: tenancy.Account) -> tuple[object, ...]:
    """Return what `OptionsForm` changes, as it is saved."""
    return row.mask_names, row.attestation, row.citator


def _seen(session: db.Session) -> list[tuple[str, datetime]]:
    """Return the networks from which members and keys of the account acted lately."""
    account_id = access.current_member().account_id
    return tenancy.activity.networks_seen(session, account_id, since=clock.now() - _LATELY)


def _page(
    form: AccountForm | None = None,
    network: NetworkForm | None = None,
    *,
    is_stale: bool = False,
    shut_out: Sequence[str] = (),
) -> AnyResponse:
    me = access.current_member()
    other = next(code for code in LANGUAGES if code != language.current())
    with db.reading() as session:
        row = tenancy.get_account(session, me.account_id)
        people = tenancy.members_of(session, me.account_id)
        entries = tenancy.allowed_addresses(session, me.account_id)
        page = render_template(
            "portal/account/account.html",
            account=row,
            form=form or AccountForm(formdata=None, name=row.name, time_zone=row.time_zone),
            version=form_version.version(*_described(row)),
            options=OptionsForm(formdata=None, obj=row),
            options_version=form_version.version(*_chosen(row)),
            is_stale=is_stale,
            masking=row.mask_names,
            network=network or NetworkForm(formdata=None),
            entries=entries,
            seen=[] if entries else _seen(session),
            shut_out=shut_out,
            lately=_LATELY.days,
            members=len(people),
            unprotected=sum(one.totp_secret is None for one in people),
            now=clock.now(),
            spoken=language.NAMES[language.current()],
            other=other,
            to_other=SWITCH.in_(other),
        )
    return make_response(page, 409 if is_stale else 422 if (form or network) else 200)
