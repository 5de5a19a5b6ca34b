"""The request protocol under a rush, under kills, and while its stores restart."""

from __future__ import annotations

import random
import threading
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import sqlalchemy as sa

from app.platform import settings
from app.platform.postgres import db
from tests.cast import LEASE, Cast, Player
from tests.faults.server import Answer, Server, serving
from tests.faults.stores import Stores
from tests.faults.waiting import eventually

pytestmark = [pytest.mark.faults, pytest.mark.xdist_group("faults")]

PATH = "/api/v1/analyze"
# Long enough that a kill lands in the middle of the work.
LONG = (LEASE + "\n") * 85


@pytest.fixture
def server(app: object, database_url: str, redis_url: str, tmp_path: Path) -> Iterator[Server]:
    with serving(database_url, redis_url, tmp_path / "web.log") as running:
        yield running


def _ledger(player: Player) -> tuple[int, int]:
    """Sum and number of the account's consumption rows."""
    with db.reading() as session:
        row = session.execute(
            sa.text(
                "SELECT coalesce(-sum(amount), 0), count(*) FROM credit_ledger "
                "WHERE account_id = :a AND kind = 'consumption'"
            ),
            {"a": player.account_id},
        ).one()
    return int(row[0]), int(row[1])


def test_five_hundred_requests_on_a_balance_of_a_hundred_accept_a_hundred(cast: Cast, server: Server) -> None:
    alice = cast.player(credit=100)

    def call(_: int) -> Answer:
        return server.call("POST", PATH, {"text": LEASE}, alice.auth)

    with ThreadPoolExecutor(64) as pool:
        answers = list(pool.map(call, range(500)))
    assert Counter(answer.status for answer in answers) == {200: 100, 402: 400}
    assert all(answer.json()["required"] == 1 for answer in answers if answer.status == 402)
    assert (cast.balance(alice).balance, cast.balance(alice).held) == (0, 0)
    assert _ledger(alice) == (100, 100)


def test_fifty_callers_on_one_key_over_two_processes_run_once(cast: Cast, server: Server) -> None:
    alice = cast.player()
    headers = {**alice.auth, "Idempotency-Key": "fifty-callers"}

    def call(_: int) -> Answer:
        return server.call("POST", PATH, {"text": LONG}, headers, timeout=120)

    with ThreadPoolExecutor(50) as pool:
        answers = list(pool.map(call, range(50)))
    assert {answer.status for answer in answers} == {200}
    assert len({answer.body for answer in answers}) == 1
    assert sum("idempotency-replayed" not in answer.headers for answer in answers) == 1
    assert _ledger(alice) == (1, 1)


def test_fifty_callers_survive_a_kill_of_every_worker(cast: Cast, server: Server) -> None:
    alice = cast.player()
    headers = {**alice.auth, "Idempotency-Key": "killed-callers"}

    def call(_: int) -> Answer:
        # What a client does: the same request with the same key, until there is an answer.
        deadline = time.monotonic() + 100
        while True:
            answer = server.call("POST", PATH, {"text": LONG}, headers, timeout=120)
            if answer.status == 200 or time.monotonic() > deadline:
                return answer
            assert answer.status in (0, 409, 503), answer
            time.sleep(0.3)

    with ThreadPoolExecutor(50) as pool:
        calls = [pool.submit(call, number) for number in range(50)]
        time.sleep(0.15)
        assert server.kill_workers() == 2
        answers = [future.result() for future in calls]
    assert {answer.status for answer in answers} == {200}
    assert len({answer.body for answer in answers}) == 1
    assert _ledger(alice) == (1, 1)


def test_a_kill_in_the_middle_of_a_batch_charges_nothing_and_holds_nothing_for_long(
    app: object, cast: Cast, database_url: str, redis_url: str, tmp_path: Path
) -> None:
    alice = cast.player()
    with serving(database_url, redis_url, tmp_path / "web.log") as server, ThreadPoolExecutor(1) as pool:
        batch = {"documents": [{"text": LONG}] * 20, "concurrency": 2}
        future = pool.submit(server.call, "POST", f"{PATH}/batch", batch, alice.auth)
        deadline = time.monotonic() + 20
        while cast.balance(alice).held == 0:
            assert time.monotonic() < deadline
            time.sleep(0.02)
        time.sleep(0.2)
        server.kill_workers()
        assert future.result().status == 0
    assert _ledger(alice) == (0, 0)
    assert (cast.balance(alice).balance, cast.balance(alice).held) == (100, 20)
    with db.transaction() as session:
        expiry = session.execute(
            sa.text(
                "SELECT extract(epoch FROM expires_at - created_at) FROM credit_holds WHERE account_id = :a"
            ),
            {"a": alice.account_id},
        ).scalar_one()
    assert expiry <= 20 / 2 * settings.current().analysis_deadline_s + 60


def test_restarted_stores_give_only_documented_answers_and_the_ledger_sums(
    stores: Stores, tmp_path: Path
) -> None:
    alice = Cast().player(credit=100_000)
    url, redis_url = stores.postgres.url("postgres"), stores.redis.url()
    answers: list[Answer] = []
    finished = threading.Event()

    def client(number: int) -> None:
        chance = random.Random(number)
        while not finished.is_set():
            headers = dict(alice.auth)
            if chance.random() < 0.5:
                headers["Idempotency-Key"] = f"restart-{number}-{chance.randrange(10**9)}"
            answers.append(server.call("POST", PATH, {"text": LEASE}, headers))

    with serving(url, redis_url, tmp_path / "web.log") as server, ThreadPoolExecutor(8) as pool:
        clients = [pool.submit(client, number) for number in range(8)]
        time.sleep(1)
        stores.restart(stores.redis, 1.5)
        time.sleep(1)
        stores.restart(stores.postgres, 1.5)
        time.sleep(2)
        # On a busy machine fifty analyses take longer.
        eventually(lambda: sum(answer.status == 200 for answer in answers) > 50, 60)
        finished.set()
        for future in clients:
            future.result()
        assert server.call("POST", PATH, {"text": LEASE}, alice.auth).status == 200
    statuses = Counter(answer.status for answer in answers)
    assert set(statuses) <= {200, 503}, statuses
    assert statuses[503] > 0
    assert statuses[200] > 50
    for answer in answers:
        if answer.status == 503:
            assert int(answer.headers["retry-after"]) >= 1
            assert answer.json()["code"] == "DEPENDENCY_UNAVAILABLE"
    # Our own connections are from before the restart.
    db.dispose()
    charged, rows = _ledger(alice)
    balance = Cast.balance(alice)
    assert charged == rows == 100_000 - balance.balance
    # A commit whose acknowledgement was lost is charged although its caller saw 503, never the other way.
    assert statuses[200] + 1 <= charged <= len(answers) + 1
