"""Jobs: analyses in the background. An accepted job ends, is charged at most once, and leaves no document.

Owns `jobs`. Invariants: every accepted job ends as completed, failed or cancelled, whatever dies; only the
present attempt can end it, and its charge, its audit records and its event are one transaction with that;
documents and results exist sealed only, in Redis, and their keys are destroyed with their purpose.

For an edge: `accept` in a transaction, `enqueue` after its commit; `find` and `listing` show state and
progress to who may open a job, `standings` to the account's people, `result` the answer; `cancel` in a
transaction, `discard` after its commit.
"""

from app.jobs.errors import meaning
from app.jobs.execution import run
from app.jobs.models import KINDS, STATUSES, Job, Kind, Status
from app.jobs.payload import Payload
from app.jobs.queries import Standing, created_under, expired, find, listing, result, standing, standings
from app.jobs.queue import enqueue
from app.jobs.reaper import EVERY_S, Reaper, erase, forget
from app.jobs.submit import PENDING_MAX, accept, cancel, discard
from app.jobs.worker import work

__all__ = [
    "EVERY_S",
    "KINDS",
    "PENDING_MAX",
    "STATUSES",
    "Job",
    "Kind",
    "Payload",
    "Reaper",
    "Standing",
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
    "result",
    "run",
    "standing",
    "standings",
    "work",
]
