"""Redis killed, flushed, started again; PostgreSQL stopped at once and started again: accepted jobs end."""

from __future__ import annotations

import time
from collections import Counter
from pathlib import Path

import pytest
import sqlalchemy as sa

from app.platform import redis_client
from app.platform.postgres import db
from tests.cast import LEASE, Cast, Player
from tests.faults.stores import Stores
from tests.faults.waiting import eventually
from tests.faults.worker import worker
from tests.jobs.desk import Desk

pytestmark = [pytest.mark.faults, pytest.mark.xdist_group("faults")]

DOCUMENT = (LEASE + "\n") * 20


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
