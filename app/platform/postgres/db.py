"""PostgreSQL access: engine, declarative base, sessions, and the only commit in the code.

Domain functions take a session; edges open one with `with transaction() as session:`. Work that may meet a
serialisation failure or a deadlock goes through `atomically`, which repeats it whole.

Functions on the path of every charged request take `Statements` instead: `one` and `run` use psycopg
directly, at a fifth of the cost of the same statement through the ORM session. A `Session` implements
`Statements` too, so such a function takes part in the transaction that its caller has open.
"""

from __future__ import annotations

import os
import threading
import time
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Generic, LiteralString, Protocol, TypeVar, cast

import psycopg
import sqlalchemy as sa
from sqlalchemy import orm
from sqlalchemy.dialects.postgresql import UUID

from app.platform import clock, settings
from app.platform.postgres import connections, pg_pipeline, rls
from app.platform.postgres.connections import sqlalchemy_url as sqlalchemy_url

T = TypeVar("T")

# What `require_charge` of migration 0041 raises: the transaction must not be committed.
_REFUSED = "UC001"
# SQLSTATE: serialization_failure, deadlock_detected. The whole transaction may simply be run again.
_REPEATABLE = {"40001", "40P01"}
_ATTEMPTS = 5
# Any bigint does, as long as every process that migrates takes the same one.
_MIGRATION_LOCK = 7_203_115_902_440_118

_lock = threading.Lock()
_engines: dict[str, sa.Engine] = {}


@dataclass(frozen=True, slots=True)
class Step(Generic[T]):
    """One statement, with `read` to convert its first row (`None` without one); `read` may raise."""

    sql: LiteralString
    values: Mapping[str, Any]
    read: Callable[[Any], T]


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition in SQL, for a statement that is to do nothing where it does not hold."""

    sql: LiteralString
    values: Mapping[str, Any]


class Statements(Protocol):
    """Execute SQL in psycopg's form, `%(name)s` for values, in the open transaction."""

    def take(self, *steps: Step[Any]) -> list[Any]:
        """Send every step before waiting for any answer; return the value that each `read` gave, in order."""

    def one(self, sql: LiteralString, values: Mapping[str, Any]) -> Any:
        """Run a query and return its first row, columns as attributes, or `None`."""

    def rows(self, sql: LiteralString, values: Mapping[str, Any]) -> Sequence[Any]:
        """Run a query and return its rows, columns as attributes."""

    def run(self, sql: LiteralString, values: Mapping[str, Any]) -> int:
        """Run a statement that returns no rows; return how many rows it affected."""


_Statement = tuple[LiteralString, Mapping[str, Any]]
_OFF: LiteralString = "set_config('synchronous_commit', 'off', true)"


class Connection:
    """`Statements` on a psycopg connection.

    By default every call is a transaction of its own, which sets the row-level security context first. With
    `bound` a transaction is open that has its context already; with `lasting` the first call opens a
    transaction that stays open. Without `durable` a commit is answered before it is on disk.
    """

    __slots__ = ("_bound", "_connection", "_durable", "_lasting")

    def __init__(
        self,
        connection: psycopg.Connection[Any],
        *,
        bound: bool = False,
        lasting: bool = False,
        durable: bool = True,
    ) -> None:
        self._connection = connection
        self._bound = bound
        self._lasting = lasting
        self._durable = durable

    def one(self, sql: LiteralString, values: Mapping[str, Any]) -> Any:
        """Run a query and return its first row, columns as attributes, or `None`."""
        return self._exchange((sql, values))[0].row

    def rows(self, sql: LiteralString, values: Mapping[str, Any]) -> Sequence[Any]:
        """Run a query and return its rows, columns as attributes."""
        return self._exchange((sql, values))[0].rows

    def run(self, sql: LiteralString, values: Mapping[str, Any]) -> int:
        """Run a statement that returns no rows; return how many rows it affected."""
        return self._exchange((sql, values))[0].touched

    def take(self, *steps: Step[Any]) -> list[Any]:
        """Send every step before waiting for any answer; return the value that each `read` gave, in order."""
        answers = self._exchange(*((step.sql, step.values) for step in steps))
        return [step.read(answer.row) for step, answer in zip(steps, answers, strict=True)]

    def _exchange(self, *statements: _Statement) -> list[pg_pipeline.Answer]:
        # What must precede the statements travels with them and costs no answer of its own.
        before: list[_Statement] = []
        if (self._bound or self._lasting) and self._idle():
            before.append(("BEGIN", {}))
        if not self._bound:
            binding = rls.binding()
            if binding is not None:
                # One statement sets both: each costs the server some tenth of a small trip.
                sql, values = binding
                before.append((f"{sql}, {_OFF}" if not self._durable else sql, values))
            elif not self._durable:
                before.append((f"SELECT {_OFF}", {}))
            self._bound = self._lasting
        answers = pg_pipeline.exchange(
            self._connection, [*before, *statements], limit_s=connections.limit_s(self._connection)
        )
        return answers[len(before) :]

    def _idle(self) -> bool:
        return self._connection.pgconn.transaction_status == psycopg.pq.TransactionStatus.IDLE


class Session(orm.Session):
    """SQLAlchemy session that also implements `Statements`."""

    def one(self, sql: LiteralString, values: Mapping[str, Any]) -> Any:
        """Run a query and return its first row, columns as attributes, or `None`."""
        return self._driver().one(sql, values)

    def rows(self, sql: LiteralString, values: Mapping[str, Any]) -> Sequence[Any]:
        """Run a query and return its rows, columns as attributes.

        Where no transaction is open yet, it is one of its own, sent and answered in one trip.
        """
        if self.in_transaction():
            return self._driver().rows(sql, values)
        with _driver_connection(cast(sa.Engine, self.get_bind())) as connection:
            return Connection(connection).rows(sql, values)

    def run(self, sql: LiteralString, values: Mapping[str, Any]) -> int:
        """Run a statement that returns no rows; return how many rows it affected."""
        return self._driver().run(sql, values)

    def take(self, *steps: Step[Any]) -> list[Any]:
        """Send every step before waiting for any answer; return the value that each `read` gave, in order."""
        return self._driver().take(*steps)

    def _driver(self) -> Connection:
        return Connection(cast(Any, self.connection().connection.dbapi_connection), bound=True)


@sa.event.listens_for(Session, "after_begin")
def _bind(_session: orm.Session, _transaction: Any, connection: sa.Connection) -> None:
    binding = rls.binding()
    if binding is not None:
        connection.exec_driver_sql(*binding)


class Base(orm.DeclarativeBase):
    """Declarative base of every table, with a naming convention for constraints."""

    metadata = sa.MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "ck": "ck_%(table_name)s_%(constraint_name)s",
            "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
            "pk": "pk_%(table_name)s",
        }
    )
    type_annotation_map = {  # noqa: RUF012 (SQLAlchemy reads it as a class attribute)
        datetime: sa.DateTime(timezone=True),
        uuid.UUID: UUID(as_uuid=True),
        str: sa.Text(),
    }


def primary_key() -> orm.Mapped[uuid.UUID]:
    """Declare a UUID primary key made by the application, so that the id is known before the insert."""
    return orm.mapped_column(primary_key=True, default=uuid.uuid4)


def created_at() -> orm.Mapped[datetime]:
    """Declare a timestamp column filled from the clock (UTC) when the row is created."""
    return orm.mapped_column(default=clock.now)


def engine(url: str = "") -> sa.Engine:
    """Return the engine of this process for `url`, by default `DATABASE_URL`, made at first use."""
    url = url or settings.current().database_url.get_secret_value()
    found = _engines.get(url)
    if found is None:
        with _lock:
            found = _engines.get(url) or _engines.setdefault(url, connections.make_engine(url))
    return found


def dispose() -> None:
    """Close every pooled connection of this process."""
    with _lock:
        for made in _engines.values():
            made.dispose()
        _engines.clear()


def take_longer(session: orm.Session, seconds: float) -> None:
    """Raise the statement timeout of this transaction to `seconds`, for work such as building indexes."""
    session.execute(
        sa.text("SELECT set_config('statement_timeout', :ms, true)"), {"ms": str(round(seconds * 1000))}
    )
    connection: Any = session.connection().connection.dbapi_connection
    if isinstance(connection, connections.TimeoutConnection):
        connection.limit_s = seconds + 60


def _forget_after_fork() -> None:
    # Sockets are shared with the parent after a fork: drop them without closing the parent's.
    for made in _engines.values():
        made.dispose(close=False)
    _engines.clear()


os.register_at_fork(after_in_child=_forget_after_fork)


class OutcomeUnknown(psycopg.OperationalError):
    """The connection was lost during a commit: the transaction may or may not be committed."""

    def __init__(self) -> None:
        super().__init__("the connection was lost during a commit")


@contextmanager
def transaction() -> Iterator[Session]:
    """Open a session that is committed when the block ends and rolled back when it raises.

    Raises:
        OutcomeUnknown: The connection was lost during the commit.
    """
    with Session(engine(), expire_on_commit=False) as session:
        yield session
        session.flush()
        with _committing():
            session.commit()


@contextmanager
def _committing() -> Iterator[None]:
    try:
        yield
    except (psycopg.Error, sa.exc.SQLAlchemyError) as error:
        if is_unavailable(error):
            raise OutcomeUnknown from error
        raise


@contextmanager
def reading(url: str = "") -> Iterator[Session]:
    """Open a read-only session, by default of `DATABASE_URL`: its transaction is always rolled back."""
    with Session(engine(url)) as session:
        yield session


@contextmanager
def statements(*, durable: bool = True) -> Iterator[Statements]:
    """Open a connection on which each statement is a transaction of its own.

    Without `durable` a crash of the database may undo what it answered in the last second (decision 101).
    """
    with _driver_connection() as connection:
        yield Connection(connection, durable=durable)


@contextmanager
def together() -> Iterator[Statements]:
    """Open a transaction on a plain psycopg connection: committed when the block ends, else rolled back.

    Raises:
        OutcomeUnknown: The connection was lost during the commit.
    """
    with _driver_connection() as connection:
        try:
            yield Connection(connection, lasting=True)
        except BaseException:
            if not connection.closed:
                connection.rollback()
            raise
        if connection.pgconn.transaction_status != psycopg.pq.TransactionStatus.IDLE:
            with _committing():
                pg_pipeline.exchange(connection, [("COMMIT", {})], limit_s=connections.limit_s(connection))


@contextmanager
def _driver_connection(pooled: sa.Engine | None = None) -> Iterator[psycopg.Connection[Any]]:
    """Take a psycopg connection out of a pool, by default the primary's; a broken one is not put back.

    Without SQLAlchemy's wrapper of a connection, which takes longer to make, to guard and to undo than many a
    statement: what its events do at both ends is done here.
    """
    pool: Any = (pooled or engine()).pool
    record = pool._do_get()
    try:
        connection = cast("psycopg.Connection[Any]", record.get_connection())
        if connections.is_dead(connection):
            record.invalidate()
            connection = record.get_connection()
        try:
            yield connection
        finally:
            if connection.closed or connection.broken:
                record.invalidate()
            elif connection.pgconn.transaction_status != psycopg.pq.TransactionStatus.IDLE:
                _rolled_back(record, connection)
    finally:
        record.checkin(_fairy_was_created=False)


def _rolled_back(record: Any, connection: psycopg.Connection[Any]) -> None:
    """End what a connection has open before it goes back to the pool; drop it where that fails."""
    try:
        connection.rollback()
    except BaseException as error:
        # Whatever it is, this connection is of no more use.
        record.invalidate(e=error)
        if not isinstance(error, Exception):
            raise


def atomically(work: Callable[[Statements], T]) -> T:
    """Run `work` in a transaction; repeat it after a deadlock or serialisation failure, at most 5 times.

    `work` must have no effect outside the database, because it may be repeated. A commit whose outcome is
    unknown (`OutcomeUnknown`) is not repeated.
    """
    for attempt in range(_ATTEMPTS):
        try:
            with together() as session:
                return work(session)
        except psycopg.OperationalError as error:
            if error.sqlstate not in _REPEATABLE or attempt == _ATTEMPTS - 1:
                raise
            time.sleep(0.01 * 2**attempt)
    raise AssertionError("the loop above returns or raises")


class Refused(Exception):
    """A requirement of the transaction was not met (`require_charge`): nothing was committed."""


def at_once(*steps: Step[T]) -> list[T]:
    """Run `steps` as one transaction that is sent, committed and answered in one trip.

    The commit travels with the statements, so nothing here can stop it: what must hold for it to be made,
    the statements themselves require, by `require_charge` in SQL, and no `read` may raise. Repeated after a
    deadlock or serialisation failure, as `atomically` is.

    Raises:
        Refused: A requirement was not met; nothing was committed.
        OutcomeUnknown: The connection was lost; whether the transaction was committed is unknown.
    """
    for attempt in range(_ATTEMPTS):
        with _driver_connection() as connection:
            try:
                with _committing():
                    return Connection(connection).take(*steps)
            except psycopg.Error as error:
                if error.sqlstate == _REFUSED:
                    raise Refused from error
                if error.sqlstate not in _REPEATABLE or attempt == _ATTEMPTS - 1:
                    raise
        time.sleep(0.01 * 2**attempt)
    raise AssertionError("the loop above returns or raises")


def ping() -> None:
    """Raise unless the database answers."""
    with engine().connect() as connection:
        connection.execute(sa.text("SELECT 1"))


def upgrade(database_url: str) -> None:
    """Migrate the schema of `database_url` to the newest revision; concurrent callers are safe."""
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(settings.PROJECT / "migrations"))
    config.attributes["database_url"] = database_url
    command.upgrade(config, "head")


def without_partitions(connection: sa.Connection) -> Callable[..., bool]:
    """Return Alembic's `include_object` for this database: everything but partitions and their foreign keys.

    Partitions such as `corpus_passages_es` are made when law is loaded, so no model describes them, and a
    generated migration would drop them. Their parents are compared.
    """
    partitions = set(connection.scalars(sa.text("SELECT relname FROM pg_class WHERE relispartition")))

    def included(item: Any, name: str | None, kind: str, *_: object) -> bool:
        if kind == "foreign_key_constraint":
            return item.elements[0].target_fullname.split(".")[-2] not in partitions
        return kind != "table" or name not in partitions

    return included


@contextmanager
def migration_lock(connection: sa.Connection) -> Iterator[None]:
    """Let one process migrate at a time; the others wait and then find nothing to do.

    It polls an advisory lock instead of waiting in one statement: a waiting statement is an open transaction,
    and CREATE INDEX CONCURRENTLY in the migrating process would wait for it for ever.
    """
    while not connection.scalar(sa.text("SELECT pg_try_advisory_lock(:key)"), {"key": _MIGRATION_LOCK}):
        connection.commit()
        time.sleep(0.1)
    connection.commit()
    try:
        yield
    finally:
        connection.execute(sa.text("SELECT pg_advisory_unlock(:key)"), {"key": _MIGRATION_LOCK})
        connection.commit()


def is_unavailable(error: BaseException) -> bool:
    """Return whether the database is unreachable or overloaded, as opposed to the SQL being wrong."""
    if isinstance(error, sa.exc.TimeoutError):
        return True
    cause = error.orig if isinstance(error, sa.exc.DBAPIError) else error
    if not isinstance(cause, (psycopg.OperationalError, psycopg.InterfaceError)):
        return False
    state = cause.sqlstate
    # 08 connection, 53 resources, 57P shutdown, 55P03 lock not available; none: the socket itself failed.
    return (
        state is None
        or str(state).startswith(("08", "53", "57P"))
        or state == "55P03"
        or isinstance(cause, psycopg.errors.QueryCanceled)
    )
