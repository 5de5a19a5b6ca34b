"""Metering: append each call to a Redis stream."""

from __future__ import annotations

import json
import re
import time
import uuid
from datetime import datetime
from functools import cache

import psycopg
import sqlalchemy as sa

from app.platform import clock, log, redis_client
from app.platform.postgres import db
from app.usage.rollup import Call, insert_calls

STREAM = "usage:calls"

_logger = log.logger("usage")
_SMALLINT, _INTEGER = 2**15, 2**31
# How long to stay with the database before asking Redis again: a Redis that hangs costs one call its timeout
# and not every call.
_REDIS_RETRY_S = 2.0
_stream_again_at = 0.0


@cache
def path_template(rule: str) -> str:
    """Return a route as the OpenAPI document writes it: `/jobs/<uuid:id>` becomes `/jobs/{id}`."""
    return re.sub(r"<(?:[^<>:]*:)?([^<>:]*)>", r"{\1}", rule)


def record(call: Call) -> None:
    """Meter a call. Never raises, because an answer must not fail over its metering.

    When Redis does not answer, the call is inserted into the database directly. If the entry reached Redis
    after all, it has the same id, and the call counts once.
    """
    global _stream_again_at
    if time.monotonic() >= _stream_again_at:
        try:
            redis_client.send(b"XADD", STREAM.encode(), b"*", b"c", encode(call), b"x", encode_request(call))
            return
        except redis_client.Unavailable:
            _stream_again_at = time.monotonic() + _REDIS_RETRY_S
            _logger.warning("redis away: calls are entered directly")
    try:
        db.atomically(lambda session: insert_calls(session, [call]))
    except (psycopg.Error, sa.exc.SQLAlchemyError) as error:
        _logger.error("call not metered", exc_info=error, endpoint=call.endpoint, at=clock.iso(call.at))


def encode(call: Call) -> bytes:
    """Serialise a call as a stream entry."""
    return json.dumps(
        [
            call.id.hex,
            call.at.isoformat(),
            call.account_id.hex,
            call.api_key_id.hex,
            call.endpoint,
            call.status,
            call.latency_ms,
            call.credits,
        ]
    ).encode()


def encode_request(call: Call) -> bytes:
    """Serialise what a release without the log of requests does not read: a field of its own."""
    return json.dumps([call.request_id, call.code]).encode()


def decode(raw: bytes, of_request: bytes = b"[null, null]") -> Call:
    """Parse a stream entry, the second field as far as there is one.

    Raises `ValueError` for anything that the tables would refuse.
    """
    try:
        found, at, account, key, endpoint, status, latency, credits = json.loads(raw)
        call = Call(
            datetime.fromisoformat(at),
            uuid.UUID(account),
            uuid.UUID(key),
            endpoint,
            int(status),
            int(latency),
            int(credits),
            uuid.UUID(found),
            *_of_request(of_request),
        )
    except (TypeError, AttributeError, RecursionError) as error:
        raise ValueError("not a call") from error
    if (
        call.at.tzinfo is None
        or not call.api_key_id.int
        or not isinstance(endpoint, str)
        or not endpoint
        or "\x00" in endpoint
        or not 0 <= call.status < _SMALLINT
        or not 0 <= call.latency_ms < _INTEGER
        or not 0 <= call.credits < _INTEGER
    ):
        raise ValueError("not a call")
    return call


def _of_request(raw: bytes) -> tuple[str | None, str | None]:
    """Return request id and code; what is no text, or cannot be kept, counts as nothing."""
    request_id, code = (
        one if isinstance(one, str) and one and "\x00" not in one else None for one in json.loads(raw)
    )
    return request_id, code
