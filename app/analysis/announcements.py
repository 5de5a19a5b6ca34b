"""What an analysis tells the event bus: broken citations, flags for review. Figures only."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from app import webhooks
from app.analysis import authorities
from app.analysis.examination import Examination
from app.platform.db import Step
from app.tenancy import Caller


def announcing(
    caller: Caller, examined: Sequence[tuple[uuid.UUID, Examination]], *, request_id: str, now: datetime
) -> list[Step[Any]]:
    """The steps that publish `citation.broken` and `analysis.flagged` where they are due.

    Take them last in the transaction that charges.
    """
    steps: list[Step[Any]] = []
    for analysis_id, examination in examined:
        about = {
            "analysisId": str(analysis_id),
            "requestId": request_id,
            "jurisdiction": examination.order.jurisdiction,
            "legalBranch": examination.order.branch,
            "mode": examination.order.mode,
        }
        counts = authorities.counts(examination.checks)
        facts: list[tuple[str, dict[str, Any]]] = []
        if any(counts[status] for status in authorities.BROKEN):
            facts.append(("citation.broken", {**about, "counts": counts, "total": len(examination.checks)}))
        if examination.report.review_flags:
            facts.append(("analysis.flagged", {**about, "flags": len(examination.report.review_flags)}))
        for event, payload in facts:
            steps += webhooks.publishing(
                uuid.uuid4(), caller.account_id, event, payload, now=now, api_key_id=caller.key_id
            )
    return steps
