"""Make the answers of POST /analyze and /analyze/batch as JSON objects, for routes and jobs."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import Any

from app.analysis.answer.report import Report, statements_on_the_wire
from app.analysis.checks import citation_findings
from app.analysis.jurisdiction.detection import Detection
from app.analysis.pipeline import Analysis
from app.analysis.request import Source
from app.analysis.result import AnalysisResult
from app.analysis.sanitize import prose
from app.platform import settings
from app.text.bilingual import Language


def answer_fields(analysis: Analysis, *, processing_ms: int, author: str | None) -> dict[str, Any]:
    """Return the fields that a single answer and an item of a batch have in common."""
    request, report, audit = analysis.request, analysis.report, analysis.audit
    return {
        "analysis": report.markdown,
        "jurisdiction": request.jurisdiction,
        "legalBranch": request.branch,
        "model": "+".join(analysis.models),
        "processingMs": processing_ms,
        "mode": request.mode,
        "creditsCharged": request.price,
        "certaintyLocks": list(report.locks),
        "citationChecks": citation_findings.on_the_wire(analysis.checks, request.language),
        **assessed(report, request.source),
        **_read_from(request.source),
        **({"audit": audit.on_the_wire()} if audit else {}),
        **described(report, request.language),
        "contentOrigin": content_origin("+".join(analysis.models), author),
    }


def content_origin(engine: str, author: str | None) -> dict[str, Any]:
    """Return the machine-readable origin of an analysis (Regulation (EU) 2024/1689, article 50(2)).

    Args:
        engine: What wrote it: `rules`, or the models' identifiers.
        author: Under whose name it is given; `None` for nobody's.
    """
    return {"generated": True, "by": author, "engine": engine, "reviewed": False}


def origin_header(engine: str) -> dict[str, str]:
    """Return the header that says the same (an RFC 9651 item with parameters)."""
    quoted = "".join(one if " " <= one <= "~" and one not in '"\\' else "?" for one in engine)
    name = f"X-{settings.current().wire_name}-Content-Origin"
    return {name: f'generated;engine="{quoted}";reviewed=?0'}


def _read_from(source: Source | None) -> dict[str, Any]:
    """Return `documentRef` and `documentWarnings` of an answer about an uploaded document (decision 078)."""
    if source is None:
        return {}
    told = [{"code": one.code, "message": one.message, "page": one.page} for one in source.reading.warnings]
    return {"documentRef": str(source.ref), "documentWarnings": told}


def assessed(report: Report, source: Source | None = None) -> dict[str, Any]:
    """Return `statements`, `assessment` and `detectedJurisdiction` of an answer (decisions 013 and 018)."""
    found = report.assessment
    return {
        "statements": statements_on_the_wire(report.statements, source),
        "assessment": found.level,
        **({"assessmentNote": found.note} if found.note else {}),
        "detectedJurisdiction": detected(found.detected),
    }


def described(report: Report, language: Language) -> dict[str, Any]:
    """Return what the Markdown of an answer says outside its statements, each in a field of its own.

    Args:
        report: The finished report, under the name that it is given.
        language: Of the answer.
    """
    return {
        "language": language,
        "documentKind": report.kind,
        "summary": report.summary,
        "scope": list(report.scope),
        "reviewFlags": list(report.review_flags),
    }


def detected(found: Detection) -> dict[str, Any]:
    """Return `detectedJurisdiction` of an answer (decision 018)."""
    return {
        "code": found.code,
        "confidence": round(found.confidence, 2),
        "evidence": [prose(words) for words in found.evidence],
    }


def single_answer(result: AnalysisResult, request_id: str) -> dict[str, Any]:
    """Return the answer of POST /analyze."""
    return {**result.answer, "requestId": request_id}


def batch_answer(
    batch_id: uuid.UUID,
    results: Sequence[AnalysisResult],
    *,
    processing_ms: int,
    concurrency: int,
    request_id: str,
) -> dict[str, Any]:
    """Return the answer of POST /analyze/batch, its items in the order given (decision 026)."""
    succeeded = sum(result.failure is None for result in results)
    return {
        "batchId": str(batch_id),
        "results": [result.as_item() for result in results],
        "totals": {
            "submitted": len(results),
            "succeeded": succeeded,
            "failed": len(results) - succeeded,
            "creditsCharged": sum(result.price for result in results),
            "processingMs": processing_ms,
            "concurrency": concurrency,
        },
        "requestId": request_id,
    }
