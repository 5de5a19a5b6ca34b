"""Hold credits before the work; afterwards charge, record and announce together.

Events carry figures, never text.
"""

from __future__ import annotations

import time
import uuid
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import psycopg
import sqlalchemy as sa

from app import credits, governance, idempotency, redaction, webhooks
from app.analysis.checks import citation_findings
from app.analysis.result import AnalysisResult, AuditRecord
from app.platform import clock, log, settings
from app.platform.errors import Upstream
from app.platform.postgres import db, outage
from app.platform.postgres.db import Step
from app.platform.postgres.group_commit import GroupCommit
from app.platform.web import charging
from app.tenancy import Caller

_logger = log.logger("analysis")
# Charges of an account lock its balance and the head of its audit chain until they are on disk.
_charges = GroupCommit()

# How long a request waits to learn what became of its charge, in seconds.
_FIND_OUT_S = 6.0
# Namespace of the ids of events that are announced once (RFC 9562, 5.5).
_ANNOUNCED = uuid.UUID("5e0d1d2a-5c0e-4c0a-9a55-0c6c4f2f7c31")


@dataclass(frozen=True, slots=True)
class ChargeReference:
    """Operation and reference of the ledger row of a charge."""

    operation: str
    reference_type: str
    reference_id: uuid.UUID
    description: str


def holding(caller: Caller, amount: int) -> idempotency.Taking | None:
    """Return what holds `amount` credits in the trip that claims an Idempotency-Key.

    `None` for a key with a monthly cap, whose lock must be taken before.
    """
    if caller.monthly_credit_cap is not None:
        return None

    def taking(won: db.Condition) -> Step[_TakenHold | None]:
        step = credits.holding(
            caller.account_id,
            amount,
            api_key_id=caller.key_id,
            now=clock.now(),
            ttl_s=round(settings.current().hold_ttl_s),
            when=won,
        )

        def read(row: Any) -> _TakenHold | None:
            hold = step.read(row)
            return None if hold is None else _TakenHold(hold, amount)

        return Step(step.sql, step.values, read)

    return taking


@dataclass(frozen=True, slots=True)
class _TakenHold:
    """Credits that were held when the key was claimed."""

    id: uuid.UUID
    amount: int


@contextmanager
def released_on_failure(caller: Caller, claim: idempotency.Claim | None) -> Iterator[None]:
    """Give back what was held with `claim` where the block fails, which comes before `credit_hold`."""
    try:
        yield
    except BaseException:
        if claim is not None and isinstance(claim.taken, _TakenHold):
            _give_back(caller, claim.taken.id)
        raise


@contextmanager
def credit_hold(
    caller: Caller,
    amount: int,
    *,
    now: datetime,
    ttl_s: float,
    claim: idempotency.Claim | None,
    durable: bool = False,
) -> Iterator[uuid.UUID | None]:
    """Hold `amount` credits while the block works; whatever fails in it gives them back.

    Those that were held with the claim (`holding`) are used. Without `durable` a crash of the database may
    undo a hold of the last second, which refuses its charge: for work that is soon done again.

    Yields:
        The hold's id; `None` where the charge stands already (a free claim).

    Raises:
        InsufficientCredits: the balance or the key's monthly cap does not cover the amount (402).
    """
    if claim is not None and claim.free:
        charging.note("charged")
        yield None
        return
    taken = claim.taken if claim is not None else None
    if isinstance(taken, _TakenHold) and taken.amount != amount:
        _give_back(caller, taken.id)
        taken = None
    hold = (
        taken.id
        if isinstance(taken, _TakenHold)
        else _hold(caller, amount, now=now, ttl_s=ttl_s, durable=durable)
    )
    try:
        yield hold
    except BaseException:
        _give_back(caller, hold)
        raise


def _hold(caller: Caller, amount: int, *, now: datetime, ttl_s: float, durable: bool) -> uuid.UUID:
    """Hold `amount` credits; return the hold's id. Raises as `credit_hold`."""
    # One statement stands alone; a cap takes a lock first, and needs a transaction around both.
    try:
        # A hold that a crash undoes is missed by its charge, which is then refused (decision 101).
        capped = caller.monthly_credit_cap is not None
        with db.together() if capped else db.statements(durable=durable) as session:
            return credits.hold(
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


def settle(
    caller: Caller,
    results: Sequence[AnalysisResult],
    reference: ChargeReference,
    *,
    hold: uuid.UUID | None,
    claim: idempotency.Claim | None,
    after: Sequence[db.Step[Any]] = (),
) -> None:
    """Charge the results that succeeded in one ledger row and write one audit record each.

    All in one transaction with the idempotency record, of one trip where nothing is taken `after` it. Where
    the answer to the commit is lost, looks for what became of it.

    Args:
        caller: who pays.
        results: what became of the documents.
        reference: what the charge is for.
        hold: the credits set aside; `None` where the charge stands already.
        claim: the idempotency claim to complete.
        after: steps that go last in the transaction.

    Raises:
        HoldExpired: the hold is gone; nothing is written.
        ClaimLost: another request has the claim; nothing is written.
        OutcomeUnknown: the answer to the commit was lost, and what became of it cannot be found out.
    """
    finished_at = clock.now()
    before = [] if claim is None else [idempotency.completing(claim, now=finished_at)]
    if hold is not None:
        charging.note("unknown")
    try:
        if (
            after
            or hold is None
            or not _charged_at_once(caller, results, reference, hold, claim, finished_at)
        ):
            db.atomically(
                lambda session: charge(
                    session,
                    caller.account_id,
                    results,
                    reference,
                    hold=hold,
                    before=before,
                    after=after,
                    now=finished_at,
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


def _charged_at_once(
    caller: Caller,
    results: Sequence[AnalysisResult],
    reference: ChargeReference,
    hold: uuid.UUID,
    claim: idempotency.Claim | None,
    now: datetime,
) -> bool:
    """Charge in one trip to the database (decision 084); return `False` where it refused and wrote nothing.

    It refuses where the hold or the claim is gone, and where the balance falls below its threshold. `charge`
    in a transaction of several trips then finds out which, and raises or announces it. Charges of an account
    that wait for one another in this process are committed together (decision 120).
    """
    records = [result.record for result in results if result.record is not None]
    completing = [] if claim is None else [idempotency.completing_at_once(claim, now=now)]
    capturing = credits.capturing_at_once(caller.account_id, hold, **_price(records, reference, now))
    try:
        _charges.run(
            caller.account_id,
            (completing, _recording(records), (capturing,), list(announcing(records, now=now))),
        )
    except db.Refused:
        return False
    return True


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
    results: Iterable[AnalysisResult],
    reference: ChargeReference,
    *,
    hold: uuid.UUID | None,
    now: datetime,
    before: Sequence[db.Step[Any]] = (),
    after: Sequence[db.Step[Any]] = (),
) -> None:
    """Write the records of what succeeded, capture its price and publish its events, in one trip.

    All in the caller's transaction.

    Args:
        session: the open transaction.
        account_id: who pays.
        results: what became of the documents.
        reference: what the charge is for.
        hold: the credits set aside. Without it (a free re-run) nothing is captured or published.
        now: the time of the charge.
        before: steps that go first.
        after: steps that go last; publish only in these.

    Raises:
        HoldExpired: the hold is gone. Then, as where a step raises, nothing may be committed.
    """
    records = [result.record for result in results if result.record is not None]
    steps = [*before, *_recording(records)]
    if hold is None:
        session.take(*steps, *after)
        return
    charging = len(steps)
    steps.append(credits.capturing(account_id, hold, **_price(records, reference, now)))
    answers = session.take(*steps, *announcing(records, now=now), *after)
    if answers[charging].low:
        _announce_low(session, account_id, answers[charging], now)


def _recording(records: Iterable[AuditRecord]) -> list[Step[Any]]:
    """Return the steps that write the audit records and what was masked."""
    steps: list[Step[Any]] = []
    for record in records:
        entry = record.entry
        if entry.redactions:
            steps.append(
                redaction.logging_redactions(
                    entry.account_id, entry.analysis_id, entry.redactions, at=entry.finished_at
                )
            )
        steps.append(governance.appending(entry))
    return steps


def _price(records: Iterable[AuditRecord], reference: ChargeReference, now: datetime) -> dict[str, Any]:
    """Return what a capture is told of its amount, moment and reference."""
    return {
        "amount": sum(record.entry.credits for record in records),
        "now": now,
        "operation": reference.operation,
        "reference_type": reference.reference_type,
        "reference_id": str(reference.reference_id),
        "description": reference.description,
    }


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
    """Publish `spend_cap.reached`, once for a key, a month and a cap (decision 012)."""
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


# Of the rules by which citations are checked; told with the event of a job.
VERIFY_ENGINE = "1.0"


def announcing(records: Sequence[AuditRecord], *, now: datetime) -> list[Step[Any]]:
    """Return the steps that publish `citation.broken` and `analysis.flagged` where they are due.

    Take them last in the transaction that charges.
    """
    steps: list[Step[Any]] = []
    for record in records:
        entry = record.entry
        about = {
            "analysisId": str(entry.analysis_id),
            "requestId": entry.request_id,
            "jurisdiction": entry.jurisdiction,
            "legalBranch": entry.branch,
            "mode": entry.mode,
        }
        facts: list[tuple[str, dict[str, Any]]] = []
        if any(entry.citations[status] for status in citation_findings.BROKEN):
            total = sum(entry.citations.values())
            facts.append(("citation.broken", {**about, "counts": dict(entry.citations), "total": total}))
        if record.flags:
            facts.append(("analysis.flagged", {**about, "flags": record.flags}))
        for event, payload in facts:
            steps += webhooks.publishing(
                uuid.uuid4(), entry.account_id, event, payload, now=now, api_key_id=entry.api_key_id
            )
    return steps


def citation_quality(results: Iterable[AnalysisResult]) -> dict[str, Any]:
    """Count what the checks of citations found, for the event `analysis.completed` (decision 029)."""
    counts: Counter[str] = Counter(dict.fromkeys(citation_findings.STATUSES, 0))
    for one in results:
        if one.record is not None:
            counts.update(one.record.entry.citations)
    return {
        "anyBroken": any(counts[status] for status in citation_findings.BROKEN),
        "counts": dict(counts),
        "total": counts.total(),
        "verifyEngineVersion": VERIFY_ENGINE,
    }
