"""Start processes: children that end with us, and the commands of the setup. Their output goes into logs."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from app.dev.console import Halt, say, summary

REAPER = Path(__file__).with_name("reaper.py")
QUICK_S = 20.0
"""A child that ends sooner than this after its start has failed quickly."""
FIRST_DELAY_S = 0.5
QUICK_FAILURES = 4
"""So many in a row, and we give up."""
PROGRESS_EVERY_S = 10.0
"""Seconds between two lines that show that a command of the setup is still working."""


@dataclass
class Child:
    """A command that runs below a `reaper`. Its output goes into a file, so no dead reader can block it."""

    name: str
    argv: Sequence[str | Path]
    log: Path
    env: Mapping[str, str] | None = None
    cwd: Path = Path("/")
    stop_signal: str = "TERM"
    grace: float = 5.0
    """Seconds that it may take to end after the stop signal."""
    remove: Sequence[Path] = ()
    """Paths that its reaper removes when all is over."""
    keep_open: Sequence[int] = ()
    """Descriptors that it inherits."""
    piped: bool = False
    """Its stdout can be read with `output`; otherwise it goes into the log."""

    def __post_init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._shown = 0
        self._began = 0.0
        self._quick_failures = 0
        self._due: float | None = None

    def start(self) -> None:
        """Start it. Raises `Halt` where the log cannot be written."""
        reaper: list[str | Path] = [sys.executable, "-I", "-S", REAPER]
        reaper += ["--stop", self.stop_signal, "--grace", str(self.grace)]
        reaper += [word for path in self.remove for word in ("--remove", path)]
        try:
            with self.log.open("ab") as output:
                self._process = subprocess.Popen(
                    [*reaper, "--", *self.argv],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE if self.piped else output,
                    stderr=output,
                    cwd=self.cwd,
                    env=self.env,
                    start_new_session=True,  # Ctrl-C at the terminal is for us, not for the databases
                    pass_fds=self.keep_open,
                )
        except OSError as error:
            raise Halt(f"{self.name} cannot be started ({error.strerror}: {error.filename})") from None
        self._began = time.monotonic()

    def exit_code(self) -> int | None:
        """Return the exit code, or None while it runs; 0 before its start."""
        return self._process.poll() if self._process else 0

    def process_id(self) -> int:
        """Return its process; only after its start."""
        assert self._process is not None
        return self._process.pid

    def restarted(self) -> bool:
        """Start it again when it has ended, a little later each time; return True when that was done now.

        Raises:
            Halt: It ended quickly several times in a row.
        """
        code = self.exit_code()
        if code is None:
            return False
        now = time.monotonic()
        if self._due is None:
            self._quick_failures = self._quick_failures + 1 if now - self._began < QUICK_S else 1
            if self._quick_failures >= QUICK_FAILURES:
                raise Halt(
                    f"{self.name} ended {QUICK_FAILURES} times in a row (exit code {code}){self.end_of_log()}"
                )
            delay = FIRST_DELAY_S * 2 ** (self._quick_failures - 1)
            say("run", f"{self.name} ended unexpectedly (exit code {code}); starting it again in {delay} s")
            self._due = now + delay
        if now < self._due:
            return False
        self._due = None
        self.wait()
        self.start()
        return True

    def stop(self) -> None:
        """Ask it to end; asked twice, it is killed. Return at once."""
        if self._process and self._process.stdin and self.exit_code() is None:
            with contextlib.suppress(BrokenPipeError):
                os.write(self._process.stdin.fileno(), b".")

    def wait(self, timeout: float | None = None) -> int | None:
        """Wait for the end of it and of all below it; return the exit code, or None after ``timeout``."""
        if self._process and self._process.stdin:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(timeout)
                self._process.stdin.close()
        return self.exit_code()

    def output(self) -> str:
        """Wait for the end of a ``piped`` child; return its standard output."""
        assert self._process is not None
        assert self._process.stdout is not None
        with self._process.stdout as stdout:
            return stdout.read().decode("utf-8", "replace")

    def show_log(self, *, everything: bool) -> None:
        """Print what is new in its log: all lines, or of each what `console.summary` keeps."""
        try:
            with self.log.open("rb") as log:
                log.seek(self._shown)
                new = log.read()
        except OSError:
            return
        complete = new[: new.rfind(b"\n") + 1]
        self._shown += len(complete)
        for line in complete.decode("utf-8", "replace").splitlines():
            if text := line if everything else summary(line):
                say(self.name, text)

    def end_of_log(self, lines: int = 6) -> str:
        """Return the end of a sentence: the last lines of its log, without the frames of a traceback."""
        told = [line for line in self.log.read_text("utf-8", "replace").splitlines() if line.strip()]
        told = [line for line in told if not line.startswith((" ", "Traceback"))]
        return f"; the end of {self.log}:\n" + "\n".join(told[-lines:])


class SetupCommands:
    """Run the commands of the setup in the checkout ``root`` and append all that they say to ``log``."""

    def __init__(self, root: Path, log: Path, *, keep_open: Sequence[int] = ()) -> None:
        """Let the commands inherit ``keep_open``: with the lock of the checkout, an orphaned `pip` counts."""
        self.root = root
        self.log = log
        self._keep_open = tuple(keep_open)

    def start_log(self) -> None:
        """Begin a new log. Raises `Halt` where the checkout cannot be written."""
        try:
            self.log.parent.mkdir(parents=True, exist_ok=True)
            self.log.write_text("")
        except OSError as error:
            raise Halt(f"{self.root} cannot be written ({error.strerror}).") from None

    def succeeds(self, argv: Sequence[str | Path], *, env: Mapping[str, str] | None = None) -> bool:
        """Run ``argv`` to its end, showing its latest line now and then; return True when it exits with 0."""
        with self.log.open("a", encoding="utf-8") as log:
            print("$", *argv, file=log, flush=True)
            try:
                process = subprocess.Popen(
                    argv,
                    cwd=self.root,
                    env=clean_environment() | dict(env or {}),
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=log,
                    pass_fds=self._keep_open,
                )
            except OSError as error:
                print(f"{argv[0]}: {error.strerror}", file=log)
                return False
        while True:
            try:
                return process.wait(PROGRESS_EVERY_S) == 0
            except subprocess.TimeoutExpired:
                latest = self.log.read_text("utf-8", "replace").rstrip().rpartition("\n")[2]
                say("setup", f"  … still working: {latest.strip()[:80]}")


def clean_environment() -> dict[str, str]:
    """Return our environment without what would lead `pip` or Python astray.

    Empty ``PIP_*`` values (``PIP_INDEX_URL=``) mean "not set"; a foreign ``PYTHONPATH`` or ``PYTHONHOME`` has
    no business in our virtual environment; ``PIP_USER`` and ``PIP_TARGET`` would install elsewhere.
    """
    misleading = {"PYTHONPATH", "PYTHONHOME", "PIP_USER", "PIP_TARGET", "PIP_PREFIX"}
    return {
        name: value
        for name, value in os.environ.items()
        if name not in misleading and (value or not name.startswith("PIP_"))
    }
