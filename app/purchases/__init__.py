"""Buying credits: by invoice of the operator, or at a checkout that speaks Stripe's protocol.

Owns `purchases`. Invariants: a purchase is credited once, in the transaction that marks it as paid, whatever
is delivered how often; only a signed message of the checkout marks it, and only at the price that was agreed.
"""

from app.purchases.checkout import CheckoutFailed, Pack, begin, check_settings, packs
from app.purchases.ledger import Outcome, apply, erase, purchases_of
from app.purchases.models import Purchase
from app.purchases.signature import BadSignature, verify

__all__ = [
    "BadSignature",
    "CheckoutFailed",
    "Outcome",
    "Pack",
    "Purchase",
    "apply",
    "begin",
    "check_settings",
    "erase",
    "packs",
    "purchases_of",
    "verify",
]
