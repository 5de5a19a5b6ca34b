"""Make the checkout ready to run: `.venv` by the lock, front-end assets, weights, what Debian has to provide.

Runs under the system's Python before any package exists: standard library only.

    python3.11 -m app.dev.bootstrap run|dev|assets

A second call at the same time waits for the first. What a killed call left half-done is made again: the stamp
in `.venv` is written last and removed first.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import shutil
import signal
import sys
import time
from pathlib import Path

from app.dev import assets, clause_weights, system_packages
from app.dev.console import Halt, say
from app.dev.process import SetupCommands

ROOT = Path(__file__).resolve().parents[2]
LOG = Path("build/setup.log")
STAMP = "candado-setup.json"
LOCKS = {"run": "requirements-run.lock", "dev": "requirements-dev.lock"}
"""Purpose -> hashed lock. Everything in "run" is in "dev" too, in the same version."""


def main(arguments: list[str]) -> int:
    """Make this checkout ready for the purpose in ``arguments``; return the exit code."""
    if sys.version_info < (3, 11):  # noqa: UP036  we run before anything enforces requires-python
        say("setup", f"Python 3.11 or newer is needed, this is {sys.version.split()[0]}.")
        return 1
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl-C ends pip and us, quietly
    try:
        prepare(ROOT, arguments[0])
    except Halt as halt:
        say("setup", str(halt))
        return 1
    return 0


def prepare(root: Path, purpose: str) -> None:
    """Bring the checkout ``root`` to the state that ``purpose`` needs. Raises `Halt`."""
    started = time.monotonic()
    lock = wait_for_turn(root)
    try:
        commands = SetupCommands(root, root / LOG, keep_open=[lock])
        environment = Environment(root, commands)
        name = "dev" if purpose == "dev" else "run"
        fresh = (
            environment.is_fresh(name)
            and assets.are_fresh(root, with_tools=purpose == "dev")
            and clause_weights.are_fresh(root)
        )
        if not fresh:
            commands.start_log()
            environment.refresh(name)
            assets.build(root, commands, with_tools=purpose == "dev")
            clause_weights.build(root, environment.python, commands)
        system_packages.provide(system_packages.NEEDS[purpose], commands)
        if not fresh:
            say("setup", f"Ready after {time.monotonic() - started:.0f} s.")
    finally:
        os.close(lock)


def wait_for_turn(root: Path) -> int:
    """Return a lock on the directory ``root`` itself: one setup at a time, and no file for it."""
    fd = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        say("setup", "Another setup is at work in this checkout: waiting for it …")
        fcntl.flock(fd, fcntl.LOCK_EX)
    return fd


class Environment:
    """The virtual environment of a checkout and the stamp that says what is in it."""

    def __init__(self, root: Path, commands: SetupCommands) -> None:
        self.root = root
        self.home = root / ".venv"
        self.python = self.home / "bin/python"
        self._commands = commands

    def is_fresh(self, purpose: str) -> bool:
        """Return True when a finished setup by the current lock of ``purpose`` or of a wider one is there."""
        stamp = self._stamp()
        return any(stamp == self._wanted(name) for name in {purpose, "dev"})

    def refresh(self, purpose: str) -> None:
        """Create or complete the environment for ``purpose``. Raises `Halt`."""
        if self.is_fresh(purpose):
            return
        if not self._stamp():
            self._create()
        lock = self.root / LOCKS[purpose]
        say("setup", f"Installing the Python packages of {lock.name} (a minute or two the first time) …")
        (self.home / STAMP).unlink(missing_ok=True)
        pip: list[str | Path] = [
            self.python,
            "-m",
            "pip",
            "--disable-pip-version-check",
            "--no-input",
            "install",
        ]
        options = ["--require-hashes", "--no-deps", "--progress-bar", "off", "--root-user-action", "ignore"]
        if not self._commands.succeeds([*pip, *options, "-r", lock]):
            raise Halt(f"pip could not install {lock.name}; its words are in {self._commands.log}")
        # So that the first start is as fast as the later ones.
        self._commands.succeeds([str(self.python), "-m", "compileall", "-q", "app", "migrations"])
        partial = self.home / (STAMP + ".part")
        partial.write_text(json.dumps(self._wanted(purpose)), "utf-8")
        partial.replace(self.home / STAMP)

    def _wanted(self, purpose: str) -> dict[str, str]:
        """Return the stamp of a finished setup by the current lock of ``purpose``."""
        sha256 = hashlib.sha256((self.root / LOCKS[purpose]).read_bytes()).hexdigest()
        return {"lock": purpose, "sha256": sha256, "home": str(self.home)}

    def _stamp(self) -> dict[str, str]:
        """Return the stamp; {} where there is none, or where the environment was moved or lost its Python."""
        try:
            stamp = json.loads((self.home / STAMP).read_text("utf-8"))
        except (OSError, ValueError):
            return {}
        in_place = isinstance(stamp, dict) and stamp.get("home") == str(self.home)
        return stamp if in_place and os.access(self.python, os.X_OK) else {}

    def _create(self) -> None:
        say("setup", f"Creating .venv with Python {sys.version.split()[0]} …")
        try:
            if self.home.is_symlink():
                self.home.unlink()
            elif self.home.exists():
                shutil.rmtree(self.home)
        except OSError as error:
            raise Halt(f"The old .venv cannot be removed ({error.strerror}: {error.filename}).") from None
        create: list[str | Path] = [sys.executable, "-m", "venv", self.home]
        if self._commands.succeeds(create):
            return
        # Debian keeps `ensurepip` in a package of its own.
        package = f"python{sys.version_info.major}.{sys.version_info.minor}-venv"
        system_packages.install([package], self._commands)
        if not self._commands.succeeds([*create, "--clear"]):
            raise Halt(
                f"Python could not create .venv (apt-get install {package}?); see {self._commands.log}"
            )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
