"""What a message of the checkout does to a purchase and to the ledger."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Literal

import sqlalchemy as sa
from sqlalchemy.orm import Session

from app import credits, tenancy
from app.platform import log
from app.platform.postgres import bulk, db
from app.purchases.models import Purchase

Outcome = Literal["credited", "failed", "refunded", "repeated", "ignored"]
_PAID = ("checkout.session.completed", "checkout.session.async_payment_succeeded")
_FAILED = ("checkout.session.expired", "checkout.session.async_payment_failed")

_logger = log.logger("purchases")


def apply(session: db.Session, message: Mapping[str, Any], *, now: datetime) -> Outcome:
    """Carry a verified message out; return what it did. A repeated one does nothing.

    The row of the purchase is locked, so that the same message, delivered twice at once, is credited once.
    """
    kind, found = message.get("type"), message.get("data")
    about = found.get("object") if isinstance(found, Mapping) else None
    if not isinstance(about, Mapping) or not isinstance(kind, str):
        return "ignored"
    if kind in _PAID and about.get("payment_status") == "paid":
        return _paid(session, about, now)
    if kind in _FAILED:
        return _failed(session, about)
    if kind == "charge.refunded":
        return _refunded(session, about)
    return "ignored"


def _paid(session: db.Session, about: Mapping[str, Any], now: datetime) -> Outcome:
    row = _of_session(session, about)
    if row is None:
        return "ignored"
    if row.state == "paid":
        return "repeated"
    if (about.get("amount_total"), about.get("currency")) != (row.amount, row.currency):
        _logger.error("a purchase was paid at another price, nothing credited", purchase=str(row.id))
        return "ignored"
    row.state, row.paid_at = "paid", now
    row.session_id = _text(about.get("id"))
    row.payment = _text(about.get("payment_intent"))
    session.flush()
    credits.grant(session, row.account_id, row.credits, now=now, description=f"checkout {row.id}")
    _note(session, row, "purchase.paid", {"credits": row.credits})
    return "credited"


def _failed(session: db.Session, about: Mapping[str, Any]) -> Outcome:
    row = _of_session(session, about)
    if row is None or row.state != "open":
        return "ignored"
    row.state = "failed"
    session.flush()
    return "failed"


def _refunded(session: db.Session, about: Mapping[str, Any]) -> Outcome:
    """Note what was paid back. Credits stay: they may be spent, and a balance never goes below zero."""
    row, payment = _named(session, about), _text(about.get("payment_intent"))
    if row is None and payment is not None:
        row = session.scalar(sa.select(Purchase).where(Purchase.payment == payment).with_for_update())
    amount = about.get("amount_refunded")
    if row is None or not isinstance(amount, int) or not row.refunded < amount <= row.amount:
        return "ignored"
    row.refunded = amount
    session.flush()
    _note(session, row, "purchase.refunded", {"amount": amount, "currency": row.currency})
    return "refunded"


def _of_session(session: db.Session, about: Mapping[str, Any]) -> Purchase | None:
    """Return the purchase of a checkout session, locked; `None` where the session is not that of it."""
    row = _named(session, about)
    if row is None or row.session_id not in (None, about.get("id")):
        return None
    return row if about.get("client_reference_id") == str(row.id) else None


def _named(session: db.Session, about: Mapping[str, Any]) -> Purchase | None:
    metadata = about.get("metadata")
    named = _text(metadata.get("purchase")) if isinstance(metadata, Mapping) else None
    try:
        purchase_id = uuid.UUID(named or "")
    except ValueError:
        return None
    return session.get(Purchase, purchase_id, with_for_update=True)


def _text(value: object) -> str | None:
    return value if isinstance(value, str) and 0 < len(value) <= 255 else None


def _note(
    session: db.Session, row: Purchase, action: tenancy.activity.Action, details: Mapping[str, Any]
) -> None:
    target = tenancy.activity.Target("purchase", str(row.id))
    tenancy.activity.record(session, row.account_id, action, target, details=details)


def purchases_of(session: Session, account_id: uuid.UUID, *, limit: int) -> Sequence[Purchase]:
    """Return an account's purchases, newest first."""
    query = sa.select(Purchase).where(Purchase.account_id == account_id)
    return session.scalars(query.order_by(Purchase.created_at.desc(), Purchase.id).limit(limit)).all()


def erase(session: db.Statements, account_id: uuid.UUID) -> int:
    """Delete the purchases of a closed account, which the ledger outlives; return how many."""
    return bulk.erase(session, ("purchases",), account_id)
