"""Every call is counted once, whatever dies in between."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
import uuid
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NoReturn

import psycopg
import pytest
import redis
import sqlalchemy as sa
from flask.testing import FlaskClient

from app import usage
from app.platform import clock, redis_client
from app.platform.postgres import db
from app.usage import Call, consumer, meter
from app.usage.meter import STREAM
from tests.cast import LEASE, Cast

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(autouse=True)
def _redis_is_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(meter, "_stream_again_at", 0.0)


def _call(account: uuid.UUID) -> Call:
    return Call(clock.now(), account, uuid.uuid4(), "/api/v1/analyze", 200, 17, 1)


def _rows(account: uuid.UUID) -> list[sa.Row[tuple[str, int, int]]]:
    with db.reading() as session:
        return list(
            session.execute(
                sa.text(
                    "SELECT endpoint, status, credits FROM usage_calls WHERE account_id = :a ORDER BY at"
                ),
                {"a": account},
            )
        )


def _counted(account: uuid.UUID) -> int:
    """What the daily figures say, at each of their four grains."""
    with db.reading() as session:
        found = session.execute(
            sa.text("SELECT grain, sum(calls) FROM usage_days WHERE account_id = :a GROUP BY grain"),
            {"a": account},
        ).all()
    counts = {int(calls) for _, calls in found} or {0}
    assert len(counts) == 1
    assert len(found) in (0, 4)
    return counts.pop()


def _away() -> NoReturn:
    raise redis.ConnectionError


def test_calls_with_a_key_are_metered_and_strangers_are_not(client: FlaskClient, cast: Cast) -> None:
    alice = cast.player(tier="standard")
    client.post("/api/v1/analyze", json={"text": LEASE}, headers=alice.auth)
    client.post("/api/v1/analyze", json={"text": "short"}, headers=alice.auth)
    client.post("/api/v1/analyze", json={"text": LEASE})
    assert usage.drain("test") == 2
    assert _rows(alice.account_id) == [("/api/v1/analyze", 200, 1), ("/api/v1/analyze", 422, 0)]
    for _ in range(9):
        client.post("/api/v1/analyze", json={"text": "short"}, headers=alice.auth)
    usage.drain("test")
    assert _rows(alice.account_id)[-1][1] == 429


def test_an_entry_read_by_a_worker_that_died_is_taken_over(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    account = uuid.uuid4()
    usage.record(_call(account))
    consumer._ensure_group(redis_client.client())
    assert len(consumer._fresh(redis_client.client(), "dead")) == 1
    assert usage.drain("alive") == 0
    monkeypatch.setattr(consumer, "_ABANDONED_MS", 0)
    assert usage.drain("alive") == 1
    assert len(_rows(account)) == 1


def test_an_entry_moved_twice_is_one_row(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    account = uuid.uuid4()
    usage.record(_call(account))
    entries = redis_client.client().xrange(STREAM)
    consumer._store(entries)
    assert usage.drain("test") == 1
    assert len(_rows(account)) == 1


def test_a_call_sent_twice_is_one_row(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    """An append that timed out may have arrived: the client repeats it, or it is written directly."""
    account = uuid.uuid4()
    call = _call(account)
    usage.record(call)
    usage.record(call)
    with monkeypatch.context() as patched:
        patched.setattr("app.usage.meter.redis_client.client", _away)
        usage.record(call)
    assert _counted(account) == 1
    usage.drain("test")
    assert len(_rows(account)) == 1
    assert _counted(account) == 1


def test_a_worker_killed_between_commit_and_acknowledgement_counts_nothing_twice(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    account = uuid.uuid4()
    for _ in range(20):
        usage.record(_call(account))
    code = (
        "import os, signal; from app import usage; from app.platform import redis_client\n"
        "redis_client.client().pipeline = lambda **_: os.kill(os.getpid(), signal.SIGKILL)\n"
        "usage.drain('doomed')"
    )
    killed = subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False)
    assert killed.returncode == -signal.SIGKILL
    assert _counted(account) == 20
    assert redis_client.client().xlen(STREAM) == 20
    monkeypatch.setattr(consumer, "_ABANDONED_MS", 0)
    assert usage.drain("alive") == 20
    assert _counted(account) == len(_rows(account)) == 20
    assert redis_client.client().xlen(STREAM) == 0


def test_a_worker_killed_before_the_commit_loses_nothing(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    account = uuid.uuid4()
    for _ in range(20):
        usage.record(_call(account))
    code = (
        "import os, signal; from app import usage; from app.usage import consumer\n"
        "enter = consumer.insert_calls\n"
        "consumer.insert_calls = lambda *given: (enter(*given), os.kill(os.getpid(), signal.SIGKILL))\n"
        "usage.drain('doomed')"
    )
    killed = subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False)
    assert killed.returncode == -signal.SIGKILL
    assert _counted(account) == 0
    monkeypatch.setattr(consumer, "_ABANDONED_MS", 0)
    assert usage.drain("alive") == 20
    assert _counted(account) == len(_rows(account)) == 20


def test_workers_that_drain_at_once_count_every_call_once(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also with entries taken over while their worker still works: the longest delay is no protection."""
    monkeypatch.setattr(consumer, "_ABANDONED_MS", 0)
    monkeypatch.setattr(consumer, "_BATCH", 40)
    accounts = [uuid.uuid4() for _ in range(3)]
    keys = [uuid.uuid4() for _ in range(4)]
    for number in range(600):
        account, key = accounts[number % 3], keys[number % 4]
        usage.record(Call(clock.now(), account, key, f"/api/v1/{number % 5}", 200, number, 1))
    with ThreadPoolExecutor(4) as pool:
        for done in [pool.submit(usage.drain, f"worker {n}") for n in range(4)]:
            done.result()
    usage.drain("last")
    assert [(_counted(account), len(_rows(account))) for account in accounts] == [(200, 200)] * 3


def test_a_route_is_metered_as_the_document_names_it() -> None:
    assert usage.path_template("/api/v1/analyze") == "/api/v1/analyze"
    assert usage.path_template("/api/v1/o/<uuid:id>/keys/<key_id>") == "/api/v1/o/{id}/keys/{key_id}"


FOREIGN = [b"[1]", b"null", b"{}", b"\xff", b'"x"', b"[1,2,3,4,5,6,7,8]", b"[" * 10_000]
BROKEN = [
    (0, "not an id"),
    (1, "2026-01-01T00:00:00"),
    (1, 5),
    (3, "0" * 32),
    (4, ""),
    (4, None),
    (4, "nul\x00"),
    (5, 99_999),
    (6, -1),
    (6, 2**31),
    (7, "many"),
]


def test_a_foreign_entry_does_not_block_the_stream(cast: Cast) -> None:
    account = uuid.uuid4()
    redis_client.client().xadd(STREAM, {b"x": b"nonsense"})
    for raw in FOREIGN:
        redis_client.client().xadd(STREAM, {b"c": raw})
    for place, wrong in BROKEN:
        parts = json.loads(meter.encode(_call(account)))
        parts[place] = wrong
        redis_client.client().xadd(STREAM, {b"c": json.dumps(parts).encode()})
    usage.record(_call(account))
    usage.drain("test")
    assert len(_rows(account)) == 1
    assert redis_client.client().xlen(STREAM) == 0


def test_while_redis_is_away_calls_are_written_directly(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    account = uuid.uuid4()
    monkeypatch.setattr("app.usage.meter.redis_client.client", _away)
    usage.record(_call(account))
    assert len(_rows(account)) == _counted(account) == 1


def test_redis_is_left_alone_for_a_moment_and_then_used_again(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    account, asked = uuid.uuid4(), []

    def away() -> NoReturn:
        asked.append(1)
        raise redis.TimeoutError

    with monkeypatch.context() as patched:
        patched.setattr("app.usage.meter.redis_client.client", away)
        for _ in range(5):
            usage.record(_call(account))
    assert len(asked) == 1
    assert _counted(account) == 5
    monkeypatch.setattr(meter, "_stream_again_at", time.monotonic())
    usage.record(_call(account))
    assert redis_client.client().xlen(STREAM) == 1


def test_a_redis_that_refuses_does_not_lose_a_call(cast: Cast) -> None:
    account = uuid.uuid4()
    redis_client.client().set(STREAM, "not a stream")
    usage.record(_call(account))
    assert _counted(account) == 1
    redis_client.client().delete(STREAM)
    redis_client.ping()


def test_with_everything_away_the_answer_still_goes_out(
    cast: Cast, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def down(_work: object) -> NoReturn:
        raise psycopg.OperationalError("away")

    monkeypatch.setattr("app.usage.meter.redis_client.client", _away)
    monkeypatch.setattr("app.usage.meter.db.atomically", down)
    usage.record(_call(uuid.uuid4()))
    assert "call not metered" in capfd.readouterr().err


def test_a_call_survives_its_encoding() -> None:
    call = _call(uuid.uuid4())
    assert meter.decode(meter.encode(call)) == call
