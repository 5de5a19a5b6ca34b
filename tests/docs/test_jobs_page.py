"""The page on jobs runs as pasted, and says what the settings and the code say."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from app.jobs.errors import MEANING
from app.platform.settings import Settings
from tests.cast import Cast
from tests.faults.server import ROOT, serving
from tests.faults.worker import worker
from tests.jobs.conftest import desk
from tests.jobs.desk import Desk

__all__ = ["desk"]

TEXT = (ROOT / "docs" / "jobs.md").read_text("utf-8")


@pytest.mark.faults
@pytest.mark.xdist_group("faults")
def test_the_python_prints_a_result(
    app: object, desk: Desk, cast: Cast, database_url: str, redis_url: str, tmp_path: Path
) -> None:
    alice = cast.player()
    [python] = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)
    with serving(database_url, redis_url, tmp_path / "web.log") as server, worker(tmp_path / "worker.log"):
        done = subprocess.run(
            [sys.executable, "-c", python],
            env={
                **os.environ,
                "CANDADO_URL": f"http://127.0.0.1:{server.port}",
                "CANDADO_KEY": alice.key,
            },
            capture_output=True,
            text=True,
            timeout=120,
        )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("lease-17 success ['")


def test_every_code_is_explained() -> None:
    assert {code for code in MEANING if f"`{code}`" not in TEXT} == set()


def test_the_durations_are_the_defaults() -> None:
    fields = Settings.model_fields
    for name in ("job_lifetime_hours", "job_result_hours", "job_days"):
        assert f"`{name.upper()}` ({fields[name].default:g})" in TEXT
