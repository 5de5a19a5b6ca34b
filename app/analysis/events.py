"""What an analysis tells the event bus: broken citations, flags for review. Figures only."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from app import webhooks
from app.analysis import citation_findings
from app.analysis.audit_records import AuditRecord
from app.platform.postgres.db import Step


def announcing(records: Sequence[AuditRecord], *, now: datetime) -> list[Step[Any]]:
    """The steps that publish `citation.broken` and `analysis.flagged` where they are due.

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
