"""Jobs: analyses in the background, each charged at most once.

Owns `jobs`. Invariants: every accepted job ends as completed, failed or cancelled, whichever process dies;
only the current attempt can end it, and its charge, audit records and event are one transaction with that;
documents and results are stored encrypted only, in Redis, and their keys are deleted when no longer needed.

Callers use `accept` in a transaction and `enqueue` after its commit; `find` and `listing` return jobs to keys
that may open them, `of_matter` those that were started
together, `summaries` what the account's members may see, `progress_of` how far a running one has
come, `result` the answer; `cancel` in a transaction and `discard` after its commit.
"""

from app.jobs.errors import meaning
from app.jobs.execution.reaper import EVERY_S, Reaper, erase, forget
from app.jobs.execution.runner import run
from app.jobs.execution.worker import work
from app.jobs.models import KINDS, STATUSES, Job, Kind, Status
from app.jobs.payload import Payload
from app.jobs.progress import progress_of
from app.jobs.queries import (
    JobSummary,
    created_under,
    expired,
    find,
    listing,
    of_matter,
    queue_pace,
    result,
    summaries,
    summary,
)
from app.jobs.queue import enqueue
from app.jobs.submit import PENDING_MAX, accept, cancel, discard

__all__ = [
    "EVERY_S",
    "KINDS",
    "PENDING_MAX",
    "STATUSES",
    "Job",
    "JobSummary",
    "Kind",
    "Payload",
    "Reaper",
    "Status",
    "accept",
    "cancel",
    "created_under",
    "discard",
    "enqueue",
    "erase",
    "expired",
    "find",
    "forget",
    "listing",
    "meaning",
    "of_matter",
    "progress_of",
    "queue_pace",
    "result",
    "run",
    "summaries",
    "summary",
    "work",
]
