"""Analyse documents for a caller, and charge a single one: the one driver around the pipeline.

`analyse` is used by single requests, batches and jobs alike (decision 054); they add only holds, concurrency
and storage. What fails gives its hold back: nothing is charged but success.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

import psycopg
import sqlalchemy as sa

from app import branding, governance, idempotency, usage
from app.analysis import billing, llm, own_engines, pipeline, responses, withholding
from app.analysis.request import AnalysisRequest, BatchItem
from app.analysis.result import AnalysisResult, AuditRecord, Failure, FailureCode
from app.platform import clock, crypto, log, settings
from app.platform.confidential import DocumentText
from app.platform.errors import DomainError, Invalid, Upstream
from app.platform.postgres import db, outage
from app.tenancy import Caller

_logger = log.logger("analysis")


def analyse(
    caller: Caller,
    request: AnalysisRequest,
    *,
    request_id: str,
    on: datetime,
    charged: bool = True,
    deadline: float | None = None,
    given: DocumentText | None = None,
) -> AnalysisResult:
    """Analyse one document for `caller`: its answer and the record to charge it by. Charges nothing.

    Args:
        caller: whose options, add-ons and attribution apply.
        request: the document and what is asked of it.
        request_id: the request's or job's id, for the audit record.
        on: when the request began; the law of that day applies.
        charged: whether the record says that it was charged; `False` for a re-run that is free.
        deadline: the monotonic time by which to be done, in seconds; by default `ANALYSIS_DEADLINE_S` from
            now for every 50,000 characters begun.
        given: an analysis that somebody else wrote, judged and audited instead of node A's.

    Raises:
        ModelFailed: a model answered with nothing usable (502).
        ModelUnavailable: no model can be asked now (503).
    """
    started = time.monotonic()
    nodes = own_engines.nodes_of(caller)
    attribution = branding.attribution_of(caller)
    with own_engines.turn(caller.account_id, nodes), llm.metered(_token_budget(request)) as meter:
        try:
            analysis = pipeline.analyse(
                request,
                mask_names=caller.mask_names,
                on=on,
                attribution=attribution,
                nodes=nodes,
                citator=caller.citator,
                deadline=deadline,
                given=given,
            )
        finally:
            # A vendor is paid for what failed too.
            _record_tokens(caller, meter, on)
    analysis_id = uuid.uuid4()
    withholding.enforce(caller, analysis, analysis_id=analysis_id, request_id=request_id)
    record = AuditRecord.of(
        caller,
        analysis_id,
        analysis,
        charged=charged,
        request_id=request_id,
        started_at=on,
        finished_at=clock.now(),
        tokens=meter.by_stage(),
    )
    author = attribution.author(settings.current().service_name)
    answer = responses.answer_fields(analysis, processing_ms=_elapsed_ms(started), author=author)
    return AnalysisResult(answer, record, report=analysis.report)


def _token_budget(request: AnalysisRequest) -> int:
    """Return the most tokens that an analysis may cost; longer documents have more, 0 means no limit."""
    return settings.current().analysis_tokens * request.units


def _record_tokens(caller: Caller, meter: llm.TokenMeter, at: datetime) -> None:
    usage.record_tokens(
        usage.Tokens(
            account_id=caller.account_id,
            api_key_id=caller.key_id,
            day=at.date(),
            stage=item.stage,
            model=f"{item.vendor} {item.model}",
            own=item.own,
            input=counts["input"],
            cached=counts["cached"],
            output=counts["output"],
        )
        for item, counts in meter.items().items()
    )


def analyse_item(
    caller: Caller,
    item: BatchItem,
    *,
    request_id: str,
    on: datetime,
    charged: bool = True,
    patience_s: float,
) -> AnalysisResult:
    """Analyse one document of a batch; what is wrong with it becomes a failure, not an exception.

    While a store is away it is tried again, with growing pauses, for `patience_s` seconds at most and within
    the deadline of an analysis. The other arguments are those of `analyse`.

    Raises:
        Exception: what the store raised where it stays away; that says nothing about the document
            (`outage.is_transient`).
    """
    started = time.monotonic()
    units = item.request.units if item.request else 1
    deadline = started + settings.current().analysis_deadline_s * units

    def attempt() -> AnalysisResult:
        if item.request is None:
            raise item.refused or Invalid("This document is not valid.")
        return analyse(caller, item.request, request_id=request_id, on=on, charged=charged, deadline=deadline)

    def on_retry(error: Exception) -> None:
        _logger.warning("a store is away; the document waits", exc_info=error)

    try:
        result = outage.retry_while_unavailable(
            attempt, until=min(deadline, started + patience_s), on_retry=on_retry
        )
    except Exception as error:
        if outage.is_transient(error):
            raise
        return AnalysisResult(failure=_failure(error), document_id=item.id)
    return replace(result.with_processing_ms(_elapsed_ms(started)), document_id=item.id)


def analyse_and_charge(
    caller: Caller,
    request: AnalysisRequest,
    *,
    request_id: str,
    claim: idempotency.Claim | None = None,
    given: DocumentText | None = None,
) -> AnalysisResult:
    """Analyse one document for `caller` and charge it, completing `claim` in the same transaction.

    With `given`, an analysis that somebody else wrote, that is judged and audited instead of node A's. A free
    claim (charged before, its answer lost) holds and charges nothing.

    Raises:
        InsufficientCredits: the balance does not cover the price (402); raised before any work.
        ModelFailed: a model answered with nothing usable (502); nothing is charged.
        ModelUnavailable: no model can be asked now (503); nothing is charged.
    """
    started_at, started = clock.now(), time.monotonic()
    ttl_s = settings.current().hold_ttl_s
    with billing.credit_hold(caller, request.price, now=started_at, ttl_s=ttl_s, claim=claim) as hold:
        result = analyse(
            caller, request, request_id=request_id, on=started_at, charged=hold is not None, given=given
        )
        analysis_id = result.analysis_id
        said = f"analyze ({request.mode})" if given is None else "audit of a submitted analysis"
        reference = billing.ChargeReference("analyze", "analysis", analysis_id, said)
        billing.settle(caller, [result], reference, hold=hold, claim=claim)
    [result] = attested(caller, [result.with_processing_ms(_elapsed_ms(started))])
    _logger.info(
        "analysed",
        analysisId=str(analysis_id),
        account=str(caller.account_id),
        key=caller.key_prefix,
        characters=len(request.text),
        ms=result.processing_ms,
    )
    return result


def attested(caller: Caller, results: Sequence[AnalysisResult]) -> tuple[AnalysisResult, ...]:
    """Return results that were just charged, with their attestations where the account opted in.

    Without them where the database cannot be asked now: the client gets them from
    `GET /outputs/{requestId}/attestation`.
    """
    ids = [result.analysis_id for result in results if result.failure is None]
    if not caller.attestation or not ids:
        return tuple(results)
    try:
        with db.transaction() as session:
            made = governance.outputs.attestations(session, caller.account_id, ids)
    except (psycopg.Error, sa.exc.SQLAlchemyError, crypto.Unreadable) as error:
        # The analyses are charged; they are not withheld for want of their attestations.
        _logger.warning("analyses not attested in their answer", exc_info=error)
        return tuple(results)
    return tuple(
        result.with_attestation(made[result.analysis_id])
        if result.failure is None and result.analysis_id in made
        else result
        for result in results
    )


def _elapsed_ms(started: float) -> int:
    return max(1, round((time.monotonic() - started) * 1000))


def _failure(error: Exception) -> Failure:
    if not isinstance(error, DomainError):
        _logger.error("document of a batch failed", exc_info=error)
        return Failure(
            "Internal error; you were not charged for this document. Send it again.", "UNKNOWN_ERROR", 500
        )
    code: FailureCode = "VALIDATION_ERROR"
    if isinstance(error, withholding.OutputWithheld):
        code = "OUTPUT_WITHHELD_BY_POLICY"
    elif isinstance(error, Upstream):
        code = "MODEL_ERROR"
    elif not isinstance(error, Invalid):
        code = "UNKNOWN_ERROR"
    return Failure(error.message, code, error.status or 500)
