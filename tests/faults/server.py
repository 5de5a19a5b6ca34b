"""A real web server for the tests that race, kill and restart: granian with two worker processes."""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Answer:
    """What came back; `status` 0 when the connection broke before an answer."""

    status: int
    headers: dict[str, str]
    body: bytes

    def json(self) -> Any:
        return json.loads(self.body)


class Server:
    """`granian … wsgi:serve` on a free port."""

    def __init__(
        self, environment: dict[str, str], log: Path, workers: int = 2, factory: str = "wsgi:serve"
    ) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        command = [
            sys.executable, "-m", "granian", "--interface", "wsgi", "--host", "127.0.0.1",
            "--port", str(self.port), "--workers", str(workers), "--blocking-threads", "64",
            "--respawn-failed-workers", "--backlog", "1024", "--factory", factory,
        ]  # fmt: skip
        with log.open("ab") as output:
            self.process = subprocess.Popen(
                command,
                cwd=ROOT,
                env={**os.environ, **environment},
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,
            )

    def wait_ready(self, seconds: float = 120) -> None:
        deadline = time.monotonic() + seconds
        while self.call("GET", "/readyz").status != 200:
            assert time.monotonic() < deadline, "the server did not become ready"
            assert self.process.poll() is None, "the server ended"
            time.sleep(0.1)

    def call(
        self,
        method: str,
        path: str,
        body: object = None,
        headers: dict[str, str] | None = None,
        timeout: float = 60,
    ) -> Answer:
        """One request on a connection of its own."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        try:
            raw = json.dumps(body).encode() if body is not None else None
            sent = {"Content-Type": "application/json", **(headers or {})} if raw else dict(headers or {})
            connection.request(method, path, raw, sent)
            response = connection.getresponse()
            return Answer(response.status, dict(response.getheaders()), response.read())
        except (OSError, http.client.HTTPException):
            return Answer(0, {}, b"")
        finally:
            connection.close()

    def worker_pids(self) -> list[int]:
        """The worker processes of granian."""
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        return [int(pid) for pid in children if b"granian" in Path(f"/proc/{pid}/cmdline").read_bytes()]

    def kill_workers(self) -> int:
        """Signal 9 to every worker; the parent starts new ones."""
        pids = self.worker_pids()
        for pid in pids:
            os.kill(pid, signal.SIGKILL)
        return len(pids)

    def stop(self) -> None:
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


@contextmanager
def serving(
    database_url: str,
    redis_url: str,
    log: Path,
    *,
    workers: int = 2,
    factory: str = "wsgi:serve",
    **more: str,
) -> Iterator[Server]:
    """A ready server on these services; gone at the end whatever happens."""
    environment = {
        "DATABASE_URL": database_url,
        "REDIS_URL": redis_url,
        "SECRET_KEY": "k" * 40,
        "RATE_ENTERPRISE": "100000",
        "LOG_LEVEL": "warning",
        **more,
    }
    server = Server(environment, log, workers, factory)
    try:
        server.wait_ready()
        yield server
    finally:
        server.stop()
