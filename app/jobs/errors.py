"""What can go wrong with a job: when it is asked for, and how it may end."""

from __future__ import annotations

from collections.abc import Mapping

from app.platform.errors import Conflict, Exhausted, NotFound


class UnknownJob(NotFound):
    """No such job, or not the caller's."""

    def __init__(self) -> None:
        super().__init__("There is no job with this id.")


class NotPending(Conflict):
    """Only a job that waits can be cancelled (decision 027)."""

    code = "JOB_NOT_PENDING"


class TooManyPending(Exhausted):
    """429: the key has as many waiting jobs as it may have (decision 027)."""

    code = "PENDING_JOB_LIMIT"
    retry_after = 30


class Unsealed(Exception):
    """The payload is gone, or cannot be opened with the key that its row holds."""


PAYLOAD_LOST = "PAYLOAD_LOST"
ATTEMPTS_EXHAUSTED = "ATTEMPTS_EXHAUSTED"
JOB_EXPIRED = "JOB_EXPIRED"
JOB_TIMEOUT = "JOB_TIMEOUT"
KEY_REVOKED = "KEY_REVOKED"
INTERNAL_ERROR = "INTERNAL_ERROR"

# The row keeps the code only: a sentence made somewhere else might quote a document.
MEANING: Mapping[str, str] = {
    PAYLOAD_LOST: "The sealed documents of this job are gone; nothing was charged. Send it again.",
    ATTEMPTS_EXHAUSTED: "Three workers in a row ended while they had this job; nothing was charged.",
    JOB_EXPIRED: "No worker took this job in time; nothing was charged. Send it again.",
    JOB_TIMEOUT: "The job took longer than a job may; nothing was charged.",
    KEY_REVOKED: "The API key was revoked before the job began; nothing was charged.",
    "MODEL_ERROR": "The model gave no usable answer; nothing was charged.",
    "MODEL_UNAVAILABLE": "No model could be asked; nothing was charged. Send it again later.",
    "DEPENDENCY_UNAVAILABLE": "A part of the service was away for too long; nothing was charged.",
    INTERNAL_ERROR: "Something failed on our side; nothing was charged. Quote the job's id to support.",
}


def meaning(code: str) -> str:
    """One plain sentence for an error code of a job."""
    return MEANING.get(code, MEANING[INTERNAL_ERROR])
