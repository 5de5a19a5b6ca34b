"""The real worker, started on the stores of a test and killed at its end."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from app.platform import settings
from benchmarks.job_kills import children
from tests.faults.server import ROOT


@contextmanager
def worker(log: Path, **more: str) -> Iterator[subprocess.Popen[bytes]]:
    """The real `python worker.py` on the stores of the present settings; killed at the end."""
    config = settings.current()
    environment = {
        **os.environ,
        "DATABASE_URL": config.database_url.get_secret_value(),
        "REDIS_URL": config.redis_url.get_secret_value(),
        "SECRET_KEY": config.secret_key.get_secret_value(),
        "JOB_PROCESSES": "1",
        **more,
    }
    with log.open("ab") as output:
        process = subprocess.Popen(
            [sys.executable, "worker.py"],
            cwd=ROOT,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,
        )
    try:
        yield process
    finally:
        for pid in (*children(process.pid), process.pid):
            with_pid(pid, signal.SIGKILL)
        process.wait()


def with_pid(pid: int, number: signal.Signals) -> None:
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        return
