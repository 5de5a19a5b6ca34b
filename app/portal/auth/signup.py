"""Pages before sign-in: forgotten password, invitation, sign-up, unlocking codes, local mailbox."""

from __future__ import annotations

import uuid

from flask import abort, flash, make_response, redirect, render_template, request, url_for
from flask_babel import gettext
from flask_babel import lazy_gettext as _
from flask_wtf import FlaskForm
from werkzeug.wrappers import Response as AnyResponse
from wtforms import EmailField, PasswordField, StringField
from wtforms.validators import DataRequired, InputRequired, Length

from app import branding, credits, mail, tenancy
from app.platform import clock, errors, settings
from app.platform.postgres import db, rls
from app.portal.web import emails
from app.portal.web.blueprints import site
from app.portal.web.display import labels
from app.portal.web.fields import printable
from app.portal.web.host_branding import branding_of_host
from app.portal.web.session import access
from app.portal.web.theme import PageBranding, page_branding

# Of the credits that an account begins with, the share below which they are low: not after its first call.
_LOW_SHARE = 4


class AddressForm(FlaskForm):  # type: ignore[misc]  # flask_wtf ships no types
    """An e-mail address."""

    email = EmailField(
        validators=[
            DataRequired(_("Enter your e-mail address.")),
            Length(max=254, message=_("An e-mail address can have at most 254 characters.")),
        ]
    )


class PasswordForm(FlaskForm):  # type: ignore[misc]
    """A new password."""

    password = PasswordField(
        validators=[
            InputRequired(_("Choose a password.")),
            Length(min=8, max=200, message=_("A password must have 8 to 200 characters.")),
        ]
    )


class OpeningForm(PasswordForm):
    """The name of a new account and the password of its owner."""

    name = StringField(
        validators=[
            DataRequired(_("Enter the name of your firm.")),
            Length(max=120, message=_("A name can have at most 120 characters.")),
            printable,
        ]
    )


@site.route("/forgotten", methods=["GET", "POST"])
@access.public
def forgotten() -> AnyResponse | str:
    """Ask for a password reset link; the answer is the same for every address."""
    if not mail.can_send():
        abort(404)

    return _ask_for_letter("portal/auth/forgotten.html", "reset")


@site.route("/reset/<token>", methods=["GET", "POST"])
@access.public
def reset_password(token: str) -> AnyResponse | str:
    """Set a new password with the link of a mail."""
    form = PasswordForm()
    with rls.as_system(), db.transaction() as session:
        link = tenancy.one_time_links.opened(session, token, ("reset",), now=clock.now())
        if request.method != "POST" or not form.validate():
            return _page(
                "portal/auth/reset.html", form, email=link.email, page_branding=_page_branding(session, link)
            )
        try:
            member = tenancy.one_time_links.reset(session, link, password=form.password.data)
        except errors.Invalid as refused:
            form.password.errors = [labels.password_complaint(refused)]
            return _page(
                "portal/auth/reset.html", form, email=link.email, page_branding=_page_branding(session, link)
            )
        # The reader of these letters owns the address: a stranger's wrong guesses do not block this page.
        access.remember_origin(member.email)
        mail.post(
            session,
            emails.changed(member.email, brand=branding.of_account(session, member.account_id)),
            account_id=member.account_id,
            now=clock.now(),
        )
    flash(gettext("Your new password has been set. Sign in with it."), "ok")
    return redirect(url_for("portal.sign_in"), 303)


@site.route("/sign-up", methods=["GET", "POST"])
@access.public
def sign_up() -> AnyResponse | str:
    """Ask for a link to open an account; the answer is the same for every address."""
    if not (settings.current().signup_open and mail.can_send()):
        abort(404)

    return _ask_for_letter("portal/auth/sign_up.html", "sign_up")


@site.route("/join/<token>", methods=["GET", "POST"])
@access.public
def join(token: str) -> AnyResponse | str:
    """Accept an invitation, or open an account, with the link of a mail."""
    with rls.as_system(), db.transaction() as session:
        kinds, now = ("invitation", "sign_up"), clock.now()
        try:
            link = tenancy.one_time_links.opened(session, token, kinds, now=now)
        except errors.NotFound:
            return _stale_link(tenancy.one_time_links.expired(session, token, kinds, now=now))
        opening = link.kind == "sign_up"
        form = OpeningForm() if opening else PasswordForm()
        account = None if link.account_id is None else tenancy.get_account(session, link.account_id).name
        page = {
            "email": link.email,
            "account": account,
            "role": link.role,
            "page_branding": _page_branding(session, link),
        }
        required = _required_sign_on(session, link)
        if required is not None:
            # The provider's answer takes the invitation up (`app/sso`).
            return redirect(url_for("portal.sign_on_start", connection_id=required), 303)
        if request.method != "POST" or not form.validate():
            return _page("portal/auth/join.html", form, **page)
        try:
            with session.begin_nested():
                member = _open_account(session, link, form) if opening else _accept(session, link, form)
        except errors.Conflict:
            return _page("portal/auth/join.html", form, **page, taken=True)
        except errors.Invalid as refused:
            form.password.errors = [labels.password_complaint(refused)]
            return _page("portal/auth/join.html", form, **page)
        access.enter(session, member)
    flash(gettext("Welcome. You are signed in."), "ok")
    return redirect(url_for("portal.overview"), 303)


@site.route("/codes/<token>", methods=["GET", "POST"])
@access.public
def allow_codes(token: str) -> AnyResponse | str:
    """Unlock the second factor with the link of a mail."""
    with rls.as_system(), db.transaction() as session:
        link = tenancy.one_time_links.opened(session, token, ("second_factor",), now=clock.now())
        if request.method != "POST":
            return render_template(
                "portal/auth/codes.html", email=link.email, page_branding=_page_branding(session, link)
            )
        tenancy.one_time_links.allow_codes(session, link)
    flash(gettext("Codes are accepted again. Sign in with your password and the current code."), "ok")
    return redirect(url_for("portal.sign_in"), 303)


@site.get("/mail")
@access.public
def mailbox() -> str:
    """Show the mails that would have been sent, for development on a local machine."""
    # As it came: what a proxy's header says of the host, a page of another site can say too.
    untouched = request.environ.get("werkzeug.proxy_fix.orig", request.environ)
    if not mail.may_read(untouched.get("HTTP_HOST"), request.remote_addr):
        abort(404)
    return render_template("portal/auth/mailbox.html", letters=mail.inbox_mails())


def _required_sign_on(session: db.Session, link: tenancy.OneTimeLink) -> uuid.UUID | None:
    """Return the single sign-on by which whom it invites has to join, if any."""
    if link.account_id is None or link.role == "owner":
        return None
    return tenancy.get_account(session, link.account_id).required_connection


def _open_account(session: db.Session, link: tenancy.OneTimeLink, form: OpeningForm) -> tenancy.Member:
    account, member = tenancy.one_time_links.sign_up(
        session, link, name=form.name.data, password=form.password.data
    )
    config = settings.current()
    given, low = config.signup_credits, config.low_balance_default
    low = min(low, given // _LOW_SHARE) if given else low
    credits.open_balance(session, account.id, low_threshold=low)
    if given:
        credits.grant(session, account.id, given, now=clock.now())
    return member


def _page_branding(session: db.Session, link: tenancy.OneTimeLink) -> PageBranding | None:
    """Return the branding of the page, that of the mail; a sign-up has no account yet, so its host's."""
    if link.account_id is None:
        return branding_of_host()
    return page_branding(
        branding.of_account(session, link.account_id),
        account_name=tenancy.get_account(session, link.account_id).name,
        service_name=settings.current().service_name,
    )


def _accept(session: db.Session, link: tenancy.OneTimeLink, form: PasswordForm) -> tenancy.Member:
    return tenancy.one_time_links.join(session, link, password=form.password.data)


def _ask_for_letter(template: str, wanted: emails.Wanted) -> AnyResponse | str:
    """Queue the request for a mail; the worker finds out whether one may be sent.

    Known and unknown addresses run the same statement, so that neither text nor time tells them apart.
    """
    form = AddressForm()
    if request.method != "POST" or not form.validate():
        return _page(template, form)
    try:
        email = tenancy.normalize_email(form.email.data.strip())
    except errors.Invalid:
        form.email.errors = [gettext("Enter an e-mail address such as ana@example.com.")]
        return _page(template, form)
    wait = emails.wait_for_another(wanted, email)
    if wait:
        answer = make_response(render_template(template, form=form, wait=wait), 429)
        answer.headers["Retry-After"] = str(wait)
        return answer
    with rls.as_system(), db.transaction() as session:
        emails.ask(session, wanted, email)
    return render_template("portal/auth/letter_sent.html", email=form.email.data)


def _stale_link(expired: tenancy.OneTimeLink | None) -> AnyResponse:
    """Say why an invitation or a link to sign up opens nothing, and what to do; 404."""
    page = render_template(
        "portal/auth/stale_link.html",
        expired_at=expired.expires_at if expired else None,
        can_sign_up=settings.current().signup_open and mail.can_send(),
        can_reset=mail.can_send(),
    )
    return make_response(page, 404)


def _page(template: str, form: FlaskForm, **shown: object) -> AnyResponse:
    status = 422 if form.errors or shown.get("taken") else 200
    return make_response(render_template(template, form=form, **shown), status)
