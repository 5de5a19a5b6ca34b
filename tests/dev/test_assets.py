"""Front-end assets: copied from node_modules, and only when something changed."""

import hashlib
from pathlib import Path

import pytest

from app.dev import assets
from app.dev.console import Halt

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    (tmp_path / "package-lock.json").write_text("{}")
    for source in assets.FILES.values():
        path = tmp_path / "node_modules" / source
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(source)
    return tmp_path


def test_every_listed_file_is_served_from_vendor(checkout: Path) -> None:
    assert not assets.are_fresh(checkout, with_tools=False)
    assets.copy(checkout)
    assert assets.are_fresh(checkout, with_tools=False)
    for name, source in assets.FILES.items():
        assert (checkout / assets.VENDOR / name).read_text() == source


def test_another_lock_makes_them_stale(checkout: Path) -> None:
    assets.copy(checkout)
    (checkout / "package-lock.json").write_text('{"lockfileVersion": 3}')
    assert not assets.are_fresh(checkout, with_tools=False)


def test_a_lost_file_makes_them_stale(checkout: Path) -> None:
    assets.copy(checkout)
    (checkout / assets.VENDOR / "htmx.min.js").unlink()
    assert not assets.are_fresh(checkout, with_tools=False)


def test_the_tests_also_want_axe(checkout: Path) -> None:
    assets.copy(checkout)
    assert not assets.are_fresh(checkout, with_tools=True)


def test_the_tests_also_want_the_judges_of_the_tool_server_by_their_lock(checkout: Path) -> None:
    assets.copy(checkout)
    axe = checkout / "node_modules/axe-core/axe.min.js"
    lock, stamp = (
        checkout / assets.JUDGES / "package-lock.json",
        checkout / assets.JUDGES / "node_modules/.stamp",
    )
    for file in (axe, lock, stamp):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("{}")
    assert not assets.are_fresh(checkout, with_tools=True)
    stamp.write_text(hashlib.sha256(b"{}").hexdigest())
    assert assets.are_fresh(checkout, with_tools=True)
    lock.write_text('{"lockfileVersion": 3}')
    assert not assets.are_fresh(checkout, with_tools=True)
    assert assets.are_fresh(checkout, with_tools=False)


def test_files_of_an_older_list_go_away(checkout: Path) -> None:
    assets.copy(checkout)
    (checkout / assets.VENDOR / "chart.js").write_text("")
    assets.copy(checkout)
    assert not (checkout / assets.VENDOR / "chart.js").exists()


def test_a_file_that_a_package_no_longer_has_is_named(checkout: Path) -> None:
    (checkout / "node_modules/htmx.org/dist/htmx.min.js").unlink()
    with pytest.raises(Halt, match=r"htmx\.min\.js"):
        assets.copy(checkout)
    assert not assets.are_fresh(checkout, with_tools=False)


def test_each_library_comes_with_its_licence() -> None:
    packages = {
        "/".join(source.split("/")[: 2 if source.startswith("@") else 1]) for source in assets.FILES.values()
    }
    licensed = {
        source.removesuffix("/LICENSE") for source in assets.FILES.values() if source.endswith("/LICENSE")
    }
    assert licensed == packages
