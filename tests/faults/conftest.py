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
from tests.prepared import copied, shared_folder


@pytest.fixture
def shared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return shared_folder(tmp_path_factory.getbasetemp())


def _started_once(folder: Path) -> None:
    run = Run(folder, folder.with_name("started.out"))
    try:
        run.await_ready()
        os.killpg(run.process.pid, signal.SIGTERM)
        assert run.process.wait(30) == 0, run.said()
    finally:
        run.process.kill()


def _migrated(folder: Path) -> None:
    """Leave both stores stopped, the migrations done; the engine of this process has forgotten them."""
    made = Stores(folder)
    try:
        db.upgrade(made.postgres.url("postgres"))
    finally:
        db.dispose()
        made.stop()


@pytest.fixture
def start(tmp_path: Path, shared: Path) -> Iterator[Callable[..., Run]]:
    """Starts a service in ``tmp_path / name``; whatever is left of it at the end is killed.

    Its databases were made by an earlier start of the same run, so that it is ready sooner; ``anew=True``
    starts from nothing, as a stranger's first start does.
    """
    runs: list[Run] = []

    def begin(name: str = "data", *, anew: bool = False, **options: object) -> Run:
        if not anew and not (tmp_path / name).exists():
            copied(shared, "started", _started_once, tmp_path / name)
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
def stores(
    data_dir: Path, shared: Path, monkeypatch: pytest.MonkeyPatch, configured: object
) -> Iterator[Stores]:
    data_dir.chmod(0o711)
    copied(shared, "stores", _migrated, data_dir / "stores")
    made = Stores(data_dir / "stores")
    try:
        url = made.postgres.url("postgres")
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
