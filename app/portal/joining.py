"""Before sign-in: a forgotten password, an invitation, the begin of an account, the local mailbox."""

from __future__ import annotations

import hashlib

from flask import abort, flash, make_response, redirect, render_template, request, url_for
from flask_babel import gettext
from flask_babel import lazy_gettext as _
from flask_wtf import FlaskForm
from werkzeug.wrappers import Response as AnyResponse
from wtforms import EmailField, PasswordField, StringField
from wtforms.validators import DataRequired, InputRequired, Length

from app import branding, credits, mail, tenancy
from app.platform import clock, db, errors, ratelimit, settings, tenant
from app.portal import access, letters
from app.portal.livery import Livery, livery
from app.portal.site import site

LETTERS_PER_ADDRESS, LETTERS_PER_READER = 10, 3
# A balance below this is worth a word; the account can change it.
_LOW = 20


class AddressForm(FlaskForm):  # type: ignore[misc]  # flask_wtf ships no types
    """Whom to write to."""

    email = EmailField(
        validators=[
            DataRequired(_("Enter your e-mail address.")),
            Length(max=254, message=_("An e-mail address has at most 254 characters.")),
        ]
    )


class PasswordForm(FlaskForm):  # type: ignore[misc]
    """A new password."""

    password = PasswordField(
        validators=[
            InputRequired(_("Choose a password.")),
            Length(min=8, max=200, message=_("A password has 8 to 200 characters.")),
        ]
    )


class OpeningForm(PasswordForm):
    """The name of a new account, and the password of its owner."""

    name = StringField(
        validators=[
            DataRequired(_("Enter the name of your firm.")),
            Length(max=120, message=_("A name has at most 120 characters.")),
        ]
    )


@site.route("/forgotten", methods=["GET", "POST"])
@access.public
def forgotten() -> AnyResponse | str:
    """Ask for a link to a new password; the answer is the same for every address."""
    if not mail.can_send():
        abort(404)

    def write(session: db.Session, email: str) -> None:
        begun = tenancy.links.begin_reset(session, email, now=clock.now())
        if begun is not None:
            row, token = begun
            assert row.account_id is not None, "who asks for a new password is a member somewhere"
            letter = letters.reset(
                row.email,
                letters.link("portal.reset_password", token),
                worn=branding.of_account(session, row.account_id),
            )
            mail.post(session, letter, account_id=row.account_id, now=clock.now())

    return _ask_for_letter("portal/forgotten.html", write)


@site.route("/reset/<token>", methods=["GET", "POST"])
@access.public
def reset_password(token: str) -> AnyResponse | str:
    """Choose a new password with the link of a letter."""
    form = PasswordForm()
    with tenant.as_system(), db.transaction() as session:
        link = tenancy.links.opened(session, token, ("reset",), now=clock.now())
        if request.method != "POST" or not form.validate():
            return _page("portal/reset.html", form, email=link.email, livery=_livery(session, link))
        member = tenancy.links.reset(session, link, password=form.password.data)
        mail.post(
            session,
            letters.changed(member.email, worn=branding.of_account(session, member.account_id)),
            account_id=member.account_id,
            now=clock.now(),
        )
    flash(gettext("Your new password is set. Sign in with it."), "ok")
    return redirect(url_for("portal.sign_in"), 303)


@site.route("/sign-up", methods=["GET", "POST"])
@access.public
def sign_up() -> AnyResponse | str:
    """Ask for a link to open an account; the answer is the same for every address."""
    if not (settings.current().signup_open and mail.can_send()):
        abort(404)

    def write(session: db.Session, email: str) -> None:
        begun = tenancy.links.begin_sign_up(session, email, now=clock.now())
        letter = (
            letters.here_already(email)
            if begun is None
            else letters.sign_up(begun[0].email, letters.link("portal.join", begun[1]))
        )
        mail.post(session, letter, account_id=None, now=clock.now())

    return _ask_for_letter("portal/sign_up.html", write)


@site.route("/join/<token>", methods=["GET", "POST"])
@access.public
def join(token: str) -> AnyResponse | str:
    """Accept an invitation, or open an account, with the link of a letter."""
    with tenant.as_system(), db.transaction() as session:
        link = tenancy.links.opened(session, token, ("invitation", "sign_up"), now=clock.now())
        opening = link.kind == "sign_up"
        form = OpeningForm() if opening else PasswordForm()
        account = None if link.account_id is None else tenancy.get_account(session, link.account_id).name
        page = {
            "email": link.email,
            "account": account,
            "role": link.role,
            "livery": _livery(session, link),
        }
        if request.method != "POST" or not form.validate():
            return _page("portal/join.html", form, **page)
        try:
            with session.begin_nested():
                member = _open_account(session, link, form) if opening else _accept(session, link, form)
        except errors.Conflict:
            return _page("portal/join.html", form, **page, taken=True)
        access.enter(session, member)
    flash(gettext("Welcome. You are signed in."), "ok")
    return redirect(url_for("portal.overview"), 303)


@site.get("/mail")
@access.public
def mailbox() -> str:
    """The mails that would have left, for who runs this on their own machine."""
    if not settings.current().mail_inbox or request.remote_addr not in ("127.0.0.1", "::1"):
        abort(404)
    return render_template("portal/mailbox.html", letters=mail.kept())


def _open_account(session: db.Session, link: tenancy.OneTimeLink, form: OpeningForm) -> tenancy.Member:
    account, member = tenancy.links.sign_up(session, link, name=form.name.data, password=form.password.data)
    credits.open_balance(session, account.id, low_threshold=_LOW)
    given = settings.current().signup_credits
    if given:
        credits.grant(session, account.id, given, now=clock.now())
    return member


def _livery(session: db.Session, link: tenancy.OneTimeLink) -> Livery | None:
    """The page behind a letter appears as the letter did; a sign-up is of no account yet."""
    if link.account_id is None:
        return None
    return livery(
        branding.of_account(session, link.account_id),
        account_name=tenancy.get_account(session, link.account_id).name,
        service_name=settings.current().service_name,
    )


def _accept(session: db.Session, link: tenancy.OneTimeLink, form: PasswordForm) -> tenancy.Member:
    return tenancy.links.join(session, link, password=form.password.data)


def _ask_for_letter(template: str, write: object) -> AnyResponse | str:
    form = AddressForm()
    if request.method != "POST":
        return _page(template, form)
    if not form.validate():
        return _page(template, form)
    wait = _wait(form.email.data)
    if wait:
        answer = make_response(render_template(template, form=form, wait=wait), 429)
        answer.headers["Retry-After"] = str(wait)
        return answer
    try:
        with tenant.as_system(), db.transaction() as session:
            if form.email.data.isprintable():
                write(session, form.email.data)  # type: ignore[operator]
    except errors.Invalid:
        form.email.errors = [gettext("Enter an e-mail address such as ana@example.com.")]
        return _page(template, form)
    return render_template("portal/letter_sent.html", email=form.email.data)


def _wait(email: str) -> int:
    reader = hashlib.sha256(email.strip().lower().encode()).hexdigest()
    limiter = ratelimit.limiter()
    for name, per_minute in (
        (f"letter:address:{request.remote_addr}", LETTERS_PER_ADDRESS),
        (f"letter:reader:{reader}", LETTERS_PER_READER),
    ):
        rate = limiter.hit(name, per_minute)
        if not rate.allowed:
            return rate.retry_after
    return 0


def _page(template: str, form: FlaskForm, **shown: object) -> AnyResponse:
    status = 422 if form.errors or shown.get("taken") else 200
    return make_response(render_template(template, form=form, **shown), status)
