"""A store that goes away for a moment while the documents of a batch are being analysed."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import psycopg
import pytest
import redis
import sqlalchemy as sa
from flask import Flask

from app.analysis import pipeline
from app.jobs.execution import runner
from app.platform import settings
from app.platform.errors import Invalid, Upstream
from app.platform.postgres import db, outage
from tests.cast import LEASE, Cast
from tests.faults.stores import Stores
from tests.jobs.conftest import desk
from tests.jobs.desk import Desk

__all__ = ["desk"]

pytestmark = [pytest.mark.faults, pytest.mark.xdist_group("faults")]

TEXTS = [f"{LEASE} Expediente {n}." for n in range(6)]


@pytest.fixture
def in_the_middle(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[], None]], None]:
    """`in_the_middle(harm)`: `harm` is done when the third document begins, which then goes on."""

    def arrange(harm: Callable[[], None]) -> None:
        real, lock, seen = pipeline.analyse, threading.Lock(), []

        def analyse(request: Any, **more: Any) -> Any:
            with lock:
                seen.append(request)
                if len(seen) == 3:
                    harm()
            return real(request, **more)

        monkeypatch.setattr(pipeline, "analyse", analyse)

    return arrange


def test_a_batch_waits_for_a_postgresql_that_restarts(
    app: Flask, stores: Stores, in_the_middle: Callable[[Callable[[], None]], None]
) -> None:
    alice = Cast().player()
    starts = ThreadPoolExecutor(1)
    gone = threading.Event()

    def restart() -> None:
        real_again = stores._again

        def again(store: Any, away_s: float) -> None:
            assert store.wait(30) is not None
            gone.set()
            real_again(store, away_s)

        stores._again = again  # type: ignore[method-assign]
        stores.stop_postgres_at_once(1.5)

    def harm() -> None:
        starts.submit(restart)
        assert gone.wait(30)

    in_the_middle(harm)
    answer = app.test_client().post(
        "/api/v1/analyze/batch",
        json={"documents": [{"text": text} for text in TEXTS], "concurrency": 2},
        headers=alice.auth,
    )
    starts.shutdown()
    assert answer.status_code == 200, answer.text
    assert [item["status"] for item in answer.json["results"]] == ["success"] * len(TEXTS)
    assert answer.json["totals"]["creditsCharged"] == len(TEXTS)
    db.dispose()


def test_a_job_whose_store_stays_away_goes_back_to_the_queue_and_keeps_what_is_through(
    desk: Desk, cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice = cast.player()
    real, away, seen = pipeline.analyse, True, []

    def analyse(request: Any, **more: Any) -> Any:
        seen.append(request.text.reveal())
        if away and "Expediente 2" in request.text.reveal():
            raise psycopg.OperationalError("connection to server failed")
        return real(request, **more)

    monkeypatch.setattr(pipeline, "analyse", analyse)
    monkeypatch.setattr(runner, "_DOCUMENT_PATIENCE_S", 1.0)
    job = desk.accept(alice, *TEXTS)
    desk.run(job)
    assert desk.row(job).status == "pending"
    assert desk.charged(alice) == (0, 0)
    first, away = len(seen), False
    desk.forward(minutes=1)
    desk.run(job)
    assert desk.row(job).status == "completed"
    assert desk.charged(alice) == (len(TEXTS), 1)
    assert first > len(seen) - first, "what was through was not done again"
    assert cast.balance(alice).held == 0


def test_a_job_whose_store_never_comes_back_fails_as_that_and_is_not_charged(
    desk: Desk, cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(*_: Any, **__: Any) -> Any:
        raise redis.exceptions.ConnectionError("connection refused")

    monkeypatch.setattr(pipeline, "analyse", away)
    monkeypatch.setattr(runner, "_DOCUMENT_PATIENCE_S", 0.1)
    monkeypatch.setattr(runner, "_PATIENCE_S", 0.1)
    alice = cast.player()
    job = desk.accept(alice, *TEXTS[:2])
    for _ in range(3):
        desk.run(job)
        desk.forward(minutes=2)
    assert (desk.row(job).status, desk.row(job).error_code) == ("failed", "DEPENDENCY_UNAVAILABLE")
    assert desk.charged(alice) == (0, 0)
    assert cast.balance(alice).held == 0


def test_a_document_of_a_batch_is_given_up_at_the_deadline_of_an_analysis(
    app: Flask, cast: Cast, monkeypatch: pytest.MonkeyPatch, configured: Any
) -> None:
    real = pipeline.analyse

    def analyse(request: Any, **more: Any) -> Any:
        if "Expediente 1" in request.text.reveal():
            raise psycopg.OperationalError("connection to server failed")
        return real(request, **more)

    monkeypatch.setattr(pipeline, "analyse", analyse)
    short = configured.model_copy(update={"analysis_deadline_s": 2.0})
    monkeypatch.setattr(settings, "current", lambda: short)
    alice = cast.player()
    answer = app.test_client().post(
        "/api/v1/analyze/batch",
        json={"documents": [{"text": text} for text in TEXTS[:3]]},
        headers=alice.auth,
    )
    results = answer.json["results"]
    assert [item["status"] for item in results] == ["success", "error", "success"]
    assert (results[1]["code"], results[1]["httpStatus"]) == ("UNKNOWN_ERROR", 503)
    assert "not charged" in results[1]["error"]
    assert answer.json["totals"]["creditsCharged"] == 2


def test_passing_errors_are_told_from_final_ones() -> None:
    passing: list[BaseException] = [
        psycopg.OperationalError("server closed the connection unexpectedly"),
        psycopg.errors.AdminShutdown("terminating connection"),
        psycopg.errors.CannotConnectNow("the database system is starting up"),
        psycopg.errors.TooManyConnections("too many clients"),
        psycopg.errors.QueryCanceled("statement timeout"),
        sa.exc.OperationalError("SELECT 1", {}, psycopg.OperationalError("lost")),
        sa.exc.TimeoutError("the pool is exhausted"),
        redis.exceptions.ConnectionError("refused"),
        redis.exceptions.TimeoutError("no answer"),
        redis.exceptions.BusyLoadingError("loading"),
        redis.exceptions.ReadOnlyError("failed over"),
        Upstream("away"),
    ]
    final: list[BaseException] = [
        psycopg.errors.UniqueViolation("duplicate key"),
        psycopg.errors.UndefinedTable("no such table"),
        sa.exc.ProgrammingError("SELECT", {}, psycopg.errors.SyntaxError("syntax")),
        redis.exceptions.ResponseError("wrong kind of value"),
        Invalid("text: too long"),
        Upstream("the model gave nonsense", code="MODEL_ERROR", status=502),
        ValueError("a defect of ours"),
    ]
    assert [error for error in passing if not outage.is_transient(error)] == []
    assert [error for error in final if outage.is_transient(error)] == []
