"""What can go wrong with an idempotency key."""

from __future__ import annotations

from app.platform.errors import Conflict


class KeyReused(Conflict):
    """The key came back with another body."""

    code = "IDEMPOTENCY_CONFLICT"


class AnswerGone(Conflict):
    """What the key created exists, and the answer that told of it is no longer kept."""

    code = "IDEMPOTENCY_CONFLICT"


class StillRunning(Conflict):
    """The first request under this key has not ended within the wait."""

    code = "IDEMPOTENCY_IN_PROGRESS"
    retry_after = 5


class ClaimLost(Conflict):
    """Another process took the claim over, because this one seemed dead: its work must not be committed."""

    code = "IDEMPOTENCY_IN_PROGRESS"
    retry_after = 1
