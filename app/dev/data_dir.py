"""DATA_DIR: data, logs, secret and addresses of one `make run`, and the locks that guard them."""

from __future__ import annotations

import fcntl
import json
import os
import secrets
import shutil
import time
from pathlib import Path
from typing import IO

from app.dev.console import Halt, say

SERVICES_FILE = "services.json"
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
        self._locks: list[int] = []

    def open(self) -> None:
        """Create what is missing and take the locks. Raises `Halt` with the reason when that fails."""
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
        if not _try_lock(run_lock):
            raise Halt(
                f"Another `make run` is using {self.path}: stop it, or choose another DATA_DIR "
                "(and PORT) to run both."
            )
        if not _try_lock(directory):
            say("run", "The former run was killed and its databases are still closing: waiting …")
            self._await_former_run(directory)
        self.forget_services()
        self._start_logs()

    def empty_metrics(self) -> Path:
        """Where the web processes of this run add up their metrics; what a former run left is removed."""
        place = self.path / "metrics"
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir(mode=0o700)
        return place

    @property
    def lock_for_children(self) -> int:
        """The descriptor that every child inherits."""
        return self._locks[1]

    def secret_key(self) -> str:
        """The key of this DATA_DIR: made once, readable by its owner only."""
        path = self.path / "secret_key"
        try:
            with _new_private_file(path) as file:
                file.write(secrets.token_hex(32))
                file.flush()
                os.fsync(file.fileno())
        except FileExistsError:
            pass
        secret = path.read_text("ascii").strip()
        if len(secret) < 32:
            path.unlink()  # a killed first start left it empty: nothing was encrypted with it yet
            return self.secret_key()
        return secret

    def publish_services(self, *, database_url: str, redis_url: str, secret_key: str) -> None:
        """Tell the command line beside the running service where everything is."""
        partial = self.path / (SERVICES_FILE + ".part")
        partial.unlink(missing_ok=True)
        with _new_private_file(partial) as file:
            json.dump({"database_url": database_url, "redis_url": redis_url, "secret_key": secret_key}, file)
        partial.replace(self.services_file)

    @property
    def services_file(self) -> Path:
        return self.path / SERVICES_FILE

    def forget_services(self) -> None:
        self.services_file.unlink(missing_ok=True)

    def log(self, name: str) -> Path:
        return self.logs / f"{name}.log"

    def close(self) -> None:
        """Give the locks back."""
        for fd in self._locks:
            os.close(fd)
        self._locks = []

    def _await_former_run(self, directory: int) -> None:
        deadline = time.monotonic() + FORMER_RUN_PATIENCE_S
        while not _try_lock(directory):
            if time.monotonic() > deadline:
                raise Halt(f"Processes of a former run still use {self.path}; end them, then start again.")
            time.sleep(0.1)

    def _start_logs(self) -> None:
        """Every run begins new logs; those of the run before stay beside them."""
        for log in self.logs.glob("*.log"):
            log.replace(log.with_suffix(".log.1"))


def _new_private_file(path: Path) -> IO[str]:
    """A new file that only its owner can read, from its first moment on. Raises `FileExistsError`."""
    fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    return os.fdopen(fd, "w", encoding="ascii")


def _try_lock(fd: int) -> bool:
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
