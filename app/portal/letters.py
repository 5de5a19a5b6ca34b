"""The letters that the portal writes, in the language of whoever asks for them."""

from __future__ import annotations

from flask import request, url_for
from flask_babel import gettext

from app.mail import Letter
from app.platform import settings
from app.platform.settings import Settings, SettingsError


def require_an_address(config: Settings) -> None:
    """Refuse to start where links in mails would be built from what a request says its host is."""
    if config.smtp_url.get_secret_value() and not config.public_url:
        raise SettingsError("PUBLIC_URL is needed where SMTP_URL is set: mails carry links to it.")


def link(endpoint: str, token: str) -> str:
    """The address of a page that opens once."""
    path = url_for(endpoint, token=token)
    return (settings.current().public_url.rstrip("/") or request.host_url.rstrip("/")) + path


def invitation(to: str, *, account: str, inviter: str, role: str, href: str) -> Letter:
    """Somebody is asked to join an account."""
    service = settings.current().service_name
    return Letter(
        to,
        gettext("Join %(account)s on %(service)s", account=account, service=service),
        _text(
            gettext(
                "%(inviter)s invites you to %(account)s on %(service)s, in the role “%(role)s”.",
                inviter=inviter,
                account=account,
                service=service,
                role=role,
            ),
            gettext("Choose a password here; the link opens once and lasts seven days:"),
            href,
            gettext("If you do not know what this is about, do nothing."),
        ),
    )


def reset(to: str, href: str) -> Letter:
    """A new password was asked for."""
    service = settings.current().service_name
    return Letter(
        to,
        gettext("A new password for %(service)s", service=service),
        _text(
            gettext("Somebody, probably you, asked for a new password."),
            gettext("Choose it here; the link opens once and lasts one hour:"),
            href,
            gettext("If it was not you, do nothing: your password stays as it is."),
        ),
    )


def sign_up(to: str, href: str) -> Letter:
    """An account is to be opened."""
    service = settings.current().service_name
    return Letter(
        to,
        gettext("Open your account on %(service)s", service=service),
        _text(
            gettext("Somebody, probably you, wants to open an account with this address."),
            gettext("Go on here; the link opens once and lasts a day:"),
            href,
            gettext("If it was not you, do nothing."),
        ),
    )


def here_already(to: str) -> Letter:
    """An account was to be opened with an address that has one."""
    service = settings.current().service_name
    return Letter(
        to,
        gettext("Your account on %(service)s", service=service),
        _text(
            gettext(
                "Somebody, probably you, wants to open an account with this address. It has one already."
            ),
            gettext("Sign in, or ask for a new password on that page, if you do not remember it."),
        ),
    )


def changed(to: str) -> Letter:
    """The password is another one now."""
    service = settings.current().service_name
    return Letter(
        to,
        gettext("Your password for %(service)s was changed", service=service),
        _text(
            gettext("Your password was changed just now, and every other session was ended."),
            gettext("If it was not you, ask for a new password at once and tell the owner of your account."),
        ),
    )


def _text(*paragraphs: str) -> str:
    return "\n\n".join([*paragraphs, settings.current().service_name]) + "\n"
