"""The page on tools runs as pasted, and names the tools there are."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys

from flask import Flask

from tests.cast import Cast
from tests.faults.server import ROOT
from tests.mcp.assistant import TOOLS, listening
from tests.oauth.program import signed_in_by

TEXT = (ROOT / "docs" / "tools.md").read_text("utf-8")


def test_the_python_prints_a_verdict(app: Flask, cast: Cast) -> None:
    alice = cast.player()
    python, _ = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)
    with listening(app) as url:
        done = subprocess.run(
            [sys.executable, "-c", python],
            env={**os.environ, "CANDADO_URL": url, "CANDADO_KEY": alice.key},
            capture_output=True,
            text=True,
            timeout=120,
        )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "verified article"


def test_the_python_with_sign_in_prints_a_verdict_too(app: Flask, cast: Cast) -> None:
    _, python = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)
    with listening(app) as url:
        assert signed_in_by([sys.executable, "-c", python], app, cast.player(), url) == "verified article"


def test_every_tool_is_in_the_table_and_no_other() -> None:
    table = TEXT.partition("## The tools")[2].partition("A tool takes")[0]
    named = [
        name for row in table.splitlines() for name in re.findall(r"`([a-z_]+)`", row.partition(" | ")[0])
    ]
    assert named == list(TOOLS)


def test_configurations_are_json() -> None:
    blocks = re.findall(r"```json\n(.*?)```", TEXT, re.DOTALL)
    assert [bool(json.loads(block)) for block in blocks] == [True] * 6
