"""Dockerfile and compose.yaml, as far as a machine without a container engine can check them.

The very commands that they name are run against the services of the test run: migrate ends well, web answers
`/readyz` and its health check, worker stops on SIGTERM.
"""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import yaml

from app.platform.settings import Settings

ROOT = Path(__file__).resolve().parents[2]


def instructions() -> list[tuple[str, str]]:
    """The Dockerfile as ``[(INSTRUCTION, arguments), …]``, with continued lines joined."""
    text = (ROOT / "Dockerfile").read_text("utf-8")
    text = re.sub(r"(?m)^\s*#.*\n", "", text)
    lines = re.sub(r"\\\n\s*", " ", text).splitlines()
    return [(word.upper(), rest.strip()) for word, _, rest in (line.partition(" ") for line in lines) if word]


def final_stage() -> list[tuple[str, str]]:
    whole = instructions()
    return whole[max(i for i, (word, _) in enumerate(whole) if word == "FROM") :]


def only(word: str) -> str:
    [found] = [rest for name, rest in final_stage() if name == word]
    return found


def image_environment() -> dict[str, str]:
    pairs = [pair.split("=", 1) for name, rest in final_stage() if name == "ENV" for pair in rest.split()]
    return {name: value for name, value in pairs if name != "PATH"}


def compose() -> dict[str, Any]:
    loaded = yaml.safe_load((ROOT / "compose.yaml").read_text("utf-8"))
    assert isinstance(loaded, dict)
    return loaded


OURS = ("migrate", "web", "worker")


def command_of(service: str) -> list[str]:
    """What the container of ``service`` runs: its own command, else that of the image."""
    found = compose()["services"][service].get("command") or json.loads(only("CMD"))
    assert isinstance(found, list)
    return found


@pytest.fixture
def environment(configured: Settings, database_url: str, redis_url: str, tmp_path: Path) -> dict[str, str]:
    """The variables that compose.yaml gives our containers, with the addresses of the test services.

    The secret is that of the tests: the worker signs the heads of the log with keys that other tests open.
    """
    given = {
        name: re.sub(r"\$\{\w+:-([^}]*)\}", r"\1", value)
        for name, value in compose()["x-environment"].items()
    }
    return {
        **image_environment(),
        **given,
        "DATABASE_URL": database_url,
        "REDIS_URL": redis_url,
        "SECRET_KEY": configured.secret_key.get_secret_value(),
        "DATA_DIR": str(tmp_path),
        "PATH": f"{Path(sys.executable).parent}:{os.defpath}",
    }


@contextmanager
def running(command: list[str], environment: dict[str, str], log: Path) -> Iterator[subprocess.Popen[bytes]]:
    with log.open("wb") as output:
        process = subprocess.Popen(
            command,
            env=environment,
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    try:
        yield process
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def test_migrate_brings_an_empty_database_up(environment: dict[str, str]) -> None:
    done = subprocess.run(
        command_of("migrate"), env=environment, cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_web_becomes_ready_is_healthy_and_stops_on_sigterm(
    environment: dict[str, str], tmp_path: Path
) -> None:
    port = free_port()
    environment |= {"PORT": str(port), "WEB_WORKERS": "1"}
    log = tmp_path / "web.log"
    with running(command_of("web"), environment, log) as web:
        end = time.monotonic() + 60
        status = 0
        while status != 200:
            assert web.poll() is None, log.read_text()
            assert time.monotonic() < end, log.read_text()
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{port}/readyz", timeout=5) as answer:
                    status = answer.status
            except urllib.error.HTTPError as refusal:
                refusal.close()
                time.sleep(0.2)
            except OSError:
                time.sleep(0.2)
        health = json.loads(only("HEALTHCHECK").partition(" CMD ")[2])
        assert subprocess.run(health, env=environment, check=False).returncode == 0
        web.send_signal(signal.SIGTERM)
        assert web.wait(30) == 0, log.read_text()
    assert subprocess.run(health, env=environment, capture_output=True, check=False).returncode != 0


def test_worker_runs_until_sigterm(environment: dict[str, str], tmp_path: Path) -> None:
    log = tmp_path / "worker.log"
    with running(command_of("worker"), environment, log) as worker:
        deadline = time.monotonic() + 60
        while "worker ready" not in log.read_text() and time.monotonic() < deadline:
            assert worker.poll() is None, log.read_text()
            time.sleep(0.2)
        worker.send_signal(signal.SIGTERM)
        assert worker.wait(20) == 0, log.read_text()
    assert "Traceback" not in log.read_text()


def test_the_image_runs_as_nobody_special() -> None:
    assert only("USER").isdigit()
    assert int(only("USER")) != 0


def test_the_image_is_built_in_stages_from_pinned_bases() -> None:
    bases = [rest.split()[0] for word, rest in instructions() if word == "FROM"]
    assert len(bases) > 1
    for base in bases:
        assert re.search(r":\d", base), f"{base} names no version"


def test_packages_are_installed_by_hash_and_front_end_by_lock() -> None:
    runs = " ".join(rest for word, rest in instructions() if word == "RUN")
    assert "--require-hashes" in runs
    assert "npm ci --ignore-scripts" in runs


def test_what_the_image_copies_is_in_the_checkout_and_not_ignored() -> None:
    ignored = (ROOT / ".dockerignore").read_text("utf-8").splitlines()
    for word, rest in instructions():
        if word == "COPY" and "--from" not in rest:
            for source in rest.split()[:-1]:
                assert (ROOT / source).exists() or source == "LICENSE", source
                assert f"!{source}" in ignored, source


def test_the_development_machinery_stays_out_of_the_image() -> None:
    assert any(word == "RUN" and "rm -rf app/dev" in rest for word, rest in instructions())


def test_every_variable_that_we_pass_is_a_setting() -> None:
    known = {name.upper() for name in Settings.model_fields}
    assert set(compose()["x-environment"]) <= known
    assert set(image_environment()) - {"PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED"} <= known


def test_no_secret_has_a_default() -> None:
    text = (ROOT / "compose.yaml").read_text("utf-8")
    for name in ("SECRET_KEY", "POSTGRES_PASSWORD"):
        uses = re.findall(r"\$\{" + name + r"([^}]*)\}", text)
        assert uses
        for use in uses:
            assert use.startswith(":?set "), f"{name} must be demanded with a clear message"


def test_every_service_has_a_health_check_or_says_why_not() -> None:
    for name, service in compose()["services"].items():
        if name == "web":
            continue  # the image's own
        assert "healthcheck" in service, name


def test_nothing_starts_before_the_schema_is_there() -> None:
    services = compose()["services"]
    for name in ("web", "worker"):
        assert services[name]["depends_on"]["migrate"] == {"condition": "service_completed_successfully"}
    for name in OURS:
        assert services[name]["depends_on"]["postgres"] == {"condition": "service_healthy"}


def test_named_volumes_are_declared_and_used() -> None:
    used = {
        volume.split(":")[0]
        for service in compose()["services"].values()
        for volume in service.get("volumes", [])
    }
    assert used == set(compose()["volumes"])
