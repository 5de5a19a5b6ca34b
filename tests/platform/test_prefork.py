"""A worker's processes: forked, replaced when they die, stopped together."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from benchmarks.job_kills import children
from tests.faults.server import ROOT

# Each child writes its name and its predecessor's, then waits to be told to stop.
_CREW = """
import pathlib, signal, sys, time
from app.platform.processes.prefork import ProcessPool, ProcessSlot

folder = pathlib.Path(sys.argv[1])

def work(name, previous):
    if (folder / "stubborn").exists():
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    else:
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    with (folder / "log").open("a") as log:
        log.write(f"{name} {previous}\\n")
    while True:
        time.sleep(0.05)

slots = [
    ProcessSlot("one", work, lambda: (folder / "prepared").touch(exist_ok=False)),
    ProcessSlot("two", work),
]
sys.exit(ProcessPool(slots, grace_s=0.5).run())
"""


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[[], subprocess.Popen[bytes]]]:
    started: list[subprocess.Popen[bytes]] = []

    def run() -> subprocess.Popen[bytes]:
        started.append(
            subprocess.Popen(
                [sys.executable, "-c", _CREW, str(tmp_path)], cwd=ROOT, stderr=subprocess.DEVNULL
            )
        )
        assert _eventually(lambda: len(_log(tmp_path)) >= 2)
        return started[-1]

    yield run
    for process in started:
        for pid in (*children(process.pid), process.pid):
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                continue
        process.wait()


def _eventually(met: Callable[[], bool], seconds: float = 20) -> bool:
    deadline = time.monotonic() + seconds
    while not met():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


def _log(folder: Path) -> list[list[str]]:
    path = folder / "log"
    return [line.split() for line in path.read_text().splitlines()] if path.exists() else []


def test_a_child_that_dies_is_replaced_and_the_next_knows_its_name(
    start: Callable[[], subprocess.Popen[bytes]], tmp_path: Path
) -> None:
    process = start()
    assert _eventually(lambda: sorted(children(process.pid).values()) == ["one", "two"])
    [victim] = [pid for pid, title in children(process.pid).items() if title == "one"]
    os.kill(victim, signal.SIGKILL)
    assert _eventually(lambda: len(_log(tmp_path)) == 3)
    first, second, third = _log(tmp_path)
    assert (first[1], second[1]) == ("None", "None")
    assert third[1] in (first[0], second[0])
    assert third[0] not in (first[0], second[0])
    assert _eventually(lambda: sorted(children(process.pid).values()) == ["one", "two"])


def test_told_to_stop_all_end(start: Callable[[], subprocess.Popen[bytes]], tmp_path: Path) -> None:
    process = start()
    pids = list(children(process.pid))
    process.terminate()
    assert process.wait(10) == 0
    assert not [pid for pid in pids if Path(f"/proc/{pid}").exists()]


def test_who_does_not_stop_in_time_is_killed(
    start: Callable[[], subprocess.Popen[bytes]], tmp_path: Path
) -> None:
    (tmp_path / "stubborn").touch()
    process = start()
    pids = list(children(process.pid))
    process.terminate()
    assert process.wait(10) == 0
    assert not [pid for pid in pids if Path(f"/proc/{pid}").exists()]


def test_children_end_with_their_parent(start: Callable[[], subprocess.Popen[bytes]], tmp_path: Path) -> None:
    process = start()
    pids = list(children(process.pid))
    process.kill()
    process.wait()

    def gone() -> bool:
        return not any(
            Path(f"/proc/{pid}/stat").exists() and " Z " not in Path(f"/proc/{pid}/stat").read_text()
            for pid in pids
        )

    assert _eventually(gone)
