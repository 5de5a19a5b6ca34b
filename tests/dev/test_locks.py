"""Lock files hold versions and hashes, never an address."""

import json
from pathlib import Path

import pytest

from tools import locks

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("name", [*locks.PYTHON_LOCKS, *locks.NPM_LOCKS])
def test_our_locks_name_no_host(name: str) -> None:
    assert locks.addresses((ROOT / name).read_text("utf-8")) == []


@pytest.mark.parametrize("name", locks.PYTHON_LOCKS)
def test_every_locked_package_has_a_hash(name: str) -> None:
    entries = (ROOT / name).read_text("utf-8").split("\n\n")[0]
    assert "--hash=sha256:" in entries
    for block in (ROOT / name).read_text("utf-8").replace("\\\n", " ").splitlines():
        if "==" in block and not block.lstrip().startswith("#"):
            assert "--hash=sha256:" in block, block


@pytest.mark.parametrize("narrow", ["requirements.lock", "requirements-run.lock"])
def test_the_narrow_locks_are_parts_of_the_dev_lock(narrow: str) -> None:
    def pinned(name: str) -> set[str]:
        lines = (ROOT / name).read_text("utf-8").splitlines()
        return {line.split()[0] for line in lines if "==" in line and not line.lstrip().startswith("#")}

    assert pinned(narrow) <= pinned("requirements-dev.lock")


@pytest.mark.parametrize(
    "line",
    [
        "flask @ https://files.example.org/flask.whl",
        "--index-url http://example.org/simple",
        "  --find-links wheels",
        "--extra-index-url=mirror",
    ],
)
def test_an_address_is_found_with_its_line(line: str) -> None:
    assert locks.addresses(f"a==1\n{line}\n") == [(2, line.strip())]


def test_npm_locks_lose_sponsors_and_download_addresses_and_nothing_else() -> None:
    package = {"version": "1.0.0", "integrity": "sha512-abc", "license": "MIT"}
    addressed = package | {"resolved": "https://r.example/x.tgz", "funding": {"url": "https://s.example"}}
    tree = {"lockfileVersion": 3, "packages": {"": {"name": "candado"}, "node_modules/x": addressed}}
    cleaned = json.loads(locks.without_addresses(json.dumps(tree)))
    assert cleaned == {"lockfileVersion": 3, "packages": {"": {"name": "candado"}, "node_modules/x": package}}
