"""One round trip for any number of statements."""

from __future__ import annotations

import os
import signal
import socket
import time
import typing
import uuid
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Any

import psycopg
import pytest
import sqlalchemy as sa
from flask import Flask
from flask.testing import FlaskClient
from pydantic import SecretStr

from app.platform import settings
from app.platform.postgres import db
from app.platform.postgres import pg_pipeline as exchange_module
from app.platform.postgres.pg_pipeline import exchange
from tests.cast import Cast


@pytest.fixture
def connection(configured: object) -> Iterator[psycopg.Connection[Any]]:
    fairy = db.engine().raw_connection()
    yield typing.cast("psycopg.Connection[Any]", fairy.dbapi_connection)
    fairy.close()


def test_values_travel_and_come_back_as_what_they_are(connection: psycopg.Connection[Any]) -> None:
    values = {
        "number": 2**40,
        "text": "100 % «ñ»",
        "moment": datetime(2026, 11, 21, 9, 30, tzinfo=UTC),
        "id": uuid.uuid4(),
        "bytes": b"\x00\xff",
        "list": ["a", "b"],
        "none": None,
    }
    sql = (
        "SELECT %(number)s::bigint AS number, %(text)s::text AS text, %(moment)s::timestamptz AS moment, "
        "%(id)s::uuid AS id, %(bytes)s::bytea AS bytes, %(list)s::text[] AS list, %(none)s::int AS none, "
        "10 %% 4 AS rest, %(number)s::bigint AS again"
    )
    for _ in range(3):
        (answer,) = exchange(connection, [(sql, values)])
        assert answer.row._asdict() == {**values, "rest": 2, "again": values["number"]}


def test_all_rows_of_a_query_are_returned_in_one_trip(connection: psycopg.Connection[Any]) -> None:
    sql = "SELECT number FROM generate_series(1, %(most)s::int) AS number"
    for most in (3, 0):
        (answer,) = exchange(connection, [(sql, {"most": most})])
        assert [row.number for row in answer.rows] == list(range(1, most + 1))
        assert (answer.row is None) == (most == 0)


def test_a_session_reads_rows_without_opening_a_transaction(configured: object) -> None:
    sql: typing.LiteralString = "SELECT current_user::text AS who, txid_current() AS number"
    with db.reading() as session:
        one, other = session.rows(sql, {}), session.rows(sql, {})
        assert not session.in_transaction()
        assert one[0].number != other[0].number
        session.execute(sa.text("SELECT 1"))
        inside, again = session.rows(sql, {}), session.rows(sql, {})
        assert inside[0].number == again[0].number
        # The tenant that rows are shown to is set in each.
        assert {row.who for rows in (one, other, inside, again) for row in rows} == {one[0].who}
        assert one[0].who == session.scalar(sa.text("SELECT current_user"))


def test_without_a_transaction_all_or_nothing_happens(connection: psycopg.Connection[Any]) -> None:
    exchange(connection, [("CREATE TEMPORARY TABLE kept (number int)", {})])
    add = "INSERT INTO kept VALUES (%(n)s::int)"
    with pytest.raises(psycopg.errors.DivisionByZero):
        exchange(connection, [(add, {"n": 1}), ("SELECT 1 / %(n)s::int", {"n": 0}), (add, {"n": 2})])
    assert exchange(connection, [("SELECT count(*) AS found FROM kept", {})])[0].row.found == 0
    answers = exchange(connection, [(add, {"n": 1}), (add, {"n": 2}), ("UPDATE kept SET number = 0", {})])
    assert [one.touched for one in answers] == [1, 1, 2]


def test_a_statement_that_cannot_be_prepared_is_asked_again(connection: psycopg.Connection[Any]) -> None:
    sql = "SELECT number FROM made_later"
    with pytest.raises(psycopg.errors.UndefinedTable):
        exchange(connection, [("SELECT 1 AS one", {}), (sql, {})])
    exchange(connection, [("CREATE TEMPORARY TABLE made_later AS SELECT 7 AS number", {})])
    assert exchange(connection, [(sql, {})])[0].row.number == 7


def test_statements_that_a_pooler_let_go_of_cost_a_repetition(connection: psycopg.Connection[Any]) -> None:
    sql = "SELECT 5 AS number"
    for _ in range(5):
        exchange(connection, [(sql, {})])
        exchange(connection, [("DEALLOCATE ALL", {})])
        assert exchange(connection, [("BEGIN", {}), (sql, {}), ("COMMIT", {})])[1].row.number == 5
        assert exchange(connection, [(sql, {})])[0].row.number == 5


def test_a_repetition_for_lost_statements_does_nothing_twice(connection: psycopg.Connection[Any]) -> None:
    exchange(connection, [("CREATE TEMPORARY TABLE once (number int)", {})])
    add, gone = "INSERT INTO once VALUES (%(n)s::int)", "SELECT 7 AS number"
    exchange(connection, [(gone, {})])
    with connection.cursor() as cursor:
        cursor.execute("DEALLOCATE ALL")
    connection.commit()
    exchange(connection, [(add, {"n": 1}), (gone, {})])
    assert exchange(connection, [("SELECT count(*) AS found FROM once", {})])[0].row.found == 1


def test_a_name_that_another_client_of_the_pooler_prepared_is_survived(configured: object) -> None:
    """Two clients on one server connection: what the second prepares is there already."""
    sql = "SELECT %(n)s::int + 1 AS number"
    fairy = db.engine().raw_connection()
    shared = typing.cast("psycopg.Connection[Any]", fairy.dbapi_connection)
    assert exchange(shared, [(sql, {"n": 1})])[0].row.number == 2
    exchange_module._connections.pop(shared)  # the second client knows of no statement
    assert exchange(shared, [(sql, {"n": 2})])[0].row.number == 3
    fairy.close()


def test_a_lost_statement_within_a_transaction_does_not_cost_the_transaction(cast: Cast) -> None:
    read = "SELECT 11 AS number"
    with db.statements() as first:
        assert first.one(read, {}).number == 11
    with db.transaction() as session:
        session.execute(sa.text("DEALLOCATE ALL"))
        assert session.one(read, {}).number == 11
    with db.together() as session:
        assert session.one("SELECT 12 AS number", {}).number == 12
        session.run("DEALLOCATE ALL", {})
        assert session.one(read, {}).number == 11


def test_a_commit_that_need_not_last_does_not_wait_for_the_disk(connection: psycopg.Connection[Any]) -> None:
    mode = "SELECT current_setting('synchronous_commit') AS mode"
    exchange(connection, [("SET synchronous_commit = on", {})])
    assert db.Connection(connection, durable=False).one(mode, {}).mode == "off"
    # Nothing of it stays for the next transaction.
    assert db.Connection(connection).one(mode, {}).mode == "on"
    exchange(connection, [("RESET synchronous_commit", {})])


def test_a_statement_about_a_table_that_changed_is_asked_again(connection: psycopg.Connection[Any]) -> None:
    sql = "SELECT * FROM changing"
    exchange(connection, [("CREATE TEMPORARY TABLE changing AS SELECT 1 AS one", {})])
    exchange(connection, [(sql, {})])
    exchange(connection, [("ALTER TABLE changing ADD COLUMN two int DEFAULT 2", {})])
    assert exchange(connection, [(sql, {})])[0].touched == 1


def test_a_server_that_hangs_is_waited_for_no_longer_than_the_limit(
    configured: settings.Settings, limited: Callable[..., None]
) -> None:
    """A backend that is stopped keeps its socket open and acknowledges everything."""
    limited(database_answer_s=0.5)
    for ask in (
        lambda: _with_statements("SELECT 1 AS one"),
        lambda: _with_session("SELECT 1 AS one"),
    ):
        with db.reading() as session:
            pid = session.one("SELECT pg_backend_pid() AS pid", {}).pid
        os.kill(pid, signal.SIGSTOP)
        began = time.monotonic()
        try:
            with pytest.raises((psycopg.OperationalError, sa.exc.OperationalError)) as silent:
                ask()
            assert time.monotonic() - began < 3
            assert db.is_unavailable(silent.value)
        finally:
            os.kill(pid, signal.SIGCONT)
        # The one that hung is not used again.
        ask()


def test_a_server_that_accepts_and_never_answers_is_an_absent_one(
    configured: settings.Settings, limited: Callable[..., None]
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as mute:
        limited(
            database_url=f"postgresql://nobody:x@127.0.0.1:{mute.getsockname()[1]}/none", database_connect_s=2
        )
        began = time.monotonic()
        with pytest.raises((psycopg.OperationalError, sa.exc.OperationalError)) as silent:
            _with_statements("SELECT 1 AS one")
        assert time.monotonic() - began < 5
        assert db.is_unavailable(silent.value)


def test_a_thread_is_free_again_and_the_answer_a_503_when_the_database_hangs(
    app: Flask, client: FlaskClient, cast: Cast, limited: Callable[..., None]
) -> None:
    alice = cast.player("alice")
    limited(database_answer_s=0.5)
    with db.reading() as session:
        pid = session.one("SELECT pg_backend_pid() AS pid", {}).pid
    os.kill(pid, signal.SIGSTOP)
    began = time.monotonic()
    try:
        answer = client.get("/api/v1/organizations", headers=alice.auth)
    finally:
        os.kill(pid, signal.SIGCONT)
    assert (answer.status_code, answer.json["code"]) == (503, "DEPENDENCY_UNAVAILABLE")
    assert answer.headers["Retry-After"]
    assert time.monotonic() - began < 5
    assert client.get("/api/v1/organizations", headers=alice.auth).status_code != 503


def test_connections_that_a_restart_of_the_server_closed_are_not_handed_out(database_url: str) -> None:
    with db.statements() as session:
        pid = session.one("SELECT pg_backend_pid() AS pid", {}).pid
    with psycopg.connect(database_url) as other:
        other.execute("SELECT pg_terminate_backend(%s, 5000)", [pid])
    with db.statements() as session:
        assert session.one("SELECT pg_backend_pid() AS pid", {}).pid != pid


def test_a_long_statement_may_be_given_its_time(limited: Callable[..., None]) -> None:
    limited(database_answer_s=0.3, statement_timeout_ms=200)
    with db.transaction() as session:
        db.take_longer(session, 10)
        session.execute(sa.text("SELECT pg_sleep(0.6)"))
    with pytest.raises(sa.exc.OperationalError), db.transaction() as session:
        session.execute(sa.text("SELECT pg_sleep(0.6)"))


def _with_statements(sql: typing.LiteralString) -> None:
    with db.statements() as session:
        session.one(sql, {})


def _with_session(sql: str) -> None:
    with db.reading() as session:
        session.execute(sa.text(sql))


@pytest.fixture
def limited(configured: settings.Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., None]]:
    """Other settings, and an engine made with them, for one test."""

    def use(**changes: Any) -> None:
        db.dispose()
        changed = configured.model_copy(
            update={
                name: SecretStr(value) if name.endswith("_url") else value for name, value in changes.items()
            }
        )
        monkeypatch.setattr(settings, "current", lambda: changed)

    yield use
    monkeypatch.undo()
    db.dispose()


def test_a_value_that_cannot_be_sent_leaves_the_connection_usable(
    connection: psycopg.Connection[Any],
) -> None:
    with pytest.raises(psycopg.Error):
        exchange(connection, [("SELECT %(text)s::text AS text", {"text": "\x00"})])
    assert exchange(connection, [("SELECT 1 AS one", {})])[0].row.one == 1


def test_a_connection_that_dies_is_closed(connection: psycopg.Connection[Any], database_url: str) -> None:
    (answer,) = exchange(connection, [("SELECT pg_backend_pid() AS pid", {})])
    with psycopg.connect(database_url) as other:
        other.execute("SELECT pg_terminate_backend(%s, 5000)", [answer.row.pid])
    with pytest.raises(psycopg.OperationalError) as lost:
        exchange(connection, [("SELECT 1 AS one", {})])
    assert db.is_unavailable(lost.value)
    assert connection.closed


def test_together_commits_at_the_end_or_not_at_all(cast: Cast) -> None:
    alice = cast.player("alice")
    rename = "UPDATE accounts SET name = %(name)s WHERE id = %(id)s"

    def renamed(*, fails: bool) -> None:
        with db.together() as session:
            session.run(rename, {"name": "first", "id": alice.account_id})
            session.run(rename, {"name": "second", "id": alice.account_id})
            if fails:
                raise ValueError("no")

    def name() -> str:
        with db.reading() as session:
            return str(
                session.one("SELECT name FROM accounts WHERE id = %(id)s", {"id": alice.account_id}).name
            )

    before = name()
    with pytest.raises(ValueError, match="no"):
        renamed(fails=True)
    assert name() == before
    renamed(fails=False)
    assert name() == "second"


def test_a_commit_that_fails_behind_statements_that_succeeded_is_an_error(
    connection: psycopg.Connection[Any],
) -> None:
    once = "CREATE TEMPORARY TABLE once (number int UNIQUE DEFERRABLE INITIALLY DEFERRED)"
    exchange(connection, [(once, {})])
    add = ("INSERT INTO once VALUES (%(n)s::int)", {"n": 1})
    with pytest.raises(psycopg.errors.UniqueViolation):
        exchange(connection, [add, add])
    (left,) = exchange(connection, [("SELECT count(*) AS number FROM once", {})])
    assert left.row.number == 0
