"""The real `make run`: started, interrupted, killed, started again."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.faults.run import GONE_S, READY_S, Run, is_ready
from tests.faults.waiting import eventually

pytestmark = [pytest.mark.faults, pytest.mark.slow]


def command_line(pid: int) -> list[str]:
    return Path(f"/proc/{pid}/cmdline").read_text().rstrip("\0").split("\0")


def test_ctrl_c_ends_everything_and_leaves_nothing_behind(start: Callable[..., Run]) -> None:
    run = start(anew=True)
    run.await_ready()
    sockets = run.socket_directories()
    assert is_ready(run)
    assert all(directory.is_dir() for directory in sockets)
    assert len(run.processes()) >= 6

    os.killpg(run.process.pid, signal.SIGINT)  # what a terminal does

    assert run.process.wait(20) == 0, run.said()
    assert run.processes() == []
    assert not any(directory.exists() for directory in sockets)
    assert not (run.data_dir / "services.json").exists()
    assert "Traceback" not in run.said()


def test_the_printed_request_works_as_pasted(start: Callable[..., Run]) -> None:
    run = start()
    run.await_ready()
    said = run.said()
    request = said[said.index("curl ") : said.rindex("\"}'") + 3]
    done = subprocess.run(["bash"], input=request + "\n", capture_output=True, text=True, check=True)
    answer = json.loads(done.stdout)
    assert answer["creditsCharged"] == 1
    assert "12345678Z" in answer["analysis"] or len(answer["analysis"]) > 500


def test_a_killed_supervisor_leaves_no_process_and_the_next_start_is_clean(start: Callable[..., Run]) -> None:
    run = start()
    run.await_ready()
    sockets = run.socket_directories()
    key = run.demo_key()

    run.process.kill()
    run.process.wait()
    # At once, while the databases are still closing: the second start waits for them.
    again = start(port=run.port)
    again.await_ready()
    assert again.demo_key() == key
    assert "ended unexpectedly" not in again.said()

    again.process.kill()
    again.process.wait()
    assert eventually(lambda: again.processes() == [], GONE_S), again.processes()
    assert not any(directory.exists() for directory in sockets)
    assert not (run.data_dir / "services.json").exists()


def test_two_run_side_by_side_and_neither_disturbs_the_other(start: Callable[..., Run]) -> None:
    one, two = start("one"), start("two")
    one.await_ready()
    two.await_ready()
    os.killpg(one.process.pid, signal.SIGTERM)
    assert one.process.wait(20) == 0
    assert is_ready(two)


def test_what_is_taken_is_refused_in_one_sentence(start: Callable[..., Run], tmp_path: Path) -> None:
    run = start()
    run.await_ready()
    same_data = start()
    assert same_data.process.wait(30) == 1
    assert "Another `make run` is using" in same_data.said()
    same_port = start("other", port=run.port)
    assert same_port.process.wait(30) == 1
    assert f"Port {run.port} on 127.0.0.1 is taken" in same_port.said()
    for refused in (same_data, same_port):
        assert len(refused.said().splitlines()) == 1
    assert is_ready(run)


@pytest.mark.parametrize("victim", ["postgres", "the reaper of postgres", "web"])
def test_killed_children_are_started_again(start: Callable[..., Run], victim: str) -> None:
    run = start()
    run.await_ready()
    postmaster = int((run.data_dir / "postgres/postmaster.pid").read_text().split()[0])
    reaper = int(Path(f"/proc/{postmaster}/stat").read_text().rpartition(")")[2].split()[1])
    web = min(pid for pid in run.processes() if command_line(pid)[1:] == ["web.py"])
    os.kill({"postgres": postmaster, "the reaper of postgres": reaper, "web": web}[victim], signal.SIGKILL)
    name = victim.split()[-1]
    assert eventually(lambda: f"{name} ended unexpectedly" in run.said(), 10), run.said()
    assert eventually(lambda: is_ready(run), READY_S), run.said()
    assert (run.data_dir / "services.json").exists()
    assert run.process.poll() is None
    assert "interrupted" not in (run.data_dir / "logs/postgres.log").read_text() or victim == "postgres"


@pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGHUP, signal.SIGTERM, signal.SIGKILL])
def test_a_signal_to_make_alone_ends_everything(start: Callable[..., Run], number: signal.Signals) -> None:
    # Where the tests run in the background, SIGINT is ignored from birth; make would keep it so.
    run = start(argv=["env", "--default-signal=INT,HUP", "make", "run"], anew=number is signal.SIGINT)
    run.await_ready()
    run.process.send_signal(number)
    run.process.wait(20)
    assert eventually(lambda: run.processes() == [], 2 * GONE_S), run.said()


def test_an_interrupted_start_leaves_nothing(start: Callable[..., Run]) -> None:
    run = start(anew=True)
    assert eventually(lambda: (run.data_dir / "postgres/PG_VERSION").exists(), 30), run.said()
    os.killpg(run.process.pid, signal.SIGINT)
    assert run.process.wait(20) in {0, -signal.SIGINT, 130}
    assert eventually(lambda: run.processes() == [], GONE_S)
    assert "Traceback" not in run.said()
