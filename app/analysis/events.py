"""Publish what analyses found: broken citations, flags for review, the quality of a job. Figures only."""

from __future__ import annotations

import uuid
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from app import webhooks
from app.analysis import citation_findings
from app.analysis.audit_records import AuditRecord
from app.analysis.result import AnalysisResult
from app.platform.postgres.db import Step

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
