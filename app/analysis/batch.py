"""Analyse up to 50 documents of one request, several at a time, and charge those that succeed.

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

from app import idempotency
from app.analysis import billing, service
from app.analysis.request import BatchItem
from app.analysis.result import AnalysisResult, Failure
from app.platform import clock, log, settings
from app.platform.processes import thread_pool
from app.tenancy import Caller

DOCUMENTS_MAX = 50
CONCURRENCY_MAX, CONCURRENCY_DEFAULT = 10, 5

AWAY = (
    "A part of the service was unavailable for too long; you were not charged for this document. Send it "
    "again."
)

_logger = log.logger("analysis")


@dataclass(frozen=True, slots=True)
class Batch:
    """The results of a batch in the order of its documents, and what it took.

    Attributes:
        batch_id: the id of the batch.
        results: one for each document.
        processing_ms: milliseconds from the hold to the charge.
        concurrency: how many documents were analysed at a time, at most.
    """

    batch_id: uuid.UUID
    results: tuple[AnalysisResult, ...]
    processing_ms: int
    concurrency: int

    @property
    def succeeded(self) -> int:
        """How many documents have an analysis."""
        return sum(result.failure is None for result in self.results)

    @property
    def credits_charged(self) -> int:
        """Credits that the documents cost together."""
        return sum(result.price for result in self.results)


def analyse_batch_and_charge(
    caller: Caller,
    items: Sequence[BatchItem],
    *,
    worst_case: int,
    concurrency: int,
    request_id: str,
    claim: idempotency.Claim | None = None,
) -> Batch:
    """Analyse `items`, at most `concurrency` at a time, and charge those that succeed.

    A document's own failure is a result. A free claim (charged before, its answer lost) holds and charges
    nothing.

    Args:
        caller: who pays.
        items: the documents, at most `DOCUMENTS_MAX`.
        worst_case: credits to hold.
        concurrency: how many are analysed at a time.
        request_id: the request's id, for the audit records.
        claim: the idempotency claim to complete with the charge.

    Raises:
        InsufficientCredits: the balance does not cover the worst case (402); raised before any work.
    """
    started_at, started = clock.now(), time.monotonic()
    batch_id, config = uuid.uuid4(), settings.current()
    rounds = math.ceil(len(items) / concurrency)
    ttl_s = max(config.hold_ttl_s, config.analysis_deadline_s * rounds + 60)
    # A crash of the database must not cost a whole batch: its documents wait for the database, and so can it.
    with billing.credit_hold(
        caller, worst_case, now=started_at, ttl_s=ttl_s, claim=claim, durable=True
    ) as hold:
        results = _analyse_all(
            caller, items, concurrency, request_id=request_id, on=started_at, charged=hold is not None
        )
        succeeded = sum(result.failure is None for result in results)
        reference = billing.ChargeReference(
            "analyze_batch", "batch", batch_id, f"batch of {len(items)}, {succeeded} analysed"
        )
        billing.settle(caller, results, reference, hold=hold, claim=claim)
    results = service.attested(caller, results)
    batch = Batch(batch_id, results, max(1, round((time.monotonic() - started) * 1000)), concurrency)
    _logger.info(
        "batch analysed",
        batchId=str(batch_id),
        account=str(caller.account_id),
        key=caller.key_prefix,
        documents=len(items),
        succeeded=succeeded,
        ms=batch.processing_ms,
    )
    return batch


def _analyse_all(
    caller: Caller,
    items: Sequence[BatchItem],
    concurrency: int,
    *,
    request_id: str,
    on: datetime,
    charged: bool,
) -> tuple[AnalysisResult, ...]:
    def one(item: BatchItem) -> AnalysisResult:
        try:
            return service.analyse_item(
                caller,
                item,
                request_id=request_id,
                on=on,
                charged=charged,
                patience_s=settings.current().analysis_deadline_s,
            )
        except Exception as error:
            _logger.warning("document of a batch given up: a store is away", exc_info=error)
            return AnalysisResult(failure=Failure(AWAY, "UNKNOWN_ERROR", 503), document_id=item.id)

    with thread_pool.ContextPool(min(concurrency, len(items)), thread_name_prefix="batch") as pool:
        return tuple(pool.map(one, items))
