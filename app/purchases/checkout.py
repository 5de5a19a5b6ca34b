"""Beginning a purchase at the checkout that the operator has set."""

from __future__ import annotations

import json
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import urlencode, urlsplit

from app import tenancy
from app.platform import safe_http, settings
from app.platform.errors import Invalid
from app.platform.postgres import db
from app.purchases.models import Purchase

_TIMEOUT_S, _MAX_BYTES = 15.0, 256_000


class CheckoutFailed(Exception):
    """The checkout did not answer, or refused; nothing was bought."""


def check_settings(config: settings.Settings) -> None:
    """Raise `SettingsError` where the checkout is chosen and a setting that it needs is missing."""
    if config.credit_purchase == "stripe":
        config.require("stripe_api_key", "stripe_webhook_secret", "credit_packs", "public_url")


@dataclass(frozen=True, slots=True)
class Pack:
    """Credits at a price, in the currency's smallest unit."""

    credits: int
    amount: int
    currency: str


def packs() -> Sequence[Pack]:
    """Return what can be bought at the checkout; nothing where credits are bought by invoice."""
    config = settings.current()
    if config.credit_purchase != "stripe":
        return ()
    return [Pack(credits, amount, config.purchase_currency) for credits, amount in config.credit_pack_prices]


def begin(
    account_id: uuid.UUID, *, credits: int, email: str, title: str, back: str, now: datetime
) -> tuple[Purchase, str]:
    """Open a session of the checkout; return the purchase and the address to pay at.

    Args:
        account_id: Who buys.
        credits: Size of one of `packs`.
        email: Filled into the checkout.
        title: What is bought, in the buyer's language.
        back: Where the buyer comes back to.
        now: The current time.

    Raises:
        Invalid: There is no such pack.
        CheckoutFailed: The purchase is noted as failed.
    """
    pack = next((one for one in packs() if one.credits == credits), None)
    if pack is None:
        raise Invalid("credits: is not the size of a pack.", details={"field": "credits"})
    row = Purchase(
        id=uuid.uuid4(),
        account_id=account_id,
        credits=pack.credits,
        amount=pack.amount,
        currency=pack.currency,
        state="open",
        created_at=now,
    )
    # Kept before the checkout knows of it, and no transaction is open while it is asked.
    with db.transaction() as session:
        session.add(row)
        session.flush()
        target = tenancy.activity.Target("purchase", str(row.id))
        tenancy.activity.record(
            session, account_id, "purchase.begun", target, details={"credits": pack.credits}
        )
    try:
        session_id, address = _open(row, email=email, title=title, back=back)
    except CheckoutFailed:
        with db.transaction() as session:
            _own(session, account_id, row.id).state = "failed"
        raise
    with db.transaction() as session:
        row = _own(session, account_id, row.id)
        row.session_id = session_id
        session.flush()
    return row, address


def _own(session: db.Session, account_id: uuid.UUID, purchase_id: uuid.UUID) -> Purchase:
    row = session.get(Purchase, purchase_id, with_for_update=True)
    assert row is not None, "it was written just now"
    assert row.account_id == account_id, "it was written for this account"
    return row


def _open(row: Purchase, *, email: str, title: str, back: str) -> tuple[str, str]:
    """Ask the checkout for a session; return its id and address."""
    config = settings.current()
    form = {
        "mode": "payment",
        "client_reference_id": str(row.id),
        "metadata[purchase]": str(row.id),
        "payment_intent_data[metadata][purchase]": str(row.id),
        "customer_email": email,
        "success_url": f"{back}?bought=yes",
        "cancel_url": f"{back}?bought=no",
        "line_items[0][quantity]": "1",
        "line_items[0][price_data][currency]": row.currency,
        "line_items[0][price_data][unit_amount]": str(row.amount),
        "line_items[0][price_data][product_data][name]": title,
    }
    headers = {
        "Authorization": f"Bearer {config.stripe_api_key.get_secret_value()}",
        "Content-Type": "application/x-www-form-urlencoded",
        "Idempotency-Key": str(row.id),
    }
    base = urlsplit(config.stripe_base_url)
    host = f"{base.hostname}:{base.port}" if base.port else str(base.hostname)
    try:
        # The operator's own setting, so it may lie within the operator's network.
        answer = safe_http.send(
            "POST",
            f"{config.stripe_base_url}/v1/checkout/sessions",
            body=urlencode(form).encode(),
            headers=headers,
            timeout_s=_TIMEOUT_S,
            max_bytes=_MAX_BYTES,
            allow_hosts={host},
            schemes=("https", "http"),
        )
        found = json.loads(answer.body) if answer.status == 200 else {}
        session_id, address = str(found["id"]), str(found["url"])
    except (safe_http.RequestError, ValueError, KeyError, TypeError) as error:
        raise CheckoutFailed from error
    if not address.startswith(("https://", f"http://{host}/")):
        raise CheckoutFailed
    return session_id, address
