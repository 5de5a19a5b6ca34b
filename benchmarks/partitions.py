"""Calls and audit records by month, beside one table each: `python -m benchmarks.partitions`.

`usage_calls` of a migrated database (partitioned, decision 113) gets `--calls` calls of 1,000 accounts over
the twelve months that follow, and so does a table without partitions and with the same indexes; both are
filled by `generate_series` and their indexes built afterwards, as they are vacuumed. Then, by turns, in
milliseconds: 500 calls of today written at once, the newest fifty of an account in one month, a request by
its id, a call by its own. Last, the oldest month goes: deleted in batches of 5,000 and vacuumed from the
one, detached and dropped from the other; seconds, and what is left on disk.

Audit records, as a prototype that is not in the product: `--records` records of fifty accounts, appended by
the product's own function over twelve months, are copied into a table partitioned by month. Every chain is
verified in both, by the product's own code; then the first three months are detached, with the last hash of
each account noted, and what is left is verified from there on, and the detached part by itself up to it. A
record is then changed in each part, and a second record put at a position that is taken. Last line: one
JSON object.

PostgreSQL does not wait for the disk here. Sizes are what this machine's share of time allows.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import time
import uuid
from collections.abc import Callable, Iterable
from datetime import date, datetime, timedelta
from typing import Any, Final

import psycopg

from app.platform import canonical_json, clock
from app.platform.postgres import rls
from tests.throwaway import Throwaway, new_database

ACCOUNTS, CHAINS, TIMES, DETACHED = 1_000, 50, 40, 3

# Ids of version 7: the milliseconds of a moment, then what makes them differ.
_CALLS = """
    INSERT INTO {table}
        (id, at, account_id, api_key_id, endpoint, status, latency_ms, credits, request_id, code)
    SELECT (lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') || '7'
            || substr(md5(n::text), 1, 3) || '8' || substr(md5(n::text), 4, 15))::uuid, at,
           md5((n % {accounts})::text)::uuid, md5((n % {accounts})::text)::uuid, '/api/v1/analyze',
           CASE WHEN n % 20 = 0 THEN 429 ELSE 200 END, 40, 1, 'req_' || md5(n::text),
           CASE WHEN n % 20 = 0 THEN 'RATE_LIMITED' END
    FROM generate_series({first}, {last}) AS n,
         LATERAL (
             SELECT timestamptz '{begins}' + (n - {first}) * interval '{step} microseconds'
         ) AS moment (at)
    """
_INDEXES: Final = (
    "CREATE INDEX ON {table} (account_id, at)",
    "CREATE INDEX ON {table} (account_id, request_id text_pattern_ops) WHERE request_id IS NOT NULL",
    "CREATE INDEX ON {table} (account_id, at) WHERE status >= 400",
)
_PARTED: Final = (
    "CREATE TABLE records_parted (LIKE audit_records) PARTITION BY RANGE (at)",
    "ALTER TABLE records_parted ADD PRIMARY KEY (id, at)",
    "ALTER TABLE records_parted ADD UNIQUE (account_id, seq, at)",
    "CREATE INDEX ON records_parted (account_id, seq DESC)",
    "CREATE TABLE records_cut (account_id uuid PRIMARY KEY, seq bigint NOT NULL, hash text NOT NULL)",
)


def _months(first: date) -> list[date]:
    found = [first]
    while len(found) < 13:
        day = found[-1]
        found.append(date(day.year + day.month // 12, day.month % 12 + 1, 1))
    return found


def _milliseconds(work: Callable[[int], object], times: int = TIMES) -> float:
    taken = []
    for turn in range(times):
        began = time.perf_counter()
        work(turn)
        taken.append((time.perf_counter() - began) * 1000)
    return round(statistics.median(taken), 2)


def _seconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return round(time.perf_counter() - began, 2)


def _megabytes(connection: psycopg.Connection[Any], tables: str) -> int:
    query = (
        "SELECT coalesce(sum(pg_total_relation_size(oid)), 0) FROM pg_class "
        f"WHERE relkind = 'r' AND relname ~ '{tables}'"
    )
    return round(float(_value(connection, query)) / 1e6)


def _value(connection: psycopg.Connection[Any], query: str) -> Any:
    row = connection.execute(query.encode()).fetchone()
    return row[0] if row else None


def _fill(connection: psycopg.Connection[Any], calls: int, months: list[date]) -> dict[str, float]:
    """Fill the partitioned table and the plain one; return the seconds that each took."""
    each = calls // 12
    words = {"accounts": ACCOUNTS}

    def insert(table: str, at: int) -> None:
        length = (months[at + 1] - months[at]).days * 86_400_000_000
        filled = _CALLS.format(
            table=table, first=at * each, last=(at + 1) * each - 1, begins=months[at], step=length // each,
            **words,
        )  # fmt: skip
        connection.execute(filled.encode())

    def parted() -> None:
        for at, month in enumerate(months[:12]):
            # Opened without its indexes, which are built when it is full.
            name = f"usage_calls_{month:%Y_%m}"
            connection.execute(f"DROP TABLE IF EXISTS {name}".encode())
            connection.execute(f"CREATE TABLE {name} (LIKE usage_calls)".encode())
            insert(name, at)
            connection.execute(f"ALTER TABLE {name} ADD PRIMARY KEY (id)".encode())
            for index in _INDEXES:
                connection.execute(index.format(table=name).encode())
            connection.execute(f"SELECT attach_usage_month('{month}')".encode())
        connection.execute(b"VACUUM ANALYZE usage_calls")

    def plain() -> None:
        connection.execute(b"CREATE TABLE calls_plain (LIKE usage_calls)")
        for at in range(12):
            insert("calls_plain", at)
        connection.execute(b"ALTER TABLE calls_plain ADD PRIMARY KEY (id)")
        for index in _INDEXES:
            connection.execute(index.format(table="calls_plain").encode())
        connection.execute(b"VACUUM ANALYZE calls_plain")

    return {"fill_parted_s": _seconds(parted), "fill_plain_s": _seconds(plain)}


def _ask(connection: psycopg.Connection[Any], calls: int, months: list[date]) -> dict[str, float]:
    found: dict[str, float] = {}
    for name, table in (("plain", "calls_plain"), ("parted", "usage_calls")):

        def written(turn: int, table: str = table) -> None:
            first = calls + turn * 500 + (10_000_000 if table == "calls_plain" else 0)
            filled = _CALLS.format(
                table=table, first=first, last=first + 499, begins=months[11], step=1_000, accounts=ACCOUNTS
            )
            connection.execute((filled + " ON CONFLICT (id) DO NOTHING").encode())

        def listed(turn: int, table: str = table) -> None:
            account = f"md5('{turn}')::uuid"
            connection.execute(
                f"SELECT * FROM {table} WHERE account_id = {account} AND status > 0 AND at >= '{months[5]}' "
                f"AND at < '{months[6]}' ORDER BY at DESC, id DESC LIMIT 50".encode()
            ).fetchall()

        def newest(turn: int, table: str = table) -> None:
            connection.execute(
                f"SELECT * FROM {table} WHERE account_id = md5('{turn}')::uuid AND status > 0 "
                "ORDER BY at DESC, id DESC LIMIT 50".encode()
            ).fetchall()

        def requested(turn: int, table: str = table) -> None:
            # Every account's n-th call: of an account that the request is of.
            number = turn * ACCOUNTS + turn
            connection.execute(
                f"SELECT * FROM {table} WHERE account_id = md5('{number % ACCOUNTS}')::uuid "
                f"AND request_id = 'req_' || md5('{number}')".encode()
            ).fetchall()

        some = [
            row[0]
            for row in connection.execute(
                f"SELECT id FROM {table} WHERE at >= '{months[3]}' ORDER BY id LIMIT {TIMES}".encode()
            )
        ]

        def known(turn: int, table: str = table, some: list[uuid.UUID] = some) -> None:
            connection.execute(f"SELECT * FROM {table} WHERE id = '{some[turn]}'".encode()).fetchall()

        for what, work in (
            ("write_500", written), ("month_of_account", listed), ("newest_of_account", newest),
            ("by_request", requested), ("by_id", known),
        ):  # fmt: skip
            found[f"{what}_{name}_ms"] = _milliseconds(work)
    return found


def _forget(connection: psycopg.Connection[Any], months: list[date]) -> dict[str, float]:
    """Let the oldest month go, in both ways."""
    found: dict[str, float] = {
        "plain_mb": _megabytes(connection, "^calls_plain$"),
        "parted_mb": _megabytes(connection, "^usage_calls_"),
    }

    def deleted() -> None:
        end = _value(connection, f"SELECT first_usage_id('{months[1]}')")
        batch = (
            "DELETE FROM calls_plain WHERE id IN (SELECT id FROM calls_plain "
            f"WHERE id < '{end}' ORDER BY id LIMIT 5000 FOR UPDATE SKIP LOCKED)"
        ).encode()
        while connection.execute(batch).rowcount:
            pass

    found["delete_month_s"] = _seconds(deleted)
    found["vacuum_s"] = _seconds(lambda: connection.execute(b"VACUUM calls_plain"))
    found["detach_month_s"] = _seconds(
        lambda: connection.execute(f"SELECT detach_usage_month('{months[0]}')".encode())
    )
    found["drop_month_s"] = _seconds(
        lambda: connection.execute(f"SELECT drop_usage_month('{months[0]}')".encode())
    )
    found["plain_mb_after"] = _megabytes(connection, "^calls_plain$")
    found["parted_mb_after"] = _megabytes(connection, "^usage_calls_")
    return found


def _append(connection: psycopg.Connection[Any], records: int, months: list[date]) -> list[uuid.UUID]:
    """Append chains by the product's own function; return their accounts."""
    accounts = [uuid.uuid4() for _ in range(CHAINS)]
    begins = datetime(months[0].year, months[0].month, 1, tzinfo=clock.now().tzinfo)
    step = timedelta(days=(months[12] - months[0]).days) / (records // CHAINS + 1)
    connection.execute(b"SET session_replication_role = replica")  # without accounts and keys behind them
    with connection.transaction(), connection.cursor() as cursor:
        connection.execute(b"SET LOCAL ROLE candado_system")
        for account in accounts:
            cursor.executemany(
                "SELECT append_audit_record(%s)",
                [
                    (canonical_json.dumps(_content(account, begins + number * step)).decode(),)
                    for number in range(records // CHAINS)
                ],
            )
    connection.execute(b"SET session_replication_role = origin")
    return accounts


def _content(account: uuid.UUID, at: datetime) -> dict[str, Any]:
    return {
        "recordVersion": 2,
        "accountId": str(account),
        "analysisId": str(uuid.uuid4()),
        "apiKeyId": str(account),
        "requestId": f"req_{uuid.uuid4()}",
        "finishedAt": clock.iso(at),
        "documentHash": uuid.uuid4().hex * 2,
        "outputHash": uuid.uuid4().hex * 2,
        "citations": {"verified": 4, "not_found": 0, "derogated": 0, "mismatch": 1},
        "locks": {"L1": 12, "L4-N": 3},
    }


def _verified(
    connection: psycopg.Connection[Any], table: str, account: uuid.UUID, *, seen: int = 0, previous: str = ""
) -> tuple[int, int, str]:
    """Verify an account's records in `table`; return their number, that of broken ones, the last hash."""
    from app.governance.chain import GENESIS, VerificationState

    walk = VerificationState(0, "", seen, previous or GENESIS)
    with connection.cursor(row_factory=psycopg.rows.namedtuple_row) as cursor:
        cursor.execute(f"SELECT * FROM {table} WHERE account_id = '{account}' ORDER BY seq".encode())
        for row in cursor:
            walk.add(row)
    return walk.seen - seen, walk.broken, walk.previous


def _all_verified(
    connection: psycopg.Connection[Any],
    table: str,
    accounts: Iterable[uuid.UUID],
    cut: dict[uuid.UUID, tuple[int, str]] | None = None,
) -> tuple[int, int]:
    found = broken = 0
    for account in accounts:
        seen, previous = (cut or {}).get(account, (0, ""))
        here, wrong, _ = _verified(connection, table, account, seen=seen, previous=previous)
        found, broken = found + here, broken + wrong
    return found, broken


def _audit(connection: psycopg.Connection[Any], records: int, months: list[date]) -> dict[str, Any]:
    import app.governance.chain  # noqa: F401 (loaded before anything is timed)

    found: dict[str, Any] = {}
    accounts: list[uuid.UUID] = []
    found["append_s"] = _seconds(lambda: accounts.extend(_append(connection, records, months)))
    for statement in _PARTED:
        connection.execute(statement.encode())
    for at in range(12):
        connection.execute(
            f"CREATE TABLE records_{at:02} PARTITION OF records_parted "
            f"FOR VALUES FROM ('{months[at]}') TO ('{months[at + 1]}')".encode()
        )
    connection.execute(b"INSERT INTO records_parted SELECT * FROM audit_records")
    connection.execute(b"VACUUM ANALYZE audit_records")
    connection.execute(b"VACUUM ANALYZE records_parted")
    for name, table in (("plain", "audit_records"), ("parted", "records_parted")):
        began = time.perf_counter()
        there, broken = _all_verified(connection, table, accounts)
        found[f"verify_{name}_s"] = round(time.perf_counter() - began, 2)
        found[f"verified_{name}"], found[f"broken_{name}"] = there, broken
    # The end of each account's detached part, noted before it goes.
    names = [f"records_{at:02}" for at in range(DETACHED)]
    connection.execute(
        f"INSERT INTO records_cut SELECT DISTINCT ON (account_id) account_id, seq, hash FROM records_parted "
        f"WHERE at < '{months[DETACHED]}' ORDER BY account_id, seq DESC".encode()
    )
    found["detach_s"] = _seconds(
        lambda: [
            connection.execute(f"ALTER TABLE records_parted DETACH PARTITION {one}".encode()) for one in names
        ]
    )
    cut = {row[0]: (row[1], row[2]) for row in connection.execute(b"SELECT * FROM records_cut")}
    found["kept"], found["broken_kept"] = _all_verified(connection, "records_parted", accounts, cut)
    _, found["broken_kept_without_note"] = _all_verified(connection, "records_parted", accounts)
    connection.execute(
        f"CREATE VIEW records_gone AS {' UNION ALL '.join(f'SELECT * FROM {one}' for one in names)}".encode()
    )
    ends = [_verified(connection, "records_gone", account) for account in accounts]
    found["detached"] = sum(end[0] for end in ends)
    found["broken_detached"] = sum(end[1] for end in ends)
    found["ends_as_noted"] = sum(
        end[2] == cut[account][1] for end, account in zip(ends, accounts, strict=True)
    )
    change = (
        "UPDATE {} SET content = content || '{{\"outputHash\": \"0\"}}' WHERE seq = {} AND account_id = '{}'"
    )
    connection.execute(change.format(names[0], 1, accounts[0]).encode())
    connection.execute(change.format("records_parted", cut[accounts[1]][0] + 1, accounts[1]).encode())
    found["changed_found_detached"] = _verified(connection, "records_gone", accounts[0])[1]
    seen, previous = cut[accounts[1]]
    found["changed_found_kept"] = _verified(
        connection, "records_parted", accounts[1], seen=seen, previous=previous
    )[1]
    found["second_at_position_refused_plain"] = _refused(connection, "audit_records", accounts[2])
    found["second_at_position_refused_parted"] = _refused(connection, "records_parted", accounts[2])
    return found


def _refused(connection: psycopg.Connection[Any], table: str, account: uuid.UUID) -> bool:
    """Put a record of the last position in a second time, at another moment and under another id."""
    connection.execute(b"SET session_replication_role = replica")
    try:
        connection.execute(
            f"INSERT INTO {table} (id, account_id, seq, at, api_key_id, kind, request_id, content, "
            "previous_hash, hash) SELECT gen_random_uuid(), account_id, seq, at - interval '40 days', "
            f"api_key_id, kind, request_id, content, previous_hash, hash FROM {table} "
            f"WHERE account_id = '{account}' ORDER BY seq DESC LIMIT 1".encode()
        )
    except psycopg.errors.UniqueViolation:
        return True
    finally:
        connection.execute(b"SET session_replication_role = origin")
    return False


@rls.as_system()
def main() -> int:
    """Fill, ask, let a month go, and take chains apart."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--calls", type=int, default=10_000_000, help="calls in each of the two tables")
    parser.add_argument("--records", type=int, default=100_000, help="audit records")
    arguments = parser.parse_args()
    services = Throwaway()
    found: dict[str, Any] = {"calls": arguments.calls, "records": arguments.records}
    try:
        url = new_database(services.addresses, "partitions")
        os.environ |= {"DATABASE_URL": url, "SECRET_KEY": "b" * 40}
        # The owner, whom row security does not bind here: a superuser.
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute(b"SET max_parallel_workers_per_gather = 0")
            connection.execute(b"SET maintenance_work_mem = '512MB'")
            first = _value(
                connection,
                "SELECT to_date(right(min(relname), 7), 'YYYY_MM') FROM pg_class "
                "WHERE relname ~ '^usage_calls_[0-9]{4}_[0-9]{2}$' AND relkind = 'r'",
            )
            months = _months(first)
            for name, part in (
                ("filled", lambda: _fill(connection, arguments.calls, months)),
                ("asked", lambda: _ask(connection, arguments.calls, months)),
                ("forgotten", lambda: _forget(connection, months)),
                ("audit", lambda: _audit(connection, arguments.records, months)),
            ):
                told = part()
                print(name, json.dumps(told), flush=True)
                found |= told
    finally:
        services.stop()
    print(json.dumps(found))
    return 0


if __name__ == "__main__":
    sys.exit(main())
