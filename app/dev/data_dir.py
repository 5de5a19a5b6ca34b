"""Manage DATA_DIR: data, logs, secret and addresses of one `make run`, and the locks that guard them."""

from __future__ import annotations

import fcntl
import json
import os
import secrets
import shutil
import time
from collections.abc import Mapping
from pathlib import Path

from app.dev.console import Halt, say

FORMER_RUN_PATIENCE_S = 30.0


class DataDir:
    """One directory, used by one supervisor at a time.

    Two locks tell two situations apart. ``run.lock`` is held by the supervisor alone: taken means that
    another one runs. The lock on the directory itself is inherited by everything that is started: taken,
    while the first is free, means that a killed supervisor's children are still ending, which is worth
    waiting for.
    """

    def __init__(self, path: Path) -> None:
        self.path = path.absolute()
        self.logs = self.path / "logs"
        self.services_file = self.path / "services.json"
        self._locks: list[int] = []

    def open(self) -> None:
        """Create what is missing, take the locks, begin new logs beside those of the run before.

        Raises:
            Halt: It cannot be written, or is in use.
        """
        try:
            # As root, PostgreSQL is somebody else and must get through.
            self.path.mkdir(mode=0o711 if os.geteuid() == 0 else 0o700, parents=True, exist_ok=True)
            self.logs.mkdir(mode=0o700, exist_ok=True)
            run_lock = os.open(self.path / "run.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            directory = os.open(self.path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        except OSError as error:
            raise Halt(
                f"DATA_DIR {self.path} cannot be written ({error.strerror}): choose another, "
                "for example DATA_DIR=~/candado-data make run"
            ) from None
        self._locks = [run_lock, directory]
        if not locked(run_lock):
            raise Halt(
                f"Another `make run` is using {self.path}: stop it, or choose another DATA_DIR "
                "(and PORT) to run both."
            )
        if not locked(directory):
            say("run", "The former run was killed and its databases are still closing: waiting …")
            if not locked(directory, FORMER_RUN_PATIENCE_S):
                raise Halt(f"Processes of a former run still use {self.path}; end them, then start again.")
        self.services_file.unlink(missing_ok=True)
        for log in self.logs.glob("*.log"):
            log.replace(log.with_suffix(".log.1"))

    @property
    def lock_for_children(self) -> int:
        """The descriptor that every child inherits."""
        return self._locks[1]

    def log(self, name: str) -> Path:
        """Return the path of the log of ``name``."""
        return self.logs / f"{name}.log"

    def empty_metrics(self) -> Path:
        """Return an empty directory in which the web processes of this run add up their metrics."""
        place = self.path / "metrics"
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir(mode=0o700)
        return place

    def secret_key(self) -> str:
        """Return the key of this DATA_DIR, made once."""
        path = self.path / "secret_key"
        if not path.exists() or len(path.read_text("ascii").strip()) < 32:
            _write_private(path, secrets.token_hex(32))
        return path.read_text("ascii").strip()

    def publish_services(self, found: Mapping[str, str]) -> None:
        """Tell the command line beside the running service where everything is."""
        _write_private(self.services_file, json.dumps(found))

    def close(self) -> None:
        """Remove the published addresses and give the locks back."""
        self.services_file.unlink(missing_ok=True)
        for fd in self._locks:
            os.close(fd)
        self._locks = []


def locked(fd: int, patience_s: float = 0.0) -> bool:
    """Lock an open file, waiting up to ``patience_s`` for who has it; return False when it stays taken."""
    deadline = time.monotonic() + patience_s
    while True:
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() >= deadline:
                return False
            time.sleep(0.05)
        else:
            return True


def _write_private(path: Path, text: str) -> None:
    """Write a file that only its owner can read, completely or not at all."""
    partial = path.with_name(path.name + ".part")
    partial.unlink(missing_ok=True)
    fd = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    with os.fdopen(fd, "w", encoding="ascii") as file:
        file.write(text)
        file.flush()
        os.fsync(fd)
    partial.replace(path)
