"""Send several statements to PostgreSQL in one round trip on a psycopg connection.

psycopg's own pipeline does one network step per statement, and each step releases the interpreter lock: with
many threads that costs more than the statements. Here a batch is written whole, sent, and waited for once
(libpq's pipeline mode, PostgreSQL manual 34.5). Values are adapted and rows are read by psycopg's
`Transformer`, so types are the same as elsewhere.

Prepared statements are named by a hash of their text. So where a pooler shares one server connection between
clients, a name always means the same statement; where the pooler dropped the names (`DISCARD ALL`), the batch
is repeated without them. A server that does not answer blocks a thread for at most `limit_s` seconds.
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
# What a setting became is told by a row that nobody reads.
_SETTING = "SELECT set_config("
_IDLE = pq.TransactionStatus.IDLE


@dataclass(frozen=True, slots=True)
class Answer:
    """The result of one statement: its rows with columns as attributes, and the row count."""

    rows: Sequence[Any]
    touched: int

    @property
    def row(self) -> Any:
        """The first row, or `None`."""
        return self.rows[0] if self.rows else None


@dataclass(slots=True)
class _PreparedStatements:
    """The statements that a connection has prepared, and how their rows are built."""

    names: dict[tuple[str, tuple[int, ...]], bytes] = field(default_factory=dict)
    lost: int = 0
    rows: dict[tuple[str, int], Callable[[Sequence[Any]], Any]] = field(default_factory=dict)


_connections: WeakKeyDictionary[psycopg.Connection[Any], _PreparedStatements] = WeakKeyDictionary()


class ReplyTimeout(psycopg.OperationalError):
    """The server did not answer in time; whether the statements were executed is unknown."""


def exchange(
    connection: psycopg.Connection[Any],
    statements: Sequence[tuple[str, Mapping[str, Any]]],
    *,
    limit_s: float | None = None,
) -> list[Answer]:
    """Send all `statements` before waiting for any answer; return the answers, in order.

    Outside an open transaction the batch is one transaction by itself, and where the server does not know a
    prepared statement (any more) the batch is repeated once without preparing. A connection that was
    interrupted in the middle of the exchange is closed.

    Args:
        connection: An open connection.
        statements: Pairs of SQL with `%(name)s` placeholders and their values.
        limit_s: Timeout for all answers together, in seconds; `None` for no timeout.

    Raises:
        psycopg.Error: The first error of the batch; the statements after it were not executed.
        NoAnswer: The timeout passed.
    """
    known = _connections.get(connection)
    if known is None:
        known = _connections.setdefault(connection, _PreparedStatements())
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
    known: _PreparedStatements,
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
    """Return whether a prepared statement is gone, exists already, or reads a table that changed since."""
    if isinstance(error, FeatureNotSupported):
        return error.diag.source_function == "RevalidateCachedQuery"
    return isinstance(error, (InvalidSqlStatementName, DuplicatePreparedStatement))


@dataclass(frozen=True, slots=True)
class _Statement:
    """A statement in the form that libpq sends."""

    sql: str
    query: bytes
    types: tuple[int, ...]
    values: Sequence[Any]
    formats: Sequence[pq.Format]


def _adapted(transformer: abc.Transformer, sql: str, values: Mapping[str, Any]) -> _Statement:
    query, order = _numbered(sql)
    if not order:
        return _Statement(sql, query, (), (), ())
    dumped = transformer.dump_sequence([values[name] for name in order], [PyFormat.AUTO] * len(order))
    return _Statement(sql, query, transformer.types or (), dumped, transformer.formats or ())


def _send(
    pgconn: pq.abc.PGconn, known: _PreparedStatements, statement: _Statement, *, preparing: bool
) -> bool:
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
    """Read everything up to the answer to the synchronisation. Raises `ReplyTimeout` at `deadline`."""
    poll = select.poll()
    found: list[pq.abc.PGresult] = []
    while True:
        unsent = pgconn.flush()
        poll.register(pgconn.socket, select.POLLIN | select.POLLOUT if unsent else select.POLLIN)
        ready = poll.poll(None if deadline is None else max(0.0, deadline - time.monotonic()) * 1000)
        if not ready:
            raise ReplyTimeout("the server did not answer in time")
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
    known: _PreparedStatements,
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
            rows = _rows(transformer, known, statement.sql, result)
            answers.append(Answer(rows, result.command_tuples or 0))
    # Every statement succeeded, and the commit that the synchronisation asks for did not.
    for result in waiting:
        failure = failure or _failure(result)
    if failure is not None:
        raise failure
    return answers


def _failure(result: pq.abc.PGresult) -> psycopg.Error | None:
    if result.status == pq.ExecStatus.FATAL_ERROR:
        return error_from_result(result)
    return None


def _rows(
    transformer: abc.Transformer, known: _PreparedStatements, sql: str, result: pq.abc.PGresult
) -> Sequence[Any]:
    if result.status != pq.ExecStatus.TUPLES_OK or not result.ntuples or sql.startswith(_SETTING):
        return ()
    made = known.rows.get((sql, result.nfields))
    if made is None:
        names = [(result.fname(column) or b"").decode() for column in range(result.nfields)]
        made = known.rows[sql, result.nfields] = _maker(names)
    transformer.set_pgresult(result)
    return transformer.load_rows(0, result.ntuples, made)


def _maker(names: Sequence[str]) -> Callable[[Sequence[Any]], Any]:
    # The columns are known only now, so there is no class to write; mypy wants literal names.
    make: Any = namedtuple
    return cast("Callable[[Sequence[Any]], Any]", make("row", names, rename=True)._make)


@lru_cache(maxsize=4_096)
def _numbered(sql: str) -> tuple[bytes, tuple[str, ...]]:
    """Replace `%(name)s` in `sql` by `$1`, `$2`, …; return it with the names in that order."""
    order: dict[str, int] = {}

    def number(found: re.Match[str]) -> str:
        name = found.group(1)
        return "%" if name is None else f"${order.setdefault(name, len(order) + 1)}"

    return _NAMED.sub(number, sql).encode(), tuple(order)
