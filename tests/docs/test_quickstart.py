"""The quick start runs as pasted."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cast import Cast
from tests.faults.server import ROOT, Server, serving

pytestmark = [pytest.mark.faults, pytest.mark.xdist_group("faults")]

TEXT = (ROOT / "docs" / "quickstart.md").read_text("utf-8")


@pytest.fixture
def environment(
    app: object, cast: Cast, database_url: str, redis_url: str, tmp_path: Path
) -> Iterator[dict[str, str]]:
    alice = cast.player()
    with serving(database_url, redis_url, tmp_path / "web.log") as server:
        yield {**os.environ, "CANDADO_URL": _address(server), "CANDADO_KEY": alice.key}


def _address(server: Server) -> str:
    return f"http://127.0.0.1:{server.port}"


def _blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", TEXT, re.DOTALL)


def test_the_curl_and_the_python_print_an_analysis(environment: dict[str, str]) -> None:
    _, curl = _blocks("sh")
    done = subprocess.run(["bash", "-c", curl], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.startswith("# Análisis: contrato de arrendamiento de vivienda"), done.stderr
    (python,) = _blocks("python")
    done = subprocess.run(
        [sys.executable, "-c", python], env=environment, capture_output=True, text=True, check=True
    )
    assert "# Analysis: housing lease" in done.stdout
    refused = subprocess.run(
        [sys.executable, "-c", python],
        env={**environment, "CANDADO_KEY": "svc_wrong"},
        capture_output=True,
        text=True,
    )
    assert refused.returncode == 1
    assert "401 UNAUTHENTICATED" in refused.stderr
