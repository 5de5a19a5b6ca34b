"""Credits and records of examined documents: hold before work, then charge and record together."""

from __future__ import annotations

import hashlib
import unicodedata
import uuid
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from app import credits, governance, idempotency, redaction, webhooks
from app.analysis import authorities
from app.analysis.announcements import announcing
from app.analysis.examination import Examination
from app.platform import clock, db, log
from app.tenancy import Caller

_logger = log.logger("analysis")

# Namespace of the ids of events that are announced once (RFC 9562, 5.5).
_ANNOUNCED = uuid.UUID("5e0d1d2a-5c0e-4c0a-9a55-0c6c4f2f7c31")


@dataclass(frozen=True, slots=True)
class Purpose:
    """What the charge is for: the ledger row's operation and reference."""

    operation: str
    reference_type: str
    reference_id: uuid.UUID
    description: str


@contextmanager
def held(
    caller: Caller, amount: int, *, now: datetime, ttl_s: float, claim: idempotency.Claim | None
) -> Iterator[uuid.UUID | None]:
    """Hold `amount` credits while the block works; whatever fails in it gives them back.

    Yields `None` where the charge stands already (a free claim). Raises `InsufficientCredits` (402).
    """
    if claim is not None and claim.free:
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
        _announce_cap(caller, reached.details or {}, now)
        raise
    try:
        yield hold
    except BaseException:
        _give_back(caller, hold)
        raise


def settle(
    caller: Caller,
    examined: Sequence[tuple[uuid.UUID, Examination]],
    purpose: Purpose,
    *,
    hold: uuid.UUID | None,
    claim: idempotency.Claim | None,
    request_id: str,
    started_at: datetime,
) -> int:
    """Charge the examined documents in one ledger row and write one audit record each; returns the charge.

    All in one transaction with the idempotency record. Raises `HoldSpent` or `ClaimLost`, and then nothing is
    written.
    """
    finished_at = clock.now()
    amount = sum(examination.order.price for _, examination in examined)
    entries = [
        _entry(
            caller,
            analysis_id,
            examination,
            charged=hold is not None,
            request_id=request_id,
            started_at=started_at,
            finished_at=finished_at,
        )
        for analysis_id, examination in examined
    ]

    steps: list[db.Step[Any]] = []
    if claim is not None:
        steps.append(idempotency.completing(claim, now=finished_at))
    for entry in entries:
        if entry.redactions:
            steps.append(
                redaction.logging_redactions(
                    caller.account_id, entry.analysis_id, entry.redactions, at=finished_at
                )
            )
        steps.append(governance.appending(entry))
    if hold is not None:
        charging = len(steps)
        steps.append(
            credits.capturing(
                caller.account_id,
                hold,
                amount,
                now=finished_at,
                operation=purpose.operation,
                reference_type=purpose.reference_type,
                reference_id=str(purpose.reference_id),
                description=purpose.description,
            )
        )

        steps += announcing(caller, examined, request_id=request_id, now=finished_at)

    def write(session: db.Statements) -> None:
        answers = session.take(*steps)
        if hold is not None and answers[charging].low:
            _announce_low(session, caller.account_id, answers[charging], finished_at)

    db.atomically(write)
    return amount


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


def _announce_cap(caller: Caller, met: Mapping[str, Any], now: datetime) -> None:
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
    except sa.exc.SQLAlchemyError as error:
        # The caller is owed its 402 whatever becomes of the news; the next refusal tries again.
        _logger.warning("spend cap not announced", exc_info=error)


def content_hash(analysis: str) -> str:
    """SHA-256 (hex) of the analysis text, NFC and trimmed (decisions 8)."""
    return hashlib.sha256(unicodedata.normalize("NFC", analysis).strip().encode()).hexdigest()


def _entry(
    caller: Caller,
    analysis_id: uuid.UUID,
    examination: Examination,
    *,
    charged: bool,
    request_id: str,
    started_at: datetime,
    finished_at: datetime,
) -> governance.Entry:
    order = examination.order
    return governance.Entry(
        analysis_id=analysis_id,
        account_id=caller.account_id,
        api_key_id=caller.key_id,
        request_id=request_id,
        started_at=started_at,
        finished_at=finished_at,
        jurisdiction=order.jurisdiction,
        branch=order.branch,
        language=order.language,
        mode=order.mode,
        models=examination.models,
        versions={"engine": examination.draft.engine, **_prompts(examination)},
        redactions=examination.redactions,
        citations=authorities.counts(examination.checks),
        locks=examination.report.levels,
        credits=order.price if charged else 0,
        document_hash=order.text.fingerprint(),
        document_characters=len(order.text),
        analysis_hash=content_hash(examination.report.markdown),
        findings=examination.audit.counts() if examination.audit else {},
    )


def _prompts(examination: Examination) -> dict[str, str]:
    """The versions of the instructions that models were given, as the modules name them."""
    found = (module.partition(" prompt ") for module in examination.draft.modules)
    return {f"{node} prompt": version for node, word, version in found if word}


def _give_back(caller: Caller, hold: uuid.UUID) -> None:
    try:
        db.atomically(lambda session: credits.release(session, caller.account_id, hold))
    except Exception as error:
        # The hold expires by itself, and the first failure is the one to report.
        _logger.warning("hold left to expire", exc_info=error, hold=str(hold))
