"""Real PostgreSQL and Redis for the tests that ask for them, and for those only.

One pair serves the whole run: with pytest-xdist the controller starts it before its workers, without xdist
the first test that needs it does. Each worker gets a database of its own, copied from a migrated template,
and a Redis database of its own.
"""

from __future__ import annotations

import dataclasses
import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import hypothesis
import pytest
from flask import Flask
from flask.testing import FlaskClient

from app.platform import redis_client, settings
from app.platform.postgres import rls
from app.rules.weights import build_stale
from tests.cast import Cast
from tests.throwaway import Addresses, Throwaway, new_database

THROWAWAY = pytest.StashKey[Throwaway]()
WORKER_INPUT = "candado_services"
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")


def pytest_configure(config: pytest.Config) -> None:
    # A setting of the person's shell or of a running `make run` must not reach the tests.
    for name in ("DATABASE_URL", "REDIS_URL", "SECRET_KEY"):
        os.environ.pop(name, None)
    # No example fails because the machine was busy: speed is a matter of benchmarks/.
    usual = hypothesis.settings.get_profile("ci" if "CI" in os.environ else "default")
    hypothesis.settings.register_profile("house", usual, deadline=None)
    hypothesis.settings.load_profile("house")
    # Who runs pytest itself has not run the set-up since the exemplars changed.
    if not hasattr(config, "workerinput"):
        build_stale()
    os.environ["DATA_DIR"] = str(config.rootpath / "build" / "no-data-dir")
    # A worker that runs in this process must not end because thousands of tests have filled its memory.
    os.environ["JOB_MAX_MB"] = "0"
    if config.pluginmanager.hasplugin("xdist"):
        config.pluginmanager.register(_ForWorkers(config), "candado-services")


class _ForWorkers:
    """Hooks that exist only where pytest-xdist is installed."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config

    def pytest_configure_node(self, node: Any) -> None:
        """In the controller, for each worker before it starts."""
        node.workerinput[WORKER_INPUT] = dataclasses.asdict(_throwaway(self._config).addresses)


def _throwaway(config: pytest.Config) -> Throwaway:
    if THROWAWAY not in config.stash:
        config.stash[THROWAWAY] = Throwaway()
        config.add_cleanup(config.stash[THROWAWAY].stop)
    return config.stash[THROWAWAY]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    # In CI they fail at their fixture instead: what nobody sees is not skipped.
    if CHROMIUM is None and "CI" not in os.environ:
        no_browser = pytest.mark.skip(reason="no Chromium on this machine: apt-get install chromium")
        for item in items:
            if item.get_closest_marker("browser"):
                item.add_marker(no_browser)


@pytest.fixture(scope="session", autouse=True)
def operator() -> Iterator[None]:
    """Let the thread of the tests see every tenant's rows, as an operator's command does.

    It is asked for by name, like everywhere: threads and processes that a test starts see nothing by
    themselves, nor does a request that a test client makes.
    """
    with rls.as_system():
        yield


@pytest.fixture(scope="session")
def services(request: pytest.FixtureRequest) -> Addresses:
    """The PostgreSQL and the Redis of this test run."""
    given = getattr(request.config, "workerinput", {}).get(WORKER_INPUT)
    return Addresses(**given) if given else _throwaway(request.config).addresses


@pytest.fixture(scope="session")
def worker_number() -> int:
    """0 for the first worker of pytest-xdist and for a run without it."""
    return int(re.sub(r"\D", "", os.environ.get("PYTEST_XDIST_WORKER", "")) or 0)


@pytest.fixture(scope="session")
def database_url(services: Addresses, worker_number: int) -> str:
    """A migrated database that belongs to this worker alone."""
    return new_database(services, f"candado_test_{worker_number}")


@pytest.fixture(scope="session")
def redis_url(services: Addresses, worker_number: int) -> str:
    """A Redis database that belongs to this worker alone."""
    return services.redis_url(worker_number)


@pytest.fixture(scope="session")
def configured(database_url: str, redis_url: str) -> settings.Settings:
    """The settings of this test process, with services of its own."""
    # A busy machine makes Redis wait for longer than it does in use; without it limits are halved.
    patient = {"REDIS_TIMEOUT_S": "2"}
    os.environ.update(DATABASE_URL=database_url, REDIS_URL=redis_url, SECRET_KEY="k" * 40, **patient)
    settings.current.cache_clear()
    return settings.current()


@pytest.fixture(scope="session")
def app(configured: settings.Settings) -> Flask:
    from app.factory import create_app

    made = create_app(configured)
    made.testing = True
    # Errors are rendered as a caller would see them, not raised into the test.
    made.config["PROPAGATE_EXCEPTIONS"] = False
    return made


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


@pytest.fixture
def cast(app: Flask) -> Cast:
    """New tenants each time: no test sees what another left."""
    redis_client.client().flushdb()
    return Cast()


@pytest.fixture(scope="session")
def chromium() -> Path:
    """Debian's Chromium, for tests marked `browser`."""
    assert CHROMIUM is not None, "no Chromium: apt-get install chromium (or mark the test `browser`)"
    return Path(CHROMIUM)


@pytest.fixture
def data_dir(tmp_path: Path) -> Iterator[Path]:
    """An empty folder for a `make run` of its own; readable for PostgreSQL's own user."""
    place = tmp_path / "data"
    place.mkdir(mode=0o711)
    yield place
    shutil.rmtree(place, ignore_errors=True)
