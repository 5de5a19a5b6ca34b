"""Connections that are taken for single statements: dead ones are replaced, nothing is left open on one."""

from __future__ import annotations

from typing import Any

import psycopg
import pytest

from app.platform import settings
from app.platform.postgres import db


@pytest.fixture(autouse=True)
def engine(configured: settings.Settings) -> Any:
    db.dispose()
    return db.engine()


def _server() -> int:
    with db.statements() as session:
        return int(session.one("SELECT pg_backend_pid() AS id", {}).id)


def test_the_next_statement_goes_over_the_same_connection(engine: Any) -> None:
    assert _server() == _server()
    assert engine.pool.checkedin() == 1
    assert engine.pool.checkedout() == 0


def test_a_connection_that_the_server_closed_is_replaced_before_it_is_used(engine: Any) -> None:
    first = _server()
    with psycopg.connect(settings.current().database_url.get_secret_value(), autocommit=True) as other:
        other.execute("SELECT pg_terminate_backend(%s)", [first])
        while other.execute("SELECT 1 FROM pg_stat_activity WHERE pid = %s", [first]).fetchone():
            pass
    assert _server() != first
    assert engine.pool.checkedout() == 0


def test_what_is_left_open_is_rolled_back(engine: Any) -> None:
    with db._driver_connection() as connection:
        connection.execute("CREATE TEMPORARY TABLE left_open (one int)")
    with db._driver_connection() as again:
        assert again is connection
        assert again.execute("SELECT to_regclass('left_open')").fetchone() == (None,)


def test_a_connection_that_broke_is_not_put_back(engine: Any) -> None:
    with db._driver_connection() as connection:
        connection.close()
    assert engine.pool.checkedout() == 0
    with db._driver_connection() as again:
        assert again is not connection


def test_a_timeout_that_was_raised_is_that_of_the_settings_again() -> None:
    with db._driver_connection() as connection:
        connection.limit_s = 7_000.0  # type: ignore[attr-defined]
    with db._driver_connection() as again:
        assert again is connection
        assert again.limit_s == settings.current().database_answer_s  # type: ignore[attr-defined]


def test_more_than_the_pool_holds_wait_and_are_refused(engine: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine.pool, "_timeout", 0.05)
    taken = [db._driver_connection() for _ in range(engine.pool.size())]
    for one in taken:
        one.__enter__()
    with pytest.raises(Exception) as refused, db._driver_connection():
        pass
    assert db.is_unavailable(refused.value)
    for one in taken:
        one.__exit__(None, None, None)
    assert engine.pool.checkedout() == 0
