"""Sign-in with password and second factor, and sign-out."""

from __future__ import annotations

import uuid

from flask import Response, flash, make_response, redirect, render_template, request, url_for
from flask_babel import gettext, ngettext
from flask_babel import lazy_gettext as _
from flask_wtf import FlaskForm
from werkzeug.wrappers import Response as AnyResponse
from wtforms import EmailField, PasswordField, StringField
from wtforms.validators import DataRequired, InputRequired, Length

from app import mail, tenancy
from app.platform import clock, crypto, errors, ratelimit, settings
from app.platform.postgres import db, rls
from app.portal.web import emails
from app.portal.web.blueprints import site
from app.portal.web.session import access
from app.portal.web.session.origin import local_path

# Tries from one network in a minute, right ones too: each costs the time of a hash.
TRIES_PER_ADDRESS = 60
# Codes in a minute; after ten wrong ones in all none opens (`second_factor.FAILURES_MAX`).
CODES_PER_MINUTE = 5
# From so many wrong codes on, who then signs in is told of them.
_WORTH_A_WORD = 3


class SignInForm(FlaskForm):  # type: ignore[misc]  # flask_wtf ships no types
    """E-mail address and password."""

    email = EmailField(
        validators=[
            DataRequired(_("Enter your e-mail address.")),
            Length(max=254, message=_("An e-mail address can have at most 254 characters.")),
        ]
    )
    password = PasswordField(
        validators=[
            InputRequired(_("Enter your password.")),
            Length(max=200, message=_("A password can have at most 200 characters.")),
        ]
    )


class CodeForm(FlaskForm):  # type: ignore[misc]
    """A code of the authenticator app, or a recovery code."""

    code = StringField(
        validators=[
            DataRequired(_("Enter the code.")),
            Length(max=40, message=_("A code can have at most 40 characters.")),
        ]
    )


@site.route("/sign-in", methods=["GET", "POST"])
@access.public
def sign_in() -> AnyResponse | str:
    """Show the sign-in form; sign in and redirect to the page that was asked for."""
    onwards = local_path(request.args.get("next"), url_for("portal.overview"))
    if request.method != "POST":
        # Each visit leaves a small session behind: one address cannot fill Redis with them.
        seen = ratelimit.limiter().hit(f"door:{request.remote_addr}", settings.current().rate_public)
        if not seen.allowed:
            raise errors.Exhausted(
                "Too many visits in a minute; wait a little.", retry_after=seen.retry_after
            )
        if access.is_signed_in():
            return redirect(onwards, 303)
        return _page(SignInForm())
    form = SignInForm()
    if not form.validate():
        return _page(form, 422)
    here = access.sign_in_origin(form.email.data)
    rate = ratelimit.limiter().hit(f"sign-in:{here.address}", TRIES_PER_ADDRESS)
    if not rate.allowed and not here.is_familiar():
        return _later(_page(form, 429, wait=rate.retry_after), rate.retry_after)
    tried = here.attempt()
    with rls.as_system(), db.transaction() as session:
        member = None
        if form.email.data.isprintable():  # PostgreSQL takes no NUL
            # Hashed and compared even where it cannot open: the time tells nobody whose gate is shut.
            member = tenancy.authenticate(session, form.email.data, form.password.data)
        if not tried.allowed:
            member = None
        if member is not None:
            tried.take_back()
            sign_on = _required_sign_on(session, member)
            if sign_on is not None:
                return _page(form, 403, sign_on=sign_on)
            if member.totp_secret is not None:
                access.begin_second_step(member)
            else:
                access.enter(session, member)
    if member is None and tried.allowed and form.email.data.isprintable():
        _note_failure(form.email.data, step="password")
    if member is None and tried.wait:
        return _later(_page(form, 429, wait=tried.wait), tried.wait)
    if member is None:
        return _page(form, 401, refused=True)
    if member.totp_secret is not None:
        return redirect(url_for("portal.second_step", next=onwards), 303)
    return redirect(onwards, 303)


@site.route("/sign-in/code", methods=["GET", "POST"])
@access.public
def second_step() -> AnyResponse | str:
    """Ask for the code of the second factor, after the password."""
    onwards = local_path(request.args.get("next"), url_for("portal.overview"))
    half = access.pending_second_step()
    if half is None:
        return redirect(url_for("portal.sign_in", next=onwards), 303)
    form, (member_id, seal) = CodeForm(), half
    with rls.as_system(), db.reading() as session:
        member = tenancy.get_member(session, member_id)
        stopped, email = tenancy.second_factor.stopped(member), member.email
    if stopped:
        return _code_page(form, 403, stopped=True)
    if request.method != "POST" or not form.validate():
        return _code_page(form, 200 if request.method != "POST" else 422)
    rate = ratelimit.limiter().hit(f"code:{member_id}", CODES_PER_MINUTE)
    if not rate.allowed:
        return _later(_code_page(form, 429, wait=rate.retry_after), rate.retry_after)
    with rls.as_system(), db.transaction() as session:
        member = tenancy.get_member(session, member_id, lock=True)
        before = member.totp_failures
        fits = access.seal_of(member) == seal and tenancy.second_factor.check(
            session, member, form.code.data, key=totp_key(), now=clock.now()
        )
        if fits:
            access.enter(session, member)
        stopped = tenancy.second_factor.stopped(member)
        if stopped and before < member.totp_failures:
            emails.ask(session, "second_factor", email)
    if fits and before >= _WORTH_A_WORD:
        flash(
            ngettext(
                "Before this sign-in, %(num)s wrong code was entered with your password. If that was not "
                "you, someone knows your password: change it now.",
                "Before this sign-in, %(num)s wrong codes were entered with your password. If that was "
                "not you, someone knows your password: change it now.",
                before,
            ),
            "warn",
        )
    if fits:
        return redirect(onwards, 303)
    _note_failure(email, step="code")
    return _code_page(form, 403, stopped=True) if stopped else _code_page(form, 401, refused=True)


def _required_sign_on(session: db.Session, member: tenancy.Member) -> uuid.UUID | None:
    """Return the single sign-on that a member has to use in place of the password, if any."""
    account = tenancy.get_account(session, member.account_id)
    return None if access.may_stay(member, account, None) else account.required_connection


def _note_failure(email: str, *, step: str) -> None:
    with rls.as_system(), db.transaction() as session:
        tenancy.activity.sign_in_failed(session, email, request.remote_addr, step=step)


@site.post("/sign-in/code/letter")
@access.public
def ask_for_codes() -> AnyResponse | str:
    """Send the mail that unlocks the second factor again, to a member who has given their password."""
    half = access.pending_second_step()
    if half is None or not mail.can_send():
        return redirect(url_for("portal.sign_in"), 303)
    with rls.as_system(), db.reading() as session:
        member = tenancy.get_member(session, half[0])
        stopped, email = tenancy.second_factor.stopped(member), member.email
    if not stopped:
        return redirect(url_for("portal.second_step"), 303)
    wait = emails.wait_for_another("second_factor", email)
    if wait:
        return _later(_code_page(CodeForm(), 429, stopped=True, wait=wait), wait)
    with rls.as_system(), db.transaction() as session:
        emails.ask(session, "second_factor", email)
    return _code_page(CodeForm(), 200, stopped=True, again=True)


def totp_key() -> bytes:
    """Return the key that encrypts the secrets of second factors, 32 bytes."""
    return crypto.service_key(settings.current().secret_key.get_secret_value(), "totp")


def _code_page(
    form: CodeForm,
    status: int,
    *,
    refused: bool = False,
    wait: int = 0,
    stopped: bool = False,
    again: bool = False,
) -> Response:
    page = render_template(
        "portal/auth/second_step.html",
        form=form,
        refused=refused,
        wait=wait,
        stopped=stopped,
        again=again,
        most=tenancy.second_factor.FAILURES_MAX,
        can_send=mail.can_send(),
    )
    return make_response(page, status)


def _later(answer: Response, wait: int) -> Response:
    answer.headers["Retry-After"] = str(wait)
    return answer


@site.post("/sign-out")
@access.public
def sign_out() -> AnyResponse:
    """End the session in the browser and on the server."""
    if access.is_signed_in():
        access.note("sign_out")
    access.leave()
    flash(gettext("You have signed out."), "ok")
    return redirect(url_for("portal.sign_in"), 303)


def _page(
    form: SignInForm,
    status: int = 200,
    *,
    refused: bool = False,
    wait: int = 0,
    sign_on: uuid.UUID | None = None,
) -> Response:
    page = render_template(
        "portal/auth/sign_in.html",
        form=form,
        refused=refused,
        wait=wait,
        sign_on=sign_on,
        can_send=mail.can_send(),
        sign_up_open=settings.current().signup_open,
    )
    return make_response(page, status)
