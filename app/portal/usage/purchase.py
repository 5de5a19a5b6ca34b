"""Buying credits at the checkout: choosing a pack, and the way there.

The checkout is another site, to which the page's policy lets no form lead: the answer to the form has a link.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from babel.numbers import format_currency, get_currency_precision
from flask import flash, make_response, redirect, render_template, request, url_for
from flask_babel import gettext, ngettext
from flask_babel import lazy_gettext as _
from werkzeug.wrappers import Response as AnyResponse

from app import purchases
from app.platform import clock, errors, ratelimit, settings
from app.platform.postgres import db
from app.platform.web import public_address
from app.portal.web.blueprints import site
from app.portal.web.display import language
from app.portal.web.display.jinja_env import figure
from app.portal.web.session import access

# Each asks the checkout.
_PER_MINUTE = 6
_SHOWN = 5
STATES = {"open": _("Not paid yet"), "paid": _("Paid"), "failed": _("Not completed")}
_TONES = {"open": "warn", "paid": "ok", "failed": ""}


@dataclass(frozen=True, slots=True)
class PackRow:
    """A pack as the page offers it."""

    credits: int
    name: str
    price: str


@dataclass(frozen=True, slots=True)
class PurchaseRow:
    """A purchase as the page lists it."""

    item: purchases.Purchase
    price: str
    state: Any
    tone: str
    refunded: str | None


@dataclass(frozen=True, slots=True)
class Offer:
    """How credits are bought: `packs` at the checkout, or by invoice, with the operator's contact."""

    packs: Sequence[PackRow]
    bought: Sequence[PurchaseRow]
    contact: str
    is_address: bool
    may_buy: bool


def offer(session: db.Session) -> Offer:
    """Return how the member's account buys credits, with its last purchases."""
    me, contact = access.current_member(), settings.current().purchase_contact
    found = purchases.purchases_of(session, me.account_id, limit=_SHOWN)
    return Offer(
        packs=[
            PackRow(one.credits, _name(one.credits), _price(one.amount, one.currency))
            for one in purchases.packs()
        ],
        bought=[
            PurchaseRow(
                one,
                _price(one.amount, one.currency),
                STATES[one.state],
                _TONES[one.state],
                _price(one.refunded, one.currency) if one.refunded else None,
            )
            for one in found
        ],
        contact=contact,
        is_address="@" in contact,
        may_buy=me.may_manage_team,
    )


@site.post("/credits/buy")
@access.member_only(access.TEAM_ROLES)
def buy_credits() -> AnyResponse:
    """Open a purchase at the checkout; answer with the link to pay."""
    me = access.current_member()
    chosen = request.form.get("pack", "")
    rate = ratelimit.limiter().hit(f"buy:{me.account_id}", _PER_MINUTE)
    if not rate.allowed:
        raise errors.Exhausted("Too many purchases in a minute; wait a little.", retry_after=rate.retry_after)
    size = int(chosen) if chosen.isascii() and chosen.isdigit() and len(chosen) <= 9 else 0
    try:
        row, address = purchases.begin(
            me.account_id,
            credits=size,
            email=me.email,
            title=_name(size),
            back=_back(),
            now=clock.now(),
        )
    except errors.Invalid:
        flash(gettext("Choose how many credits to buy."), "warn")
        return redirect(url_for("portal.credits", _anchor="buy"), 303)
    except purchases.CheckoutFailed:
        flash(gettext("The checkout did not answer. Nothing was bought; try again in a minute."), "warn")
        return redirect(url_for("portal.credits", _anchor="buy"), 303)
    page = render_template(
        "portal/usage/pay.html",
        name=_name(row.credits),
        price=_price(row.amount, row.currency),
        address=address,
        host=urlsplit(address).hostname,
    )
    return make_response(page)


@dataclass(frozen=True, slots=True)
class CameBack:
    """What is said to a buyer who comes back from the checkout."""

    tone: str
    icon: str
    text: str


def came_back(said: str | None) -> CameBack | None:
    """Return what to say to who comes back; the address alone proves no payment, so it claims none."""
    if said == "yes":
        words = gettext("Thank you. The credits appear in the ledger as soon as the payment is confirmed.")
        return CameBack("ok", "ok", words)
    if said == "no":
        return CameBack("warn", "warn", gettext("The payment was not completed. Nothing was bought."))
    return None


def _back() -> str:
    return public_address.base() + url_for("portal.credits")


def _name(credits: int) -> str:
    return str(ngettext("%(n)s credit", "%(n)s credits", credits, n=figure(credits)))


def _price(amount: int, currency: str) -> str:
    value = amount / 10 ** get_currency_precision(currency.upper())
    return str(format_currency(value, currency.upper(), locale=language.LOCALES[language.current()]))
