"""Errors of credits."""

from __future__ import annotations

from app.platform.errors import Exhausted, Upstream


class InsufficientCredits(Exhausted):
    """402 with `balance` and `required` (decision 002)."""

    code = "INSUFFICIENT_CREDITS"
    status = 402

    def __init__(self, *, balance: int, required: int) -> None:
        super().__init__("INSUFFICIENT_CREDITS", details={"balance": balance, "required": required})


class SpendCapReached(Exhausted):
    """402: the key reached its monthly cap (decision 012)."""

    code = "SPEND_CAP_REACHED"
    status = 402


class HoldExpired(Upstream):
    """503: the hold expired before the work ended; nothing is charged and the result is discarded."""

    code = "DEPENDENCY_UNAVAILABLE"
