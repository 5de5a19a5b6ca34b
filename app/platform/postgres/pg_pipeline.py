"""One round trip to PostgreSQL for any number of statements, on a connection of psycopg's.

psycopg's own pipeline steps through the network once for every statement, and each step gives the
interpreter's lock away: under many threads that costs more than the statements. Here a batch is written
whole, sent, and waited for once (libpq's pipeline mode, PostgreSQL manual 34.5). Values are adapted and rows
are read by psycopg's `Transformer`, so types are as everywhere else.

Statements are prepared under names made of their own text. So where a pooler hands one server connection to
several clients, a name can only ever mean the statement that was asked for; where it let go of the names
(`DISCARD ALL`), the exchange is repeated without them. Waiting has a limit: a server that took the question
and never answers costs a thread no more than `limit_s`.
"""

from __future__ import annotations

import hashlib
import re
import select
import time
from collections import namedtuple
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, cast
from weakref import WeakKeyDictionary

import psycopg
from psycopg import abc, pq
from psycopg.adapt import PyFormat, Transformer
from psycopg.errors import (
    DuplicatePreparedStatement,
    FeatureNotSupported,
    InvalidSqlStatementName,
    error_from_result,
)

_NAMED = re.compile(r"%(?:\((\w+)\)s|%)")
# As many as the hot path has, several times over; what comes after them is parsed at every use.
_MOST_PREPARED = 256
# After so many repetitions for lost names, nothing is prepared on that connection any more.
_MOST_LOST = 3
# Never prepared: they end what a lost name has broken.
_CONTROL = frozenset(("BEGIN", "COMMIT", "ROLLBACK"))
_IDLE = pq.TransactionStatus.IDLE


@dataclass(frozen=True, slots=True)
class Answer:
    """What one statement gave: its first row by column name (`None` without one), and the rows it touched."""

    row: Any
    touched: int


@dataclass(slots=True)
class _Known:
    """Statements that a connection has prepared, and how their rows are made."""

    names: dict[tuple[str, tuple[int, ...]], bytes] = field(default_factory=dict)
    lost: int = 0
    rows: dict[tuple[str, int], Callable[[Sequence[Any]], Any]] = field(default_factory=dict)


_connections: WeakKeyDictionary[psycopg.Connection[Any], _Known] = WeakKeyDictionary()


class NoAnswer(psycopg.OperationalError):
    """The server took the statements and did not answer in time; whether they were run is not known."""


def exchange(
    connection: psycopg.Connection[Any],
    statements: Sequence[tuple[str, Mapping[str, Any]]],
    *,
    limit_s: float | None = None,
) -> list[Answer]:
    """Send all `statements` before waiting for any answer; return the answers, in order.

    They take values as `%(name)s`. Outside an open transaction all are one transaction by itself, and where
    the server does not know a prepared statement (any more) they are repeated once without preparing.
    `limit_s` bounds the wait for all answers, in seconds.

    Raises `psycopg.Error` of the first statement that failed: the rest was then not run. Raises `NoAnswer`
    after `limit_s`. A connection that was left in the middle (lost, silent or interrupted) is closed.
    """
    known = _connections.get(connection)
    if known is None:
        known = _connections.setdefault(connection, _Known())
    deadline = None if limit_s is None else time.monotonic() + limit_s
    alone = connection.pgconn.transaction_status == _IDLE
    # Inside a transaction a lost name would cost the whole of it, so there nothing is prepared.
    preparing = alone and known.lost < _MOST_LOST
    try:
        return _once(connection, known, statements, preparing=preparing, deadline=deadline)
    except psycopg.Error as error:
        if not preparing or not _is_stale(error):
            raise
    known.names.clear()
    known.rows.clear()
    known.lost += 1
    if connection.pgconn.transaction_status != _IDLE:
        _once(connection, known, [("ROLLBACK", {})], preparing=False, deadline=deadline)
    return _once(connection, known, statements, preparing=False, deadline=deadline)


def _once(
    connection: psycopg.Connection[Any],
    known: _Known,
    statements: Sequence[tuple[str, Mapping[str, Any]]],
    *,
    preparing: bool,
    deadline: float | None,
) -> list[Answer]:
    transformer = Transformer(connection)
    # Before anything is sent: a value that cannot be adapted costs the connection nothing.
    batch = [_adapted(transformer, sql, values) for sql, values in statements]
    pgconn = connection.pgconn
    pgconn.enter_pipeline_mode()
    try:
        prepared = [_send(pgconn, known, statement, preparing=preparing) for statement in batch]
        pgconn.pipeline_sync()
        results = _collect(pgconn, deadline)
        pgconn.exit_pipeline_mode()
    except BaseException:
        connection.close()
        raise
    return _read(transformer, known, batch, prepared, results)


def _is_stale(error: psycopg.Error) -> bool:
    """Whether a prepared statement is gone, is there already, or reads a table that changed since."""
    if isinstance(error, FeatureNotSupported):
        return error.diag.source_function == "RevalidateCachedQuery"
    return isinstance(error, (InvalidSqlStatementName, DuplicatePreparedStatement))


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


def _send(pgconn: pq.abc.PGconn, known: _Known, statement: _Statement, *, preparing: bool) -> bool:
    """Send one statement; return whether it had to be prepared first."""
    key = statement.sql, statement.types
    name, fresh = None, False
    if preparing and statement.sql not in _CONTROL:
        name = known.names.get(key)
        fresh = name is None and len(known.names) < _MOST_PREPARED
        if fresh:
            # Taken at once, for the next statement of the batch; given back where the server did not get to
            # it.
            name = known.names[key] = _name(statement)
            pgconn.send_prepare(name, statement.query, statement.types)
    if name is None:
        pgconn.send_query_params(statement.query, statement.values, statement.types, statement.formats)
    else:
        pgconn.send_query_prepared(name, statement.values, statement.formats)
    return fresh


def _name(statement: _Statement) -> bytes:
    text = statement.query + repr(statement.types).encode()
    return b"exchange_" + hashlib.sha256(text).hexdigest()[:24].encode()


def _collect(pgconn: pq.abc.PGconn, deadline: float | None) -> list[pq.abc.PGresult]:
    """Read everything up to the answer to the synchronisation. Raises `NoAnswer` at `deadline`."""
    poll = select.poll()
    found: list[pq.abc.PGresult] = []
    while True:
        unsent = pgconn.flush()
        poll.register(pgconn.socket, select.POLLIN | select.POLLOUT if unsent else select.POLLIN)
        ready = poll.poll(None if deadline is None else max(0.0, deadline - time.monotonic()) * 1000)
        if not ready:
            raise NoAnswer("the server did not answer in time")
        if not ready[0][1] & ~select.POLLOUT:
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
    made = known.rows.get((sql, result.nfields))
    if made is None:
        names = [(result.fname(column) or b"").decode() for column in range(result.nfields)]
        made = known.rows[sql, result.nfields] = _maker(names)
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
