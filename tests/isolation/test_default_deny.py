"""Who names no tenant sees none: threads, processes, and what asks for the system by name."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import uuid
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any, TypeVar

import pytest
import sqlalchemy as sa
from flask import Flask
from flask.testing import FlaskClient

from app import analysis, factory, governance, jobs, usage
from app.analysis import pipeline
from app.analysis.llm import Answer, Question
from app.analysis.llm.drafting.engine import ModelEngine
from app.platform import clock, settings
from app.platform.errors import Invalid
from app.platform.postgres import db, pg_pipeline, rls
from app.platform.processes.thread_pool import ContextPool
from app.rules import Brief
from tests import model_answers
from tests.bare import bare
from tests.cast import LEASE, Cast, Player
from tests.isolation.world import house
from tests.jobs.desk import Desk

T = TypeVar("T")


def in_a_thread(work: Callable[[], T]) -> T:
    """What `work` gives in a thread that nobody told anything."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(work).result()


@pytest.fixture
def alice(cast: Cast) -> Player:
    return cast.player("alice")


@pytest.fixture
def mallory(cast: Cast) -> Player:
    return cast.player("mallory")


@pytest.fixture
def scopes(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """As whom transactions ran since the test began: `system`, `account` or `nobody`."""
    found: Counter[str] = Counter()
    whole = rls.binding

    def binding() -> Any:
        given = whole()
        if given is None:
            found["nobody"] += 1
        else:
            found["system" if "role" in given[1] else "account"] += 1
        return given

    monkeypatch.setattr(rls, "binding", binding)
    return found


def _tables() -> dict[str, str]:
    """Every tenant's table as the database has them, with the column that names the tenant."""
    query = """
        SELECT c.relname, CASE c.relname WHEN 'accounts' THEN 'id' ELSE 'account_id' END AS tenant
        FROM pg_class c
        WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p')
          AND NOT c.relispartition AND (c.relname = 'accounts' OR EXISTS (
              SELECT FROM pg_attribute a
              WHERE a.attrelid = c.oid AND a.attname = 'account_id' AND NOT a.attisdropped))
        """
    with db.reading() as session:
        return {row.relname: row.tenant for row in session.execute(sa.text(query))}


def _tried(sql: str, **values: Any) -> int | str:
    """Rows that a statement touched, or the class of error that refused it."""
    try:
        with db.transaction() as session:
            done = session.execute(sa.text(sql), values)
            return int(done.scalar_one()) if done.returns_rows else int(getattr(done, "rowcount", 0))
    except sa.exc.DBAPIError as error:
        return type(error.orig).__name__


def test_a_bare_thread_reads_no_row_of_any_tenants_table(app: Flask, cast: Cast) -> None:
    house(cast, "alice")
    tables = _tables()
    filled = {table for table in tables if _tried(f"SELECT count(*) FROM {table}")}
    assert len(tables) > 20
    assert len(filled) > 12, "the tables have rows that could be seen"
    seen = in_a_thread(lambda: {table: _tried(f"SELECT count(*) FROM {table}") for table in tables})
    assert seen == dict.fromkeys(tables, 0)


def test_a_bare_thread_writes_no_row_of_any_tenants_table(app: Flask, cast: Cast) -> None:
    made = house(cast, "alice")
    tables = _tables()

    def write() -> dict[str, tuple[Any, Any, Any]]:
        return {
            table: (
                _tried(
                    f"INSERT INTO {table} OVERRIDING SYSTEM VALUE SELECT * FROM "
                    f"json_populate_record(NULL::{table}, CAST(:row AS json))",
                    row=json.dumps({column: str(made.master.account_id)}),
                ),
                _tried(f"UPDATE {table} SET {column} = {column}"),
                _tried(f"DELETE FROM {table}"),
            )
            for table, column in tables.items()
        }

    before = {table: _tried(f"SELECT count(*) FROM {table}") for table in tables}
    tried = in_a_thread(write)
    for table, (inserted, updated, deleted) in tried.items():
        assert inserted == "InsufficientPrivilege", table
        # What is append-only, or not for this role to change, says so before it looks for a row.
        assert {updated, deleted} <= {0, "RestrictViolation", "InsufficientPrivilege"}, table
    assert {table: _tried(f"SELECT count(*) FROM {table}") for table in tables} == before


@pytest.mark.parametrize("way", ["reading", "transaction", "statements", "together"])
def test_no_way_to_the_database_shows_a_bare_thread_anything(app: Flask, alice: Player, way: str) -> None:
    def count() -> int:
        with getattr(db, way)() as session:
            return int(session.one("SELECT count(*) AS n FROM accounts", {}).n)

    assert in_a_thread(count) == 0
    assert in_a_thread(rls.as_system()(count)) >= 1


def test_a_process_that_named_nobody_sees_nothing(app: Flask, alice: Player) -> None:
    code = (
        "from app.platform.postgres import db\n"
        "with db.statements() as session:\n"
        "    row = session.one('SELECT current_user AS role, count(*) AS n FROM accounts', {})\n"
        "    print(row.role, row.n)\n"
    )
    config = settings.current()
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        cwd=settings.PROJECT,
        env={
            "DATABASE_URL": config.database_url.get_secret_value(),
            "REDIS_URL": config.redis_url.get_secret_value(),
            "SECRET_KEY": "k" * 40,
        },
        timeout=60,
    )
    assert done.stdout.split() == ["candado_app", "0"], done.stderr


def test_a_request_gives_the_thread_back_as_it_was(app: Flask, client: FlaskClient, alice: Player) -> None:
    def served() -> tuple[int, object]:
        status = client.get("/api/v1/credits/ledger", headers=alice.auth).status_code
        return status, rls.binding()

    assert in_a_thread(served) == (200, None)
    assert "candado_system" in str(rls.binding()), "the thread of the tests is the operator's"
    assert client.get("/api/v1/credits/ledger", headers=alice.auth).status_code == 200
    assert "candado_system" in str(rls.binding())
    with app.test_request_context("/"):
        pass
    assert "candado_system" in str(rls.binding()), "nothing was served"


def test_threads_of_a_batch_see_their_own_tenant_only(
    app: Flask, client: FlaskClient, alice: Player, mallory: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[tuple[bool, frozenset[uuid.UUID]]] = []

    def look(*_: Any, **__: Any) -> Any:
        with db.statements() as session:
            ids = session.one("SELECT array_agg(id) AS ids FROM accounts", {}).ids
        own_thread = threading.current_thread().name.startswith("batch")
        seen.append((own_thread, frozenset(ids or ())))
        raise Invalid("Seen enough.")

    monkeypatch.setattr(pipeline, "analyse", look)
    body = {"documents": [{"text": LEASE}] * 6, "concurrency": 3}
    for player in (alice, mallory):
        seen.clear()
        answer = client.post("/api/v1/analyze/batch", json=body, headers=player.auth)
        assert answer.status_code == 200, answer.text
        assert seen == [(True, frozenset({player.account_id}))] * 6


def test_threads_of_a_job_see_their_own_tenant_only(
    app: Flask, alice: Player, mallory: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: set[frozenset[uuid.UUID]] = set()
    whole = analysis.analyse_item

    def look(*given: Any, **named: Any) -> Any:
        with db.statements() as session:
            seen.add(frozenset(session.one("SELECT array_agg(id) AS ids FROM accounts", {}).ids or ()))
        return whole(*given, **named)

    monkeypatch.setattr(analysis, "analyse_item", look)
    with Desk.opened() as desk:
        job = desk.accept(alice, LEASE, LEASE, LEASE)
        assert bare(jobs.run, job, "test-worker")
        assert desk.row(job).status == "completed"
    assert seen == {frozenset({alice.account_id})}


def test_a_pool_hands_on_the_scope_of_who_submitted(app: Flask, alice: Player, mallory: Player) -> None:
    def ids(_: int) -> Any:
        with db.statements() as session:
            return session.one("SELECT array_agg(id) AS ids FROM accounts", {}).ids

    def both() -> list[Any]:
        with ContextPool(2) as pool:
            with rls.acting_for(alice.account_id):
                first = [pool.submit(ids, 0), pool.submit(ids, 0)]
            with rls.acting_for(mallory.account_id):
                second = list(pool.map(ids, range(2)))
            return [*(one.result() for one in first), *second, *pool.map(ids, [0])]

    assert in_a_thread(both) == [*[[alice.account_id]] * 2, *[[mallory.account_id]] * 2, None]


def test_naming_the_scope_costs_no_trip_of_its_own(
    app: Flask, alice: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    trips: list[int] = []
    whole = pg_pipeline.exchange

    def exchanged(connection: Any, statements: Any, **limits: Any) -> Any:
        trips.append(len(statements))
        return whole(connection, statements, **limits)

    monkeypatch.setattr(pg_pipeline, "exchange", exchanged)

    def ask() -> None:
        with db.statements() as session:
            session.one("SELECT 1 AS one", {})

    in_a_thread(ask)
    in_a_thread(rls.as_system()(ask))
    in_a_thread(rls.acting_for(alice.account_id)(ask))
    assert trips == [1, 2, 2]


def test_every_task_names_the_scope_of_each_transaction(
    app: Flask, cast: Cast, alice: Player, scopes: Counter[str]
) -> None:
    worker = factory.create_scheduler(settings.current(), "test")
    asked = {}
    for task in worker._tasks:
        # So that those with queues in Redis have something to do.
        usage.record(usage.Call(clock.now(), alice.account_id, alice.key_id, "/api/v1/usage", 200, 1))
        with db.transaction() as session:
            governance.chain_check.ask(session, alice.account_id)
        scopes.clear()
        in_a_thread(task.work)
        if task.finish is not None:
            in_a_thread(task.finish)
        asked[task.name] = dict(scopes)
    assert {name for name, found in asked.items() if "system" not in found or "nobody" in found} == set(), (
        asked
    )


def test_tasks_reach_every_account(app: Flask, client: FlaskClient, cast: Cast, alice: Player) -> None:
    headers = {**alice.auth, "Idempotency-Key": "once-and-only"}
    assert client.post("/api/v1/analyze", json={"text": LEASE}, headers=headers).status_code == 200
    with db.transaction() as session:
        session.execute(
            sa.text(
                "UPDATE idempotency_records SET expires_at = now() - interval '1 day' WHERE account_id = :a"
            ),
            {"a": alice.account_id},
        )
    for task in factory.create_scheduler(settings.current(), "test")._tasks:
        in_a_thread(task.work)
    with rls.acting_for(alice.account_id), db.reading() as session:
        left = session.scalar(sa.text("SELECT count(*) FROM idempotency_records"))
        calls = session.scalar(sa.text("SELECT count(*) FROM usage_calls"))
    assert (left, calls) == (0, 1)


def test_every_task_of_a_worker_names_its_scope(
    app: Flask, cast: Cast, alice: Player, scopes: Counter[str]
) -> None:
    with Desk.opened() as desk:
        job = desk.accept(alice)
        today = clock.today()
        with db.transaction() as session:
            session.execute(sa.text("DELETE FROM audit_documents WHERE status IN ('pending', 'running')"))
            made = governance.order(
                session, alice.account_id, today - timedelta(days=1), today,
                key_id=None, flagged=False, language="es", now=clock.now(),
            )  # fmt: skip
        scopes.clear()
        assert in_a_thread(lambda: jobs.run(job, "test-worker"))
        assert in_a_thread(lambda: governance.make_due("test-worker"))
        in_a_thread(lambda: governance.release("test-worker"))
        in_a_thread(lambda: jobs.Reaper().round())
        assert set(scopes) == {"system", "account"}
        with db.reading() as session:
            assert governance.find(session, alice.account_id, made.id).status == "ready"
        assert desk.row(job).status == "completed"


def test_the_lease_of_a_running_job_is_renewed_by_its_own_thread(
    app: Flask, alice: Player, scopes: Counter[str]
) -> None:
    from app.jobs.execution import heartbeat

    with Desk.opened() as desk:
        claim = desk.take(desk.accept(alice))
        assert claim is not None
        before = desk.row(claim.job_id).lease_until
        desk.forward(seconds=5)
        scopes.clear()
        in_a_thread(lambda: heartbeat._renew([heartbeat._ActiveJob(claim, 1e12)]))
        assert dict(scopes) == {"account": 1}
        assert desk.row(claim.job_id).lease_until > before


def test_the_parts_of_a_long_document_are_drafted_in_the_context_of_their_request(alice: Player) -> None:
    seen: list[Any] = []

    class Model:
        def ask(self, question: Question, *, deadline: float) -> Answer:
            seen.append((threading.current_thread().name.startswith("parts"), rls.binding()))
            return Answer(model_answers.analysis([]), "test")

    model: Any = Model()
    engine = ModelEngine("test", model, part_characters=1_000)
    with rls.acting_for(alice.account_id):
        engine.analyse(Brief("La renta es de 900 euros. " * 100, "ES", "civil", "es"))
        *parts, (in_pool, _) = seen
        assert len(parts) > 2
        assert all(one == (True, rls.binding()) for one in parts)
        assert not in_pool, "the whole is judged when its parts are read"
