"""Insert usage events and update the daily and monthly roll-ups, in one statement."""

from __future__ import annotations

import json
import os
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import LiteralString

from app.platform.postgres import bulk
from app.platform.postgres.db import Statements
from app.usage import partitions
from app.usage.histogram import BOUNDS
from app.usage.models import ALL_ENDPOINTS, ALL_KEYS, BUCKETS

_UNSET = uuid.UUID(int=0)


@dataclass(frozen=True, slots=True)
class Call:
    """A finished call. `endpoint` is the route's path without ids; the latency is in ms.

    Status 0 marks no call but a charge that came after one, such as that of a job: its credits count, and
    neither its number nor its latency does. `id` is made once and stored with the call: however often it is
    sent, it counts once. `code` is that of an error.
    """

    at: datetime
    account_id: uuid.UUID
    api_key_id: uuid.UUID
    endpoint: str
    status: int
    latency_ms: int
    credits: int = 0
    id: uuid.UUID = _UNSET
    request_id: str | None = None
    code: str | None = None

    def __post_init__(self) -> None:
        if self.id is _UNSET:
            object.__setattr__(self, "id", _id_at(self.at, int.from_bytes(os.urandom(10))))


def _id_at(moment: datetime, rest: int) -> uuid.UUID:
    """Return a UUID version 7 (RFC 9562, 5.7): milliseconds since 1970, then 74 bits of the 80 of `rest`."""
    milliseconds = int(moment.timestamp() * 1000)
    version = 0x7000 | (rest >> 64 & 0x0FFF)
    variant = 0x8000_0000_0000_0000 | (rest & 0x3FFF_FFFF_FFFF_FFFF)
    return uuid.UUID(int=milliseconds << 80 | version << 64 | variant)


def _statement() -> LiteralString:
    bounds = ", ".join(map(str, BOUNDS))
    counted = ",\n".join(
        f"nullif(count(*) FILTER (WHERE bucket = {i}), 0) AS {name}" for i, name in enumerate(BUCKETS)
    )
    summed = ",\n".join(
        f"{name} = coalesce(d.{name} + excluded.{name}, d.{name}, excluded.{name})" for name in BUCKETS
    )
    monthly = ", ".join(f"sum({name})" for name in BUCKETS)
    figures: LiteralString = f"""
        count(*) FILTER (WHERE status > 0) AS calls,
        count(*) FILTER (WHERE status >= 400) AS errors,
        count(*) FILTER (WHERE status = 429) AS rate_limited,
        sum(credits) AS credits, {counted}
        """

    def added_up(table: LiteralString, period: LiteralString, rows: LiteralString) -> LiteralString:
        return f"""
            INSERT INTO {table} AS d
                (account_id, grain, {period}, api_key_id, endpoint, calls, errors, rate_limited, credits,
                 {", ".join(BUCKETS)})
            {rows}
            ORDER BY 1, 2, 3, 4, 5
            ON CONFLICT (account_id, grain, {period}, api_key_id, endpoint) DO UPDATE SET
                calls = d.calls + excluded.calls, errors = d.errors + excluded.errors,
                rate_limited = d.rate_limited + excluded.rate_limited,
                credits = d.credits + excluded.credits, {summed}
            """

    # The inserts go in order of their keys, so that workers that meet wait for each other and never in a
    # circle. What `usage_calls` had already is not in `entered`, so it is not counted a second time. A batch
    # is nearly always of one day, so its months are summed from its few rows by day.
    return f"""
        WITH entered AS (
            INSERT INTO usage_calls (id, at, account_id, api_key_id, endpoint, status, latency_ms, credits,
                                     request_id, code)
            SELECT * FROM json_to_recordset(%(calls)s::json) AS sent (
                id uuid, at timestamptz, account_id uuid, api_key_id uuid, endpoint text, status smallint,
                latency_ms integer, credits integer, request_id text, code text
            ) ORDER BY sent.id
            ON CONFLICT (id) DO NOTHING
            RETURNING account_id, (at AT TIME ZONE 'UTC')::date AS day, api_key_id, endpoint, status, credits,
                      CASE WHEN status > 0 THEN width_bucket(latency_ms, ARRAY[{bounds}]) END AS bucket
        ), counted AS MATERIALIZED (
            SELECT account_id, GROUPING(api_key_id, endpoint) AS grain, day,
                   coalesce(api_key_id, '{ALL_KEYS}') AS api_key_id,
                   coalesce(endpoint, '{ALL_ENDPOINTS}') AS endpoint, {figures}
            FROM entered GROUP BY account_id, day, CUBE (api_key_id, endpoint)
            UNION ALL
            SELECT account_id, 4 + GROUPING(endpoint), day, organization_id,
                   coalesce(endpoint, '{ALL_ENDPOINTS}'), {figures}
            FROM entered JOIN (
                SELECT id AS api_key_id, account_id, organization_id FROM api_keys WHERE role = 'child'
            ) AS children USING (account_id, api_key_id)
            GROUP BY account_id, day, organization_id, ROLLUP (endpoint)
        ), days AS (
            {added_up("usage_days", "day", "SELECT * FROM counted")}
        ), months AS (
            {
        added_up(
            "usage_months",
            "month",
            f'''
            SELECT account_id, grain, date_trunc('month', day::timestamp)::date, api_key_id, endpoint,
                   sum(calls), sum(errors), sum(rate_limited), sum(credits), {monthly}
            FROM counted GROUP BY 1, 2, 3, 4, 5''',
        )
    }
        )
        SELECT count(*) AS calls FROM entered
        """  # noqa: S608 (put together from constants of this package)


_INSERT = _statement()
_FORGET = """
    DELETE FROM usage_calls WHERE id IN (
        SELECT id FROM usage_calls WHERE id < %(first_kept)s
        ORDER BY id LIMIT %(limit)s FOR UPDATE SKIP LOCKED
    )
"""


_COLUMNS = (
    "id", "at", "account_id", "api_key_id", "endpoint", "status", "latency_ms", "credits", "request_id",
    "code",
)  # fmt: skip


def _plain(value: object) -> object:
    return value if isinstance(value, int | None) else str(value)


def insert_calls(session: Statements, calls: Sequence[Call]) -> int:
    """Insert calls into `usage_calls`, `usage_days` and `usage_months`; return how many were new.

    A call without key or endpoint, or with a value out of range, fails the whole batch.
    """
    # One JSON parameter: psycopg takes twice as long over eight arrays.
    sent = json.dumps([{name: _plain(getattr(call, name)) for name in _COLUMNS} for call in calls])
    return int(session.one(_INSERT, {"calls": sent}).calls)


def forget(session: Statements, *, before: datetime, limit: int = 5_000) -> int:
    """Delete up to `limit` calls older than `before`; return how many. The roll-ups are kept."""
    return session.run(_FORGET, {"first_kept": _id_at(before, 0), "limit": limit})


def erase(session: Statements, account_id: uuid.UUID) -> int:
    """Delete a batch of a closed account's usage; return how many rows."""
    tables: tuple[LiteralString, ...] = ("usage_calls", "usage_days", "usage_months", "usage_tokens")
    return bulk.erase(session, (*partitions.detached_tables(session), *tables), account_id)
