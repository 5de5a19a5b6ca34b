"""Analyses that somebody else charges, later: what a job does, document by document.

What comes of a document is held in plain values, so that it can rest (sealed) until its batch is whole and
survive the process that made it. Nothing here charges or stores anything but `charge`, which joins the
caller's transaction.
"""

from __future__ import annotations

import time
import uuid
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from app import branding
from app.analysis import batch, billing, citation_findings, pipeline, responses
from app.analysis.audit_records import AuditRecord
from app.analysis.pipeline import Analysis
from app.analysis.request import AnalysisRequest
from app.analysis.service import Outcome
from app.platform import clock
from app.platform.postgres.db import Statements, Step
from app.tenancy import Caller

# How long a document of a job waits for a store before the job goes back to the queue, in seconds.
_PATIENCE_S = 10.0
# Of the rules by which citations are checked; told with the event of a job.
VERIFY_ENGINE = "1.0"


@dataclass(frozen=True, slots=True)
class Finished:
    """One document's end: what its sender gets, and what is written down when it is charged.

    `record` is `None` where the document became an error item. `repr` shows no text.
    """

    answer: dict[str, Any]
    record: AuditRecord | None

    def __repr__(self) -> str:
        return f"<Finished {'well' if self.record else 'as an error'}>"

    @property
    def price(self) -> int:
        return self.record.entry.credits if self.record else 0

    def as_plain(self) -> dict[str, Any]:
        """As JSON has it."""
        return {"answer": self.answer, "record": self.record.as_plain() if self.record else None}

    @classmethod
    def from_plain(cls, plain: dict[str, Any]) -> Finished:
        record = plain["record"]
        return cls(plain["answer"], AuditRecord.from_plain(record) if record else None)


def analyse(caller: Caller, request: AnalysisRequest, *, request_id: str, on: datetime) -> Finished:
    """Analyse one document: the answer of POST /analyze.

    Raises `ModelUnavailable` or `ModelFailed` (503, 502) when an engine cannot.
    """
    analysis_id, started = uuid.uuid4(), time.monotonic()
    analysed = pipeline.analyse(
        request,
        mask_names=caller.mask_names,
        on=on,
        attribution=branding.attribution_of(caller),
        citator=caller.citator,
    )
    outcome = Outcome.of(analysis_id, analysed, started)
    record = _record(caller, analysis_id, analysed, request_id, on)
    return Finished({**responses.figures(outcome), "requestId": request_id}, record)


def analyse_item(caller: Caller, item: batch.BatchItem, *, request_id: str, on: datetime) -> Finished:
    """Analyse one document of a batch: an item of its answer, whatever is wrong with it (decision 026).

    Raises what a store raised that stays away (`outage.is_transient`): the document is then to be done later.
    """
    done = batch.attempt(item, caller, branding.attribution_of(caller), on, patience_s=_PATIENCE_S)
    answer = responses.item(item.id, done.outcome, done.failure)
    if done.analysed is None:
        return Finished(answer, None)
    return Finished(answer, _record(caller, done.analysis_id, done.analysed, request_id, on))


def batch_answer(
    batch_id: uuid.UUID,
    finished: Sequence[Finished],
    *,
    processing_ms: int,
    concurrency: int,
    request_id: str,
) -> dict[str, Any]:
    """The answer of POST /analyze/batch, its items in the order given."""
    return responses.batch(
        batch_id,
        [one.answer for one in finished],
        credits_charged=sum(one.price for one in finished),
        processing_ms=processing_ms,
        concurrency=concurrency,
        request_id=request_id,
    )


def quality(finished: Iterable[Finished]) -> dict[str, Any]:
    """What the check of every citation found, over all documents (decision 029): figures only."""
    counts: Counter[str] = Counter(dict.fromkeys(citation_findings.STATUSES, 0))
    for one in finished:
        if one.record is not None:
            counts.update(one.record.entry.citations)
    return {
        "anyBroken": any(counts[status] for status in citation_findings.BROKEN),
        "counts": dict(counts),
        "total": counts.total(),
        "verifyEngineVersion": VERIFY_ENGINE,
    }


def charge(
    session: Statements,
    caller: Caller,
    finished: Iterable[Finished],
    *,
    job_id: uuid.UUID,
    operation: str,
    description: str,
    hold: uuid.UUID,
    now: datetime,
    before: Sequence[Step[Any]],
    after: Sequence[Step[Any]],
) -> None:
    """Charge a job's documents in one ledger row and write one audit record each, with the steps around it.

    Raises `HoldExpired` or what a step raises: then nothing may be committed.
    """
    billing.charge(
        session,
        caller.account_id,
        [one.record for one in finished if one.record is not None],
        billing.ChargeReference(operation, "job", job_id, description),
        hold=hold,
        now=now,
        before=before,
        after=after,
    )


def _record(
    caller: Caller, analysis_id: uuid.UUID, analysed: Analysis, request_id: str, started_at: datetime
) -> AuditRecord:
    return AuditRecord.of(
        caller,
        analysis_id,
        analysed,
        charged=True,
        request_id=request_id,
        started_at=started_at,
        finished_at=clock.now(),
    )
