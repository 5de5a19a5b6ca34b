"""Whose library a process loads, and when."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from app.platform import settings

# Whether a process that has done what the web server does before its first request holds a vendor's library.
_LOADED = """
import sys
import wsgi
wsgi.serve()
print(*sorted({"anthropic", "openai"} & sys.modules.keys()))
"""


@pytest.mark.parametrize(
    ("chosen", "loaded"),
    [
        ({}, ""),
        ({"NODE_A_ENGINE": "anthropic", "ANTHROPIC_API_KEY": "k"}, "anthropic"),
        ({"NODE_B_ENGINE": "openai", "OPENAI_API_KEY": "k"}, "openai"),
    ],
)
def test_a_vendors_library_is_loaded_before_requests_come_and_only_where_it_is_chosen(
    configured: settings.Settings, chosen: dict[str, str], loaded: str
) -> None:
    found = subprocess.run(
        [sys.executable, "-c", _LOADED],
        cwd=settings.PROJECT,
        env={**os.environ, **chosen},
        capture_output=True,
        text=True,
        check=True,
    )
    assert found.stdout.strip() == loaded
