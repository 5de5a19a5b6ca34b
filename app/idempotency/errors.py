"""Errors of idempotency keys."""

from __future__ import annotations

from app.platform.errors import Conflict


class KeyReused(Conflict):
    """409: the key was used with another body."""

    code = "IDEMPOTENCY_CONFLICT"


class AnswerGone(Conflict):
    """409: the key created an object, and the answer is no longer stored."""

    code = "IDEMPOTENCY_CONFLICT"


class StillRunning(Conflict):
    """409: the first request with this key did not end within the wait."""

    code = "IDEMPOTENCY_IN_PROGRESS"
    retry_after = 5


class ClaimLost(Conflict):
    """409: another process took the claim over; this one's work must not be committed."""

    code = "IDEMPOTENCY_IN_PROGRESS"
    retry_after = 1
