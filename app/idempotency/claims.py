"""Claims of idempotency keys: claim, complete with the charge, delete after a failure.

Each step is one statement. The record's primary key lets one caller win; its token is a fencing token against
a process that was presumed dead and continues late.
"""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum
from typing import Any, LiteralString

from app.idempotency.answer_cache import STORE
from app.idempotency.errors import ClaimLost, KeyReused
from app.platform import canonical_json
from app.platform.postgres import bulk
from app.platform.postgres.db import Condition, Statements, Step

_KEPT = timedelta(hours=24)


class Outcome(Enum):
    """Result of claiming a key: what the caller has to do."""

    RUN = "do the work and charge it"
    RERUN = "the charge stands but the answer is lost: do the work again, free"
    REPLAY = "the work is done: answer what was answered"
    WAIT = "somebody else is at it"


@dataclass(frozen=True, slots=True)
class Claim:
    """The state of a key for this caller.

    `token` names the stored answer and is the record's fencing token.
    """

    outcome: Outcome
    account_id: uuid.UUID
    route: str
    key: str
    token: uuid.UUID
    data_key: bytes
    # Of a REPLAY: charged a moment ago by a process that may still be putting the answer into the store.
    fresh: bool = False
    # What the step that was taken with the claim gave; `None` where there was none, or the key was not won.
    taken: Any = None

    def __repr__(self) -> str:
        return f"<Claim {self.outcome.name} {self.route}>"

    @property
    def free(self) -> bool:
        """Whether the work is not to be charged, since it was charged before."""
        return self.outcome is Outcome.RERUN


Taking = Callable[[Condition], Step[Any]]


def body_hash(body: dict[str, Any]) -> bytes:
    """Return the SHA-256 of the RFC 8785 form, which ignores key order and spacing (decision 025)."""
    return hashlib.sha256(canonical_json.dumps(body)).digest()


# Won by a new key, by one whose 24 h are over, and by one whose runner died before it charged.
_CLAIM = """
    INSERT INTO idempotency_records AS r
        (account_id, route, key, body_hash, token, running_until, charged_at, data_key,
         created_at, expires_at)
    VALUES (%(account)s, %(route)s, %(key)s, %(body)s, %(token)s, %(lease)s, NULL, %(data_key)s,
            %(now)s, %(expires)s)
    ON CONFLICT (account_id, route, key) DO UPDATE SET
        body_hash = EXCLUDED.body_hash, token = EXCLUDED.token, running_until = EXCLUDED.running_until,
        charged_at = NULL, data_key = EXCLUDED.data_key, created_at = EXCLUDED.created_at,
        expires_at = EXCLUDED.expires_at
    WHERE r.expires_at <= %(now)s OR (r.charged_at IS NULL AND r.running_until <= %(now)s)
    RETURNING token
    """
# Whether the key is this claim's, in the transaction of the claim.
_WON: LiteralString = """
    EXISTS (SELECT 1 FROM idempotency_records r WHERE r.account_id = %(account)s AND r.route = %(route)s
            AND r.key = %(key)s AND r.token = %(token)s)
    """
_READ = """
    SELECT body_hash, token, running_until, charged_at, data_key FROM idempotency_records
    WHERE account_id = %(account)s AND route = %(route)s AND key = %(key)s
    """
# One of several callers that found the answer lost; the others wait for it.
_CLAIM_AGAIN = """
    UPDATE idempotency_records SET token = %(token)s, running_until = %(lease)s, data_key = %(data_key)s
    WHERE account_id = %(account)s AND route = %(route)s AND key = %(key)s AND token = %(seen)s
      AND (running_until IS NULL OR running_until <= %(now)s)
    RETURNING token
    """
_COMPLETE: LiteralString = """
    UPDATE idempotency_records SET charged_at = coalesce(charged_at, %(now)s)
    WHERE account_id = %(account)s AND route = %(route)s AND key = %(key)s AND token = %(token)s
    RETURNING token
    """
_COMPLETE_AT_ONCE = f"""
    WITH completed AS ({_COMPLETE}) SELECT require_charge(EXISTS (SELECT 1 FROM completed))
    """  # noqa: S608 (our own words)
# A free re-run that failed leaves the record charged, so that the next repeat is free again.
_FORGET = """
    WITH ended AS (
        UPDATE idempotency_records SET running_until = NULL
        WHERE account_id = %(account)s AND route = %(route)s AND key = %(key)s AND token = %(token)s
          AND charged_at IS NOT NULL
    )
    DELETE FROM idempotency_records
    WHERE account_id = %(account)s AND route = %(route)s AND key = %(key)s AND token = %(token)s
      AND charged_at IS NULL
    """
_RENEW = """
    UPDATE idempotency_records SET running_until = %(lease)s
    WHERE token = ANY(%(tokens)s) AND running_until < %(lease)s
    """
_SWEEP = "DELETE FROM idempotency_records WHERE expires_at <= %(now)s"


def begin(
    session: Statements,
    account_id: uuid.UUID,
    route: str,
    key: str,
    body: bytes,
    *,
    now: datetime,
    lease_s: float,
    taking: Taking | None = None,
) -> Claim:
    """Claim `key`, or return the claim that another caller has.

    Args:
        session: Statements, of which those of one call are one transaction.
        account_id: Account of the caller.
        route: Scope of the key; see `execution.scope`.
        key: The Idempotency-Key.
        body: Hash of the body.
        now: The current time.
        lease_s: Seconds after which a caller that did not renew its lease is taken for dead.
        taking: Makes a step that is taken with the claim; it must do nothing where its condition is not met,
            which is that the key was won.

    Raises:
        KeyReused: 409 `IDEMPOTENCY_CONFLICT`, the key was used with another body.
    """
    token = uuid.uuid4()
    data_key = STORE.new_key(token.bytes)
    values = {
        "account": account_id,
        "route": route,
        "key": key,
        "body": body,
        "token": token,
        "lease": now + timedelta(seconds=lease_s),
        "data_key": data_key.wrapped,
        "now": now,
        "expires": now + _KEPT,
    }
    claiming: Step[bool] = Step(_CLAIM, values, lambda row: row is not None)
    steps: list[Step[Any]] = [claiming]
    if taking is not None:
        where = {"account": account_id, "route": route, "key": key, "token": token}
        steps.append(taking(Condition(_WON, where)))
    won, *taken = session.take(*steps)
    if won:
        return Claim(
            Outcome.RUN, account_id, route, key, token, data_key.clear, taken=taken[0] if taken else None
        )
    row = session.one(_READ, values)
    if row is None:
        # Its owner failed and forgot it between our two statements: ask again.
        return Claim(Outcome.WAIT, account_id, route, key, token, data_key.clear)
    if bytes(row.body_hash) != body:
        raise KeyReused(
            "This Idempotency-Key was already used with a different body. Send a new key for a new request.",
            details={"field": "Idempotency-Key"},
        )
    running = row.running_until is not None and row.running_until > now
    if row.charged_at is None:
        return Claim(Outcome.WAIT, account_id, route, key, token, data_key.clear)
    found = STORE.unwrap(bytes(row.data_key), row.token.bytes)
    return Claim(Outcome.REPLAY, account_id, route, key, row.token, found, fresh=running)


def begin_again(session: Statements, lost: Claim, *, now: datetime, lease_s: float) -> Claim:
    """Claim a request again, free of charge, whose stored answer is lost.

    Returns:
        A claim to run it, or one of kind `WAIT` where another caller has claimed it.
    """
    token = uuid.uuid4()
    data_key = STORE.new_key(token.bytes)
    values = {
        "account": lost.account_id,
        "route": lost.route,
        "key": lost.key,
        "seen": lost.token,
        "token": token,
        "lease": now + timedelta(seconds=lease_s),
        "data_key": data_key.wrapped,
        "now": now,
    }
    won = session.one(_CLAIM_AGAIN, values) is not None
    outcome = Outcome.RERUN if won else Outcome.WAIT
    return Claim(outcome, lost.account_id, lost.route, lost.key, token, data_key.clear)


def completing(claim: Claim, *, now: datetime) -> Step[None]:
    """Return the step that marks the work as done; take it in the transaction that charges.

    Its `read` raises `ClaimLost` when another process took the claim over: then nothing may be committed.
    """

    def read(row: Any) -> None:
        if row is None:
            raise ClaimLost(
                "Another process is handling this request. Retry with the same Idempotency-Key to get its "
                "answer."
            )

    return Step(_COMPLETE, {**_where(claim), "now": now}, read)


def completing_at_once(claim: Claim, *, now: datetime) -> Step[None]:
    """Return the step of `completing` for `db.at_once`: where the claim is lost the database refuses."""
    return Step(_COMPLETE_AT_ONCE, {**_where(claim), "now": now}, lambda _: None)


def forget(session: Statements, claim: Claim) -> None:
    """Free the key after a failure (failures are not stored)."""
    session.run(_FORGET, _where(claim))


def renew(session: Statements, tokens: list[uuid.UUID], *, now: datetime, lease_s: float) -> None:
    """Extend the leases of running work to `lease_s` seconds from `now`."""
    session.run(_RENEW, {"tokens": tokens, "lease": now + timedelta(seconds=lease_s)})


def sweep(session: Statements, *, now: datetime) -> int:
    """Delete records older than 24 h; return how many."""
    return session.run(_SWEEP, {"now": now})


def erase(session: Statements, account_id: uuid.UUID) -> int:
    """Delete a batch of a closed account's records; return how many rows."""
    return bulk.erase(session, ("idempotency_records",), account_id)


def _where(claim: Claim) -> dict[str, Any]:
    return {
        "account": claim.account_id,
        "route": claim.route,
        "key": claim.key,
        "token": claim.token,
    }
