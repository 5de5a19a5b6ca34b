"""One process that runs on a leash, its log, and what becomes of it."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from app.dev.console import Halt

LEASH = Path(__file__).with_name("leash.py")


@dataclass(frozen=True)
class Command:
    """What to run and how it wants to end.

    ``stop`` is the name of the signal that asks it to end and ``grace`` the seconds it may take; ``user`` and
    ``keep`` as in `leash`; ``leftovers`` are paths that its leash removes when all is over.
    """

    argv: Sequence[str | Path]
    env: Mapping[str, str] | None = None
    cwd: Path = Path("/")
    stop: str = "TERM"
    grace: float = 5.0
    user: str | None = None
    keep: str | None = None
    leftovers: Sequence[Path] = field(default_factory=tuple)

    def on_leash(self) -> list[str]:
        """The full command line: the leash, its options, then ours."""
        words = [sys.executable, "-I", "-S", str(LEASH), "--stop", self.stop, "--grace", str(self.grace)]
        if self.user:
            words += ["--user", self.user]
        if self.user and self.keep:
            words += ["--pass", self.keep]
        for path in self.leftovers:
            words += ["--remove", str(path)]
        return [*words, "--", *map(str, self.argv)]


class Child:
    """A running `Command`. Its output goes straight into a file: nothing can block on a reader that died."""

    def __init__(
        self,
        name: str,
        command: Command,
        log: Path,
        *,
        keep_open: Sequence[int] = (),
        answer: IO[bytes] | None = None,
    ) -> None:
        """Start it. ``keep_open``: descriptors that it inherits. ``answer``: where its stdout goes.

        Without ``answer`` its stdout goes into the log, like its stderr.
        Raises `Halt` where the log cannot be written.
        """
        self.name = name
        self.log = log
        try:
            with log.open("ab") as output:
                self._process = subprocess.Popen(
                    command.on_leash(),
                    stdin=subprocess.PIPE,
                    stdout=answer or output,
                    stderr=output,
                    cwd=command.cwd,
                    env=None if command.env is None else dict(command.env),
                    start_new_session=True,  # Ctrl-C at the terminal is for us, not for the databases
                    pass_fds=tuple(keep_open),
                )
        except OSError as error:
            raise Halt(f"{name} cannot be started ({error.strerror}: {error.filename})") from None

    def exit_code(self) -> int | None:
        """None while it runs."""
        return self._process.poll()

    def stop(self) -> None:
        """Ask it to end; asked twice, it is killed. Returns at once."""
        if self._process.poll() is None and self._process.stdin:
            with contextlib.suppress(BrokenPipeError):
                os.write(self._process.stdin.fileno(), b".")

    def wait(self, timeout: float | None = None) -> int | None:
        """Wait for the end of it and of all below it: the exit code, or None when the time is over."""
        try:
            return self._process.wait(timeout)
        except subprocess.TimeoutExpired:
            return None
        finally:
            if self._process.returncode is not None and self._process.stdin:
                self._process.stdin.close()

    def last_words(self, lines: int = 8) -> str:
        """The end of its log, without the frames of a traceback."""
        try:
            with self.log.open("rb") as log:
                log.seek(max(0, self.log.stat().st_size - 20_000))
                text = log.read().decode("utf-8", "replace")
        except OSError:
            return ""
        told = [
            line for line in text.splitlines() if line.strip() and not line.startswith((" ", "Traceback"))
        ]
        return "\n".join(told[-lines:])


def run_to_end(
    name: str, command: Command, log: Path, *, keep_open: Sequence[int] = (), timeout: float = 120
) -> bool:
    """Run a short command on a leash; True when it exits with 0 within ``timeout`` seconds."""
    child = Child(name, command, log, keep_open=keep_open)
    code = child.wait(timeout)
    if code is None:
        child.stop()
        child.stop()
        child.wait()
    return code == 0
