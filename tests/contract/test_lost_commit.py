"""What callers are told when the answer to a commit is lost: what is known of the charge, and what to do."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Literal

import psycopg
import pytest
import sqlalchemy as sa
from flask.testing import FlaskClient

from app.analysis import billing
from app.platform.postgres import db, pg_pipeline
from tests.cast import LEASE, Cast, Player

PATH = "/api/v1/analyze"
BATCH = "/api/v1/analyze/batch"

Break = Callable[..., None]


@pytest.fixture
def alice(cast: Cast) -> Player:
    return cast.player()


@pytest.fixture
def breaking(monkeypatch: pytest.MonkeyPatch) -> Iterator[Break]:
    """`breaking("after")`: the next commit is carried out and its answer lost with the connection.

    `"before"`: the connection is lost before the commit reaches the server. `away`: no connection after that.
    """
    real = pg_pipeline.exchange
    state: dict[str, Any] = {"when": None, "away": False}

    def exchanged(connection: Any, statements: Any, **more: Any) -> Any:
        if state["away"]:
            raise psycopg.OperationalError("the server is away")
        # A charge carries its commit, or is committed by a statement of its own.
        sent = [sql for sql, _ in statements]
        commits = sent == ["COMMIT"] or any("require_charge" in sql for sql in sent)
        if state["when"] is not None and commits:
            if state["when"] == "after":
                real(connection, statements, **more)
            state.update(when=None, away=state["then_away"])
            connection.close()
            raise psycopg.OperationalError("server closed the connection unexpectedly")
        return real(connection, statements, **more)

    def arm(when: Literal["before", "after"], *, away: bool = False) -> None:
        state.update(when=when, then_away=away)

    monkeypatch.setattr(pg_pipeline, "exchange", exchanged)
    monkeypatch.setattr(billing, "_FIND_OUT_S", 1.0)
    yield arm
    monkeypatch.undo()


def _charges(player: Player) -> int:
    with db.reading() as session:
        return int(
            session.execute(
                sa.text("SELECT count(*) FROM credit_ledger WHERE account_id = :a AND kind = 'consumption'"),
                {"a": player.account_id},
            ).scalar_one()
        )


@pytest.mark.parametrize("path", [PATH, BATCH])
def test_a_charge_that_stands_though_its_commit_was_not_answered_is_answered(
    client: FlaskClient, cast: Cast, alice: Player, breaking: Break, path: str
) -> None:
    breaking("after")
    body = {"text": LEASE} if path == PATH else {"documents": [{"text": LEASE}]}
    answer = client.post(path, json=body, headers=alice.auth)
    assert answer.status_code == 200, answer.text
    assert _charges(alice) == 1
    assert (cast.balance(alice).balance, cast.balance(alice).held) == (99, 0)


def test_a_charge_that_never_reached_the_server_is_known_not_to_stand(
    client: FlaskClient, cast: Cast, alice: Player, breaking: Break
) -> None:
    breaking("before")
    answer = client.post(PATH, json={"text": LEASE}, headers=alice.auth)
    assert (answer.status_code, answer.json["code"]) == (503, "DEPENDENCY_UNAVAILABLE")
    assert "you were not charged" in answer.json["error"]
    assert answer.headers["Retry-After"]
    assert _charges(alice) == 0
    assert (cast.balance(alice).balance, cast.balance(alice).held) == (100, 0)


@pytest.mark.parametrize("when", ["before", "after"])
def test_a_charge_that_cannot_be_looked_up_is_not_said_to_be_nothing(
    client: FlaskClient,
    cast: Cast,
    alice: Player,
    breaking: Break,
    when: Literal["before", "after"],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    headers = {**alice.auth, "Idempotency-Key": f"lost-commit-{when}"}
    breaking(when, away=True)
    answer = client.post(PATH, json={"text": LEASE}, headers=headers)
    assert (answer.status_code, answer.json["code"]) == (503, "DEPENDENCY_UNAVAILABLE")
    assert "you were not charged" not in answer.json["error"]
    assert "not known" in answer.json["error"]
    assert "same Idempotency-Key" in answer.json["error"]
    monkeypatch.undo()
    # What the message promises: the repeat is answered, and there is one charge in all.
    monkeypatch.setattr("app.idempotency.leases.LEASE_S", 0.1)
    with db.transaction() as session:
        session.execute(
            sa.text("UPDATE idempotency_records SET running_until = now() WHERE running_until > now()")
        )
    again = client.post(PATH, json={"text": LEASE}, headers=headers)
    assert again.status_code == 200, again.text
    assert _charges(alice) == 1


def test_without_an_idempotency_key_the_caller_is_told_where_to_look(
    client: FlaskClient, alice: Player, breaking: Break
) -> None:
    breaking("after", away=True)
    answer = client.post(PATH, json={"text": LEASE}, headers=alice.auth)
    assert answer.status_code == 503
    assert "you were not charged" not in answer.json["error"]
    assert "/api/v1/credits/ledger" in answer.json["error"]


def test_a_store_that_is_away_before_anything_is_written_charges_nothing_and_says_so(
    client: FlaskClient, alice: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(*_: Any, **__: Any) -> None:
        raise psycopg.OperationalError("the server is away")

    monkeypatch.setattr("app.analysis.pipeline.analyse", away)
    answer = client.post(PATH, json={"text": LEASE}, headers=alice.auth)
    assert answer.status_code == 503
    assert "you were not charged" in answer.json["error"]


def test_a_failure_after_the_charge_does_not_say_that_nothing_was_charged(
    client: FlaskClient, alice: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: Any, **__: Any) -> None:
        raise RuntimeError("after the charge")

    monkeypatch.setattr("app.analysis.responses.single_answer", broken)
    answer = client.post(PATH, json={"text": LEASE}, headers=alice.auth)
    assert (answer.status_code, answer.json["code"]) == (500, "INTERNAL_ERROR")
    assert "you were not charged" not in answer.json["error"]
    assert _charges(alice) == 1


def test_a_lost_commit_of_something_else_is_not_said_to_be_undone(
    client: FlaskClient, alice: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A webhook that was written, and whose commit was not answered."""
    real = db.Session.commit

    def commit(self: db.Session) -> None:
        real(self)
        raise sa.exc.OperationalError("COMMIT", {}, psycopg.OperationalError("connection lost"))

    monkeypatch.setattr(db.Session, "commit", commit)
    body = {"url": "https://hooks.example.com/x"}
    answer = client.post("/api/v1/webhooks", json=body, headers=alice.auth)
    assert answer.status_code == 503
    assert "not known" in answer.json["error"]


def test_only_what_its_charge_would_miss_is_answered_before_it_is_on_disk(
    alice: Player, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, trips = pg_pipeline.exchange, []

    def exchanged(connection: Any, statements: Any, **more: Any) -> Any:
        trips.append(" ".join(sql for sql, _ in statements))
        return real(connection, statements, **more)

    monkeypatch.setattr(pg_pipeline, "exchange", exchanged)
    for headers in (alice.auth, {**alice.auth, "Idempotency-Key": "lost-commit-on-disk-1"}):
        trips.clear()
        assert client.post(PATH, json={"text": LEASE}, headers=headers).status_code == 200
        [hasty] = [sql for sql in trips if "synchronous_commit" in sql]
        assert "INSERT INTO credit_holds" in hasty
        assert ("INSERT INTO idempotency_records" in hasty) is ("Idempotency-Key" in headers)
        assert "require_charge" not in hasty
        assert any("require_charge" in sql for sql in trips)
    # A batch is not soon done again: neither its hold nor its claim is left to a crash.
    for headers in (alice.auth, {**alice.auth, "Idempotency-Key": "lost-commit-on-disk-2"}):
        trips.clear()
        batch = {"documents": [{"text": LEASE}, {"text": LEASE}]}
        assert client.post(BATCH, json=batch, headers=headers).status_code == 200
        assert any("INSERT INTO credit_holds" in sql for sql in trips)
        assert not any("synchronous_commit" in sql for sql in trips)
