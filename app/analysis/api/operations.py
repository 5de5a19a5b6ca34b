"""Analyses and batches: a loaded body in, the answer that is kept for repeats out (decisions 025 and 026).

The HTTP routes and the tool server call these, so both charge, repeat and answer alike. Schemas stand here
for both.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from app import idempotency, redaction
from app.analysis import batch, billing, responses, service, text_checks
from app.analysis.api import envelope, request_parsing
from app.analysis.api.schemas import (
    AnalyzeRequest,
    AnalyzeResponse,
    AnsweredStatement,
    AuditResult,
    BatchDocument,
    BatchRequest,
    BatchResponse,
    CitationChecks,
    DetectedJurisdiction,
    Documents,
    Jurisdiction,
    TextOrDocument,
)
from app.analysis.checks import citation_findings
from app.analysis.request import price
from app.analysis.sanitize import prose
from app.platform import clock, settings
from app.platform.confidential import DocumentText
from app.platform.web import http
from app.tenancy import Caller
from app.text.bilingual import Language

__all__ = [
    "AnalyzeRequest",
    "AnalyzeResponse",
    "AnsweredStatement",
    "AuditResult",
    "BatchDocument",
    "BatchRequest",
    "BatchResponse",
    "CitationChecks",
    "DetectedJurisdiction",
    "Documents",
    "Jurisdiction",
    "OperationResult",
    "TextOrDocument",
    "analyze",
    "analyze_batch",
    "audit",
    "check_citations",
    "list_citations",
    "mask_text",
    "text_of",
]

text_of = request_parsing.text_of


@dataclass(frozen=True, slots=True)
class OperationResult:
    """An answer, whether it is a repeat of an earlier one, and the credits that were charged just now."""

    stored: idempotency.StoredAnswer
    replayed: bool
    credits_charged: int


def analyze(
    caller: Caller,
    body: dict[str, Any],
    *,
    raw: dict[str, Any],
    key: str | None,
    request_id: str,
    nodes: bool = False,
) -> OperationResult:
    """Analyse one document.

    Args:
        caller: who pays.
        body: a loaded `AnalyzeRequest`.
        raw: the body as it was sent, by which a repeat is recognised.
        key: the Idempotency-Key, if one was sent.
        request_id: goes into the answer and the audit record.
        nodes: keep the variant envelope too, even without a key.
    """
    charged = 0

    def work(claim: idempotency.Claim | None) -> idempotency.StoredAnswer:
        nonlocal charged
        # Here, since a repeat gets its answer also when its document has expired.
        with billing.released_on_failure(caller, claim):
            request = request_parsing.request_of(caller, body)
        result = service.analyse_and_charge(caller, request, request_id=request_id, claim=claim)
        charged = 0 if claim and claim.free else result.price
        answer = http.encode(responses.single_answer(result, request_id))
        variants = {}
        # Without a key nobody can come back for the form that was not asked for.
        if claim is not None or nodes:
            variants[envelope.media_type(settings.current().wire_name)] = http.encode(envelope.nodes(result))
        headers = {
            "X-Processing-Ms": str(result.processing_ms),
            **responses.origin_header(result.answer["model"]),
        }
        return idempotency.StoredAnswer(200, headers, answer, variants)

    stored, replayed = idempotency.once(
        caller,
        "POST /api/v1/analyze",
        key,
        raw,
        work,
        taking=billing.holding(caller, price(body["mode"])),
    )
    return OperationResult(stored, replayed, charged)


def analyze_batch(
    caller: Caller, body: dict[str, Any], *, raw: dict[str, Any], key: str | None, request_id: str
) -> OperationResult:
    """Analyse several documents; `body` is a loaded `BatchRequest`, the rest as in `analyze`."""
    charged = 0

    def work(claim: idempotency.Claim | None) -> idempotency.StoredAnswer:
        nonlocal charged
        documents = request_parsing.batch_of(caller, body)
        done = batch.analyse_batch_and_charge(
            caller,
            documents.items,
            worst_case=documents.worst_case,
            concurrency=documents.concurrency,
            request_id=request_id,
            claim=claim,
        )
        charged = 0 if claim and claim.free else done.credits_charged
        return idempotency.StoredAnswer(200, _figures(done), http.encode(_batch(done, request_id)))

    stored, replayed = idempotency.once(caller, "POST /api/v1/analyze/batch", key, raw, work)
    return OperationResult(stored, replayed, charged)


def audit(
    caller: Caller,
    body: dict[str, Any],
    analysis: DocumentText,
    *,
    raw: dict[str, Any],
    key: str | None,
    request_id: str,
) -> OperationResult:
    """Have node B audit an analysis that somebody else wrote of a document; the price is that of mode deep.

    `body` is a loaded `AnalyzeRequest`, `analysis` what was written of its text, the rest as in `analyze`.
    The answer is that of `analyze` at mode deep, its statements those of `analysis`.
    """
    charged = 0

    def work(claim: idempotency.Claim | None) -> idempotency.StoredAnswer:
        nonlocal charged
        request = request_parsing.request_of(caller, body, "deep", advice=request_parsing.SEND_A_PART)
        result = service.analyse_and_charge(
            caller, request, request_id=request_id, claim=claim, given=analysis
        )
        charged = 0 if claim and claim.free else result.price
        return idempotency.StoredAnswer(200, {}, http.encode(responses.single_answer(result, request_id)))

    stored, replayed = idempotency.once(caller, "tool audit_analysis", key, raw, work)
    return OperationResult(stored, replayed, charged)


def mask_text(text: DocumentText, jurisdiction: str, *, names: bool) -> dict[str, Any]:
    """Mask the identifiers in a text; `names` masks names and addresses of persons too.

    `jurisdiction` as in a body of POST /analyze. Raises `Invalid` (400) for one that is not known.
    """
    found = text_checks.mask(text, request_parsing.jurisdiction(jurisdiction), names=names)
    total = sum(found.counts.values())
    note = (
        "" if total else "Nothing was recognised as an identifier; that does not prove that there is none. "
    )
    if names:
        note += redaction.NAMES_ARE_PARTIAL["en"]
    return {
        "text": found.text.reveal(),
        "redactions": [{"type": kind, "count": found.counts[kind]} for kind in sorted(found.counts)],
        "total": total,
        "namesMasked": names,
        "jurisdiction": found.jurisdiction,
        "note": note.strip(),
    }


def list_citations(text: DocumentText, jurisdiction: str) -> dict[str, Any]:
    """List what a text cites, unchecked; `total` counts those too that are not listed."""
    found = text_checks.cited(text, request_parsing.jurisdiction(jurisdiction))
    return {
        "jurisdiction": found.jurisdiction,
        "citations": [
            {
                "citation": prose(one.text),
                "kind": one.kind,
                "jurisdiction": one.jurisdiction,
                "canonical": list(one.canonical),
                "articles": list(one.articles),
                "start": one.start,
                "end": one.end,
            }
            for one in found.citations
        ],
        "total": found.total,
    }


def check_citations(
    caller: Caller, text: DocumentText, jurisdiction: str, language: Language
) -> dict[str, Any]:
    """Check what a text cites; `covered` of its `total` citations, repetitions included, were checked."""
    code = request_parsing.jurisdiction(jurisdiction)
    found = text_checks.check(text, code, on=clock.today(), citator=caller.citator)
    return {
        "jurisdiction": found.jurisdiction,
        "detectedJurisdiction": responses.detected(found.detected),
        "citationChecks": citation_findings.on_the_wire(found.checks, language),
        "covered": found.covered,
        "total": found.total,
    }


def _batch(done: batch.Batch, request_id: str) -> dict[str, Any]:
    return responses.batch_answer(
        done.batch_id,
        done.results,
        processing_ms=done.processing_ms,
        concurrency=done.concurrency,
        request_id=request_id,
    )


def _figures(done: batch.Batch) -> dict[str, str]:
    """Return the headers of a batch's answer."""
    return {
        "X-Batch-Submitted": str(len(done.results)),
        "X-Batch-Succeeded": str(done.succeeded),
        "X-Batch-Failed": str(len(done.results) - done.succeeded),
        "X-Credits-Charged": str(done.credits_charged),
        "X-Processing-Ms": str(done.processing_ms),
    }
