"""PostgreSQL connections: pool, timeouts and checks. Other modules use them through `db`."""

from __future__ import annotations

import select
from typing import Any

import psycopg
import sqlalchemy as sa

from app.platform import settings
from app.platform.postgres import pg_pipeline, rls

# Probes of an idle connection (TCP_KEEPIDLE, TCP_KEEPINTVL, TCP_KEEPCNT): dead after a minute.
_KEEPALIVE = {"keepalives": 1, "keepalives_idle": 30, "keepalives_interval": 10, "keepalives_count": 3}


class TimeoutConnection(psycopg.Connection[Any]):
    """A psycopg connection with a client-side timeout of `limit_s` seconds for each answer.

    After the timeout it is closed and `ReplyTimeout` is raised. The server's `statement_timeout` does not
    cover a server that hangs or a broken network; this timeout does.
    """

    limit_s: float | None = None

    def wait(self, gen: Any, interval: float = 0.1, timeout: float | None = None) -> Any:
        """Run a psycopg generator to its end, within the timeout."""
        bounds = [bound for bound in (timeout, self.limit_s) if bound is not None]
        try:
            return super().wait(gen, interval, min(bounds, default=None))
        except psycopg.errors._WaitTimeout:
            if timeout is not None and timeout == min(bounds):
                raise
            self.close()
            raise pg_pipeline.ReplyTimeout("the server did not answer in time") from None


def limit_s(connection: psycopg.Connection[Any]) -> float | None:
    """Return the timeout of this connection in seconds; `None` for no timeout."""
    return connection.limit_s if isinstance(connection, TimeoutConnection) else None


def make_engine(url: str) -> sa.Engine:
    """Create the engine and pool for `url`, with the timeouts of the settings and the application's role."""
    config = settings.current()
    answer_s = config.database_answer_s
    made = sa.create_engine(
        sqlalchemy_url(url),
        pool_size=config.database_pool_size,
        max_overflow=0,
        pool_timeout=config.database_pool_timeout_s,
        pool_recycle=1800,
        # Networks are strings here, as on the wire.
        native_inet_types=False,
        # The statement that failed may hold a client's words: errors never show parameters.
        hide_parameters=True,
        connect_args={
            "connect_timeout": round(config.database_connect_s),
            # Sent and not acknowledged for so long: the network or the machine at its end is gone.
            "tcp_user_timeout": round(answer_s * 1000),
            **_KEEPALIVE,
            # psycopg's own prepared statements end with a DEALLOCATE ALL at each rollback, ours included.
            "prepare_threshold": None,
            "application_name": "candado",
            # Not the owner of the tables, even where the login is: row security holds for this role.
            # Compiling a report's forty sums takes longer than making them, and so does starting processes to
            # share them: a page's statements are short, and other requests want the processors.
            "options": f"-c statement_timeout={config.statement_timeout_ms} -c timezone=UTC -c jit=off "
            f"-c max_parallel_workers_per_gather=0 -c role={rls.APP_ROLE}",
        },
    )

    @sa.event.listens_for(made, "do_connect")
    def _connect(_dialect: Any, _record: Any, arguments: Any, named: Any) -> Any:
        connection = TimeoutConnection.connect(*arguments, **named)
        connection.limit_s = answer_s
        _refuse_other_role(connection)
        return connection

    sa.event.listen(made, "checkout", _refuse_dead)
    whole = made.dialect.do_rollback

    def roll_back(connection: Any) -> None:
        # Each connection that is put back is rolled back; mostly nothing is open.
        if connection.pgconn.transaction_status != psycopg.pq.TransactionStatus.IDLE:
            whole(connection)

    made.dialect.do_rollback = roll_back  # type: ignore[assignment]

    @sa.event.listens_for(made, "checkin")
    def _restore(connection: Any, _record: Any) -> None:
        if connection is not None:
            connection.limit_s = answer_s

    return made


def _refuse_other_role(connection: TimeoutConnection) -> None:
    """Close a new connection, and raise, where it does not run as the application's role.

    A pooler that drops `options` gives connections of the login, for which row security may not hold; nothing
    else would tell (docs/operations.md, "PgBouncer").

    Raises:
        psycopg.OperationalError: naming the role.
    """
    row = connection.execute("SELECT current_user").fetchone()
    connection.rollback()
    if row is None or row[0] != rls.APP_ROLE:
        connection.close()
        raise psycopg.OperationalError(
            f"connected as {row[0] if row else 'nobody'}, not as {rls.APP_ROLE}, so row security would not "
            "hold: a pooler must pass on `options` or set the role itself"
        )


def _refuse_dead(connection: psycopg.Connection[Any], _record: Any, _proxy: Any) -> None:
    """Raise `DisconnectionError` for a dead connection; SQLAlchemy then discards it and opens another."""
    if is_dead(connection):
        raise sa.exc.DisconnectionError


def is_dead(connection: psycopg.Connection[Any]) -> bool:
    """Tell whether an idle connection has unread data: the server closed it, or it broke.

    The check is one system call without a round trip. Without it, each pooled connection would fail one
    request after a restart of the server.
    """
    if connection.closed:
        return True
    poll = select.poll()
    poll.register(connection.pgconn.socket, select.POLLIN)
    return bool(poll.poll(0))


def sqlalchemy_url(url: str) -> str:
    """Convert a `postgresql://…` URL to SQLAlchemy's form with the psycopg driver. Raises `SettingsError`."""
    scheme, _, rest = url.partition("://")
    if scheme not in ("postgresql", "postgres", "postgresql+psycopg"):
        raise settings.SettingsError("DATABASE_URL must start with postgresql://")
    return f"postgresql+psycopg://{rest}"
