"""Errors of the jobs API, and error codes of failed jobs."""

from __future__ import annotations

from collections.abc import Mapping

from app.platform.errors import Conflict, Exhausted, NotFound


class UnknownJob(NotFound):
    """404: no such job, or not one that the caller may open."""

    def __init__(self) -> None:
        super().__init__("There is no job with this id.")


class NotPending(Conflict):
    """409: only a pending job can be cancelled (decision 027)."""

    code = "JOB_NOT_PENDING"


class TooManyPending(Exhausted):
    """429: the key has the maximum number of pending jobs (decision 027)."""

    code = "PENDING_JOB_LIMIT"
    retry_after = 30


PAYLOAD_LOST = "PAYLOAD_LOST"
ATTEMPTS_EXHAUSTED = "ATTEMPTS_EXHAUSTED"
JOB_EXPIRED = "JOB_EXPIRED"
JOB_TIMEOUT = "JOB_TIMEOUT"
KEY_REVOKED = "KEY_REVOKED"
INTERNAL_ERROR = "INTERNAL_ERROR"

# The row keeps the code only: a sentence made somewhere else might quote a document.
MEANING: Mapping[str, str] = {
    PAYLOAD_LOST: "The stored documents of this job are no longer available; you were not charged. Submit "
    "the job again.",
    ATTEMPTS_EXHAUSTED: "Failed after 3 attempts (worker crash); you were not charged.",
    JOB_EXPIRED: "The job was not started in time; you were not charged. Submit it again.",
    JOB_TIMEOUT: "The job exceeded its maximum run time; you were not charged.",
    KEY_REVOKED: "The API key was revoked before the job started; you were not charged.",
    "MODEL_ERROR": "The model returned no usable answer; you were not charged.",
    "MODEL_UNAVAILABLE": "No model was available; you were not charged. Submit the job again later.",
    "OUTPUT_WITHHELD_BY_POLICY": "The enforcement policy withheld the analysis because of a broken citation; "
    "you were not charged.",
    "DEPENDENCY_UNAVAILABLE": "A part of the service was unavailable for too long; you were not charged. "
    "Submit the job again.",
    INTERNAL_ERROR: "Internal error; you were not charged. If it happens again, send the job id to support.",
}


def meaning(code: str) -> str:
    """Return the message for an error code of a failed job."""
    return MEANING.get(code, MEANING[INTERNAL_ERROR])
