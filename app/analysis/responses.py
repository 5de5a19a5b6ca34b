"""The answers of POST /analyze and /analyze/batch as JSON objects, whoever gives them: a route or a job."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import Any

from app.analysis.answer.report import Report, statements_on_the_wire
from app.analysis.batch import Failure
from app.analysis.jurisdiction.detection import Detection
from app.analysis.sanitize import prose
from app.analysis.service import Outcome


def figures(outcome: Outcome) -> dict[str, Any]:
    """What a single answer and a batch item have in common."""
    return {
        "analysis": outcome.analysis,
        "jurisdiction": outcome.request.jurisdiction,
        "legalBranch": outcome.request.branch,
        "model": outcome.model,
        "processingMs": outcome.processing_ms,
        "mode": outcome.request.mode,
        "creditsCharged": outcome.credits_charged,
        "certaintyLocks": list(outcome.certainty_locks),
        "citationChecks": outcome.citation_checks,
        **assessed(outcome.report),
        **({"audit": outcome.audit} if outcome.audit else {}),
    }


def assessed(report: Report) -> dict[str, Any]:
    """Return `statements`, `assessment` and `detectedJurisdiction` of an answer (decisions 013 and 018)."""
    found = report.assessment
    return {
        "statements": statements_on_the_wire(report.statements),
        "assessment": found.level,
        **({"assessmentNote": found.note} if found.note else {}),
        "detectedJurisdiction": detected(found.detected),
    }


def detected(found: Detection) -> dict[str, Any]:
    """Return `detectedJurisdiction` of an answer (decision 018)."""
    return {
        "code": found.code,
        "confidence": round(found.confidence, 2),
        "evidence": [prose(words) for words in found.evidence],
    }


def item(given_id: str | None, outcome: Outcome | None, failure: Failure | None) -> dict[str, Any]:
    """One document of a batch: a success or an error item (decision 026)."""
    if failure is not None:
        return {
            "id": given_id,
            "status": "error",
            "error": failure.error,
            "code": failure.code,
            "httpStatus": failure.http_status,
        }
    assert outcome is not None
    return {"id": given_id, "status": "success", **figures(outcome)}


def batch(
    batch_id: uuid.UUID,
    items: Sequence[dict[str, Any]],
    *,
    credits_charged: int,
    processing_ms: int,
    concurrency: int,
    request_id: str,
) -> dict[str, Any]:
    """The batch envelope around its items (decision 026)."""
    succeeded = sum(one["status"] == "success" for one in items)
    return {
        "batchId": str(batch_id),
        "results": list(items),
        "totals": {
            "submitted": len(items),
            "succeeded": succeeded,
            "failed": len(items) - succeeded,
            "creditsCharged": credits_charged,
            "processingMs": processing_ms,
            "concurrency": concurrency,
        },
        "requestId": request_id,
    }
