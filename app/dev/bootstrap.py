"""Make the checkout ready to run: `.venv` by the lock, front-end assets, what Debian has to provide.

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
import re
import shutil
import signal
import subprocess
import sys
import time
import traceback
from pathlib import Path
from types import TracebackType

from app.dev import assets, libraries
from app.dev.console import Halt, say
from app.dev.errand import Errands, clean_environment

ROOT = Path(__file__).resolve().parents[2]
LOG = Path("build/setup.log")
STAMP = "candado-setup.json"
LOCKS = {"run": "requirements-run.lock", "dev": "requirements-dev.lock"}
"""Purpose -> hashed lock. Everything in "run" is in "dev" too, in the same version."""


def main(arguments: list[str]) -> int:
    """Entry point; ``arguments`` is one of ``run``, ``dev``, ``assets``. Returns the exit code."""
    purpose = arguments[0] if arguments else "run"
    if sys.version_info < (3, 11):  # noqa: UP036  we run before anything enforces requires-python
        say("setup", f"Python 3.11 or newer is needed, this is {sys.version.split()[0]}.")
        return 1
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl-C ends pip and us, quietly
    sys.excepthook = _one_sentence
    try:
        prepare(ROOT, purpose)
    except Halt as halt:
        say("setup", str(halt))
        return 1
    return 0


def prepare(root: Path, purpose: str) -> None:
    """Bring the checkout ``root`` to the state that ``purpose`` needs. Raises `Halt`."""
    started = time.monotonic()
    lock_fd = _lock(root)
    try:
        errands = Errands(root, root / LOG, keep_open=[lock_fd])
        environment = Environment(root, errands)
        tools = purpose == "dev"
        lock_name = "dev" if tools else "run"
        if environment.is_fresh(lock_name) and assets.are_fresh(root, with_tools=tools):
            libraries.provide(_system_needs(purpose), errands)
            return
        errands.start_log()
        environment.refresh(lock_name)
        assets.build(root, errands, with_tools=tools)
        libraries.provide(_system_needs(purpose), errands)
        say("setup", f"Ready after {time.monotonic() - started:.0f} s.")
    finally:
        os.close(lock_fd)


def _system_needs(purpose: str) -> list[libraries.SystemNeed]:
    documents = [libraries.PDF, libraries.TYPEFACES]
    return {"dev": [*documents, libraries.BROWSER, *libraries.RECIPES], "assets": []}.get(purpose, documents)


def _lock(root: Path) -> int:
    """One setup at a time in one checkout: a lock on the directory itself, which needs no file of its own."""
    fd = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        say("setup", "Another setup is at work in this checkout: waiting for it …")
        fcntl.flock(fd, fcntl.LOCK_EX)
    return fd


class Environment:
    """The virtual environment of a checkout and the stamp that says what is in it."""

    def __init__(self, root: Path, errands: Errands) -> None:
        self.root = root
        self.home = root / ".venv"
        self.python = self.home / "bin/python"
        self._errands = errands

    def is_fresh(self, purpose: str) -> bool:
        """True when a finished setup by the current lock of ``purpose`` (or of a wider one) is in place."""
        stamp = self._stamp()
        return stamp["lock"] in {purpose, "dev"} and stamp["sha256"] == self._sha256(stamp["lock"])

    def refresh(self, purpose: str) -> None:
        """Create or complete the environment for ``purpose``. Raises `Halt`."""
        if self.is_fresh(purpose):
            return
        if not self._stamp()["lock"]:
            self._create()
        self._install(purpose)

    def _stamp(self) -> dict[str, str]:
        """The stamp; empty where there is none, or where the environment was moved or lost its Python."""
        nothing = {"lock": "", "sha256": "", "home": ""}
        try:
            stamp = json.loads((self.home / STAMP).read_text("utf-8"))
        except (OSError, ValueError):
            return nothing
        in_place = isinstance(stamp, dict) and stamp.get("home") == str(self.home)
        return nothing | stamp if in_place and os.access(self.python, os.X_OK) else nothing

    def _sha256(self, purpose: str) -> str:
        return hashlib.sha256((self.root / LOCKS[purpose]).read_bytes()).hexdigest()

    def _create(self) -> None:
        say("setup", f"Creating .venv with Python {sys.version.split()[0]} …")
        if self.home.exists() or self.home.is_symlink():
            self._remove()
        self._need_ensurepip()
        if not self._errands.succeeds([sys.executable, "-m", "venv", self.home]):
            raise Halt(f"Python could not create .venv; its words are in {self._errands.log}")

    def _remove(self) -> None:
        try:
            if self.home.is_symlink():
                self.home.unlink()
            else:
                shutil.rmtree(self.home)
        except OSError as error:
            raise Halt(
                f"The old .venv cannot be removed ({error.strerror}: {error.filename}); remove it yourself."
            ) from None

    def _need_ensurepip(self) -> None:
        """Debian keeps `ensurepip` in a package of its own."""
        probe = [sys.executable, "-c", "import ensurepip, venv"]
        if self._errands.succeeds(probe):
            return
        package = f"python{sys.version_info.major}.{sys.version_info.minor}-venv"
        venv = libraries.SystemNeed((package,), "the virtual environment", programs=(package,))
        libraries.provide([venv], self._errands)
        if not self._errands.succeeds(probe):
            raise Halt(f"This Python cannot create virtual environments: apt-get install {package}")

    def _install(self, purpose: str) -> None:
        lock = self.root / LOCKS[purpose]
        total = len(re.findall(r"(?m)^[A-Za-z0-9][^\s=]*==", lock.read_text("utf-8")))
        say(
            "setup", f"Installing {total} Python packages from {lock.name} (a minute or two the first time) …"
        )
        (self.home / STAMP).unlink(missing_ok=True)
        seen = 0

        def progress(line: str) -> str:
            nonlocal seen
            seen += line.startswith(("Collecting ", "Requirement already satisfied"))
            return "putting them in place" if line.startswith("Installing") else f"{seen} of {total}"

        pip = [str(self.python), "-m", "pip", "--disable-pip-version-check", "--no-input", "install"]
        options = ["--require-hashes", "--no-deps", "--progress-bar", "off", "--root-user-action", "ignore"]
        if not self._errands.succeeds([*pip, *options, "-r", lock], progress=progress):
            raise Halt(f"pip could not install {lock.name}; its words are in {self._errands.log}")
        self._compile()
        stamp = {"lock": purpose, "sha256": self._sha256(purpose), "home": str(self.home)}
        partial = self.home / (STAMP + ".part")
        partial.write_text(json.dumps(stamp), "utf-8")
        partial.replace(self.home / STAMP)

    def _compile(self) -> None:
        """Byte-compile our own packages once, so that the first start is as fast as the later ones."""
        subprocess.run(
            [self.python, "-m", "compileall", "-q", "app", "migrations"],
            cwd=self.root,
            env=clean_environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            check=False,
        )


def _one_sentence(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """The last resort: the traceback goes to the log, the person gets a sentence."""
    place = ROOT / LOG
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        with place.open("a", encoding="utf-8") as log:
            traceback.print_exception(kind, error, trace, file=log)
    except OSError:
        say("setup", f"The setup failed ({kind.__name__}: {error}), and {place} cannot be written.")
    else:
        say("setup", f"The setup failed ({kind.__name__}: {error}); details are in {place}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
