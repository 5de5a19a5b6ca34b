"""DATA_DIR: one supervisor at a time, secrets for its owner only."""

import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from app.dev.console import Halt
from app.dev.data_dir import DataDir


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_a_second_supervisor_is_refused_in_one_sentence(data_dir: Path) -> None:
    first = DataDir(data_dir)
    first.open()
    with pytest.raises(Halt, match="Another `make run` is using"):
        DataDir(data_dir).open()
    first.close()
    again = DataDir(data_dir)
    again.open()
    again.close()


def test_children_of_a_killed_run_are_waited_for(data_dir: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first = DataDir(data_dir)
    first.open()
    child = subprocess.Popen(
        [sys.executable, "-c", "import time; time.sleep(1)"], pass_fds=[first.lock_for_children]
    )
    first.close()
    second = DataDir(data_dir)
    second.open()
    assert child.wait(5) == 0
    second.close()
    assert "waiting" in capsys.readouterr().out


def test_the_secret_is_made_once_and_private(data_dir: Path) -> None:
    place = DataDir(data_dir)
    place.open()
    secret = place.secret_key()
    assert len(secret) == 64
    assert place.secret_key() == secret
    assert mode(data_dir / "secret_key") == 0o600
    place.close()


def test_an_empty_secret_of_a_killed_start_is_replaced(data_dir: Path) -> None:
    (data_dir / "secret_key").write_text("")
    assert len(DataDir(data_dir).secret_key()) == 64


def test_addresses_are_private_and_gone_at_the_next_start(data_dir: Path) -> None:
    place = DataDir(data_dir)
    place.open()
    addresses = {"database_url": "postgresql:///a", "redis_url": "unix:///b", "secret_key": "c" * 32}
    place.publish_services(addresses)
    assert mode(place.services_file) == 0o600
    assert json.loads(place.services_file.read_text()) == addresses
    os.close(place._locks[0])  # as a killed supervisor leaves it
    os.close(place._locks[1])
    again = DataDir(data_dir)
    again.open()
    assert not again.services_file.exists()
    again.close()


def test_logs_of_the_run_before_are_kept_beside(data_dir: Path) -> None:
    place = DataDir(data_dir)
    place.open()
    place.log("web").write_text("old")
    place.close()
    place.open()
    assert not place.log("web").exists()
    assert (place.logs / "web.log.1").read_text() == "old"
    place.close()


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(Halt, match="cannot be written"):
        DataDir(tmp_path / "file" / "data").open()


def test_the_lock_reaches_children_only_when_handed_over(data_dir: Path) -> None:
    place = DataDir(data_dir)
    place.open()
    assert not os.get_inheritable(place.lock_for_children)
    place.close()
