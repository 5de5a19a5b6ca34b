"""Mails about an account that its members may choose: caps, credits, webhooks, keys, documents.

Each has a link that ends mails of its kind, and the header by which mail programs offer it (RFC 8058).
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable, Mapping
from datetime import date, datetime
from typing import Any

from babel.dates import format_date
from babel.numbers import format_decimal

from app import branding, mail
from app.mail import MailMessage
from app.platform.postgres import db
from app.platform.web import public_address
from app.portal.web import emails
from app.portal.web.display import language
from app.portal.web.emails import gettext, letter
from app.text.bilingual import language_of, pick

Facts = Mapping[str, Any]
# Where a mail leads and where its kind is turned off; the worker has no routes to ask.
UNSUBSCRIBE, SETTINGS = "/unsubscribe/{token}", "/portal/profile/mails"
PATHS: Mapping[mail.Kind, str] = {
    "cap": "/portal/keys/{key}",
    "balance": "/portal/credits",
    "webhook_off": "/portal/webhooks/{webhook}",
    "key_expiring": "/portal/keys/{key}",
    "export_ready": "/portal/analyses/documents/{document}",
}


def compose(session: db.Session, wish: mail.LetterRequest) -> MailMessage | None:
    """Compose a queued mail of any kind; return `None` where the address may get none."""
    if wish["wanted"] != "notice":
        return emails.compose(session, wish)
    with language.speaking(language_of(wish["language"])):
        return _notice(session, wish)


def _notice(session: db.Session, wish: mail.LetterRequest) -> MailMessage | None:
    """Compose a mail for one member; `None` where they left, or want no mail of its kind any more."""
    account_id, member_id = uuid.UUID(wish["account"]), uuid.UUID(wish["member"])
    kind = next(one for one in mail.KINDS if one == wish["kind"])
    if not mail.is_wanted(session, account_id, member_id, kind):
        return None
    facts: Facts = json.loads(wish["facts"])
    subject, *paragraphs = _WORDS[kind](facts)
    base, token = public_address.of_account(account_id), mail.unsubscribe_token(member_id, kind)
    if not base:
        return letter(wish["email"], subject, *paragraphs, brand=branding.of_account(session, account_id))
    paragraphs += [base + PATHS[kind].format_map(facts)]
    end = base + UNSUBSCRIBE.format(token=token)
    paragraphs += [
        gettext("To stop e-mails of this kind, open this link:") + "\n" + end,
        gettext("Choose which e-mails you get:") + "\n" + base + SETTINGS,
    ]
    brand = branding.of_account(session, account_id)
    return letter(wish["email"], subject, *paragraphs, brand=brand, unsubscribe=end)


def _cap(facts: Facts) -> list[str]:
    name, share = facts["name"], _share(facts)
    spent = gettext(
        "%(spent)s of its %(cap)s credits for this month are spent.",
        spent=_figure(facts["spent"]),
        cap=_figure(facts["monthlyCreditCap"]),
    )
    until = _day(facts["resetsAt"])
    if facts["percent"] >= 100:
        return [
            gettext("“%(name)s” has reached its monthly cap", name=name),
            spent,
            gettext(
                "Requests with this key that cost credits are refused until %(when)s, unless you raise the "
                "cap.",
                when=until,
            ),
        ]
    forecast = (
        gettext("At this month's rate, the cap will be reached on %(when)s.", when=_day(facts["reachedOn"]))
        if facts["reachedOn"]
        else gettext(
            "At this month's rate, the cap will not be reached before it resets on %(when)s.", when=until
        )
    )
    return [
        gettext("“%(name)s” has spent %(p)s of its monthly cap", name=name, p=share),
        spent,
        forecast,
    ]


def _balance(facts: Facts) -> list[str]:
    left = gettext(
        "%(left)s of the %(all)s credits you had after the last top-up are left.",
        left=_figure(facts["balance"]),
        all=_figure(facts["toppedUpTo"]),
    )
    if facts["percent"] >= 100:
        return [
            gettext("All credits are spent"),
            left,
            gettext("Analyses are refused until credits are added."),
        ]
    words = [gettext("%(p)s of your credits are spent", p=_share(facts)), left]
    if facts["lastsUntil"]:
        words.append(
            gettext(
                "At the rate of the last 30 days, they will last until %(when)s.",
                when=_day(facts["lastsUntil"]),
            )
        )
    return words


def _webhook_off(facts: Facts) -> list[str]:
    why = (
        gettext("It answered 410 Gone, which means that it no longer exists.")
        if facts["reason"] == "gone"
        else gettext("20 deliveries in a row ran out of attempts.")
    )
    return [
        gettext("The webhook to %(host)s was deactivated", host=facts["host"]),
        gettext("Events are no longer delivered to %(host)s.", host=facts["host"]) + " " + why,
        gettext("When the receiver works again, activate the webhook and redeliver what it missed:"),
    ]


def _key_expiring(facts: Facts) -> list[str]:
    when = _day(facts["expiresAt"])
    return [
        gettext("The key “%(name)s” expires on %(when)s", name=facts["name"], when=when),
        gettext("From then on, requests with it are refused. Rotate it before then, or create another key:"),
    ]


def _export_ready(facts: Facts) -> list[str]:
    days = {"first": _day(facts["first"]), "last": _day(facts["last"])}
    return [
        gettext("The audit document for %(first)s to %(last)s is ready", **days),
        gettext("It can be downloaded until %(when)s; then it is deleted:", when=_day(facts["expiresAt"])),
    ]


_WORDS: Mapping[mail.Kind, Callable[[Facts], list[str]]] = {
    "cap": _cap,
    "balance": _balance,
    "webhook_off": _webhook_off,
    "key_expiring": _key_expiring,
    "export_ready": _export_ready,
}


def _day(iso: str) -> str:
    day = datetime.fromisoformat(iso).date() if "T" in iso else date.fromisoformat(iso)
    return str(format_date(day, "long", locale=language.LOCALES[language.current()]))


def _figure(number: int) -> str:
    return str(format_decimal(number, locale=language.LOCALES[language.current()]))


def _share(facts: Facts) -> str:
    space = pick(language.current(), "\N{NO-BREAK SPACE}", "")
    return f"{facts['percent']}{space}%"
