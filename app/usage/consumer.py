"""Move usage entries from the Redis stream to PostgreSQL, in batches acknowledged after the commit."""

from __future__ import annotations

import uuid
from datetime import datetime
from typing import Any, cast

import redis

from app import tenancy
from app.platform import log, redis_client
from app.platform.postgres import db, rls
from app.usage.meter import STREAM, decode
from app.usage.rollup import Call, insert_calls

GROUP = "intake"
# An entry read but not acknowledged for this long belonged to a worker that died: another takes it over.
_ABANDONED_MS = 30_000
_BATCH = 1_000

_logger = log.logger("usage")


def drain(consumer: str) -> int:
    """Insert the waiting entries of the stream into the tables; return how many were moved.

    Several workers may drain at once, each with its own `consumer` name. Errors of Redis and the database are
    not caught: the entries then stay in the stream.
    """
    client = redis_client.client()
    _ensure_group(client)
    moved = 0
    while entries := _abandoned(client, consumer) or _fresh(client, consumer):
        _store(entries)
        ids = [entry_id for entry_id, _ in entries]
        with client.pipeline(transaction=True) as pipe:
            pipe.xack(STREAM, GROUP, *ids)
            pipe.xdel(STREAM, *ids)
            pipe.execute()
        moved += len(entries)
    return moved


Entry = tuple[bytes, dict[bytes, bytes]]


def _ensure_group(client: redis.Redis) -> None:
    try:
        client.xgroup_create(STREAM, GROUP, id="0", mkstream=True)
    except redis.ResponseError as error:
        if "BUSYGROUP" not in str(error):
            raise


def _fresh(client: redis.Redis, consumer: str) -> list[Entry]:
    found = cast(Any, client.xreadgroup(GROUP, consumer, {STREAM: ">"}, count=_BATCH))
    return list(found[0][1]) if found else []


def _abandoned(client: redis.Redis, consumer: str) -> list[Entry]:
    found = cast(Any, client.xautoclaim(STREAM, GROUP, consumer, _ABANDONED_MS, count=_BATCH))
    return [(entry_id, fields) for entry_id, fields in found[1] if fields]


def _store(entries: list[Entry]) -> None:
    calls: list[Call] = []
    for entry_id, fields in entries:
        try:
            calls.append(decode(fields[b"c"], fields.get(b"x", b"[null, null]")))
        except (KeyError, ValueError):
            # Not ours or from a version that wrote another form: leaving it would block the stream for good.
            _logger.error("stream entry not understood", entry=entry_id.decode())
    if calls:
        # One batch holds the calls of many accounts.
        with rls.as_system():
            db.atomically(lambda session: _write(session, calls))


def _write(session: db.Statements, calls: list[Call]) -> None:
    insert_calls(session, calls)
    used: dict[uuid.UUID, datetime] = {}
    for call in calls:
        used[call.api_key_id] = max(call.at, used.get(call.api_key_id, call.at))
    tenancy.record_key_use(session, used)
