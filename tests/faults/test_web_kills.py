"""Web processes killed with signal 9 under load: others answer, new ones come, all of the log is JSON."""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.faults.run import Run, free_port, is_ready
from tests.faults.server import ROOT
from tests.faults.waiting import eventually

pytestmark = [pytest.mark.faults, pytest.mark.xdist_group("faults")]


class Web:
    """`python web.py`, the command of docs/operations.md, on a free port."""

    def __init__(self, environment: dict[str, str], log: Path) -> None:
        self.port, self.log = free_port(), log
        with log.open("ab") as output:
            self.process = subprocess.Popen(
                [sys.executable, "web.py"],
                cwd=ROOT,
                env={**os.environ, **environment, "PORT": str(self.port)},
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,
            )

    def answers(self, timeout: float = 5) -> bool:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        try:
            connection.request("GET", "/readyz")
            return connection.getresponse().status == 200
        except (OSError, http.client.HTTPException):
            return False
        finally:
            connection.close()

    def workers(self) -> list[int]:
        return children(self.process.pid)

    def stop(self) -> None:
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


def children(pid: int) -> list[int]:
    return [int(one) for one in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def listens(pid: int, port: int) -> bool:
    """Whether the process itself has a socket that takes connections on `port`."""
    state_of = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    open_here = {
        f"socket:[{one[9]}]" for one in state_of if one[3] == "0A" and one[1].endswith(f":{port:04X}")
    }
    try:
        return any(str(fd.readlink()) in open_here for fd in Path(f"/proc/{pid}/fd").iterdir())
    except OSError:
        return False


@contextmanager
def serving(database_url: str, redis_url: str, log: Path, **more: str) -> Iterator[Web]:
    web = Web({"DATABASE_URL": database_url, "REDIS_URL": redis_url, "SECRET_KEY": "k" * 40, **more}, log)
    try:
        assert eventually(web.answers, 120), log.read_text()
        yield web
    finally:
        web.stop()


def not_json(log: Path) -> list[str]:
    wrong = []
    for line in log.read_text("utf-8").splitlines():
        try:
            assert isinstance(json.loads(line), dict)
        except (ValueError, AssertionError):
            wrong.append(line)
    return wrong


def own_share(pid: int) -> float:
    """The part of a process's resident memory that no other process has too."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()[1:]
    kilobytes = {name: int(rest.split()[0]) for name, rest in (line.split(":") for line in lines)}
    return (kilobytes["Private_Dirty"] + kilobytes["Private_Clean"]) / kilobytes["Rss"]


class Knocking:
    """Connects again and again, and knows the longest time for which nobody took a connection."""

    def __init__(self, port: int) -> None:
        self._port, self._over = port, threading.Event()
        self.refused_s, self.taken = 0.0, 0
        self._thread = threading.Thread(target=self._knock)

    def __enter__(self) -> Knocking:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def _knock(self) -> None:
        refused_since: float | None = None
        while not self._over.wait(0.01):
            try:
                socket.create_connection(("127.0.0.1", self._port), timeout=5).close()
                self.taken += 1
                refused_since = None
            except ConnectionRefusedError:
                refused_since = refused_since or time.monotonic()
                self.refused_s = max(self.refused_s, time.monotonic() - refused_since)


def test_a_killed_web_process_is_replaced_and_the_other_answers_meanwhile(
    database_url: str, redis_url: str, tmp_path: Path
) -> None:
    with serving(database_url, redis_url, tmp_path / "web.log", WEB_WORKERS="2") as web:
        # A process takes connections only when it has loaded, and is thought alive a while after.
        assert eventually(lambda: [listens(pid, web.port) for pid in web.workers()] == [True, True], 120)
        time.sleep(11)
        with Knocking(web.port) as knocking:
            # Twice the same within seconds is where granian by itself gives all of them up.
            for _ in range(3):
                first, second = web.workers()
                os.kill(second, signal.SIGKILL)
                assert eventually(lambda gone=second: len(set(web.workers()) - {gone}) == 2, 10)  # type: ignore[misc]
                assert web.process.poll() is None
                assert eventually(web.answers, 10)
                time.sleep(1)
            assert first in web.workers()
        assert knocking.taken > 50
        assert knocking.refused_s < 1.0
        assert eventually(web.answers, 10)
    assert not_json(tmp_path / "web.log") == []


def test_the_only_web_process_is_back_within_seconds(
    database_url: str, redis_url: str, tmp_path: Path
) -> None:
    with serving(database_url, redis_url, tmp_path / "web.log", WEB_WORKERS="1") as web:
        [only] = web.workers()
        os.kill(only, signal.SIGKILL)
        assert eventually(lambda: web.workers() not in ([], [only]), 5)
        assert eventually(web.answers, 60), (tmp_path / "web.log").read_text()
        # It was forked from a process that had loaded everything (decision 108).
        [replaced] = web.workers()
        assert own_share(replaced) < 0.5
        assert web.process.poll() is None
    assert not_json(tmp_path / "web.log") == []
    assert "Unexpected exit" in (tmp_path / "web.log").read_text()


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"SECRET_KEY": "short"}, "SECRET_KEY"),
        ({"WEB_WORKERS": "none"}, "WEB_WORKERS"),
        ({"PYTHONPATH": "broken"}, "traceback"),
    ],
)
def test_a_web_server_that_cannot_start_says_so_in_json_and_ends(
    database_url: str, redis_url: str, tmp_path: Path, wrong: dict[str, str], said: str
) -> None:
    """A setting that is wrong, and an error while the application is loaded, in each of its processes."""
    broken = tmp_path / "broken" / "flask"
    broken.mkdir(parents=True)
    (broken / "__init__.py").write_text("raise RuntimeError('Juana Canario, DNI 12345678Z')")
    if "PYTHONPATH" in wrong:
        wrong = {"PYTHONPATH": str(broken.parent)}
    log = tmp_path / "web.log"
    web = Web({"DATABASE_URL": database_url, "REDIS_URL": redis_url, "SECRET_KEY": "k" * 40, **wrong}, log)
    try:
        assert web.process.wait(60) != 0
    finally:
        web.stop()
    text = log.read_text("utf-8")
    assert said in text
    assert not_json(log) == []
    assert "Canario" not in text


def test_an_exception_that_nobody_caught_leaves_json_and_not_its_words(tmp_path: Path) -> None:
    program = """
import sys, threading, warnings
from app.platform import log
from app.platform.web import webserver
with webserver._as_json():
    log.configure("info")
    warnings.warn("careful")
    thread = threading.Thread(target=lambda: 1 / 0)
    thread.start(); thread.join()
    print("a line of somebody's")
    try:
        raise KeyError("Juana Canario")
    except KeyError as error:
        sys.excepthook(type(error), error, error.__traceback__)
    sys.__excepthook__(ValueError, ValueError("Juana Canario"), None)
"""
    log = tmp_path / "log"
    with log.open("wb") as output:
        done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, stderr=output, stdout=output)
    assert done.returncode == 0
    assert not_json(log) == []
    records: list[dict[str, Any]] = [json.loads(line) for line in log.read_text().splitlines()]
    text = log.read_text()
    assert "Canario" not in text
    assert "careful" in text
    assert any(one.get("event") == "a line of somebody's" for one in records)
    for kind in ("ZeroDivisionError", "KeyError", "ValueError"):
        assert any(kind in one.get("exception", "") for one in records), (kind, records)


def test_a_crashed_web_process_is_replaced_under_make_run(start: Any) -> None:
    run: Run = start()
    run.await_ready()
    mark = str(run.data_dir).encode()

    def workers() -> set[int]:
        """Children of `web.py` in this run."""
        found = set()
        for pid in run.processes():
            try:
                line = Path(f"/proc/{pid}/cmdline").read_bytes()
                if b"web.py" in line and b"reaper" not in line:
                    parent = int(Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()[1])
                    if b"web.py" in Path(f"/proc/{parent}/cmdline").read_bytes().replace(mark, b"") and (
                        b"reaper" not in Path(f"/proc/{parent}/cmdline").read_bytes()
                    ):
                        found.add(pid)
            except OSError:
                continue
        return found

    [only] = workers()
    os.kill(only, signal.SIGKILL)
    assert eventually(lambda: bool(workers() - {only}), 10)
    assert eventually(lambda: is_ready(run), 60), run.said()
    run.process.send_signal(signal.SIGTERM)
    assert run.process.wait(20) == 0
    log = run.data_dir / "logs" / "web.log"
    assert log.stat().st_size
    assert not_json(log) == []
