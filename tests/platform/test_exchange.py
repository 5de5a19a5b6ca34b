"""One round trip for any number of statements."""

from __future__ import annotations

import typing
import uuid
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import psycopg
import pytest

from app.platform import db
from app.platform.exchange import exchange
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


def test_statements_that_somebody_let_go_of_are_prepared_anew(connection: psycopg.Connection[Any]) -> None:
    sql = "SELECT 5 AS number"
    exchange(connection, [(sql, {})])
    exchange(connection, [("DEALLOCATE ALL", {})])
    with pytest.raises(psycopg.errors.InvalidSqlStatementName):
        exchange(connection, [(sql, {})])
    assert exchange(connection, [(sql, {})])[0].row.number == 5


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
