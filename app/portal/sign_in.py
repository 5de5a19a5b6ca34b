"""Sign in and sign out."""

from __future__ import annotations

import hashlib

from flask import Response, flash, make_response, redirect, render_template, request, url_for
from flask_babel import gettext
from flask_babel import lazy_gettext as _
from flask_wtf import FlaskForm
from werkzeug.wrappers import Response as AnyResponse
from wtforms import EmailField, PasswordField, StringField
from wtforms.validators import DataRequired, InputRequired, Length

from app import mail, tenancy
from app.platform import clock, crypto, db, errors, ratelimit, settings, tenant
from app.portal import access
from app.portal.origin import local_path
from app.portal.site import front, site

# Tries in any 60 seconds. The account's is low: a person mistypes a few times, a program guesses on.
TRIES_PER_ADDRESS = 20
TRIES_PER_ACCOUNT = 5


class SignInForm(FlaskForm):  # type: ignore[misc]  # flask_wtf ships no types
    """E-mail address and password."""

    email = EmailField(
        validators=[
            DataRequired(_("Enter your e-mail address.")),
            Length(max=254, message=_("An e-mail address has at most 254 characters.")),
        ]
    )
    password = PasswordField(
        validators=[
            InputRequired(_("Enter your password.")),
            Length(max=200, message=_("A password has at most 200 characters.")),
        ]
    )


class CodeForm(FlaskForm):  # type: ignore[misc]
    """Six digits from an app, or a recovery code."""

    code = StringField(
        validators=[
            DataRequired(_("Enter the code.")),
            Length(max=40, message=_("A code has at most 40 characters.")),
        ]
    )


@front.get("/")
@access.public
def entrance() -> AnyResponse:
    """To the overview, which sends strangers on to sign in."""
    return redirect(url_for("portal.overview"), 303)


@site.route("/sign-in", methods=["GET", "POST"])
@access.public
def sign_in() -> AnyResponse | str:
    """The form; with the right address and password, on to the page that was asked for."""
    onwards = local_path(request.args.get("next"), url_for("portal.overview"))
    if request.method != "POST":
        # Each visit leaves a small session behind: one address cannot fill Redis with them.
        seen = ratelimit.limiter().hit(f"door:{request.remote_addr}", settings.current().rate_public)
        if not seen.allowed:
            raise errors.Exhausted(
                "Too many visits in a minute; wait a little.", retry_after=seen.retry_after
            )
        if access.someone_is_here():
            return redirect(onwards, 303)
        return _page(SignInForm())
    form = SignInForm()
    if not form.validate():
        return _page(form, 422)
    wait = _wait(form.email.data)
    if wait:
        answer = _page(form, 429, wait=wait)
        answer.headers["Retry-After"] = str(wait)
        return answer
    with tenant.as_system(), db.transaction() as session:
        member = None
        if form.email.data.isprintable():  # PostgreSQL takes no NUL
            member = tenancy.authenticate(session, form.email.data, form.password.data, now=clock.now())
        if member is not None and member.totp_secret is not None:
            access.enter_halfway(member)
        elif member is not None:
            access.enter(session, member)
    if member is None:
        return _page(form, 401, refused=True)
    if member.totp_secret is not None:
        return redirect(url_for("portal.second_step", next=onwards), 303)
    return redirect(onwards, 303)


@site.route("/sign-in/code", methods=["GET", "POST"])
@access.public
def second_step() -> AnyResponse | str:
    """The code of the second factor, after the password."""
    onwards = local_path(request.args.get("next"), url_for("portal.overview"))
    half = access.halfway()
    if half is None:
        return redirect(url_for("portal.sign_in", next=onwards), 303)
    form = CodeForm()
    if request.method != "POST" or not form.validate():
        return _code_page(form, 200 if request.method != "POST" else 422)
    member_id, seal = half
    rate = ratelimit.limiter().hit(f"code:{member_id}", TRIES_PER_ACCOUNT)
    if not rate.allowed:
        answer = _code_page(form, 429, wait=rate.retry_after)
        answer.headers["Retry-After"] = str(rate.retry_after)
        return answer
    with tenant.as_system(), db.transaction() as session:
        member = tenancy.get_member(session, member_id, lock=True)
        fits = access.seal_of(member) == seal and tenancy.second_factor.check(
            session, member, form.code.data, key=totp_key(), now=clock.now()
        )
        if fits:
            access.enter(session, member)
    return redirect(onwards, 303) if fits else _code_page(form, 401, refused=True)


def totp_key() -> bytes:
    """What seals the secrets of second factors."""
    return crypto.service_key(settings.current().secret_key.get_secret_value(), "totp")


def _code_page(form: CodeForm, status: int, *, refused: bool = False, wait: int = 0) -> Response:
    page = render_template("portal/second_step.html", form=form, refused=refused, wait=wait)
    return make_response(page, status)


@site.post("/sign-out")
@access.public
def sign_out() -> AnyResponse:
    """End the session, here and on the server."""
    access.leave()
    flash(gettext("You are signed out."), "ok")
    return redirect(url_for("portal.sign_in"), 303)


def _page(form: SignInForm, status: int = 200, *, refused: bool = False, wait: int = 0) -> Response:
    page = render_template(
        "portal/sign_in.html",
        form=form,
        refused=refused,
        wait=wait,
        can_send=mail.can_send(),
        sign_up_open=settings.current().signup_open,
    )
    return make_response(page, status)


def _wait(email: str) -> int:
    """Seconds to wait before the next try, 0 when this one may proceed; known and unknown addresses alike."""
    # The address itself stays out of Redis.
    account = hashlib.sha256(email.strip().lower().encode()).hexdigest()
    limiter = ratelimit.limiter()
    for name, per_minute in (
        (f"sign-in:address:{request.remote_addr}", TRIES_PER_ADDRESS),
        (f"sign-in:account:{account}", TRIES_PER_ACCOUNT),
    ):
        rate = limiter.hit(name, per_minute)
        if not rate.allowed:
            return rate.retry_after
    return 0
