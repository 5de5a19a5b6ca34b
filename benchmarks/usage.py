"""Usage: a year over ten million calls, the CSV, the cost of metering a call and of taking it in.

    python -m benchmarks.usage [--rows 10000000] [--rounds 15]

Fills a throw-away PostgreSQL with the roll-up of a year of `--rows` calls, drawn at random: 200 accounts, up
to 150 keys each, eight routes, a few large and many small (weights 1/n), latencies from 1 ms to some seconds.
The calls exist in an unlogged table while the roll-up is made from them and are then dropped; rows of
`usage_calls` are made by the intake measurement alone. Reports are whole requests to GET /api/v1/usage
through the test client: key, limit, SQL, JSON and metering included, a socket not.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import math
import os
import statistics
import sys
import time
import uuid
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from functools import partial
from typing import Any

import psycopg

from app import tenancy, usage
from app.platform import redis_client, settings
from app.platform.postgres import db, rls
from app.usage.histogram import BOUNDS
from app.usage.models import ALL_KEYS, BUCKETS
from app.usage.periods import GRANULARITIES
from app.usage.rollup import insert_calls
from app.usage.rollup_repair import ROLL_UP
from tests.throwaway import Throwaway, new_database

FIRST, LAST = date(2025, 9, 30), date(2026, 9, 30)

_CALLS = """
    CREATE UNLOGGED TABLE drawn AS
    SELECT account, account * 1000 + floor(power(150, random()))::int AS key,
           '/api/v1/route-' || floor(8 * power(random(), 2))::int AS endpoint,
           date '2025-09-30' + floor(366 * random())::int AS day,
           CASE WHEN random() < 0.02 THEN 429 WHEN random() < 0.03 THEN 400 ELSE 200 END AS status,
           floor(exp(8 * power(random(), 2) + random()))::int AS latency_ms
    FROM (SELECT floor(power(200, random()))::int AS account FROM generate_series(1, {rows}))
"""
_UUID = "('00000000-0000-4000-8000-' || lpad({column}::text, 12, '0'))::uuid"
_ROLL_UP = """
    INSERT INTO usage_days
    SELECT account_id, GROUPING(api_key_id, endpoint), day, coalesce(api_key_id, '{all_keys}'),
           coalesce(endpoint, ''), count(*), count(*) FILTER (WHERE status >= 400),
           count(*) FILTER (WHERE status = 429), count(*) FILTER (WHERE status = 200), {counted}
    FROM (
        SELECT {account} AS account_id, {key} AS api_key_id, day, endpoint, status,
               width_bucket(latency_ms, ARRAY[{bounds}]) AS bucket
        FROM drawn WHERE day >= '{first}' AND day < '{until}'
    ) d
    GROUP BY account_id, day, CUBE (api_key_id, endpoint) ORDER BY day
"""
_KEYS = """
    INSERT INTO api_keys (id, account_id, name, key_prefix, key_hash, role, tier, scopes, created_at)
    SELECT {key}, {account}, 'key ' || key, 'svc_' || lpad(key::text, 8, '0'), {key}::text::bytea, 'solo',
           'standard', '{{analyze}}', now()
    FROM (SELECT DISTINCT account, key FROM drawn)
"""
_ACCOUNTS = """
    INSERT INTO accounts (id, name, created_at, attestation, citator, mask_names)
    SELECT DISTINCT {account}, 'account ' || account, now(), false, false, false FROM drawn
"""


def _fill(rows: int) -> None:
    """Month by month, as a year would have: the rows of a day lie together, those of an account do not."""
    names = {
        "all_keys": ALL_KEYS,
        "account": _UUID.format(column="account"),
        "key": _UUID.format(column="key"),
        "bounds": ", ".join(map(str, BOUNDS)),
        "counted": ", ".join(f"nullif(count(*) FILTER (WHERE bucket = {i}), 0)" for i in range(len(BUCKETS))),
    }
    url = settings.current().database_url.get_secret_value()
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(_CALLS.format(rows=rows))
        connection.execute(_ACCOUNTS.format(**names))
        connection.execute(_KEYS.format(**names))
        day = FIRST
        while day <= LAST:
            until = day + timedelta(days=31)
            connection.execute(_ROLL_UP.format(first=day, until=until, **names))
            day = until
        connection.execute("DROP TABLE drawn")
        connection.execute(ROLL_UP.format(condition="true"))
        connection.execute("VACUUM ANALYZE usage_days, usage_months")


def _largest() -> dict[str, Any]:
    url = settings.current().database_url.get_secret_value()
    with psycopg.connect(url, autocommit=True) as connection:
        found = connection.execute(
            "SELECT account_id, sum(calls) FROM usage_days WHERE grain = 3 GROUP BY 1 ORDER BY 2 DESC LIMIT 1"
        ).fetchone()
        assert found
        account, calls = found
        cells = connection.execute(
            "SELECT count(*) FROM usage_days WHERE grain = 0 AND account_id = %s", [account]
        ).fetchone()
        size = connection.execute(
            "SELECT count(*), pg_total_relation_size('usage_days') FROM usage_days"
        ).fetchone()
        key = connection.execute(
            "SELECT api_key_id FROM usage_days WHERE grain = 1 AND account_id = %s "
            "GROUP BY 1 ORDER BY sum(calls) DESC LIMIT 1",
            [account],
        ).fetchone()
        assert cells
        assert size
        assert key
    return {
        "account": account,
        "calls": int(calls),
        "cells": cells[0],
        "rows": size[0],
        "bytes": size[1],
        "key": key[0],
    }


def _milliseconds(work: Callable[[], object], rounds: int) -> tuple[float, float]:
    """Median and 95th percentile, after two rounds to warm up."""
    taken = []
    for number in range(rounds + 2):
        start = time.perf_counter()
        work()
        if number > 1:
            taken.append((time.perf_counter() - start) * 1000)
    taken.sort()
    return round(statistics.median(taken), 1), round(taken[math.ceil(0.95 * len(taken)) - 1], 1)


def _client(account_id: uuid.UUID) -> Callable[[dict[str, Any]], object]:
    """Asks for a year with a new key of the account; fails on anything but an answer."""
    from app.factory import create_app

    client = create_app().test_client()
    with db.transaction() as session:
        made = tenancy.create_key(
            session,
            account_id,
            name="benchmark",
            tier="enterprise",
            scopes=["query"],
            prefix=settings.current().key_prefix,
            now=datetime.now(UTC),
        )
    headers = {"Authorization": f"Bearer {made.plaintext}"}
    year = {"from": str(FIRST), "to": str(LAST)}

    def ask(query: dict[str, Any]) -> object:
        response = client.get("/api/v1/usage", query_string={**year, **query}, headers=headers)
        assert response.status_code == 200, response.text
        assert response.get_json()["totals"]["calls"] > 0
        return response

    return ask


def _reports(largest: dict[str, Any], rounds: int) -> dict[str, float]:
    figures: dict[str, float] = {}
    ask = _client(largest["account"])
    print(f"{'a year of the largest account':40}{'p50 ms':>9}{'p95 ms':>9}")
    asked: dict[str, dict[str, Any]] = {g: {"granularity": g} for g in GRANULARITIES}
    asked |= {
        "day_one_key": {"api_key_id": largest["key"]},
        "day_one_endpoint": {"endpoint": "/api/v1/route-0"},
        "day_one_key_one_endpoint": {"api_key_id": largest["key"], "endpoint": "/api/v1/route-0"},
    }
    for name, given in asked.items():
        p50, p95 = _milliseconds(partial(ask, given), rounds)
        print(f"{name:40}{p50:>9}{p95:>9}")
        figures |= {f"year_by_{name}_ms_p50": p50, f"year_by_{name}_ms_p95": p95}
    return figures


def _sheet(largest: dict[str, Any]) -> dict[str, float]:
    start = time.perf_counter()
    lines = size = longest = 0
    for chunk in usage.export_csv(usage.ReportQuery(largest["account"], FIRST, LAST)):
        lines, size, longest = lines + chunk.count(b"\r\n"), size + len(chunk), max(longest, len(chunk))
    taken = time.perf_counter() - start
    print(f"\nCSV by day: {lines} lines, {size} bytes in {taken:.2f} s; largest piece {longest} bytes")
    return {"csv_rows_per_s": round(lines / taken), "csv_largest_piece_bytes": longest}


def _microseconds(work: Callable[[int], object], times: int) -> float:
    """The best of five runs, per call: the machine may be shared."""
    best = math.inf
    for _ in range(5):
        start = time.perf_counter()
        for number in range(times):
            work(number)
        best = min(best, (time.perf_counter() - start) / times * 1e6)
    return round(best, 2)


def _metering(times: int = 5_000) -> dict[str, float]:
    account, key = uuid.uuid4(), uuid.uuid4()

    def meter(number: int) -> None:
        usage.record(usage.Call(datetime.now(UTC), account, key, "/api/v1/analyze", 200, number % 300, 1))

    client = redis_client.client()
    found = {
        "empty_us_per_call": _microseconds(lambda _: None, times),
        "redis_ping_us_per_call": _microseconds(lambda _: client.ping(), times),
        "record_us_per_call": _microseconds(meter, times),
    }
    print(f"\n{'one call':40}{'µs':>9}")
    for name, value in found.items():
        print(f"{name.removesuffix('_us_per_call'):40}{value:>9}")
    return found


def _intake(entries: int = 20_000) -> dict[str, float]:
    """From the stream, and the statement alone: 40 accounts of 3 keys and 4 routes, one day."""
    tenants = [(uuid.uuid4(), [uuid.uuid4() for _ in range(3)]) for _ in range(40)]
    moment = datetime(2026, 9, 30, 12, tzinfo=UTC)

    def call(number: int) -> usage.Call:
        account, keys = tenants[number % 40]
        route = f"/api/v1/route-{number // 120 % 4}"
        return usage.Call(moment, account, keys[number // 40 % 3], route, 200, number % 700, 1)

    client = redis_client.client()
    client.flushdb()
    calls = [call(number) for number in range(entries)]
    batches = [calls[start : start + 1_000] for start in range(0, entries, 1_000)]
    start = time.perf_counter()
    for batch in batches:
        db.atomically(lambda statements, batch=batch: insert_calls(statements, batch))  # type: ignore[misc]
    statement = time.perf_counter() - start
    for number in range(entries):
        usage.record(call(number))
    start = time.perf_counter()
    moved = usage.drain("benchmark")
    drained = time.perf_counter() - start
    assert moved == entries
    found = {
        "intake_statement_us_per_row": round(statement / entries * 1e6, 1),
        "intake_us_per_row": round(drained / entries * 1e6, 1),
    }
    print(f"{'intake, statement alone':40}{found['intake_statement_us_per_row']:>9}")
    print(f"{'intake, stream to tables':40}{found['intake_us_per_row']:>9}")
    return found


def run(rows: int, rounds: int) -> dict[str, float]:
    """Fill, measure, print the tables; the keys of the result are those of the last line."""
    start = time.perf_counter()
    _fill(rows)
    filled = time.perf_counter() - start
    largest = _largest()
    print(
        f"{rows} calls over {(LAST - FIRST).days + 1} days, rolled up in {filled:.0f} s: "
        f"{largest['rows']} rows, "
        f"{largest['bytes'] / 1e6:.0f} MB; largest account {largest['calls']} calls in "
        f"{largest['cells']} cells of key, route and day\n"
    )
    return {
        "calls": rows,
        "rollup_rows": largest["rows"],
        "rollup_mb": round(largest["bytes"] / 1e6),
        "largest_account_calls": largest["calls"],
        "largest_account_cells": largest["cells"],
        **_reports(largest, rounds),
        **_sheet(largest),
        **_metering(),
        **_intake(),
    }


@rls.as_system()
def main() -> int:
    """Start both stores, measure, print the JSON line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rows", type=int, default=10_000_000, help="calls in the year")
    parser.add_argument("--rounds", type=int, default=15, help="how often each report is asked for")
    arguments = parser.parse_args()
    with contextlib.ExitStack() as stack:
        stores = Throwaway()
        stack.callback(stores.stop)
        os.environ.update(
            DATABASE_URL=new_database(stores.addresses, "candado_benchmark"),
            REDIS_URL=stores.addresses.redis_url(0),
            SECRET_KEY="k" * 40,
            LOG_LEVEL="error",
            RATE_MANAGEMENT="1000000",
        )
        settings.current.cache_clear()
        stack.callback(db.dispose)
        found = run(arguments.rows, arguments.rounds)
    print(json.dumps(found))
    return 0


if __name__ == "__main__":
    sys.exit(main())
