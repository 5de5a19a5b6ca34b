"""A replica answers searches and usage; where it is away or behind, the primary does (decision 113)."""

from __future__ import annotations

import csv
import io
import uuid
from collections.abc import Callable, Iterator
from typing import Any

import psycopg
import pytest
import sqlalchemy as sa
from flask import Flask
from flask.testing import FlaskClient
from pydantic import SecretStr, ValidationError

from app import search, tenancy, usage
from app.platform import clock, settings
from app.platform.postgres import db, replica, rls
from app.search.index_cache import INDEX_CACHE
from app.usage.rollup import insert_calls
from tests.cast import Cast, Player
from tests.replicated_postgres import Replicated


@pytest.fixture(scope="module")
def servers() -> Iterator[Replicated]:
    made = Replicated()
    try:
        yield made
    finally:
        made.stop()


@pytest.fixture(scope="module")
def addresses(servers: Replicated) -> tuple[str, str]:
    return servers.database("candado")


@pytest.fixture
def replicated(
    app: Flask, servers: Replicated, addresses: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> Iterator[Replicated]:
    """The application on the pair of servers, both of which answer."""
    primary, copy = addresses
    monkeypatch.setenv("DATABASE_URL", primary)
    monkeypatch.setenv("DATABASE_REPLICA_URL", copy)
    monkeypatch.setenv("DATABASE_REPLICA_LAG_S", "600")
    settings.current.cache_clear()
    INDEX_CACHE.clear()
    replica.forget()
    yield servers
    monkeypatch.undo()
    settings.current.cache_clear()
    INDEX_CACHE.clear()
    replica.forget()


def let_lag(seconds: float, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_REPLICA_LAG_S", str(seconds))
    settings.current.cache_clear()
    replica.forget()


def call(player: Player, times: int = 1) -> None:
    now = clock.now()
    with db.transaction() as session:
        one = (now, player.account_id, player.key_id, "/api/v1/analyze", 200, 5)
        insert_calls(session, [usage.Call(*one) for _ in range(times)])


def calls_told(client: FlaskClient, player: Player) -> tuple[int, int]:
    """Return the calls of analyze that the report and the file tell."""
    told = client.get("/api/v1/usage", headers=player.auth).get_json()
    file = client.get("/api/v1/usage?format=csv", headers=player.auth).get_data(as_text=True)
    lines = csv.DictReader(io.StringIO(file, newline=""))
    return (
        sum(one["calls"] for one in told["by_endpoint"] if one["endpoint"] == "/api/v1/analyze"),
        sum(int(one["calls"]) for one in lines if one["endpoint"] == "/api/v1/analyze"),
    )


def checks(client: FlaskClient) -> Any:
    answer = client.get("/readyz")
    assert answer.status_code == 200
    return answer.get_json()["checks"]


def test_usage_is_the_replicas_until_it_is_too_far_behind(
    client: FlaskClient, cast: Cast, replicated: Replicated, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice, mallory = cast.player("alice"), cast.player("mallory")
    call(alice, 3)
    replicated.catch_up()
    assert calls_told(client, alice) == (3, 3)
    assert calls_told(client, mallory) == (0, 0)
    assert checks(client)["postgresql_replica"] == "ok"
    replicated.pause()
    try:
        call(alice, 4)
        assert calls_told(client, alice) == (3, 3)
        # What decides about access is asked of the primary, however far the replica is behind.
        with db.transaction() as session:
            tenancy.revoke_key(session, mallory.key_id, now=clock.now())
        assert client.get("/api/v1/usage", headers=mallory.auth).status_code == 401
        # What it has not received yet, it cannot know to be behind by.
        replicated.receive()
        let_lag(0, monkeypatch)
        assert checks(client) == {"postgresql": "ok", "redis": "ok", "postgresql_replica": "behind"}
        assert calls_told(client, alice) == (7, 7)
    finally:
        replicated.resume()
    replica.forget()
    # It has replayed all: behind by nothing, although no time may pass.
    assert checks(client)["postgresql_replica"] == "ok"


def test_row_security_holds_on_the_replica(cast: Cast, replicated: Replicated) -> None:
    alice, mallory = cast.player("alice"), cast.player("mallory")
    call(alice)
    replicated.catch_up()

    def seen(session: db.Session) -> tuple[bool, str, int]:
        statement = "SELECT pg_is_in_recovery(), current_user::text, count(*) FROM usage_calls"
        row = session.execute(
            sa.text(f"{statement} WHERE account_id = :account"), {"account": alice.account_id}
        )
        return tuple(row.one())  # type: ignore[return-value]

    with rls.acting_for(alice.account_id):
        assert replica.read(seen) == (True, rls.APP_ROLE, 1)
    with rls.acting_for(mallory.account_id):
        assert replica.read(seen) == (True, rls.APP_ROLE, 0)
    before = rls.begin_request()
    try:
        assert replica.read(seen) == (True, rls.APP_ROLE, 0)
    finally:
        rls.end_request(before)


def test_the_primary_answers_where_the_replica_is_away(
    client: FlaskClient, cast: Cast, replicated: Replicated
) -> None:
    alice = cast.player("alice")
    call(alice, 2)
    replicated.catch_up()
    answered: list[bool] = []

    def cut_off(session: db.Session) -> bool:
        there = bool(session.scalar(sa.text("SELECT pg_is_in_recovery()")))
        answered.append(there)
        if there:
            backend = session.scalar(sa.text("SELECT pg_backend_pid()"))
            replicated.terminate(int(backend or 0))
        return bool(session.scalar(sa.text("SELECT pg_is_in_recovery()")))

    # Lost in the middle of a read: begun again on the primary.
    assert replica.read(cut_off) is False
    assert answered == [True, False]
    replica.forget()
    replicated.stop_replica()
    try:
        assert calls_told(client, alice) == (2, 2)
        body = {"query": "fianza del arrendamiento"}
        assert client.post("/api/v1/normativa/search", json=body, headers=alice.auth).status_code == 200
        assert checks(client)["postgresql_replica"] == "unavailable"
        told = client.get("/metrics").get_data(as_text=True)
        assert 'database_replica_reads_total{store="primary"}' in told
    finally:
        replicated.start_replica()
    replica.forget()
    assert checks(client)["postgresql_replica"] == "ok"


def test_a_statement_that_is_wrong_or_long_is_not_asked_again(
    replicated: Replicated, addresses: tuple[str, str]
) -> None:
    asked: list[bool] = []

    def work(statement: str) -> Callable[[db.Session], object]:
        def run(session: db.Session) -> object:
            asked.append(bool(session.scalar(sa.text("SELECT pg_is_in_recovery()"))))
            session.execute(sa.text("SET LOCAL statement_timeout = '500ms'"))
            return session.scalar(sa.text(statement))

        return run

    for statement in ("SELECT 1/0", "SELECT pg_sleep(30)"):
        with pytest.raises(sa.exc.DBAPIError):
            replica.read(work(statement))
        assert asked == [True]
        assert replica.state() == "ok"
        asked.clear()
    # A table that a migration made and the replica does not have yet.
    replicated.pause()
    try:
        with psycopg.connect(addresses[0]) as owner:
            owner.execute("CREATE TABLE made_later AS SELECT 7 AS one")
            owner.execute("GRANT SELECT ON made_later TO PUBLIC")
        assert replica.read(work("SELECT one FROM made_later")) == 7
        assert asked == [True, False]
    finally:
        replicated.resume()


def test_a_server_that_follows_none_is_no_replica(
    replicated: Replicated, addresses: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DATABASE_REPLICA_URL", addresses[0])
    settings.current.cache_clear()
    assert replica.state() == "unavailable"
    with pytest.raises(ValidationError, match="must start with postgresql://"):
        settings.Settings(database_replica_url=SecretStr("redis://replica"))


def test_what_a_replica_lacks_is_not_remembered_as_absent(cast: Cast, replicated: Replicated) -> None:
    def judgment(text: str) -> None:
        one = uuid.uuid4()
        values = {"id": one, "name": f"ZZ:{one}", "now": clock.now(), "text": text}
        with db.transaction() as session:
            session.execute(sa.text("SELECT open_corpus_partition('ZZ')"))
            for statement in (
                "INSERT INTO corpus_judgments (id, jurisdiction, canonical, court, kind, title, source, "
                "text_known, facts, digest, loaded_at) VALUES (:id, 'ZZ', :name, 'Tribunal', 'sentencia', "
                ":name, 'test', true, '{}', '', :now)",
                "INSERT INTO corpus_passages (jurisdiction, id, kind, judgment_id, place, title, path, "
                "heading, text) VALUES ('ZZ', :id, 'judgment', :id, 0, 'Sentencia', '', '', :text)",
            ):
                session.execute(sa.text(statement), values)
        assert search.index(now=clock.now)

    def found() -> int:
        asked = search.prepare("molinero", jurisdiction="ZZ", kind="judgment", config=settings.current())
        return len(replica.read(lambda session: search.ranking.rank(session, asked, day=None)))

    judgment("El molinero cruza el puente.")
    replicated.catch_up()
    assert found() == 1
    replicated.pause()
    try:
        judgment("Otro molinero espera en la barca.")
        assert found() == 1
    finally:
        replicated.resume()
    assert found() == 2
