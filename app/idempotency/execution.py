"""Execute a request once per key: claim, wait, replay, or run."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from typing import Any

from app.idempotency import answer_cache, claims, leases
from app.idempotency.answer_cache import StoredAnswer
from app.idempotency.claims import Claim, Outcome, Taking, completing
from app.idempotency.errors import AnswerGone, StillRunning
from app.platform import clock, log, settings
from app.platform.errors import Invalid
from app.platform.postgres import db
from app.tenancy import Caller

_logger = log.logger("idempotency")
_FIRST_PAUSE_S, _LONGEST_PAUSE_S = 0.02, 0.5


_FORM = re.compile(r"[A-Za-z0-9_-]{8,200}")


def key_of(header: str | None) -> str | None:
    """Return the key of the header, or `None`.

    Raises:
        Invalid: 400 `IDEMPOTENCY_KEY_INVALID`.
    """
    if header is None:
        return None
    if not _FORM.fullmatch(header):
        raise Invalid(
            "Idempotency-Key: must be 8 to 200 letters, digits, '-' or '_', such as a UUID.",
            code="IDEMPOTENCY_KEY_INVALID",
            details={"field": "Idempotency-Key", "min": 8, "max": 200, "got": len(header)},
        )
    return header


def scope(caller: Caller, route: str, *, own: bool = False) -> str:
    """Return the route under which a caller's key is recorded, besides the account.

    The keys of an account share a route's Idempotency-Keys; a child's are its own (decision 009), since its
    holder may be another firm. `own` limits them to the calling key whatever its role.
    """
    return f"{route} by {caller.key_id}" if own or caller.role == "child" else route


def once(
    caller: Caller,
    route: str,
    key: str | None,
    body: dict[str, Any],
    work: Callable[[Claim | None], StoredAnswer],
    *,
    own: bool = False,
    taking: Taking | None = None,
) -> tuple[StoredAnswer, bool]:
    """Run `work` at most once per Idempotency-Key; return the answer and whether it is a replay.

    Later callers wait for the first for `IDEMPOTENCY_WAIT_S` seconds. When `work` raises, the key is free
    again.

    Args:
        caller: The calling key.
        route: Method and path, and what else tells requests apart (the kind of a job).
        key: The header's value; `None` runs `work(None)` without a record.
        body: The JSON body, compared with that of the first request.
        work: Does the work and charges it. It must take the step `completing(claim)` in the transaction that
            charges, and charge nothing when `claim.free`.
        own: Limit the Idempotency-Key to the calling key; see `scope`.
        taking: Makes a step that is taken in the transaction of a claim that is won; see `claims.begin`. What
            it gave is `Claim.taken`, which `work` undoes where it does not use it.

    Raises:
        KeyReused: 409 `IDEMPOTENCY_CONFLICT`.
        StillRunning: 409 `IDEMPOTENCY_IN_PROGRESS`.
    """
    if key is None:
        return work(None), False
    claim = _claim_or_replay(caller, scope(caller, route, own=own), key, claims.body_hash(body), taking)
    if isinstance(claim, StoredAnswer):
        return claim, True
    try:
        with leases.RENEWER.keeping(claim.token):
            stored = work(claim)
    except BaseException:
        _free(claim)
        raise
    if not answer_cache.remember(claim.token, claim.data_key, stored):
        # Nobody needs to wait for an answer that will not come: the next repeat runs again at once, free.
        _free(claim)
    return stored, False


def _claim_or_replay(
    caller: Caller, route: str, key: str, body: bytes, taking: Taking | None
) -> Claim | StoredAnswer:
    config = settings.current()
    give_up, pause = time.monotonic() + config.idempotency_wait_s, _FIRST_PAUSE_S
    while True:
        # A claim that a crash undoes is lost with its hold: nothing is charged without both (decision 101).
        with db.statements(durable=taking is None) as session:
            claim = claims.begin(
                session,
                caller.account_id,
                route,
                key,
                body,
                now=clock.now(),
                lease_s=leases.LEASE_S,
                taking=taking,
            )
        if claim.outcome is Outcome.REPLAY:
            stored = answer_cache.recall(claim.token, claim.data_key)
            if stored is not None:
                return stored
            if not claim.fresh:
                with db.statements() as session:
                    claim = claims.begin_again(session, claim, now=clock.now(), lease_s=leases.LEASE_S)
        if claim.outcome in (Outcome.RUN, Outcome.RERUN):
            return claim
        if time.monotonic() >= give_up:
            raise StillRunning(
                "The first request with this Idempotency-Key is still running. Retry later with the same key."
            )
        time.sleep(pause)
        pause = min(pause * 1.5, _LONGEST_PAUSE_S)


def _free(claim: Claim) -> None:
    try:
        db.atomically(lambda session: claims.forget(session, claim))
    except Exception as error:
        # The lease runs out by itself, and the first failure is the one to report.
        _logger.warning("claim left to expire", exc_info=error)


def created_once(
    caller: Caller,
    route: str,
    key: str | None,
    body: dict[str, Any],
    work: Callable[[db.Session], StoredAnswer],
) -> tuple[StoredAnswer, bool]:
    """Run a creation at most once; return the answer and whether it is a replay.

    `work` creates in the transaction it is given. A replay shows a secret again, so it is only for the key
    that created it.

    Raises:
        AnswerGone: 409 `IDEMPOTENCY_CONFLICT`: the object exists and its answer was lost; unlike an analysis,
            it must not be created twice.
    """

    def run(claim: Claim | None) -> StoredAnswer:
        if claim is not None and claim.free:
            raise AnswerGone(
                "A resource was already created with this Idempotency-Key and the answer is no longer "
                "stored. List your resources to find it, or send a new key to create another.",
                details={"field": "Idempotency-Key"},
            )
        with db.transaction() as session:
            stored = work(session)
            if claim is not None:
                session.take(completing(claim, now=clock.now()))
        return stored

    return once(caller, route, key, body, run, own=True)
