"""Ends of jobs: completed with a charge, or failed without one, in one transaction with the event."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from datetime import datetime

from app import analysis, credits, documents, webhooks
from app.jobs.errors import meaning
from app.jobs.execution import claims
from app.jobs.execution.claims import Claim, LeasedJob
from app.platform.lease_queue import required
from app.platform.postgres.db import Statements

_ACCOUNT = "t.account_id = %(account)s"


def complete(
    session: Statements,
    claim: Claim,
    results: Sequence[analysis.AnalysisResult],
    *,
    result_key: bytes,
    expires: datetime,
    now: datetime,
    keeps_documents: bool = False,
) -> None:
    """Complete a job: charge it, append its audit records, publish its event.

    Args:
        session: The caller's transaction.
        claim: The current attempt.
        results: One result for each document.
        result_key: Wrapped data key of the stored result.
        expires: Moment at which the result expires.
        now: The current time.
        keeps_documents: Whether the job keeps uploaded documents: then until its result expires.

    Raises:
        LeaseLost: Another attempt owns the job, or it has ended; nothing may be committed.
        HoldExpired: The reserved credits are gone; nothing may be committed.
    """
    charged = sum(one.price for one in results)
    ending = claims.QUEUE.closing(
        claim.lease,
        where=_ACCOUNT,
        values={"account": claim.account_id},
        status="completed",
        done=claim.total,
        completed_at=now,
        credits_charged=charged,
        # The key of what came in is destroyed, however the job ends.
        payload_key=None,
        result_key=result_key,
        result_expires_at=expires,
    )
    facts = {
        "jobId": str(claim.job_id),
        "kind": claim.kind,
        "status": "completed",
        "creditsCharged": charged,
        "error": None,
        "resultUrl": claim.poll_url,
        "quality": analysis.citation_quality(results),
    }
    telling = webhooks.publishing(
        uuid.uuid4(), claim.account_id, "analysis.completed", facts, now=now, api_key_id=claim.api_key_id
    )
    succeeded = sum(one.record is not None for one in results)
    analysis.charge(
        session,
        claim.account_id,
        results,
        analysis.ChargeReference(
            claim.kind, "job", claim.job_id, f"job: {succeeded} of {claim.total} analysed"
        ),
        hold=claim.hold_id,
        now=now,
        before=[required(ending)],
        after=telling,
    )
    if keeps_documents:
        documents.settle(session, claim.account_id, user=claim.job_id, until=expires)


def fail(session: Statements, held: LeasedJob, code: str, *, now: datetime) -> None:
    """End a job uncharged: release its credits, publish its event.

    Raises:
        LeaseLost: Another attempt owns the job, or it has ended; nothing may be committed.
    """
    ending = claims.QUEUE.closing(
        held.lease,
        waiting=True,
        where=_ACCOUNT,
        values={"account": held.account_id},
        status="failed",
        completed_at=now,
        error_code=code,
        payload_key=None,
    )
    session.take(required(ending))
    credits.release(session, held.account_id, held.hold_id)
    documents.release(session, held.account_id, user=held.job_id)
    facts = {
        "jobId": str(held.job_id),
        "kind": held.kind,
        "status": "failed",
        "creditsCharged": 0,
        "error": {"code": code, "message": meaning(code)},
        "resultUrl": None,
        "quality": None,
    }
    webhooks.publish(session, held.account_id, "analysis.failed", facts, now=now, api_key_id=held.api_key_id)
