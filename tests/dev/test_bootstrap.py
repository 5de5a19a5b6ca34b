"""The setup: what it takes for finished, and what it makes again."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from app.dev import system_packages
from app.dev.bootstrap import LOCKS, STAMP, Environment
from app.dev.console import Halt
from app.dev.process import SetupCommands, clean_environment

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout whose locks hold a comment only, below a directory with a space in its name."""
    root = tmp_path / "a checkout"
    root.mkdir()
    for name in LOCKS.values():
        (root / name).write_text(f"# {name}\n")
    (root / "app").mkdir()
    (root / "migrations").mkdir()
    return root


@pytest.fixture
def environment(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> Environment:
    """Its environment, with a stand-in for `python -m venv` and `pip`, which need a minute and a network."""
    setup = SetupCommands(checkout, checkout / "build/setup.log")
    setup.start_log()

    def succeeds(argv: list[object], **_: object) -> bool:
        words = [str(word) for word in argv]
        with setup.log.open("a") as log:
            print("$", *words, file=log)
        if words[1:3] == ["-m", "venv"]:
            if "--clear" in words:
                shutil.rmtree(words[3])
            (Path(words[3]) / "bin").mkdir(parents=True)
            (Path(words[3]) / "bin/python").symlink_to(sys.executable)
        return "FAIL" not in (checkout / LOCKS["run"]).read_text() or "pip" not in words

    monkeypatch.setattr(setup, "succeeds", succeeds)
    return Environment(checkout, setup)


def commands(checkout: Path) -> list[str]:
    log = (checkout / "build/setup.log").read_text()
    return [line for line in log.splitlines() if line.startswith("$")]


def test_a_finished_environment_is_left_alone(checkout: Path, environment: Environment) -> None:
    assert not environment.is_fresh("run")
    environment.refresh("run")
    assert environment.is_fresh("run")
    done = commands(checkout)
    environment.refresh("run")
    assert commands(checkout) == done
    assert any("--require-hashes" in command for command in done)


def test_a_new_lock_is_installed_into_the_same_environment(checkout: Path, environment: Environment) -> None:
    environment.refresh("run")
    (checkout / LOCKS["run"]).write_text("# changed\n")
    assert not environment.is_fresh("run")
    environment.refresh("run")
    assert sum("-m venv" in line for line in commands(checkout)) == 1
    assert environment.is_fresh("run")


def test_the_wider_lock_serves_the_narrower_purpose(environment: Environment) -> None:
    environment.refresh("dev")
    assert environment.is_fresh("run")
    environment.refresh("run")
    assert environment.is_fresh("dev")


def test_what_a_killed_setup_left_is_made_again(checkout: Path, environment: Environment) -> None:
    half = checkout / ".venv/bin"
    half.mkdir(parents=True)
    (half / "half-installed").write_text("")
    environment.refresh("run")
    assert not (half / "half-installed").exists()


def test_a_failed_installation_leaves_no_stamp(checkout: Path, environment: Environment) -> None:
    environment.refresh("run")
    (checkout / LOCKS["run"]).write_text("# FAIL\n")
    with pytest.raises(Halt, match=r"setup\.log"):
        environment.refresh("run")
    assert not (checkout / ".venv" / STAMP).exists()


def test_a_moved_checkout_gets_a_new_environment(checkout: Path, environment: Environment) -> None:
    environment.refresh("run")
    moved = checkout.with_name("moved")
    shutil.copytree(checkout, moved, symlinks=True)
    assert not Environment(moved, SetupCommands(moved, moved / "build/setup.log")).is_fresh("run")


def test_an_environment_without_its_python_is_made_again(checkout: Path, environment: Environment) -> None:
    environment.refresh("run")
    (checkout / ".venv/bin/python").unlink()
    (checkout / ".venv/bin/python").symlink_to(checkout / "python-that-was-uninstalled")
    assert not environment.is_fresh("run")


def test_empty_pip_variables_count_as_unset(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PIP_INDEX_URL", "")
    monkeypatch.setenv("PIP_RETRIES", "7")
    monkeypatch.setenv("PYTHONPATH", "somewhere")
    environment = clean_environment()
    assert "PIP_INDEX_URL" not in environment
    assert environment["PIP_RETRIES"] == "7"
    assert "PYTHONPATH" not in environment


def test_a_long_silence_is_broken_by_a_word(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("app.dev.process.PROGRESS_EVERY_S", 0.5)
    setup = SetupCommands(tmp_path, tmp_path / "build/setup.log")
    setup.start_log()
    assert setup.succeeds(["sh", "-c", "echo one; sleep 2; printf two"])
    assert "still working: one" in capsys.readouterr().out
    assert setup.log.read_text() == "$ sh -c echo one; sleep 2; printf two\none\ntwo"


def test_a_missing_program_is_a_failure_and_no_traceback(tmp_path: Path) -> None:
    setup = SetupCommands(tmp_path, tmp_path / "build/setup.log")
    setup.start_log()
    assert not setup.succeeds(["no-such-program"])
    assert "no-such-program: No such file or directory" in setup.log.read_text()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_read_only_checkout_is_one_sentence(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(Halt, match="cannot be written"):
        SetupCommands(tmp_path, tmp_path / "build/setup.log").start_log()


def test_an_ordinary_user_is_told_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    setup = SetupCommands(tmp_path, tmp_path / "build/setup.log")
    need = system_packages.SystemNeed(("libfoo", "libbar"), "PDF documents", shared_objects=("libfoo.so.99",))
    system_packages.provide([need], setup)
    assert capsys.readouterr().out == (
        "   setup | Not installed, needed only for PDF documents: apt-get install libbar libfoo\n"
    )


def test_a_failed_installation_is_not_tried_at_every_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    tried = []
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(shutil, "which", lambda name: f"/usr/bin/{name}" if name == "apt-get" else None)
    setup = SetupCommands(tmp_path, tmp_path / "build/setup.log")
    setup.start_log()
    monkeypatch.setattr(setup, "succeeds", lambda argv, **_: tried.append(argv))
    need = system_packages.SystemNeed(("libfoo",), "PDF documents", shared_objects=("libfoo.so.99",))
    system_packages.provide([need], setup)
    attempts = len(tried)
    assert attempts > 0
    system_packages.provide([need], setup)
    assert len(tried) == attempts
    assert "needed only for PDF documents: apt-get install libfoo" in capsys.readouterr().out


def test_a_venv_that_python_cannot_make_is_tried_again_with_debians_package(
    checkout: Path, environment: Environment, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    succeeds = environment._commands.succeeds

    def without_ensurepip(argv: list[object], **options: object) -> bool:
        made = succeeds(argv, **options)  # type: ignore[arg-type]  # the stand-in of the fixture
        return made and ("venv" not in argv or bool(asked))

    def install(packages: list[str], _: object) -> bool:
        asked.extend(packages)
        return True

    monkeypatch.setattr(environment._commands, "succeeds", without_ensurepip)
    monkeypatch.setattr(system_packages, "install", install)
    environment.refresh("run")
    assert asked == [f"python{sys.version_info.major}.{sys.version_info.minor}-venv"]
    assert environment.is_fresh("run")


def test_two_setups_at_once_take_turns(checkout: Path) -> None:
    """The second one waits for the lock on the checkout, and says so."""
    script = (
        "import sys, time; from pathlib import Path; from app.dev import bootstrap;"
        "fd = bootstrap.wait_for_turn(Path(sys.argv[1])); print(time.monotonic(), flush=True); time.sleep(1)"
    )
    argv = [sys.executable, "-c", script, str(checkout)]
    first = subprocess.Popen(argv, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert first.stdout is not None
    began = float(first.stdout.readline())
    second = subprocess.run(argv, cwd=ROOT, capture_output=True, text=True, check=True)
    first.wait()
    first.stdout.close()
    *words, later = second.stdout.splitlines()
    assert any("waiting for it" in word for word in words)
    assert float(later) - began >= 1
