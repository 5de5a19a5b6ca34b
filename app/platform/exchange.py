"""One round trip to PostgreSQL for any number of statements, on a connection of psycopg's.

psycopg's own pipeline steps through the network once for every statement, and each step gives the
interpreter's lock away: under many threads that costs more than the statements. Here a batch is written
whole, sent, and waited for once (libpq's pipeline mode, PostgreSQL manual 34.5). Values are adapted and rows
are read by psycopg's `Transformer`, so types are as everywhere else.
"""

from __future__ import annotations

import re
import select
from collections import namedtuple
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, cast
from weakref import WeakKeyDictionary

import psycopg
from psycopg import abc, pq
from psycopg.adapt import PyFormat, Transformer
from psycopg.errors import InvalidSqlStatementName, error_from_result

_NAMED = re.compile(r"%(?:\((\w+)\)s|%)")
# As many as the hot path has, several times over; what comes after them is parsed at every use.
_MOST_PREPARED = 256


@dataclass(frozen=True, slots=True)
class Answer:
    """What one statement gave: its first row by column name (`None` without one), and the rows it touched."""

    row: Any
    touched: int


@dataclass(slots=True)
class _Known:
    """Statements that a connection has prepared, and how their rows are made."""

    names: dict[tuple[str, tuple[int, ...]], bytes] = field(default_factory=dict)
    made: int = 0
    rows: dict[str, Callable[[Sequence[Any]], Any]] = field(default_factory=dict)


_connections: WeakKeyDictionary[psycopg.Connection[Any], _Known] = WeakKeyDictionary()


def exchange(
    connection: psycopg.Connection[Any], statements: Sequence[tuple[str, Mapping[str, Any]]]
) -> list[Answer]:
    """Send all `statements` before waiting for any answer; the answers, in order.

    They take values as `%(name)s`. Outside an open transaction all are one transaction by itself.
    Raises `psycopg.Error` of the first statement that failed: the rest was then not run. A connection that
    was left in the middle (lost, or interrupted) is closed.
    """
    known = _connections.get(connection)
    if known is None:
        known = _connections.setdefault(connection, _Known())
    transformer = Transformer(connection)
    # Before anything is sent: a value that cannot be adapted costs the connection nothing.
    batch = [_adapted(transformer, sql, values) for sql, values in statements]
    pgconn = connection.pgconn
    pgconn.enter_pipeline_mode()
    try:
        prepared = [_send(pgconn, known, statement) for statement in batch]
        pgconn.pipeline_sync()
        results = _collect(pgconn)
        pgconn.exit_pipeline_mode()
    except BaseException:
        connection.close()
        raise
    return _read(transformer, known, batch, prepared, results)


@dataclass(frozen=True, slots=True)
class _Statement:
    """A statement as it goes over the wire."""

    sql: str
    query: bytes
    types: tuple[int, ...]
    values: Sequence[Any]
    formats: Sequence[pq.Format]


def _adapted(transformer: abc.Transformer, sql: str, values: Mapping[str, Any]) -> _Statement:
    query, order = _numbered(sql)
    dumped = transformer.dump_sequence([values[name] for name in order], [PyFormat.AUTO] * len(order))
    return _Statement(sql, query, transformer.types or (), dumped, transformer.formats or ())


def _send(pgconn: pq.abc.PGconn, known: _Known, statement: _Statement) -> bool:
    """Send one statement; whether it had to be prepared first."""
    key = statement.sql, statement.types
    name = known.names.get(key)
    fresh = name is None and len(known.names) < _MOST_PREPARED
    if fresh:
        known.made += 1
        # Taken at once, for the next statement of the batch; given back where the server did not come to it.
        name = known.names[key] = b"exchange_%d" % known.made
        pgconn.send_prepare(name, statement.query, statement.types)
    if name is None:
        pgconn.send_query_params(statement.query, statement.values, statement.types, statement.formats)
    else:
        pgconn.send_query_prepared(name, statement.values, statement.formats)
    return fresh


def _collect(pgconn: pq.abc.PGconn) -> list[pq.abc.PGresult]:
    """Everything up to the answer to the synchronisation."""
    poll = select.poll()
    found: list[pq.abc.PGresult] = []
    while True:
        unsent = pgconn.flush()
        poll.register(pgconn.socket, select.POLLIN | select.POLLOUT if unsent else select.POLLIN)
        if not poll.poll()[0][1] & ~select.POLLOUT:
            continue
        pgconn.consume_input()
        while not pgconn.is_busy():
            result = pgconn.get_result()
            if result is None:
                continue
            if result.status == pq.ExecStatus.PIPELINE_SYNC:
                return found
            found.append(result)


def _read(
    transformer: abc.Transformer,
    known: _Known,
    batch: Sequence[_Statement],
    prepared: Sequence[bool],
    results: list[pq.abc.PGresult],
) -> list[Answer]:
    answers: list[Answer] = []
    failure: psycopg.Error | None = None
    waiting = iter(results)
    for statement, fresh in zip(batch, prepared, strict=True):
        if fresh:
            preparation = next(waiting)
            if preparation.status != pq.ExecStatus.COMMAND_OK:
                known.names.pop((statement.sql, statement.types), None)
            failure = failure or _failure(preparation)
        result = next(waiting)
        failure = failure or _failure(result)
        if failure is None:
            row = _first(transformer, known, statement.sql, result)
            answers.append(Answer(row, result.command_tuples or 0))
    if isinstance(failure, InvalidSqlStatementName):
        # Somebody (a pooler between us and the server) let go of them.
        known.names.clear()
    if failure is not None:
        raise failure
    return answers


def _failure(result: pq.abc.PGresult) -> psycopg.Error | None:
    if result.status == pq.ExecStatus.FATAL_ERROR:
        return error_from_result(result)
    return None


def _first(transformer: abc.Transformer, known: _Known, sql: str, result: pq.abc.PGresult) -> Any:
    if result.status != pq.ExecStatus.TUPLES_OK or not result.ntuples:
        return None
    made = known.rows.get(sql)
    if made is None:
        names = [(result.fname(column) or b"").decode() for column in range(result.nfields)]
        made = known.rows[sql] = _maker(names)
    transformer.set_pgresult(result)
    return transformer.load_rows(0, 1, made)[0]


def _maker(names: Sequence[str]) -> Callable[[Sequence[Any]], Any]:
    # The columns are known only now, so there is no class to write; mypy wants literal names.
    make: Any = namedtuple
    return cast("Callable[[Sequence[Any]], Any]", make("row", names, rename=True)._make)


@lru_cache(maxsize=4_096)
def _numbered(sql: str) -> tuple[bytes, tuple[str, ...]]:
    """`sql` with `$1` for the first name it mentions, and the names in that order."""
    order: dict[str, int] = {}

    def number(found: re.Match[str]) -> str:
        name = found.group(1)
        return "%" if name is None else f"${order.setdefault(name, len(order) + 1)}"

    return _NAMED.sub(number, sql).encode(), tuple(order)
