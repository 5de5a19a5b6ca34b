"""A program that connects by OAuth: it prints an address, which a member opens."""

from __future__ import annotations

import os
import subprocess
import urllib.request
from collections.abc import Sequence
from pathlib import Path

from flask import Flask

from tests.cast import Player
from tests.oauth.browser import decide, signed_in


def signed_in_by(
    command: Sequence[str], app: Flask, player: Player, url: str, cwd: Path | None = None
) -> str:
    """Run the program, let the player consent where it asks them to; return what else it prints."""
    with subprocess.Popen(
        command,
        cwd=cwd,
        env={**os.environ, "CANDADO_URL": url},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as running:
        try:
            assert running.stdout is not None
            words, _, address = running.stdout.readline().strip().partition(" ")
            assert words == "Open", running.stderr and running.stderr.read()
            answer = decide(signed_in(app, player, url), address)
            assert answer.status_code == 302
            urllib.request.urlopen(answer.location, timeout=10).read()
            out, err = running.communicate(timeout=60)
        finally:
            running.kill()
    assert running.returncode == 0, err
    return out.strip()
