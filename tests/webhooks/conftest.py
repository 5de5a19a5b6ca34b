"""What the tests of webhooks share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from flask import Flask

from app import webhooks
from app.platform import settings
from tests.webhooks.office import Office


@pytest.fixture
def listed_hosts(app: Flask, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """This machine as a receiver "inside the operator's network"."""
    monkeypatch.setenv("WEBHOOK_ALLOW_HOSTS", "127.0.0.1")
    settings.current.cache_clear()
    yield
    monkeypatch.undo()
    settings.current.cache_clear()


@pytest.fixture
def sender(listed_hosts: None) -> Iterator[webhooks.Sender]:
    made = webhooks.Sender(threads=8)
    yield made
    made.finish()


@pytest.fixture
def office(listed_hosts: None, cast: object) -> Iterator[Office]:
    """Endpoints, events and deliveries without HTTP; nothing that other tests left is open."""
    with Office.opened() as made:
        yield made
