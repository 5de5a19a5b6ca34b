"""The letters that the portal writes, in the language of whoever asks for them."""

from __future__ import annotations

from flask import request, url_for
from flask_babel import gettext

from app import branding
from app.branding import Branding
from app.mail import Letter
from app.platform import settings
from app.platform.settings import Settings, SettingsError

_PLAIN = Branding()


def require_an_address(config: Settings) -> None:
    """Refuse to start where links in mails would be built from what a request says its host is."""
    if config.smtp_url.get_secret_value() and not config.public_url:
        raise SettingsError("PUBLIC_URL is needed where SMTP_URL is set: mails carry links to it.")


def link(endpoint: str, token: str) -> str:
    """The address of a page that opens once."""
    path = url_for(endpoint, token=token)
    return (settings.current().public_url.rstrip("/") or request.host_url.rstrip("/")) + path


def invitation(to: str, *, account: str, inviter: str, role: str, href: str, worn: Branding) -> Letter:
    """Somebody is asked to join an account, in its branding."""
    name = _name(worn)
    asked = {"inviter": inviter, "account": account, "role": role}
    return _letter(
        to,
        gettext("Join %(account)s on %(service)s", account=account, service=name)
        if name
        else gettext("Join %(account)s", account=account),
        gettext(
            "%(inviter)s invites you to %(account)s on %(service)s, in the role “%(role)s”.",
            service=name,
            **asked,
        )
        if name
        else gettext("%(inviter)s invites you to %(account)s, in the role “%(role)s”.", **asked),
        gettext("Choose a password here; the link opens once and lasts seven days:"),
        href,
        gettext("If you do not know what this is about, do nothing."),
        worn=worn,
    )


def reset(to: str, href: str, *, worn: Branding) -> Letter:
    """A new password was asked for."""
    name = _name(worn)
    return _letter(
        to,
        gettext("A new password for %(service)s", service=name) if name else gettext("A new password"),
        gettext("Somebody, probably you, asked for a new password."),
        gettext("Choose it here; the link opens once and lasts one hour:"),
        href,
        gettext("If it was not you, do nothing: your password stays as it is."),
        worn=worn,
    )


def sign_up(to: str, href: str) -> Letter:
    """An account is to be opened."""
    return _letter(
        to,
        gettext("Open your account on %(service)s", service=settings.current().service_name),
        gettext("Somebody, probably you, wants to open an account with this address."),
        gettext("Go on here; the link opens once and lasts a day:"),
        href,
        gettext("If it was not you, do nothing."),
    )


def here_already(to: str) -> Letter:
    """An account was to be opened with an address that has one: in the service's own name, as `sign_up`."""
    return _letter(
        to,
        gettext("Your account on %(service)s", service=settings.current().service_name),
        gettext("Somebody, probably you, wants to open an account with this address. It has one already."),
        gettext("Sign in, or ask for a new password on that page, if you do not remember it."),
    )


def changed(to: str, *, worn: Branding) -> Letter:
    """The password is another one now."""
    name = _name(worn)
    return _letter(
        to,
        gettext("Your password for %(service)s was changed", service=name)
        if name
        else gettext("Your password was changed"),
        gettext("Your password was changed just now, and every other session was ended."),
        gettext("If it was not you, ask for a new password at once and tell the owner of your account."),
        worn=worn,
    )


def _name(worn: Branding) -> str | None:
    return worn.voice.author(settings.current().service_name)


def _letter(to: str, subject: str, *paragraphs: str, worn: Branding = _PLAIN) -> Letter:
    """Signed as the branding's preview shows; under the service's own name the sender is the settings'."""
    foot = " · ".join(branding.foot(worn, settings.current().service_name))
    return Letter(
        to,
        subject,
        "\n\n".join([*paragraphs, *([foot] if foot else [])]) + "\n",
        sender=None if worn.branding == "nexus" else _name(worn) or "",
        reply_to=branding.reply_to(worn),
    )
