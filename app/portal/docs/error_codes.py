"""Codes of errors with their statuses, and which templates say what to do about them. Pure."""

from __future__ import annotations

from app.text.bilingual import Language

# Status and code, in the order of the status (decision 002). What to do about each is in the templates.
ERRORS = (
    (400, "MALFORMED_JSON"), (400, "VALIDATION_ERROR"), (400, "IDEMPOTENCY_KEY_INVALID"),
    (401, "UNAUTHENTICATED"), (401, "KEY_EXPIRED"), (401, "KEY_REVOKED"), (401, "SCOPE_REQUIRED"),
    (402, "INSUFFICIENT_CREDITS"), (402, "SPEND_CAP_REACHED"),
    (403, "NOT_MASTER"), (403, "FORBIDDEN_CHILD_KEY"), (403, "IP_NOT_ALLOWED"), (403, "ADDON_REQUIRED"),
    (404, "NOT_FOUND"), (405, "METHOD_NOT_ALLOWED"),
    (409, "IDEMPOTENCY_CONFLICT"), (409, "IDEMPOTENCY_IN_PROGRESS"), (409, "ALREADY_MASTER"),
    (409, "JOB_NOT_PENDING"), (409, "MASTER_KEY_IMMUTABLE"), (409, "LEGAL_NAME_MISSING"),
    (409, "WEBHOOK_INACTIVE"), (409, "DELIVERY_NOT_FAILED"), (409, "ALREADY_LISTED"),
    (410, "CURSOR_EXPIRED"), (413, "PAYLOAD_TOO_LARGE"), (415, "UNSUPPORTED_MEDIA_TYPE"),
    (422, "BATCH_TOO_LARGE"), (422, "ORGANIZATION_LIMIT"), (422, "SUB_KEY_LIMIT"), (422, "INVALID_SCOPES"),
    (422, "URL_NOT_ALLOWED"), (422, "WEBHOOK_LIMIT"),
    (429, "RATE_LIMITED"), (429, "PENDING_JOB_LIMIT"),
    (500, "INTERNAL_ERROR"), (502, "MODEL_ERROR"),
    (503, "MODEL_UNAVAILABLE"), (503, "DEPENDENCY_UNAVAILABLE"),
)  # fmt: skip


def advice_template(language: Language) -> str:
    """Return the template whose `advice` says what to do about each code."""
    return f"portal/docs/_errors.{language}.html"
