"""Profile of a member: password, second factor, sessions."""

from __future__ import annotations

from dataclasses import dataclass

import segno
from flask import Response, flash, make_response, redirect, render_template, request, session, url_for
from flask_babel import gettext
from flask_babel import lazy_gettext as _
from flask_wtf import FlaskForm
from werkzeug.wrappers import Response as AnyResponse
from wtforms import PasswordField, StringField
from wtforms.validators import DataRequired, InputRequired, Length

from app import branding, governance, mail, tenancy
from app.platform import clock, errors
from app.platform.postgres import db
from app.platform.web import http
from app.portal.auth.sign_in import totp_key
from app.portal.web import emails
from app.portal.web.blueprints import site
from app.portal.web.display import labels
from app.portal.web.session import access, throttling
from app.portal.web.session.sessions import SessionInfo, end_sessions, sessions_of

_PENDING = "totp_pending"


class ChangeForm(FlaskForm):  # type: ignore[misc]  # flask_wtf ships no types
    """The present password and the new one."""

    current = PasswordField(validators=[InputRequired(_("Enter your current password."))])
    password = PasswordField(
        validators=[
            InputRequired(_("Choose a password.")),
            Length(min=8, max=200, message=_("A password must have 8 to 200 characters.")),
        ]
    )


class ProofForm(FlaskForm):  # type: ignore[misc]
    """The present password, asked again before a critical change."""

    current = PasswordField(validators=[InputRequired(_("Enter your current password."))])


class AppForm(FlaskForm):  # type: ignore[misc]
    """The first code of the authenticator app."""

    code = StringField(
        validators=[
            DataRequired(_("Enter the code.")),
            Length(max=12, message=_("A code has six digits.")),
        ]
    )


@dataclass(frozen=True, slots=True)
class Device:
    """A session for display; `here` marks that of this request."""

    seen: SessionInfo
    browser: str
    here: bool


@site.get("/profile")
@access.member_only(sets_up_second_factor=True)
def profile() -> AnyResponse:
    """Show the member's profile."""
    return _page()


@site.post("/profile/password")
@access.member_only(sets_up_second_factor=True)
def change_password() -> AnyResponse:
    """Change the password; every other session ends."""
    form = ChangeForm()
    me = access.current_member()
    if not form.validate():
        return _page(change=form)
    with db.transaction() as database:
        member = tenancy.get_member(database, me.member_id, lock=True)
        if not proved(member, form.current.data):
            form.current.errors = [gettext("This is not your current password.")]
            return _page(change=form)
        try:
            tenancy.choose_password(database, member, form.password.data)
        except errors.Invalid as refused:
            form.password.errors = [labels.password_complaint(refused)]
            return _page(change=form)
        mail.post(
            database,
            emails.changed(member.email, brand=branding.of_account(database, member.account_id)),
            account_id=member.account_id,
            now=clock.now(),
        )
        access.keep_signed_in(member)
    end_sessions(me.member_id)
    flash(gettext("Your password has been changed. All other sessions were ended."), "ok")
    return redirect(url_for("portal.profile"), 303)


@site.route("/profile/second-factor", methods=["GET", "POST"])
@access.member_only(sets_up_second_factor=True)
def add_second_factor() -> AnyResponse | str:
    """Connect an authenticator app; then show the recovery codes, once."""
    form, me = AppForm(), access.current_member()
    secret = session.get(_PENDING) if request.method == "POST" else None
    if secret is None:
        secret = tenancy.second_factor.new_secret()
        session[_PENDING] = secret
    if request.method == "POST" and form.validate():
        try:
            with db.transaction() as database:
                member = tenancy.get_member(database, me.member_id, lock=True)
                codes = tenancy.second_factor.enable(
                    database, member, secret, form.code.data, key=totp_key(), now=clock.now()
                )
        except errors.Invalid:
            form.code.errors = [gettext("The code is not correct. Enter the current one.")]
        else:
            session.pop(_PENDING, None)
            end_sessions(me.member_id, but=access.session_name())
            return render_template("portal/auth/recovery_codes.html", codes=codes)
    with db.reading() as database:
        member = tenancy.get_member(database, me.member_id)
        address = tenancy.second_factor.address(secret, member, me.page_branding.name)
    page = render_template(
        "portal/account/second_factor.html",
        form=form,
        is_required=me.lacks_second_factor,
        secret=secret,
        picture=_picture(address),
        address=address,
    )
    return make_response(page, 422 if form.errors else 200)


@site.route("/profile/second-factor/off", methods=["GET", "POST"])
@access.member_only()
def remove_second_factor() -> AnyResponse | str:
    """Disable the second factor, after the password; not where the account requires one."""
    if _is_required():
        flash(gettext("Your account requires two-factor authentication: it cannot be turned off."), "warn")
        return redirect(url_for("portal.profile"), 303)
    return _after_proof(
        "portal/account/second_factor_off.html",
        lambda database, member: tenancy.second_factor.disable(database, member),
        gettext("Signing in now needs only the password."),
    )


@site.route("/profile/recovery-codes", methods=["GET", "POST"])
@access.member_only()
def renew_recovery_codes() -> AnyResponse | str:
    """Replace the recovery codes, after the password."""
    codes: list[str] = []
    answer = _after_proof(
        "portal/account/recovery_codes_new.html",
        lambda database, member: codes.extend(tenancy.second_factor.renew_recovery_codes(database, member)),
        None,
    )
    return render_template("portal/auth/recovery_codes.html", codes=codes) if codes else answer


@site.post("/profile/sessions/end")
@access.member_only(sets_up_second_factor=True)
def end_session() -> AnyResponse:
    """End one session, or all others."""
    name, me = request.form.get("name"), access.current_member().member_id
    ended = end_sessions(me, only=name, but=None if name else access.session_name())
    access.note("session.ended", details={"sessions": ended})
    flash(gettext("%(n)s sessions ended.", n=ended) if ended != 1 else gettext("One session ended."), "ok")
    return redirect(url_for("portal.profile"), 303)


@site.get("/profile/export")
@access.member_only()
def export_member() -> Response:
    """Download what is stored about the member as JSON (GDPR, articles 15 and 20)."""
    me = access.current_member()
    sessions = [
        {"since": clock.iso(seen.since), "browser": seen.agent, "address": seen.address}
        for seen in sessions_of(me.member_id)
    ]
    access.note("export.downloaded", details={"export": "member"})
    name = f"personal_data_{clock.today()}.json"
    return Response(
        http.streamed(governance.member_bundle(me.account_id, me.member_id, sessions=sessions)),
        mimetype="application/json",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


def _is_required() -> bool:
    """Return whether the account requires a second factor of its members."""
    with db.reading() as database:
        account = tenancy.get_account(database, access.current_member().account_id)
        return account.second_factor_required


def _after_proof(template: str, act: object, done: str | None) -> AnyResponse | str:
    form, me = ProofForm(), access.current_member()
    if request.method == "POST" and form.validate():
        with db.transaction() as database:
            member = tenancy.get_member(database, me.member_id, lock=True)
            if proved(member, form.current.data):
                act(database, member)  # type: ignore[operator]
                if done is not None:
                    flash(done, "ok")
                return redirect(url_for("portal.profile"), 303)
        form.current.errors = [gettext("This is not your current password.")]
    return make_response(render_template(template, form=form), 422 if form.errors else 200)


def proved(member: tenancy.Member, password: str) -> bool:
    """Return whether the password is right; attempts are limited, so that an open session helps no guessing.

    Raises:
        Exhausted: 429, too many attempts.
    """
    tried = throttling.attempt((f"proof:{member.id}", throttling.PROOF))
    if not tried.allowed:
        raise errors.Exhausted("Too many tries; wait a little.", retry_after=tried.wait)
    right = tenancy.password_is(member, password)
    if right:
        tried.take_back()
    return right


def _page(change: ChangeForm | None = None) -> AnyResponse:
    me = access.current_member()
    with db.reading() as database:
        member = tenancy.get_member(database, me.member_id)
        protected, codes = member.totp_secret is not None, len(member.recovery_hashes)
    here = access.session_name()
    seen_here = sessions_of(me.member_id)
    page = render_template(
        "portal/account/profile.html",
        form=change or ChangeForm(),
        protected=protected,
        is_required=_is_required(),
        codes=codes,
        devices=[Device(seen, browser(seen.agent), seen.name == here) for seen in seen_here],
        has_others=len(seen_here) > 1,
    )
    return make_response(page, 422 if change is not None and change.errors else 200)


def _picture(address: str) -> str:
    """Return the QR code as SVG in a `data:` URL."""
    return str(segno.make(address, error="m").svg_data_uri(scale=5, border=3, dark="#111", light="#fff"))


_BROWSERS = (
    ("Edg", "Edge"),
    ("OPR", "Opera"),
    ("Firefox", "Firefox"),
    ("Chrome", "Chrome"),
    ("Safari", "Safari"),
)
_SYSTEMS = (
    ("Windows", "Windows"),
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Mac OS", "macOS"),
    ("Linux", "Linux"),
)


def browser(agent: str) -> str:
    """Return a short name of a browser: “Firefox, Windows”."""
    names = [next((name for sign, name in known if sign in agent), "") for known in (_BROWSERS, _SYSTEMS)]
    return ", ".join(name for name in names if name) or gettext("Unknown browser")
