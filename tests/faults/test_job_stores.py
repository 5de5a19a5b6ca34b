"""Redis killed, flushed, started again; PostgreSQL stopped at once and started again: accepted jobs end."""

from __future__ import annotations

import os
import signal
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa

from app.dev.services import Postgres, Redis
from app.platform import redis_client, settings
from app.platform.postgres import db
from tests.cast import LEASE, Cast, Player
from tests.faults.test_job_kills import eventually, worker
from tests.jobs.desk import Desk

pytestmark = [pytest.mark.faults, pytest.mark.xdist_group("faults")]

DOCUMENT = (LEASE + "\n") * 20


class Stores:
    """Services of this test alone, durable as in production."""

    def __init__(self, folder: Path) -> None:
        folder.parent.chmod(0o711)
        folder.mkdir(mode=0o711)
        self.folder = folder
        self.postgres = Postgres(folder / "postgres", folder / "postgres.log", durable=True)
        self.redis = Redis(folder / "redis", folder / "redis.log", durable=True)
        for store in (self.postgres, self.redis):
            store.start()
            store.await_ready()

    def kill_redis(self, away_s: float) -> None:
        """Signal 9 to the server itself, a pause, and a start from its append-only file."""
        pid = int(redis_client.client().info("server")["process_id"])
        os.kill(pid, signal.SIGKILL)
        self._again(self.redis, away_s)

    def stop_postgres_at_once(self, away_s: float) -> None:
        """`pg_ctl stop -m immediate`: SIGQUIT to the postmaster, no checkpoint; it recovers from its WAL."""
        pid = int((self.postgres.home / "postmaster.pid").read_text().splitlines()[0])
        os.kill(pid, signal.SIGQUIT)
        self._again(self.postgres, away_s)

    def _again(self, store: Postgres | Redis, away_s: float) -> None:
        assert store.child is not None
        store.child.wait(30)
        time.sleep(away_s)
        store.start()
        store.await_ready()

    def stop(self) -> None:
        self.redis.stop()
        self.postgres.stop()


@pytest.fixture
def stores(data_dir: Path, monkeypatch: pytest.MonkeyPatch, configured: object) -> Iterator[Stores]:
    made = Stores(data_dir / "stores")
    try:
        url = made.postgres.url("postgres")
        db.upgrade(url)
        with monkeypatch.context() as patch:
            patch.setenv("DATABASE_URL", url)
            patch.setenv("REDIS_URL", made.redis.url())
            settings.current.cache_clear()
            yield made
    finally:
        settings.current.cache_clear()
        made.stop()


def _statuses(player: Player) -> Counter[tuple[str, str | None]]:
    with db.reading() as session:
        rows = session.execute(
            sa.text("SELECT status, error_code FROM jobs WHERE account_id = :a"), {"a": player.account_id}
        ).all()
    return Counter((row.status, row.error_code) for row in rows)


def _open(player: Player) -> int:
    try:
        found = _statuses(player)
    except sa.exc.OperationalError:
        return -1
    return sum(count for (status, _), count in found.items() if status in ("pending", "running"))


def _check_books(desk: Desk, player: Player, accepted: int) -> Counter[tuple[str, str | None]]:
    """Every job ended, with one event; the completed ones charged once each; the ledger sums."""
    found = _statuses(player)
    completed = found[("completed", None)]
    assert sum(found.values()) == accepted
    assert desk.charged(player) == (completed, completed)
    balance = Cast.balance(player)
    assert (balance.balance, balance.held) == (1_000 - completed, 0)
    events = desk.events(player)
    assert len(events) == len({event["jobId"] for event in events}) == accepted
    assert Counter(event["type"] for event in events)["analysis.completed"] == completed
    return found


def test_a_redis_that_is_killed_and_started_again_loses_no_job(stores: Stores, tmp_path: Path) -> None:
    alice = Cast().player(credit=1_000)
    desk = Desk()
    accepted = [desk.accept(alice, DOCUMENT) for _ in range(30)]
    # Synced every second: what is accepted now is on disk then.
    time.sleep(2)
    with worker(tmp_path / "log"):
        assert eventually(lambda: _statuses(alice)[("completed", None)] >= 3)
        stores.kill_redis(2.0)
        assert eventually(lambda: _open(alice) == 0, 120), (tmp_path / "log").read_text()[-3000:]
    found = _check_books(desk, alice, len(accepted))
    assert found == {("completed", None): 30}


def test_a_redis_that_is_flushed_ends_what_waits_as_lost_and_uncharged(
    stores: Stores, tmp_path: Path
) -> None:
    alice = Cast().player(credit=1_000)
    desk = Desk()
    accepted = [desk.accept(alice, DOCUMENT) for _ in range(30)]
    with worker(tmp_path / "log"):
        assert eventually(lambda: _statuses(alice)[("completed", None)] >= 3)
        redis_client.client().flushall()
        assert eventually(lambda: _open(alice) == 0, 120), (tmp_path / "log").read_text()[-3000:]
        later = desk.accept(alice)
        assert eventually(lambda: desk.row(later).status == "completed")
    found = _check_books(desk, alice, len(accepted) + 1)
    assert set(found) == {("completed", None), ("failed", "PAYLOAD_LOST")}
    assert found[("failed", "PAYLOAD_LOST")] > 0


def test_a_postgresql_that_is_stopped_at_once_and_started_again_loses_no_job(
    stores: Stores, tmp_path: Path
) -> None:
    alice = Cast().player(credit=1_000)
    desk = Desk()
    accepted = [desk.accept(alice, DOCUMENT) for _ in range(30)]
    with worker(tmp_path / "log"):
        assert eventually(lambda: _statuses(alice)[("completed", None)] >= 3)
        stores.stop_postgres_at_once(3.0)
        db.dispose()
        assert eventually(lambda: _open(alice) == 0, 120), (tmp_path / "log").read_text()[-3000:]
    found = _check_books(desk, alice, len(accepted))
    assert found == {("completed", None): 30}
    db.dispose()
