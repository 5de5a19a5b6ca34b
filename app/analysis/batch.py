"""Up to 50 documents in one request: several at a time, answered in order, charged for successes only.

The worst case is held before any work; one ledger row at the end charges what succeeded and gives the rest
back, in the transaction that completes the idempotency record. A process killed in between has charged
nothing, and its hold expires (decisions 011 and 026).
"""

from __future__ import annotations

import math
import time
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from app import branding, idempotency
from app.analysis import billing, pipeline
from app.analysis.pipeline import Analysis
from app.analysis.request import AnalysisRequest
from app.analysis.service import Outcome
from app.platform import clock, log, settings, thread_pool
from app.platform.errors import DomainError, Invalid, Upstream
from app.platform.postgres import outage
from app.tenancy import Caller

DOCUMENTS_MAX = 50
CONCURRENCY_MAX, CONCURRENCY_DEFAULT = 10, 5

Code = Literal["VALIDATION_ERROR", "MODEL_ERROR", "UNKNOWN_ERROR"]

AWAY = (
    "A part of the service was unavailable for too long; you were not charged for this document. Send it "
    "again."
)

_logger = log.logger("analysis")


@dataclass(frozen=True, slots=True)
class BatchItem:
    """One document of the request: its order, or why there is none."""

    id: str | None
    request: AnalysisRequest | None
    refused: Invalid | None = None


@dataclass(frozen=True, slots=True)
class Failure:
    """Why one document has no analysis (decision 026)."""

    error: str
    code: Code
    http_status: int


@dataclass(frozen=True, slots=True)
class Result:
    """One document's end, in the place of its input."""

    id: str | None
    outcome: Outcome | None
    failure: Failure | None


@dataclass(frozen=True, slots=True)
class Batch:
    """The whole answer's figures."""

    batch_id: uuid.UUID
    results: tuple[Result, ...]
    credits_charged: int
    processing_ms: int
    concurrency: int

    @property
    def succeeded(self) -> int:
        return sum(result.outcome is not None for result in self.results)


@dataclass(frozen=True, slots=True)
class Done:
    """One document examined, or why not, before anything is charged."""

    item: BatchItem
    analysis_id: uuid.UUID
    started: float
    analysed: Analysis | None
    failure: Failure | None
    outcome: Outcome | None


def run(
    caller: Caller,
    items: Sequence[BatchItem],
    *,
    worst_case: int,
    concurrency: int,
    request_id: str,
    claim: idempotency.Claim | None = None,
) -> Batch:
    """Analyse `items`, at most `concurrency` at a time. `worst_case` is the credits to hold.

    Raises `InsufficientCredits` (402) before any work. A document's own failure is an error item.
    """
    started_at, started = clock.now(), time.monotonic()
    batch_id, config = uuid.uuid4(), settings.current()
    rounds = math.ceil(len(items) / concurrency)
    ttl_s = max(config.hold_ttl_s, config.analysis_deadline_s * rounds + 60)
    with billing.credit_hold(caller, worst_case, now=started_at, ttl_s=ttl_s, claim=claim) as hold:
        done = _all(items, caller, branding.attribution_of(caller), concurrency, started_at)
        examined = [(one.analysis_id, one.analysed) for one in done if one.analysed is not None]
        charged = billing.settle(
            caller,
            examined,
            billing.ChargeReference(
                "analyze_batch", "batch", batch_id, f"batch of {len(items)}, {len(examined)} analysed"
            ),
            hold=hold,
            claim=claim,
            request_id=request_id,
            started_at=started_at,
        )
    results = tuple(Result(one.item.id, one.outcome, one.failure) for one in done)
    processing_ms = max(1, round((time.monotonic() - started) * 1000))
    _logger.info(
        "batch analysed",
        batchId=str(batch_id),
        account=str(caller.account_id),
        key=caller.key_prefix,
        documents=len(items),
        succeeded=len(examined),
        ms=processing_ms,
    )
    return Batch(batch_id, results, charged, processing_ms, concurrency)


def _all(
    items: Sequence[BatchItem],
    caller: Caller,
    attribution: branding.Attribution,
    concurrency: int,
    on: datetime,
) -> list[Done]:
    def one(item: BatchItem) -> Done:
        analysis_id, started = uuid.uuid4(), time.monotonic()
        try:
            return attempt(item, caller, attribution, on, patience_s=settings.current().analysis_deadline_s)
        except Exception as error:
            _logger.warning("document of a batch given up: a store is away", exc_info=error)
            failure = Failure(AWAY, "UNKNOWN_ERROR", 503)
            return Done(item, analysis_id, started, None, failure, None)

    with thread_pool.ContextPool(min(concurrency, len(items)), thread_name_prefix="batch") as pool:
        return list(pool.map(one, items))


def attempt(
    item: BatchItem, caller: Caller, attribution: branding.Attribution, on: datetime, *, patience_s: float
) -> Done:
    """Examine one document of a batch; whatever is wrong with it becomes a failure, not an exception.

    While a store is away it is tried again, with growing pauses, for `patience_s` seconds at most and within
    the deadline of an analysis. Raises what the store raised when it stays away: that says nothing about the
    document (`outage.is_transient`).
    """
    analysis_id, started = uuid.uuid4(), time.monotonic()
    deadline = started + settings.current().analysis_deadline_s

    def examined() -> Analysis:
        if item.request is None:
            raise item.refused or Invalid("This document is not valid.")
        return pipeline.analyse(
            item.request,
            mask_names=caller.mask_names,
            on=on,
            attribution=attribution,
            citator=caller.citator,
            deadline=deadline,
        )

    def noticing(error: Exception) -> None:
        _logger.warning("a store is away; the document waits", exc_info=error)

    try:
        analysed = outage.retry_while_unavailable(
            examined, until=min(deadline, started + patience_s), on_retry=noticing
        )
    except Exception as error:
        if outage.is_transient(error):
            raise
        if isinstance(error, DomainError):
            failure = _failure(error)
        else:
            _logger.error("document of a batch failed", exc_info=error)
            failure = Failure(
                "Internal error; you were not charged for this document. Send it again.", "UNKNOWN_ERROR", 500
            )
        return Done(item, analysis_id, started, None, failure, None)
    return Done(item, analysis_id, started, analysed, None, Outcome.of(analysis_id, analysed, started))


def _failure(error: DomainError) -> Failure:
    code: Code = "VALIDATION_ERROR"
    if isinstance(error, Upstream):
        code = "MODEL_ERROR"
    elif not isinstance(error, Invalid):
        code = "UNKNOWN_ERROR"
    return Failure(error.message, code, error.status or 500)
