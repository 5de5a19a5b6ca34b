"""Workers and work-horses killed with signal 9; `python -m benchmarks.job_kills` does it 100 times."""

from __future__ import annotations

import os
import signal
import subprocess
from pathlib import Path

import pytest
from flask import Flask

from app.jobs import submit
from benchmarks.job_kills import children, kept, kill_and_count
from benchmarks.jobs import measure
from tests.cast import LEASE, Cast
from tests.faults.waiting import eventually
from tests.faults.worker import with_pid, worker
from tests.jobs.conftest import desk
from tests.jobs.desk import Desk

__all__ = ["desk"]

pytestmark = [pytest.mark.faults, pytest.mark.xdist_group("faults")]

# The figure is 100: JOB_KILLS=100 has it here, at some ten minutes.
KILLS = int(os.environ.get("JOB_KILLS", "20"))


def horse_of(process: subprocess.Popen[bytes]) -> int:
    found = [pid for pid, title in children(process.pid).items() if title.startswith("job-")]
    return found[0] if found else 0


def test_kills_at_random_moments_lose_and_double_nothing(app: Flask, desk: Desk, cast: Cast) -> None:
    found = kill_and_count(KILLS, seed=7)
    print(found)
    assert found["jobs"] > KILLS
    assert kept(found), found


def test_the_benchmark_of_jobs_does_its_jobs(
    app: Flask, desk: Desk, cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The benchmark lifts the limit; afterwards it is what it was.
    monkeypatch.setattr(submit, "PENDING_MAX", submit.PENDING_MAX)
    assert measure("ours", 3) > 0
    assert desk.queued() == []


def test_told_to_stop_the_worker_ends_the_job_in_hand_and_takes_no_other(
    app: Flask, desk: Desk, cast: Cast, tmp_path: Path
) -> None:
    alice = cast.player()
    long = (LEASE + "\n") * 85
    first, second = desk.accept(alice, *([long] * 4)), desk.accept(alice)
    with worker(tmp_path / "log") as process:
        assert eventually(lambda: desk.row(first).status == "running")
        process.terminate()
        assert process.wait(60) == 0
    assert (desk.row(first).status, desk.row(first).attempt) == ("completed", 1)
    assert (desk.row(second).status, desk.row(second).attempt) == ("pending", 0)
    assert desk.run(second)


def test_a_job_that_does_not_end_in_time_is_given_back(
    app: Flask, desk: Desk, cast: Cast, tmp_path: Path
) -> None:
    alice = cast.player()
    job_id = desk.accept(alice, *([(LEASE + "\n") * 85] * 16))
    with worker(tmp_path / "log", WORKER_GRACE_S="0") as process:
        assert eventually(lambda: desk.row(job_id).done >= 1)
        process.terminate()
        assert process.wait(60) == 0
    row = desk.row(job_id)
    assert (row.status, row.lease_until, row.attempt) == ("pending", None, 1)
    assert 1 <= row.done < 16
    kept_documents = row.done
    with worker(tmp_path / "log"):
        assert eventually(lambda: desk.row(job_id).done > kept_documents)
        assert eventually(lambda: desk.row(job_id).status == "completed", 120)
    assert desk.charged(alice) == (16, 1)


def test_a_horse_left_behind_by_its_worker_ends(app: Flask, desk: Desk, cast: Cast, tmp_path: Path) -> None:
    with worker(tmp_path / "log") as process:
        assert eventually(lambda: horse_of(process) > 0)
        orphans = list(children(process.pid))
        process.kill()
        process.wait()
        assert eventually(lambda: not any(Path(f"/proc/{pid}").exists() for pid in orphans), 20)


def test_a_killed_horse_is_replaced_and_its_job_goes_on_at_once(
    app: Flask, desk: Desk, cast: Cast, tmp_path: Path
) -> None:
    alice = cast.player()
    job_id = desk.accept(alice, *([(LEASE + "\n") * 85] * 6))
    with worker(tmp_path / "log") as process:
        assert eventually(lambda: desk.row(job_id).status == "running")
        with_pid(horse_of(process), signal.SIGKILL)
        assert eventually(lambda: desk.row(job_id).status == "completed")
    row = desk.row(job_id)
    assert row.attempt == 2
    assert "jobs taken from dead workers" in (tmp_path / "log").read_text()
    assert desk.charged(alice) == (6, 1)


def test_a_process_that_has_grown_is_replaced_between_two_jobs(
    app: Flask, desk: Desk, cast: Cast, tmp_path: Path
) -> None:
    alice = cast.player()
    jobs = [desk.accept(alice) for _ in range(3)]
    with worker(tmp_path / "log", JOB_MAX_MB="1") as process:
        seen = set()

        def all_completed() -> bool:
            seen.add(horse_of(process))
            return all(desk.row(job).status == "completed" for job in jobs)

        assert eventually(all_completed)
    assert [desk.row(job).attempt for job in jobs] == [1, 1, 1]
    assert len(seen - {0}) > 1
    assert "process is replaced for its memory" in (tmp_path / "log").read_text("utf-8")
