"""Mails of the portal, in the language of the person who asks for them.

Mails that anybody can ask for are composed by the worker, so that not even the response time reveals whether
an address has an account.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from flask import request, url_for

from app import branding, mail, tenancy
from app.branding import Branding
from app.mail import MailMessage
from app.platform import clock, ratelimit, settings
from app.platform.catalogue import catalogue
from app.platform.postgres import db
from app.platform.settings import Settings, SettingsError
from app.platform.web import public_address
from app.portal.web.display import language
from app.portal.web.session import throttling
from app.text.bilingual import language_of

Wanted = Literal["reset", "sign_up", "second_factor"]

_PLAIN = Branding()
# Letters that one address may ask for in a minute; `throttling.LETTERS` is the rule for each reader.
_PER_ADDRESS = 10
# Where the links of letters lead; the worker has no routes to ask.
PATHS = {
    "reset": "/portal/reset/{token}",
    "sign_up": "/portal/join/{token}",
    "second_factor": "/portal/codes/{token}",
    "watch": "/portal/watches",
}


def gettext(words: str, **values: str) -> str:
    """Translate a message into the current language; Flask-Babel's own function needs a request."""
    found = str(catalogue(language.current()).ugettext(words))
    return found % values if values else found


def ask(session: db.Session, wanted: Wanted, email: str) -> None:
    """Queue a mail to this address; the worker decides whether there is one to send."""
    wish = {"wanted": wanted, "email": email, "language": language.current(), "base": _base()}
    host = public_address.account_of_host()
    if host is not None:
        wish |= {"base": public_address.of_account(host), "host": str(host)}
    mail.ask(session, wish, now=clock.now())


def wait_for_another(wanted: Wanted, email: str) -> int:
    """Count a request for a mail; return the seconds to wait, 0 where the mail may be sent."""
    here = throttling.origin(email, request.remote_addr, None)
    rate = ratelimit.limiter().hit(f"letter:{here.address}", _PER_ADDRESS)
    if not rate.allowed:
        return rate.retry_after
    return throttling.attempt((f"letter:{wanted}:{here.account}", throttling.LETTERS)).wait


def compose(session: db.Session, wish: mail.LetterRequest) -> MailMessage | None:
    """Compose a queued mail; return `None` where the address may get none."""
    with language.speaking(language_of(wish["language"])):
        if wish["wanted"] == "watch":
            account_id = uuid.UUID(wish["account"])
            brand = branding.of_account(session, account_id)
            return news(
                wish["email"],
                json.loads(wish["news"]),
                base=public_address.of_account(account_id),
                brand=brand,
            )
        return _composed(session, wish["wanted"], wish["email"], wish["base"], wish.get("host"))


def _composed(
    session: db.Session, wanted: str, email: str, base: str, host: str | None
) -> MailMessage | None:
    """Compose a mail that anybody may ask for; `host` is the account at whose host name it was asked."""
    now = clock.now()
    if wanted == "sign_up":
        brand = branding.of_account(session, uuid.UUID(host)) if host else _PLAIN
        begun = tenancy.one_time_links.begin_sign_up(session, email, now=now)
        return (
            already_registered(email, brand=brand)
            if begun is None
            else sign_up(begun[0].email, _href(base, wanted, begun[1]), brand=brand)
        )
    begin = (
        tenancy.one_time_links.begin_reset
        if wanted == "reset"
        else tenancy.one_time_links.begin_allowing_codes
    )
    begun = begin(session, email, now=now)
    if begun is None:
        return None
    row, token = begun
    assert row.account_id is not None, "a member is a member somewhere"
    write = reset if wanted == "reset" else codes_stopped
    # Under the account's own host name, wherever it was asked for.
    return write(
        row.email,
        _href(public_address.of_account(row.account_id) or base, wanted, token),
        brand=branding.of_account(session, row.account_id),
    )


def _href(base: str, wanted: str, token: str) -> str:
    return base + PATHS[wanted].format(token=token)


def require_an_address(config: Settings) -> None:
    """Raise `SettingsError` where mails are sent without `PUBLIC_URL`.

    Otherwise links in mails would contain the host that a request claims.
    """
    if config.smtp_url.get_secret_value() and not config.public_url:
        raise SettingsError("PUBLIC_URL is needed where SMTP_URL is set: mails carry links to it.")


def link(endpoint: str, token: str, *, account_id: uuid.UUID) -> str:
    """Return the URL of a page with a one-time token, under the account's host name where it has one."""
    return (public_address.of_account(account_id) or _base()) + url_for(endpoint, token=token)


def _base() -> str:
    return settings.current().public_url.rstrip("/") or request.host_url.rstrip("/")


def invitation(to: str, *, account: str, inviter: str, role: str, href: str, brand: Branding) -> MailMessage:
    """Compose an invitation to join an account, in the account's branding."""
    name = name_in(brand)
    asked = {"inviter": inviter, "account": account, "role": role}
    return letter(
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
        gettext("Choose a password here. The link can be used once and is valid for seven days:"),
        href,
        gettext("If you were not expecting this, ignore this e-mail."),
        brand=brand,
    )


def news(to: str, told: Sequence[Mapping[str, Any]], *, base: str, brand: Branding) -> MailMessage:
    """Compose the mail on what happened to the laws, articles and judgments that an account watches."""
    lines = []
    for one in told:
        facts = one["payload"]
        if one["type"] == "judgment.cited":
            lines.append(gettext("%(what)s: cited by %(by)s", what=one["title"], by=facts["by"]))
        else:
            what = f"{one['title']}, art. {one['article']}" if one["article"] else one["title"]
            since = facts["inForceFrom"]
            lines.append(
                gettext("%(what)s: new wording from %(since)s", what=what, since=since)
                if since
                else gettext("%(what)s: new wording", what=what)
            )
    paragraphs = [gettext("There is news about what your account watches:"), "\n".join(sorted(set(lines)))]
    if base:
        paragraphs.append(gettext("What is watched, and about what you get mail, is changed here:"))
        paragraphs.append(base + PATHS["watch"])
    return letter(to, gettext("News about the law you watch"), *paragraphs, brand=brand)


def reset(to: str, href: str, *, brand: Branding) -> MailMessage:
    """Compose the mail with a password reset link."""
    name = name_in(brand)
    return letter(
        to,
        gettext("A new password for %(service)s", service=name) if name else gettext("A new password"),
        gettext("Someone, probably you, requested a new password."),
        gettext("Choose it here. The link can be used once and is valid for one hour:"),
        href,
        gettext("If this was not you, ignore this e-mail. Your password does not change."),
        brand=brand,
    )


def codes_stopped(to: str, href: str, *, brand: Branding) -> MailMessage:
    """Compose the mail that unlocks the second factor after too many wrong codes."""
    name = name_in(brand)
    most = str(tenancy.second_factor.FAILURES_MAX)
    return letter(
        to,
        gettext("Wrong codes for %(service)s", service=name) if name else gettext("Wrong codes"),
        gettext(
            "%(n)s wrong codes were entered after your password. Codes are no longer accepted, not even "
            "correct ones.",
            n=most,
        ),
        gettext(
            "If this was you, allow codes again here. The link can be used once and is valid for one day:"
        ),
        href,
        gettext(
            "If this was not you, someone knows your password. Reset it first, on the sign-in page, and "
            "tell the account owner."
        ),
        brand=brand,
    )


def sign_up(to: str, href: str, *, brand: Branding = _PLAIN) -> MailMessage:
    """Compose the mail with a link to open an account, under the name of the host where it was asked for."""
    name = name_in(brand)
    return letter(
        to,
        gettext("Create your account on %(service)s", service=name)
        if name
        else gettext("Create your account"),
        gettext("Someone, probably you, wants to create an account with this e-mail address."),
        gettext("Continue here. The link can be used once and is valid for one day:"),
        href,
        gettext("If this was not you, ignore this e-mail."),
        brand=brand,
    )


def already_registered(to: str, *, brand: Branding = _PLAIN) -> MailMessage:
    """Compose the mail for a sign-up with an address that has an account, under the name of the host."""
    name = name_in(brand)
    return letter(
        to,
        gettext("Your account on %(service)s", service=name) if name else gettext("Your account"),
        gettext(
            "Someone, probably you, wants to create an account with this e-mail address. It already has one."
        ),
        gettext("Sign in, or reset your password on that page."),
        brand=brand,
    )


def changed(to: str, *, brand: Branding) -> MailMessage:
    """Compose the notice that the password was changed."""
    name = name_in(brand)
    return letter(
        to,
        gettext("Your password for %(service)s was changed", service=name)
        if name
        else gettext("Your password was changed"),
        gettext("Your password was changed just now. All other sessions were ended."),
        gettext("If this was not you, reset your password at once and tell the account owner."),
        brand=brand,
    )


def name_in(brand: Branding) -> str | None:
    """Return the name under which a mail is written, `None` for none."""
    return brand.attribution.author(settings.current().service_name)


def letter(
    to: str, subject: str, *paragraphs: str, brand: Branding = _PLAIN, unsubscribe: str | None = None
) -> MailMessage:
    """Compose a mail, signed according to the branding; the service's own name uses the configured sender."""
    foot = " · ".join(branding.foot(brand, settings.current().service_name))
    return MailMessage(
        to,
        subject,
        "\n\n".join([*paragraphs, *([foot] if foot else [])]) + "\n",
        sender=None if brand.branding == "nexus" else name_in(brand) or "",
        reply_to=branding.reply_to(brand),
        unsubscribe=unsubscribe,
    )
