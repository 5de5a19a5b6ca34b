"""Progress of running analyses: written by the attempt that runs, read with the job (decision 074).

It is a hint, sealed in Redis like the documents and gone with their key. Each attempt has a slot of its own
and only that of the row's attempt is read, so that a superseded one shows nothing.
"""

from __future__ import annotations

import json
import threading
import time
import uuid
from typing import Final

from app import analysis
from app.jobs import storage
from app.jobs.models import Job
from app.platform import log, redis_client

# In seconds: how long what was written is believed, when it is written again unchanged, and how long a Redis
# that does not answer is left alone.
_TTL_S: Final = 30
_AGAIN_S: Final = 10.0
_REST_S: Final = 5.0

_logger = log.logger("jobs")


class ProgressWriter:
    """Writes the progress of one attempt when it is told to. Thread-safe; no method raises.

    Args:
        job_id: The job.
        attempt: Its fencing token.
        key: The data key of its payload.
        recorder: Where the analysis reports to.
    """

    def __init__(
        self, job_id: uuid.UUID, attempt: int, key: bytes, recorder: analysis.ProgressRecorder
    ) -> None:
        self._job_id, self._attempt, self._key, self._recorder = job_id, attempt, key, recorder
        self._lock = threading.Lock()
        self._written: analysis.Progress | None = None
        self._written_at = 0.0
        self._rest_until = 0.0
        self._over = False

    def write(self) -> None:
        """Write what has changed, and now and then what has not, so that it does not expire."""
        now = time.monotonic()
        with self._lock:
            found = self._recorder.now
            due = found != self._written or now >= self._written_at + _AGAIN_S
            if self._over or not due or now < self._rest_until:
                return
            clear = json.dumps(found.as_plain()).encode()
            try:
                storage.keep_progress(self._job_id, self._attempt, self._key, clear, ttl_s=_TTL_S)
            except redis_client.Unavailable as error:
                self._rest_until = time.monotonic() + _REST_S
                _logger.warning("progress of a job not written", exc_info=error, jobId=str(self._job_id))
                return
            self._written, self._written_at = found, now

    def end(self) -> None:
        """Write no more, and delete what was written."""
        with self._lock:
            self._over = True
        if self._written is not None:
            storage.drop_progress(self._job_id, self._attempt)


def progress_of(job: Job) -> analysis.Progress | None:
    """Return how far the present attempt of a running analysis has come; `None` where that is not known.

    It is known of jobs of kind `analyze` that have run for a moment, while Redis answers. Call it outside a
    transaction.
    """
    if job.status != "running" or job.kind != "analyze" or job.payload_key is None:
        return None
    try:
        clear = storage.progress(job.id, job.attempt, job.payload_key)
        return None if clear is None else analysis.Progress.from_plain(json.loads(clear))
    except (redis_client.Unavailable, ValueError):
        # Redis is away, or another release wrote it: the job is shown without.
        return None
