"""The isolated process: what it cannot do, what it cannot say, what it leaves behind."""

from __future__ import annotations

import json
import os
import socket
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from app.documents import isolation
from app.documents.errors import DocumentUnreadable
from app.documents.isolation.functions import IsolatedFunction
from app.platform.errors import Upstream

HERE = "tests.documents.isolation.functions"


@pytest.fixture
def functions(monkeypatch: pytest.MonkeyPatch) -> dict[str, IsolatedFunction]:
    found = dict(isolation.FUNCTIONS)
    monkeypatch.setattr(isolation, "FUNCTIONS", found)
    return found


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


@pytest.fixture
def listening() -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


def report(data: bytes = b"", **arguments: Any) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(isolation.run("confinement", data, arguments))
    return found


def test_it_reaches_no_network_no_file_and_no_process(listening: int, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("x")
    with socket.socket(socket.AF_UNIX) as local:
        local.bind(str(tmp_path / "local.sock"))
        local.listen()
        found = report(b"abc", port=listening, path=str(tmp_path / "local.sock"), file=str(secret))
    assert {"seccomp", "namespace"} & set(found["barriers"])
    assert found["bytes"] == 3
    for forbidden in ("connects", "signals", "allocates", "forks"):
        assert found[forbidden] is False, forbidden
    if "seccomp" in found["barriers"]:
        assert found["connects_locally"] is False
    if "files" in found["barriers"]:
        assert (found["reads_other_files"], found["writes_files"]) == (False, False)


@pytest.mark.parametrize("missing", ["namespace", "filter"])
def test_one_barrier_is_enough_against_the_network(
    missing: str, functions: dict[str, IsolatedFunction], listening: int
) -> None:
    functions["weaker"] = IsolatedFunction(
        f"tests.documents.isolation.without_{missing}:report", programs=True
    )
    found = json.loads(isolation.run("weaker", b"", {"port": listening}))
    left = {"namespace": "seccomp", "filter": "namespace"}[missing]
    assert {"namespace", "seccomp"} & set(found["barriers"]) == {left}
    assert (found["connects"], found["allocates"]) == (False, False)


def test_the_tests_of_barriers_can_fail(listening: int, tmp_path: Path) -> None:
    from app.documents.isolation import confinement

    socket.create_connection(("127.0.0.1", listening)).close()
    confinement._connect({"port": listening})
    (tmp_path / "readable").write_text("x")
    confinement._read_file({"file": str(tmp_path / "readable")})
    confinement._signal({"pid": os.getpid()})


def test_it_gets_nothing_of_its_parent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_KEY", "hush")
    with Path(os.devnull).open("rb") as file:
        os.set_inheritable(file.fileno(), True)
        found = report()
    assert set(found["environment"]) <= {"LC_CTYPE", "OMP_THREAD_LIMIT", "OPENBLAS_NUM_THREADS"}
    assert found["directory"] == []
    # Its three standard streams, and where it writes its answer.
    assert [one.partition(":")[0] for one in found["descriptors"]] == ["0", "1", "2", "3"]


def test_only_listed_functions_run() -> None:
    with pytest.raises(KeyError):
        isolation.run("os:system", b"", {})


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("quotes_the_document", "DOCUMENT_BROKEN"),
        ("refuses", "DOCUMENT_ENCRYPTED"),
        ("invents_a_code", "DOCUMENT_BROKEN"),
        ("runs_out_of_memory", "DOCUMENT_TOO_COMPLEX"),
        ("crashes", "DOCUMENT_BROKEN"),
        ("exits", "DOCUMENT_BROKEN"),
        ("floods", "DOCUMENT_TOO_COMPLEX"),
        ("recurses", "DOCUMENT_TOO_COMPLEX"),
    ],
)
def test_failures_are_codes(
    name: str,
    code: str,
    functions: dict[str, IsolatedFunction],
    temporary: Path,
    capfd: pytest.CaptureFixture[str],
) -> None:
    functions[name] = IsolatedFunction(f"{HERE}:{name}", result=2**20)
    with pytest.raises(DocumentUnreadable) as caught:
        isolation.run(name, b"CANARY of a client", {})
    assert caught.value.code == code
    said = f"{caught.value.message}{caught.value.__cause__}{caught.value.__context__}{capfd.readouterr()}"
    assert "CANARY" not in said
    assert list(temporary.iterdir()) == []


@pytest.mark.parametrize("name", ["sleeps", "spins", "sleeps_in_a_program"])
def test_time_is_bounded_and_nothing_survives(
    name: str, functions: dict[str, IsolatedFunction], temporary: Path
) -> None:
    functions[name] = IsolatedFunction(f"{HERE}:{name}", programs=True, seconds=1)
    started = time.monotonic()
    with pytest.raises(DocumentUnreadable) as caught:
        isolation.run(name, b"", {})
    assert caught.value.code == "DOCUMENT_TOO_COMPLEX"
    assert time.monotonic() - started < 10
    assert list(temporary.iterdir()) == []
    # What was killed ends as soon as a processor is free.
    deadline = time.monotonic() + 10
    while (left := [line for line in _commands() if "98765" in line]) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert left == []


def test_programs_die_with_the_process_that_started_them(functions: dict[str, IsolatedFunction]) -> None:
    functions["abandons"] = IsolatedFunction(f"{HERE}:abandons", programs=True)
    assert isolation.run("abandons", b"", {}) == b"gone"


def test_more_at_once_than_fit_are_told_to_come_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(isolation, "_slots", threading.BoundedSemaphore(1))
    monkeypatch.setattr(isolation, "_MAX_WAIT_S", 0.01)
    with isolation._slot(), pytest.raises(Upstream) as caught:
        report()
    assert (caught.value.status, caught.value.retry_after) == (503, 5)
    assert report()["bytes"] == 0


def test_without_any_barrier_nothing_is_read(
    functions: dict[str, IsolatedFunction],
) -> None:
    functions["unconfined"] = IsolatedFunction(f"{HERE}:unconfined")
    assert isolation.run("unconfined", b"", {}) == b"refused"


def test_large_data_goes_in_and_comes_out(functions: dict[str, IsolatedFunction]) -> None:
    functions["echoes"] = IsolatedFunction(f"{HERE}:echoes")
    data = os.urandom(20_000_000)
    assert isolation.run("echoes", data, {"x": ["á"]}) == data


def _commands() -> Iterator[str]:
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            yield path.read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue
