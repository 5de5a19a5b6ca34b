"""How a job ends: completed with its charge, or failed without one; with its event, in one transaction."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from app import analysis, credits, webhooks
from app.jobs.claims import Claim, Held
from app.jobs.errors import Fenced, meaning
from app.platform.postgres.db import Statements, Step

# Either way the key of what came in is destroyed.
_COMPLETE = """
    UPDATE jobs SET status = 'completed', done = total, completed_at = %(now)s, credits_charged = %(charged)s,
        lease_until = NULL, payload_key = NULL, result_key = %(result_key)s, result_expires_at = %(expires)s
    WHERE id = %(job)s AND account_id = %(account)s AND attempt = %(attempt)s AND status = 'running'
    RETURNING id
    """
_FAIL = """
    UPDATE jobs SET status = 'failed', completed_at = %(now)s, error_code = %(code)s, lease_until = NULL,
        payload_key = NULL
    WHERE id = %(job)s AND account_id = %(account)s AND attempt = %(attempt)s
      AND status IN ('pending', 'running')
    RETURNING id
    """


def complete(
    session: Statements,
    claim: Claim,
    finished: Sequence[analysis.Finished],
    *,
    result_key: bytes,
    expires: datetime,
    now: datetime,
) -> None:
    """Charge the job, write its audit records, end it and say so.

    Raises `Fenced` when the job is somebody else's by now, `HoldSpent` when its credits are gone: then
    nothing may be committed.
    """
    charged = sum(one.price for one in finished)
    ending = Step(
        _COMPLETE,
        {**_where(claim), "now": now, "charged": charged, "result_key": result_key, "expires": expires},
        _fence,
    )
    facts = {
        "jobId": str(claim.job_id),
        "kind": claim.kind,
        "status": "completed",
        "creditsCharged": charged,
        "error": None,
        "resultUrl": claim.poll_url,
        "quality": analysis.quality(finished),
    }
    telling = webhooks.publishing(
        uuid.uuid4(), claim.account_id, "analysis.completed", facts, now=now, api_key_id=claim.api_key_id
    )
    succeeded = sum(one.record is not None for one in finished)
    analysis.charge(
        session,
        claim.caller,
        finished,
        job_id=claim.job_id,
        operation=claim.kind,
        description=f"job: {succeeded} of {claim.total} analysed",
        hold=claim.hold_id,
        now=now,
        before=[ending],
        after=telling,
    )


def fail(session: Statements, held: Held, code: str, *, now: datetime) -> None:
    """End the job uncharged, give its credits back and say so.

    Raises `Fenced` when it has ended already or is somebody else's: then nothing may be committed.
    """
    session.take(Step(_FAIL, {**_where(held), "now": now, "code": code}, _fence))
    credits.release(session, held.account_id, held.hold_id)
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


def _where(held: Held) -> dict[str, Any]:
    return {"job": held.job_id, "account": held.account_id, "attempt": held.attempt}


def _fence(row: Any) -> None:
    if row is None:
        raise Fenced
