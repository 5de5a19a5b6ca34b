"""Credits and records of examined documents: hold before work, then charge and record together."""

from __future__ import annotations

import time
import uuid
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import psycopg
import sqlalchemy as sa

from app import credits, governance, idempotency, redaction, webhooks
from app.analysis.audit_records import AuditRecord
from app.analysis.events import announcing
from app.analysis.pipeline import Analysis
from app.platform import clock, log
from app.platform.errors import Upstream
from app.platform.postgres import db, outage
from app.platform.web import charging
from app.tenancy import Caller

_logger = log.logger("analysis")

# How long a request waits to learn what became of its charge, in seconds.
_FIND_OUT_S = 6.0
# Namespace of the ids of events that are announced once (RFC 9562, 5.5).
_ANNOUNCED = uuid.UUID("5e0d1d2a-5c0e-4c0a-9a55-0c6c4f2f7c31")


@dataclass(frozen=True, slots=True)
class ChargeReference:
    """What the charge is for: the ledger row's operation and reference."""

    operation: str
    reference_type: str
    reference_id: uuid.UUID
    description: str


@contextmanager
def credit_hold(
    caller: Caller, amount: int, *, now: datetime, ttl_s: float, claim: idempotency.Claim | None
) -> Iterator[uuid.UUID | None]:
    """Hold `amount` credits while the block works; whatever fails in it gives them back.

    Yields `None` where the charge stands already (a free claim). Raises `InsufficientCredits` (402).
    """
    if claim is not None and claim.free:
        charging.note("charged")
        yield None
        return
    # One statement stands alone; a cap takes a lock first, and needs a transaction around both.
    try:
        with db.together() if caller.monthly_credit_cap is not None else db.statements() as session:
            hold = credits.hold(
                session,
                caller.account_id,
                amount,
                api_key_id=caller.key_id,
                now=now,
                ttl_s=round(ttl_s),
                monthly_cap=caller.monthly_credit_cap,
            )
    except credits.SpendCapReached as reached:
        announce_cap(caller, reached.details or {}, now)
        raise
    try:
        yield hold
    except BaseException:
        _give_back(caller, hold)
        raise


def settle(
    caller: Caller,
    examined: Sequence[tuple[uuid.UUID, Analysis]],
    reference: ChargeReference,
    *,
    hold: uuid.UUID | None,
    claim: idempotency.Claim | None,
    request_id: str,
    started_at: datetime,
) -> int:
    """Charge the examined documents in one ledger row and write one audit record each; returns the charge.

    All in one transaction with the idempotency record. Raises `HoldExpired` or `ClaimLost`, and then nothing
    is written. Where the answer to the commit is lost, looks for what became of it; raises `OutcomeUnknown`
    where that cannot be found out.
    """
    finished_at = clock.now()
    records = [
        AuditRecord.of(
            caller,
            analysis_id,
            analysed,
            charged=hold is not None,
            request_id=request_id,
            started_at=started_at,
            finished_at=finished_at,
        )
        for analysis_id, analysed in examined
    ]
    before = [] if claim is None else [idempotency.completing(claim, now=finished_at)]
    if hold is not None:
        charging.note("unknown")
    try:
        db.atomically(
            lambda session: charge(
                session, caller.account_id, records, reference, hold=hold, before=before, now=finished_at
            )
        )
    except db.OutcomeUnknown as lost:
        if hold is None or not _was_charged(caller, hold, reference, finished_at, lost):
            raise
    except BaseException:
        # The commit was not asked for, or was answered with a refusal.
        if hold is not None:
            charging.note("nothing")
        raise
    if hold is not None:
        charging.note("charged")
    return sum(analysed.request.price for _, analysed in examined)


def _was_charged(
    caller: Caller, hold: uuid.UUID, reference: ChargeReference, since: datetime, lost: db.OutcomeUnknown
) -> bool:
    """Find out what became of a commit whose answer was lost, waiting a little for the database.

    Returns `True` where the charge stands. Raises `Upstream` where it is certain that nothing was charged,
    and stays undecided (`False`) where the database stays away.
    """
    _logger.warning("the answer to a commit was lost", exc_info=lost)

    def look(session: db.Statements) -> bool:
        # First the hold: that waits for the transaction, should the server still be at it.
        released = credits.release(session, caller.account_id, hold)
        return not released and credits.is_charged(
            session, caller.account_id, str(reference.reference_id), since=since
        )

    try:
        charged = outage.retry_while_unavailable(
            lambda: db.atomically(look), until=time.monotonic() + _FIND_OUT_S
        )
    except Exception as error:
        _logger.warning("a charge is undecided", exc_info=error, hold=str(hold))
        return False
    if not charged:
        charging.note("nothing")
        raise Upstream("The service was temporarily unavailable; you were not charged. Try again.") from lost
    return True


def charge(
    session: db.Statements,
    account_id: uuid.UUID,
    records: Sequence[AuditRecord],
    reference: ChargeReference,
    *,
    hold: uuid.UUID | None,
    now: datetime,
    before: Sequence[db.Step[Any]] = (),
    after: Sequence[db.Step[Any]] = (),
) -> None:
    """Write the records, capture their price against `hold` and publish what they tell, in one trip.

    `before` and `after` go with them, in the caller's transaction; publish in `after` only. Without a hold
    (a free re-run) nothing is captured or published. Raises `HoldExpired`, or what a step raises: then
    nothing may be committed.
    """
    steps = [*before]
    for record in records:
        entry = record.entry
        if entry.redactions:
            steps.append(
                redaction.logging_redactions(
                    entry.account_id, entry.analysis_id, entry.redactions, at=entry.finished_at
                )
            )
        steps.append(governance.appending(entry))
    if hold is None:
        session.take(*steps, *after)
        return
    charging = len(steps)
    steps.append(
        credits.capturing(
            account_id,
            hold,
            sum(record.entry.credits for record in records),
            now=now,
            operation=reference.operation,
            reference_type=reference.reference_type,
            reference_id=str(reference.reference_id),
            description=reference.description,
        )
    )
    answers = session.take(*steps, *announcing(records, now=now), *after)
    if answers[charging].low:
        _announce_low(session, account_id, answers[charging], now)


def _announce_low(
    session: db.Statements, account_id: uuid.UUID, charge: credits.Charge, now: datetime
) -> None:
    credits.announce_low(session, account_id)
    webhooks.publish(
        session,
        account_id,
        "credits.low",
        {"balance": charge.balance, "threshold": charge.low_threshold},
        now=now,
    )


def announce_cap(caller: Caller, met: Mapping[str, Any], now: datetime) -> None:
    """Once for a key, a month and a cap: the event's id is made of the three."""
    payload = {field: met[field] for field in ("monthlyCreditCap", "spent", "resetsAt")}
    name = f"spend_cap.reached {caller.key_id} {payload['monthlyCreditCap']} {payload['resetsAt']}"
    try:
        with db.transaction() as session:
            webhooks.publish(
                session,
                caller.account_id,
                "spend_cap.reached",
                payload,
                now=now,
                api_key_id=caller.key_id,
                event_id=uuid.uuid5(_ANNOUNCED, name),
            )
    except (psycopg.Error, sa.exc.SQLAlchemyError) as error:
        # The caller is owed its 402 whatever becomes of the news; the next refusal tries again.
        _logger.warning("spend cap not announced", exc_info=error)


def _give_back(caller: Caller, hold: uuid.UUID) -> None:
    try:
        db.atomically(lambda session: credits.release(session, caller.account_id, hold))
    except Exception as error:
        # The hold expires by itself, and the first failure is the one to report.
        _logger.warning("hold left to expire", exc_info=error, hold=str(hold))
