"""What is started for one test and killed after it."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from app.platform import settings
from app.platform.postgres import db
from tests.faults.run import GONE_S, Run
from tests.faults.stores import Stores
from tests.faults.waiting import eventually


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., Run]]:
    """Starts a service in ``tmp_path / name``; whatever is left of it at the end is killed."""
    runs: list[Run] = []

    def begin(name: str = "data", **options: object) -> Run:
        out = tmp_path / f"{name}-{len(runs)}.out"
        runs.append(Run(tmp_path / name, out, **options))  # type: ignore[arg-type]  # passed on as they come
        return runs[-1]

    yield begin
    for run in runs:
        run.process.kill()
        run.process.wait()
        eventually(lambda run=run: run.processes() == [], GONE_S)  # type: ignore[misc]
        for pid in run.processes():
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                continue


@pytest.fixture
def stores(data_dir: Path, monkeypatch: pytest.MonkeyPatch, configured: object) -> Iterator[Stores]:
    made = Stores(data_dir / "stores")
    try:
        url = made.postgres.url("postgres")
        db.upgrade(url)
        with monkeypatch.context() as patch:
            patch.setenv("DATABASE_URL", url)
            patch.setenv("REDIS_URL", made.redis.url())
            settings.current.cache_clear()
            yield made
    finally:
        settings.current.cache_clear()
        # Connections to these servers would outlive them, and fail whatever test comes next.
        db.dispose()
        made.stop()
