"""The ledger: hold, capture, release and grant, each one SQL statement so that races cannot overspend.

A request holds its highest possible price before work; success turns the hold into one ledger row in the
transaction that records the success (decision 011). Everything else releases the hold.
"""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, LiteralString

from app import tenancy
from app.credits.errors import HoldExpired, InsufficientCredits, SpendCapReached
from app.credits.models import KINDS, CreditBalance
from app.platform import clock
from app.platform.errors import Invalid, NotFound
from app.platform.postgres.db import Condition, Session, Statements, Step

_MAX_GRANT = 1_000_000_000


@dataclass(frozen=True, slots=True)
class Balance:
    """Credits of an account: `balance` in all, of which `held` are reserved for running work."""

    balance: int
    held: int
    low_threshold: int

    @property
    def available(self) -> int:
        """Credits that are not held."""
        return self.balance - self.held


@dataclass(frozen=True, slots=True)
class Charge:
    """The balance after a capture.

    `low` is true where this charge took the balance below the threshold, so that the account must be
    notified.
    """

    balance: int
    low_threshold: int
    low: bool


_BALANCE = "SELECT balance, held, low_threshold FROM credit_balances WHERE account_id = %(account)s"

_RESERVE: LiteralString = """
    WITH reserved AS (
        UPDATE credit_balances SET held = held + %(amount)s
        WHERE account_id = %(account)s AND balance - held >= %(amount)s
    """
_ENTER_HOLD: LiteralString = """
        RETURNING account_id
    )
    INSERT INTO credit_holds (id, account_id, api_key_id, amount, created_at, expires_at)
    SELECT %(hold_id)s, account_id, %(hold_key)s, %(amount)s, %(now)s, %(expires)s FROM reserved
    RETURNING id
    """
_HOLD = _RESERVE + _ENTER_HOLD

_PAY: LiteralString = """
    WITH spent AS (
        DELETE FROM credit_holds WHERE id = %(hold)s AND account_id = %(account)s AND expires_at > %(now)s
        RETURNING account_id, api_key_id, amount
    ), paid AS (
        UPDATE credit_balances b SET balance = b.balance - %(amount)s, held = b.held - spent.amount
        FROM spent WHERE b.account_id = spent.account_id AND %(amount)s <= spent.amount
        RETURNING b.account_id, b.balance, b.low_threshold, b.low_announced, spent.api_key_id
    ), entered AS (
        INSERT INTO credit_ledger (id, account_id, created_at, amount, kind, balance_after, api_key_id,
                                   reference_type, reference_id, operation_type, description)
        SELECT %(id)s, account_id, %(now)s, -%(amount)s, 'consumption', balance, api_key_id,
               %(reference_type)s, %(reference_id)s, %(operation)s, %(description)s
        FROM paid WHERE %(amount)s > 0
    )
    """
_CAPTURE = f"{_PAY} SELECT balance, low_threshold, low_announced FROM paid"  # noqa: S608 (our own words)
# Of a charge that nothing is to be announced of, or it is refused.
_CAPTURE_AT_ONCE = f"""{_PAY}
    SELECT require_charge(EXISTS (
        SELECT 1 FROM paid WHERE %(amount)s = 0 OR balance >= low_threshold OR low_announced
    ))
    """  # noqa: S608 (our own words)

# The row is locked by the capture before it: nobody else announces at the same time.
_ANNOUNCE = "UPDATE credit_balances SET low_announced = true WHERE account_id = %(account)s"

_RELEASE = """
    WITH freed AS (
        DELETE FROM credit_holds WHERE id = %(hold)s AND account_id = %(account)s RETURNING account_id, amount
    )
    UPDATE credit_balances b SET held = b.held - freed.amount
    FROM freed WHERE b.account_id = freed.account_id
    """

_CHARGED = """
    SELECT 1 AS found FROM credit_ledger
    WHERE account_id = %(account)s AND created_at >= %(since)s AND kind = 'consumption'
      AND reference_id = %(reference)s
    LIMIT 1
    """

_GRANT = """
    WITH topped AS (
        UPDATE credit_balances
        SET balance = balance + %(amount)s,
            low_announced = low_announced AND balance + %(amount)s < low_threshold,
            topped_up_to = balance + %(amount)s, told_percent = 0
        WHERE account_id = %(account)s RETURNING account_id, balance
    )
    INSERT INTO credit_ledger (id, account_id, created_at, amount, kind, balance_after, description)
    SELECT %(id)s, account_id, %(now)s, %(amount)s, %(kind)s, balance, %(description)s FROM topped
    RETURNING balance_after
    """


# Serialises the requests of one capped key, so that two at once cannot both fit under what is left.
_LOCK_KEY = "SELECT pg_advisory_xact_lock(hashtextextended(CAST(%(key)s AS text), 0))"
_COMMITTED = """
    SELECT
        (SELECT coalesce(-sum(amount), 0) FROM credit_ledger
         WHERE api_key_id = %(key)s AND kind = 'consumption' AND created_at >= %(month)s) AS spent,
        (SELECT coalesce(sum(amount), 0) FROM credit_holds
         WHERE api_key_id = %(key)s AND expires_at > %(now)s) AS held
    """


def _check_cap(session: Statements, api_key_id: uuid.UUID, amount: int, cap: int, *, now: datetime) -> None:
    """Check that `amount` more credits stay within `cap`; held credits count as spent.

    Raises:
        SpendCapReached: 402.
    """
    month = now.replace(day=1, hour=0, minute=0, second=0, microsecond=0)
    session.run(_LOCK_KEY, {"key": str(api_key_id)})
    found = session.one(_COMMITTED, {"key": api_key_id, "month": month, "now": now})
    if found.spent + found.held + amount > cap:
        resets_at = (month.replace(day=28) + timedelta(days=4)).replace(day=1)
        raise SpendCapReached(
            f"This key has a cap of {cap} credits a month; {max(0, cap - found.spent - found.held)} are "
            f"left and {amount} are needed. Raise the cap or wait for the next month.",
            details={
                "monthlyCreditCap": cap,
                "spent": int(found.spent),
                "required": amount,
                "resetsAt": clock.iso(resets_at),
            },
        )


def open_balance(session: Session, account_id: uuid.UUID, *, low_threshold: int) -> None:
    """Create the balance of a new account, with zero credits."""
    session.add(CreditBalance(account_id=account_id, balance=0, held=0, low_threshold=low_threshold))
    session.flush()


def balance(session: Statements, account_id: uuid.UUID) -> Balance:
    """Return the account's credits now. Raises `NotFound`."""
    row = session.one(_BALANCE, {"account": account_id})
    if row is None:
        raise NotFound("There is no account with this id.")
    return Balance(row.balance, row.held, row.low_threshold)


def hold(
    session: Statements,
    account_id: uuid.UUID,
    amount: int,
    *,
    api_key_id: uuid.UUID,
    now: datetime,
    ttl_s: int,
    monthly_cap: int | None = None,
) -> uuid.UUID:
    """Reserve `amount` credits for `ttl_s` seconds; return the hold's id.

    Raises:
        InsufficientCredits: 402, with the credits available and required.
        SpendCapReached: 402, where the key's `monthly_cap` would be exceeded.
    """
    if monthly_cap is not None:
        _check_cap(session, api_key_id, amount, monthly_cap, now=now)
    hold_id = uuid.uuid4()
    values = _hold_values(hold_id, account_id, amount, api_key_id=api_key_id, now=now, ttl_s=ttl_s)
    if session.one(_HOLD, values) is None:
        raise InsufficientCredits(balance=balance(session, account_id).available, required=amount)
    return hold_id


def holding(
    account_id: uuid.UUID,
    amount: int,
    *,
    api_key_id: uuid.UUID,
    now: datetime,
    ttl_s: int,
    when: Condition,
) -> Step[uuid.UUID | None]:
    """Return the step that reserves `amount` credits if `when` holds; it gives the hold's id.

    It gives `None`, and reserves nothing, where the condition does not hold or the balance does not cover the
    amount; `hold` then tells which. It knows no monthly cap. The other arguments are those of `hold`.
    """
    hold_id = uuid.uuid4()
    values = _hold_values(hold_id, account_id, amount, api_key_id=api_key_id, now=now, ttl_s=ttl_s)
    sql = f"{_RESERVE} AND {when.sql} {_ENTER_HOLD}"
    return Step(sql, {**when.values, **values}, lambda row: None if row is None else hold_id)


def _hold_values(
    hold_id: uuid.UUID,
    account_id: uuid.UUID,
    amount: int,
    *,
    api_key_id: uuid.UUID,
    now: datetime,
    ttl_s: int,
) -> dict[str, Any]:
    return {
        "hold_id": hold_id,
        "account": account_id,
        "hold_key": api_key_id,
        "amount": amount,
        "now": now,
        "expires": now + timedelta(seconds=ttl_s),
    }


def capturing(
    account_id: uuid.UUID,
    hold_id: uuid.UUID,
    amount: int,
    *,
    now: datetime,
    operation: str,
    reference_type: str,
    reference_id: str,
    description: str | None = None,
) -> Step[Charge]:
    """Return the step that charges `amount` (at most what was held) against a hold and releases the rest.

    Take it in the transaction that records the success. Its `read` raises `HoldExpired` when the hold is
    gone: then nothing is charged and the transaction must not commit. Where `Charge.low` is true,
    `announce_low` and an event belong in the same transaction.
    """

    def read(row: Any) -> Charge:
        if row is None:
            raise HoldExpired(
                "The analysis exceeded its credit reservation; you were not charged. "
                "Retry with the same Idempotency-Key."
            )
        low = amount > 0 and row.balance < row.low_threshold and not row.low_announced
        return Charge(row.balance, row.low_threshold, low)

    values = _charge_values(
        account_id,
        hold_id,
        amount,
        now=now,
        operation=operation,
        reference_type=reference_type,
        reference_id=reference_id,
        description=description,
    )
    return Step(_CAPTURE, values, read)


def capturing_at_once(
    account_id: uuid.UUID,
    hold_id: uuid.UUID,
    amount: int,
    *,
    now: datetime,
    operation: str,
    reference_type: str,
    reference_id: str,
    description: str | None = None,
) -> Step[None]:
    """Return the step of `capturing` for `db.at_once`.

    The database refuses where the hold is gone, and where this charge takes the balance below the threshold,
    since then an event belongs in the transaction: take `capturing`, which tells which it is.
    """
    values = _charge_values(
        account_id,
        hold_id,
        amount,
        now=now,
        operation=operation,
        reference_type=reference_type,
        reference_id=reference_id,
        description=description,
    )
    return Step(_CAPTURE_AT_ONCE, values, lambda _: None)


def _charge_values(account_id: uuid.UUID, hold_id: uuid.UUID, amount: int, **said: Any) -> dict[str, Any]:
    return {"id": uuid.uuid4(), "hold": hold_id, "account": account_id, "amount": amount, **said}


def announce_low(session: Statements, account_id: uuid.UUID) -> None:
    """Record that `credits.low` was announced; it is not announced again before a top-up."""
    session.run(_ANNOUNCE, {"account": account_id})


def release(session: Statements, account_id: uuid.UUID, hold_id: uuid.UUID) -> bool:
    """Release a hold; return whether it still existed.

    It waits for a concurrent capture: after `True`, nothing can be charged against the hold any more.
    """
    return session.run(_RELEASE, {"hold": hold_id, "account": account_id}) == 1


def is_charged(session: Statements, account_id: uuid.UUID, reference_id: str, *, since: datetime) -> bool:
    """Return whether the ledger has a charge for `reference_id` made at `since` or later."""
    return (
        session.one(_CHARGED, {"account": account_id, "reference": reference_id, "since": since}) is not None
    )


def grant(
    session: Statements,
    account_id: uuid.UUID,
    amount: int,
    *,
    now: datetime,
    kind: str = "purchase",
    description: str | None = None,
) -> int:
    """Add credits; return the new balance. Raises `Invalid` (amount, kind) or `NotFound`."""
    if not 1 <= amount <= _MAX_GRANT:
        raise Invalid(
            f"amount: must be a whole number from 1 to {_MAX_GRANT}.",
            details={"field": "amount", "min": 1, "max": _MAX_GRANT},
        )
    if kind not in KINDS or kind == "consumption":
        raise Invalid("kind: must be one of purchase, refund, admin_gift.", details={"field": "kind"})
    found = session.one(
        _GRANT,
        {
            "id": uuid.uuid4(),
            "account": account_id,
            "amount": amount,
            "kind": kind,
            "now": now,
            "description": description,
        },
    )
    if found is None:
        raise NotFound("There is no account with this id.")
    return int(found.balance_after)


def set_threshold(session: Session, account_id: uuid.UUID, threshold: int) -> None:
    """Set the balance below which `credits.low` is announced. Raises `Invalid` or `NotFound`."""
    if not 0 <= threshold <= _MAX_GRANT:
        raise Invalid("low_balance: must be 0 or more.", details={"field": "low_balance", "min": 0})
    row = session.get(CreditBalance, account_id, with_for_update=True)
    if row is None:
        raise NotFound("There is no account with this id.")
    row.low_threshold = threshold
    row.low_announced = row.low_announced and row.balance < threshold
    session.flush()
    tenancy.activity.record(
        session, account_id, "account.threshold_changed", details={"lowBalance": threshold}
    )


_TELL_SHARE = """
    UPDATE credit_balances SET told_percent = %(percent)s
    WHERE account_id = %(account)s AND told_percent < %(percent)s
        AND (topped_up_to - balance)::bigint * 100 >= topped_up_to::bigint * %(percent)s
    RETURNING balance, topped_up_to
    """


def tell_share(session: Statements, account_id: uuid.UUID, percent: int) -> tuple[int, int] | None:
    """Record that spending `percent` of the last top-up is told; return the balance and what it was then.

    `None` where so much is not spent, or it was told since that top-up.
    """
    row = session.one(_TELL_SHARE, {"account": account_id, "percent": percent})
    return None if row is None else (int(row.balance), int(row.topped_up_to))


# Locked rows belong to a capture or a release under way: they are left to it.
_EXPIRED = """
    WITH expired AS (
        SELECT id FROM credit_holds WHERE expires_at <= %(now)s
        ORDER BY expires_at LIMIT %(limit)s FOR UPDATE SKIP LOCKED
    ), freed AS (
        DELETE FROM credit_holds h USING expired WHERE h.id = expired.id RETURNING h.account_id, h.amount
    ), summed AS (
        SELECT account_id, sum(amount) AS amount, count(*) AS holds FROM freed GROUP BY account_id
    ), returned AS (
        UPDATE credit_balances b SET held = b.held - summed.amount
        FROM summed WHERE b.account_id = summed.account_id RETURNING b.account_id
    )
    SELECT coalesce(sum(holds), 0)::int AS holds FROM summed
    """


def release_expired(session: Statements, *, now: datetime, limit: int = 1000) -> int:
    """Release up to `limit` expired holds; return how many. Safe to run in many processes at once."""
    return int(session.one(_EXPIRED, {"now": now, "limit": limit}).holds)


_RELEASE_ALL = """
    WITH freed AS (
        DELETE FROM credit_holds WHERE account_id = %(account)s RETURNING account_id, amount
    ), summed AS (
        SELECT account_id, sum(amount) AS amount, count(*) AS holds FROM freed GROUP BY account_id
    ), returned AS (
        UPDATE credit_balances b SET held = b.held - summed.amount
        FROM summed WHERE b.account_id = summed.account_id RETURNING b.account_id
    )
    SELECT coalesce(sum(holds), 0)::int AS holds FROM summed
    """


def erase(session: Statements, account_id: uuid.UUID) -> int:
    """Release every hold of a closed account, so that running work cannot charge it; return how many."""
    return int(session.one(_RELEASE_ALL, {"account": account_id}).holds)
