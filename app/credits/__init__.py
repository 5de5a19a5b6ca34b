"""Credits: one balance per account, an append-only ledger, and holds (reservations) for running work.

Owns `credit_balances`, `credit_ledger`, `credit_holds`. Invariants, kept by the database itself: 0 <= held <=
balance; the balance equals the sum of the ledger; a hold ends exactly once, captured or released.
"""

from app.credits.errors import SpendCapReached
from app.credits.ledger import (
    Balance,
    Charge,
    announce_low,
    balance,
    capturing,
    capturing_at_once,
    erase,
    grant,
    hold,
    holding,
    is_charged,
    open_balance,
    release,
    release_expired,
    set_threshold,
    tell_share,
)
from app.credits.ledger_queries import Filter, Page, entries

__all__ = [
    "Balance",
    "Charge",
    "Filter",
    "Page",
    "SpendCapReached",
    "announce_low",
    "balance",
    "capturing",
    "capturing_at_once",
    "entries",
    "erase",
    "grant",
    "hold",
    "holding",
    "is_charged",
    "open_balance",
    "release",
    "release_expired",
    "set_threshold",
    "tell_share",
]
