"""One `make run`, seen from outside."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import urllib.request
from pathlib import Path

from tests.faults.server import ROOT
from tests.faults.waiting import eventually

READY_S = 90.0
GONE_S = 10.0


class Run:
    """One start of the service, seen from outside."""

    def __init__(
        self, data_dir: Path, out: Path, *, argv: list[str] | None = None, port: int | None = None
    ) -> None:
        self.data_dir = data_dir
        self.out = out
        self.port = port or free_port()
        environment = {"DATA_DIR": str(data_dir), "PORT": str(self.port), "WEB_WORKERS": "1"}
        with out.open("wb") as output:
            self.process = subprocess.Popen(
                argv or [sys.executable, "-m", "app.dev", "run"],
                cwd=ROOT,
                env=environment | {"PATH": os.environ.get("PATH", os.defpath)},
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def said(self) -> str:
        return self.out.read_text("utf-8")

    def await_ready(self) -> None:
        assert eventually(
            lambda: "Candado is ready" in self.said() or self.process.poll() is not None, READY_S
        ), self.said()
        assert self.process.poll() is None, self.said()

    def demo_key(self) -> str:
        [line] = [line for line in self.said().splitlines() if line.startswith("  API key")]
        return line.split()[-1]

    def processes(self) -> list[int]:
        """All that was started for this DATA_DIR, by working directory, command line or environment."""
        mark = str(self.data_dir).encode()
        found = []
        for entry in Path("/proc").iterdir():
            if entry.name.isdigit() and int(entry.name) != os.getpid():
                try:
                    traces = [(entry / "cmdline").read_bytes(), (entry / "environ").read_bytes()]
                    traces.append(bytes((entry / "cwd").readlink()))
                except OSError:
                    continue
                if any(mark in trace for trace in traces):
                    found.append(int(entry.name))
        return found

    def socket_directories(self) -> list[Path]:
        services = json.loads((self.data_dir / "services.json").read_text())
        return [
            Path(services["database_url"].partition("host=")[2]),
            Path(services["redis_url"].removeprefix("unix://").partition("?")[0]).parent,
        ]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def is_ready(run: Run) -> bool:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{run.port}/readyz", timeout=5) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False
