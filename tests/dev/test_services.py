"""The servers of `make run`: two of them never work on the same data."""

import os
import signal
import threading
import time
from pathlib import Path

import psycopg
import pytest

from app.dev import services
from app.dev.console import Halt
from app.dev.services import Postgres


def postmaster(cluster: Postgres) -> int:
    return int((cluster.home / "postmaster.pid").read_text().split()[0])


def is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def kill_its_reaper(cluster: Postgres) -> None:
    reaper = int(Path(f"/proc/{postmaster(cluster)}/stat").read_text().rpartition(")")[2].split()[1])
    os.kill(reaper, signal.SIGKILL)
    assert cluster.wait(10) == -signal.SIGKILL


@pytest.fixture
def cluster(data_dir: Path) -> Postgres:
    return Postgres(data_dir / "postgres", data_dir / "postgres.log", durable=True)


def test_no_second_postgres_is_started_over_one_that_is_closing(cluster: Postgres) -> None:
    cluster.start()
    cluster.await_ready()
    old = postmaster(cluster)
    os.kill(old, signal.SIGSTOP)  # it was told to end, and takes its time
    kill_its_reaper(cluster)
    second = threading.Thread(target=cluster.start)
    second.start()
    try:
        time.sleep(1)
        assert second.is_alive()
        assert postmaster(cluster) == old
    finally:
        os.kill(old, signal.SIGCONT)
        second.join(20)
    cluster.await_ready()
    try:
        assert postmaster(cluster) != old
        assert not is_alive(old)
        with psycopg.connect(cluster.url("postgres")) as connection:
            assert connection.execute("SELECT 1").fetchone() == (1,)
        assert "not properly shut down" not in cluster.log.read_text()
    finally:
        cluster.stop()
        cluster.wait()


def test_one_that_never_ends_is_named(cluster: Postgres, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(services, "PREDECESSOR_PATIENCE_S", 0.2)
    cluster.start()
    with pytest.raises(Halt, match="Another postgres still uses"):
        cluster.start()
    cluster.stop()
    cluster.wait()


def test_what_keeps_a_server_from_starting_is_shown(cluster: Postgres) -> None:
    cluster.start()
    cluster.await_ready()
    cluster.stop()
    cluster.wait()
    (cluster.home / "PG_VERSION").write_text("9.6\n")
    cluster.start()
    with pytest.raises(Halt, match=r"(?s)postgres does not start; .*incompatible"):
        cluster.await_ready()
    cluster.wait()
