"""One analysis from text to charged answer (ARCHITECTURE.md, "One request").

Hold credits, examine, then one transaction that captures the credits and writes the audit record. Whatever
fails on the way gives the hold back: nothing is charged but success.
"""

from __future__ import annotations

import time
import uuid
from dataclasses import dataclass
from typing import Any

from app import branding, idempotency
from app.analysis import billing, citation_findings, pipeline
from app.analysis.answer.report import Report, statements_on_the_wire
from app.analysis.pipeline import Analysis
from app.analysis.request import AnalysisRequest
from app.platform import clock, log, settings
from app.platform.confidential import DocumentText
from app.tenancy import Caller

_logger = log.logger("analysis")


@dataclass(frozen=True, slots=True)
class Outcome:
    """The answer's figures and text. `repr` shows no text."""

    analysis_id: uuid.UUID
    report: Report
    request: AnalysisRequest
    model: str
    processing_ms: int
    citation_checks: dict[str, Any]
    credits_charged: int
    audit: dict[str, Any] | None = None

    @property
    def statements(self) -> list[dict[str, Any]]:
        """Each statement with its lock, quotations and authorities (decision 013)."""
        return statements_on_the_wire(self.report.statements)

    @property
    def analysis(self) -> str:
        return self.report.markdown

    @property
    def certainty_locks(self) -> tuple[str, ...]:
        return self.report.locks

    def __repr__(self) -> str:
        return f"<Outcome {self.analysis_id} of {len(self.analysis)} characters>"

    @classmethod
    def of(cls, analysis_id: uuid.UUID, analysed: Analysis, started: float) -> Outcome:
        """`started` is the monotonic time at which work on the document began."""
        request = analysed.request
        return cls(
            analysis_id=analysis_id,
            report=analysed.report,
            request=request,
            model="+".join(analysed.models),
            processing_ms=max(1, round((time.monotonic() - started) * 1000)),
            citation_checks=citation_findings.on_the_wire(analysed.checks, request.language),
            credits_charged=request.price,
            audit=analysed.audit.on_the_wire() if analysed.audit else None,
        )


def run(
    caller: Caller,
    request: AnalysisRequest,
    *,
    request_id: str,
    claim: idempotency.Claim | None = None,
    given: DocumentText | None = None,
) -> Outcome:
    """Analyse one document for `caller` and charge it, completing `claim` in the same transaction.

    With `given`, an analysis that somebody else wrote, that is judged and audited instead of node A's.
    A free claim (charged before, its answer lost) holds and charges nothing. Raises `InsufficientCredits`
    (402) before any work, `ModelUnavailable` or `ModelFailed` (503, 502) when an engine cannot; in both cases
    nothing is charged.
    """
    started_at, started = clock.now(), time.monotonic()
    analysis_id = uuid.uuid4()
    ttl_s = settings.current().hold_ttl_s
    with billing.credit_hold(caller, request.price, now=started_at, ttl_s=ttl_s, claim=claim) as hold:
        analysed = pipeline.analyse(
            request,
            mask_names=caller.mask_names,
            on=started_at,
            attribution=branding.attribution_of(caller),
            citator=caller.citator,
            given=given,
        )
        billing.settle(
            caller,
            [(analysis_id, analysed)],
            billing.ChargeReference(
                "analyze",
                "analysis",
                analysis_id,
                f"analyze ({request.mode})" if given is None else "audit of a submitted analysis",
            ),
            hold=hold,
            claim=claim,
            request_id=request_id,
            started_at=started_at,
        )
    outcome = Outcome.of(analysis_id, analysed, started)
    _logger.info(
        "analysed",
        analysisId=str(analysis_id),
        account=str(caller.account_id),
        key=caller.key_prefix,
        characters=len(request.text),
        ms=outcome.processing_ms,
    )
    return outcome
