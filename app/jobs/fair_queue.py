"""Fair queueing of jobs between accounts, measured in documents by their length.

Ids wait in a backlog, each with a tag: the account's own last tag, or the one being served where that is
greater, plus the weight of the job (self-clocked fair queueing: S. J. Golestani, INFOCOM 1994).
The lowest tag is served next. So the jobs of one account stay in order, and an account without waiting jobs
has its next one served as soon as if the others had sent only as much as it did. From the backlog an id moves
to the list on which RQ's workers wait; that list holds one unclaimed id.

Like the queue, all of this is a hint: after a flush of Redis it starts over (decision 027).
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Sequence
from typing import Any, Protocol

import redis
from redis.client import Pipeline
from rq import Queue
from rq.exceptions import DequeueTimeout
from rq.intermediate_queue import IntermediateQueue
from rq.utils import as_text

BACKLOG, SHARES = "jobs:backlog", "jobs:shares"
# Ids that nobody has come for and that no fairer one can overtake any more.
_READY = 1

# Keys: the list that workers wait at, the backlog, the accounts' tags. The field `served` is of no account.
_REFILL = f"""
while redis.call('LLEN', KEYS[1]) < {_READY} do
    local next = redis.call('ZPOPMIN', KEYS[2])
    if not next[1] then
        redis.call('DEL', KEYS[3])
        break
    end
    redis.call('HSET', KEYS[3], 'served', next[2])
    redis.call('RPUSH', KEYS[1], next[1])
end
"""
# Also: where RQ notes what was taken and not yet begun.
_TAKE = (
    """
local taken = redis.call('LMOVE', KEYS[1], KEYS[4], 'LEFT', 'RIGHT')
"""
    + _REFILL
    + "return taken"
)
# An id that waits already keeps its place.
_JOIN = (
    """
if not redis.call('ZSCORE', KEYS[2], ARGV[1]) then
    local served = tonumber(redis.call('HGET', KEYS[3], 'served')) or 0
    local last = tonumber(redis.call('HGET', KEYS[3], ARGV[2])) or 0
    local tag = math.max(served, last) + tonumber(ARGV[3])
    redis.call('HSET', KEYS[3], ARGV[2], tag)
    redis.call('ZADD', KEYS[2], tag, ARGV[1])
end
"""
    + _REFILL
)


class QueuedJob(Protocol):
    """A job to enqueue: a row of `jobs`."""

    @property
    def id(self) -> uuid.UUID:
        """Return the id of the job."""

    @property
    def account_id(self) -> uuid.UUID:
        """Return the account whose share the job counts against."""

    @property
    def weight(self) -> int:
        """Return the documents, each counted once for every 50,000 characters begun."""


class FairQueue(Queue):
    """RQ's queue with a fair backlog in front of it."""

    joining: QueuedJob | None = None

    def push_job_id(self, job_id: str, pipeline: Pipeline | None = None, at_front: bool = False) -> None:
        """Add `joining` to the backlog; ids that RQ pushes by itself, or to the front, bypass it."""
        if self.joining is None or at_front:
            super().push_job_id(job_id, pipeline=pipeline, at_front=at_front)
            return
        assert str(self.joining.id) == job_id
        connection: Any = pipeline if pipeline is not None else self.connection
        connection.eval(
            _JOIN, 3, self.key, BACKLOG, SHARES, job_id, str(self.joining.account_id), self.joining.weight
        )

    @classmethod
    def lmove(cls, connection: redis.Redis, queue_key: str, timeout: int | None) -> tuple[str, Any] | None:
        """Pop the next id, waiting up to `timeout` seconds, and refill the list from the backlog."""
        taken_to = IntermediateQueue(queue_key, connection).key
        taken: Any = connection.eval(_TAKE, 4, queue_key, BACKLOG, SHARES, taken_to)
        if taken is None and timeout is not None:
            with connection.pipeline(transaction=False) as pipe:
                pipe.blmove(queue_key, taken_to, timeout)
                refill(pipe, queue_key)
                taken = pipe.execute()[0]
            if taken is None:
                raise DequeueTimeout(timeout, queue_key)
        return None if taken is None else (queue_key, taken)


def refill(connection: redis.Redis, queue_key: str) -> None:
    """Move ids from the backlog to the list on which workers wait."""
    connection.eval(_REFILL, 3, queue_key, BACKLOG, SHARES)


def missing(connection: redis.Redis, queue_key: str, ids: Sequence[uuid.UUID]) -> list[uuid.UUID]:
    """Return those of `ids` that are neither in the list nor in the backlog."""
    if not ids:
        return []
    names = [str(one) for one in ids]
    with connection.pipeline(transaction=False) as pipe:
        # An id goes from the backlog to the list, so that is the order in which to look.
        pipe.zmscore(BACKLOG, names)
        pipe.lrange(queue_key, 0, -1)
        tags, ready = pipe.execute()
    held = set(map(as_text, ready)) | {name for name, tag in zip(names, tags, strict=True) if tag is not None}
    return [one for one, name in zip(ids, names, strict=True) if name not in held]


def leave(pipe: Pipeline, queue_key: str, names: Iterable[str]) -> None:
    """Remove ids from the list and the backlog."""
    for name in names:
        pipe.zrem(BACKLOG, name)
        pipe.lrem(queue_key, 0, name)
