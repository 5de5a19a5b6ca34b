"""A server of the vendors' protocols, and engines chosen for the length of a test."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from importlib import import_module

import pytest

from app import analysis
from app.analysis import audit
from app.analysis.draft import node_a
from app.analysis.llm import model_choice
from app.platform import settings
from tests.vendors_server import Vendors, vendors

Use = Callable[..., None]


@pytest.fixture(scope="module")
def server(configured: settings.Settings) -> Iterator[Vendors]:
    # As in a server, where `analysis.warm_up` does it: no request's deadline pays for loading them.
    for vendor in ("anthropic", "openai"):
        import_module(f"app.analysis.llm.{vendor}")
    analysis.warm_up()
    with vendors() as running:
        yield running


@pytest.fixture
def use(server: Vendors, configured: settings.Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[Use]:
    """Choose engines for the length of a test."""
    server.script.clear()
    server.bodies.clear()
    server.paths.clear()
    server.headers.clear()
    server.always = server.character = None

    def choose(**chosen: str) -> None:
        values = {
            "ANTHROPIC_API_KEY": "k", "ANTHROPIC_BASE_URL": server.url,
            "OPENAI_API_KEY": "k", "OPENAI_BASE_URL": f"{server.url}/v1",
            "ANALYSIS_DEADLINE_S": "3", "MODEL_ATTEMPT_S": "1",
        } | chosen  # fmt: skip
        for name, value in values.items():
            monkeypatch.setenv(name, value)
        _forget()

    yield choose
    monkeypatch.undo()
    _forget()


def _forget() -> None:
    for cached in (settings.current, node_a.engine, audit.auditor, model_choice._breaker):
        cached.cache_clear()
    assert os.environ["DATABASE_URL"]
