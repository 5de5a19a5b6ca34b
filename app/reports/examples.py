"""Examples of errors for the OpenAPI document."""

from __future__ import annotations

from typing import Any

_REQUEST_ID = "req_3f0d6c52-6a0e-4c38-9f4b-0f6a4f1f7a11"

UNKNOWN_FORMAT: dict[str, Any] = {
    "error": "format: must be one of pdf, docx, md, docx-comments; got 'odt'.",
    "code": "VALIDATION_ERROR",
    "requestId": _REQUEST_ID,
    "details": {"field": "format", "allowed": ["pdf", "docx", "md", "docx-comments"], "got": "odt"},
}
NOT_COMPLETED: dict[str, Any] = {
    "error": "This job is running; only a completed job has a report. Ask again when it has completed.",
    "code": "JOB_NOT_COMPLETED",
    "requestId": _REQUEST_ID,
    "details": {"status": "running"},
}
EXPIRED: dict[str, Any] = {
    "error": "The result of this job is no longer stored. Submit the job again.",
    "code": "RESULT_EXPIRED",
    "requestId": _REQUEST_ID,
}
TOO_LONG: dict[str, Any] = {
    "error": "format: this report has 2310 parts; a PDF has at most 1000. Ask for one document with "
    "item, or for format=docx or format=md.",
    "code": "REPORT_TOO_LONG",
    "requestId": _REQUEST_ID,
    "details": {"field": "format", "max": 1000, "got": 2310},
}
UNKNOWN: dict[str, Any] = {
    "error": "There is no job with this id.",
    "code": "NOT_FOUND",
    "requestId": _REQUEST_ID,
}
