"""Examples for the OpenAPI document: requests, jobs in each state, errors."""

from __future__ import annotations

from typing import Any

from app.jobs.errors import meaning

_ID = "8d3f4c0e-2f56-4b0e-9f4d-6b1a5c7e9d10"
_CREATED = "2026-11-21T10:15:30.125Z"
_STARTED = "2026-11-21T10:15:30.310Z"
_ENDED = "2026-11-21T10:15:34.882Z"
_EXPIRES = "2026-11-22T10:15:34.882Z"
_REQUEST_ID = "req_3f0d6c52-6a0e-4c38-9f4b-0f6a4f1f7a11"
_TEXT = (
    "CONTRATO DE ARRENDAMIENTO DE VIVIENDA. PRIMERA. Duración. El contrato tendrá una duración de un año. "
    "SEGUNDA. Renta. La renta será de 900 euros mensuales. TERCERA. Fianza. La arrendataria entrega en este "
    "acto 1.800 euros en concepto de fianza, conforme al artículo 36 de la LAU."
)

REQUEST: dict[str, Any] = {
    "kind": "analyze_batch",
    "payload": {
        "documents": [
            {"id": "lease-17", "text": _TEXT, "jurisdiction": "ES", "legalBranch": "civil"},
            {"id": "lease-18", "text": _TEXT, "mode": "deep"},
        ],
        "concurrency": 2,
    },
}
CREATED: dict[str, Any] = {
    "jobId": _ID,
    "status": "pending",
    "createdAt": _CREATED,
    "pollUrl": f"https://api.example.com/api/v1/jobs/{_ID}",
}
PENDING: dict[str, Any] = {
    "jobId": _ID,
    "kind": "analyze_batch",
    "status": "pending",
    "progress": {"done": 0, "total": 2},
    "createdAt": _CREATED,
    "startedAt": None,
    "completedAt": None,
    "creditsCharged": 0,
    "error": None,
    "resultExpiresAt": None,
    "resultExpired": False,
    "result": None,
}
RUNNING = {**PENDING, "status": "running", "progress": {"done": 1, "total": 2}, "startedAt": _STARTED}
ANALYSING = {
    **PENDING,
    "kind": "analyze",
    "status": "running",
    "progress": {
        "done": 0,
        "total": 1,
        "current": {
            "stage": "drafting",
            "stages": ["reading", "law", "drafting", "judging", "auditing"],
            "partsRead": 3,
            "parts": 8,
            "sourcesFound": 41,
            "statementsJudged": 0,
        },
    },
    "startedAt": _STARTED,
}
FAILED = {
    **RUNNING,
    "status": "failed",
    "completedAt": _ENDED,
    "error": {"code": "PAYLOAD_LOST", "message": meaning("PAYLOAD_LOST")},
}
CANCELLED = {**PENDING, "status": "cancelled", "completedAt": _ENDED}
EXPIRED = {
    **RUNNING,
    "status": "completed",
    "progress": {"done": 2, "total": 2},
    "completedAt": _ENDED,
    "creditsCharged": 3,
    "resultExpiresAt": _EXPIRES,
    "resultExpired": True,
}


def completed(result: dict[str, Any]) -> dict[str, Any]:
    """Return a completed job with `result` as its result."""
    return {**EXPIRED, "resultExpired": False, "result": result, "kind": "analyze", "creditsCharged": 1,
            "progress": {"done": 1, "total": 1}}  # fmt: skip


def _entry(job: dict[str, Any]) -> dict[str, Any]:
    shown = {name: value for name, value in job.items() if name != "result"}
    return {
        **shown,
        "id": job["jobId"],
        "created_at": job["createdAt"],
        "started_at": job["startedAt"],
        "completed_at": job["completedAt"],
        "credits_charged": job["creditsCharged"],
        "error_code": job["error"]["code"] if job["error"] else None,
    }


LIST = {"jobs": [_entry(RUNNING), _entry(FAILED)]}
UNKNOWN_KIND = {
    "error": "kind: must be one of analyze, analyze_batch; got 'summarise'.",
    "code": "VALIDATION_ERROR",
    "requestId": _REQUEST_ID,
    "details": {"field": "kind", "allowed": ["analyze", "analyze_batch"], "got": "summarise"},
}
TOO_SHORT = {
    "error": "payload.text: must have 50 to 500000 characters, has 11.",
    "code": "VALIDATION_ERROR",
    "requestId": _REQUEST_ID,
    "details": {"field": "payload.text", "min": 50, "max": 500000, "got": 11},
}
_UNKNOWN_DOCUMENT = (
    "there is no document with this reference for this API key, or it has expired. Upload the file with POST "
    "/api/v1/documents and use the documentRef of the answer."
)
UNKNOWN_DOCUMENT = {
    "error": f"payload.documentRef: {_UNKNOWN_DOCUMENT}",
    "code": "NOT_FOUND",
    "requestId": _REQUEST_ID,
    "details": {
        "field": "payload.documentRef",
        "errors": [{"field": "payload.documentRef", "message": _UNKNOWN_DOCUMENT}],
    },
}
TOO_MANY_PENDING = {
    "error": "This key has 1000 pending jobs; the maximum is 1000. Submit more when some have started.",
    "code": "PENDING_JOB_LIMIT",
    "requestId": _REQUEST_ID,
    "details": {"limit": 1000, "pending": 1000},
}
NOT_PENDING = {
    "error": "Only a pending job can be cancelled; this one is running.",
    "code": "JOB_NOT_PENDING",
    "requestId": _REQUEST_ID,
    "details": {"status": "running"},
}
UNKNOWN = {"error": "There is no job with this id.", "code": "NOT_FOUND", "requestId": _REQUEST_ID}
