"""Reads that may be seconds old, from a replica of PostgreSQL where one is set (decision 113).

`read` runs a query on the replica of `DATABASE_REPLICA_URL`; where that is away, too far behind or no
replica, on the primary. Row-level security holds on both: roles and policies are replicated, and each
connection takes the application's role. Nothing that decides about access, credits or charges is read here.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal, TypeVar

import psycopg
import sqlalchemy as sa
from prometheus_client import Counter, Gauge

from app.platform import log, settings
from app.platform.postgres import connections, db

T = TypeVar("T")

State = Literal["ok", "behind", "unavailable"]

# How long a verdict on the replica is believed, and how long one that is away is left alone.
_BELIEVED_S, _LEFT_ALONE_S = 1.0, 5.0
# A replica that has replayed what it received and still receives is behind by nothing, however long ago the
# last transaction was. One that receives nothing any more is as old as what it replayed last.
_LAG = """
    SELECT pg_is_in_recovery() AS follows,
           CASE WHEN EXISTS (SELECT FROM pg_stat_wal_receiver)
                     AND pg_last_wal_receive_lsn() = pg_last_wal_replay_lsn() THEN 0
                ELSE extract(epoch FROM clock_timestamp() - pg_last_xact_replay_timestamp())
           END::float8 AS lag_s
    """
# SQLSTATE: what a replica alone answers. Its replay overrode the query (serialization_failure,
# deadlock_detected), or a migration has not come through yet (undefined table, column, function).
_OF_REPLICA = {"40001", "40P01", "42P01", "42703", "42883"}

_logger = log.logger("database")
_reads = Counter("database_replica_reads_total", "Reads that a replica may answer, by who did.", ["store"])
_lag = Gauge("database_replica_lag_seconds", "Seconds the replica is behind.", multiprocess_mode="mostrecent")


@dataclass
class _Verdict:
    """What is known of the replica in this process."""

    state: State = "unavailable"
    # Monotonic seconds from which on it is looked at again.
    until: float = 0.0
    lock: threading.Lock = field(default_factory=threading.Lock)


_verdicts: dict[str, _Verdict] = {}


def read(work: Callable[[db.Session], T]) -> T:
    """Run `work` in a read-only session of the replica, or of the primary where the replica cannot answer.

    Args:
        work: Reads only; it is run again, on the primary, where the replica fails in the middle of it.
    """
    url = _url()
    if url and _state(url) == "ok":
        try:
            with db.reading(url) as session:
                found = work(session)
        except (psycopg.Error, sa.exc.SQLAlchemyError) as error:
            if _is_away(error):
                _note(url, "unavailable", _LEFT_ALONE_S)
            elif _sqlstate(error) not in _OF_REPLICA:
                raise
        else:
            _reads.labels("replica").inc()
            return found
    if url:
        _reads.labels("primary").inc()
    with db.reading() as session:
        return work(session)


def state() -> State | None:
    """Return the state of the replica, at most some seconds old; `None` where no replica is set."""
    url = _url()
    return _state(url) if url else None


def forget() -> None:
    """Forget what is known of replicas, so that the next read looks again."""
    _verdicts.clear()


def _url() -> str:
    return settings.current().database_replica_url.get_secret_value()


def _state(url: str) -> State:
    """Return the state of a replica; one thread looks when it is time, the others believe what was known."""
    known = _verdicts.setdefault(url, _Verdict())
    if time.monotonic() >= known.until and known.lock.acquire(blocking=known.until == 0.0):
        try:
            if time.monotonic() >= known.until:
                found = _look(url)
                _note(url, found, _LEFT_ALONE_S if found == "unavailable" else _BELIEVED_S)
        finally:
            known.lock.release()
    return known.state


def _note(url: str, found: State, seconds: float) -> None:
    known = _verdicts.setdefault(url, _Verdict())
    if known.state != found and (known.until or found != "ok"):
        _logger.warning("replica", state=found)
    known.state, known.until = found, time.monotonic() + seconds


def _look(url: str) -> State:
    config = settings.current()
    try:
        with db.engine(url).connect() as connection:
            driver: Any = connection.connection.dbapi_connection
            if isinstance(driver, connections.TimeoutConnection):
                driver.limit_s = config.database_connect_s
            row = connection.execute(sa.text(_LAG)).one()
    except (psycopg.Error, sa.exc.SQLAlchemyError):
        return "unavailable"
    if not row.follows:
        return "unavailable"  # promoted, or never a replica: what it has may not be what the primary has
    if row.lag_s is not None:
        _lag.set(row.lag_s)
    return "ok" if row.lag_s is not None and row.lag_s <= config.database_replica_lag_s else "behind"


def _is_away(error: Exception) -> bool:
    """Return whether the replica is away, as opposed to a statement or a wait for a connection being long."""
    cause = error.orig if isinstance(error, sa.exc.DBAPIError) else error
    long = isinstance(cause, psycopg.errors.QueryCanceled | sa.exc.TimeoutError)
    return not long and db.is_unavailable(error)


def _sqlstate(error: Exception) -> str | None:
    cause = error.orig if isinstance(error, sa.exc.DBAPIError) else error
    return cause.sqlstate if isinstance(cause, psycopg.Error) else None
