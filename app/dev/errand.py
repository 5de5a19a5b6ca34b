"""Commands that the setup runs for the person: their output goes to a log, their progress to the terminal."""

from __future__ import annotations

import os
import select
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from app.dev.console import Halt, say

PROGRESS_EVERY_S = 10.0
"""Seconds of silence after which a progress line shows that the work goes on."""


class Errands:
    """Runs commands in the checkout ``root`` and writes all that they say to ``log``.

    ``keep_open`` are file descriptors that the commands inherit: the lock of the checkout, so that an
    orphaned `pip` still counts as "somebody is working here".
    """

    def __init__(self, root: Path, log: Path, *, keep_open: Sequence[int] = ()) -> None:
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

    def note(self, text: str) -> None:
        """Append ``text`` to the log."""
        with self.log.open("a", encoding="utf-8", errors="replace") as log:
            log.write(text.rstrip() + "\n")

    def succeeds(
        self,
        argv: Sequence[str | Path],
        *,
        env: Mapping[str, str] | None = None,
        progress: Callable[[str], str] | None = None,
    ) -> bool:
        """Run ``argv`` to its end; True when it exits with 0.

        ``progress`` sees every line of output and returns what a progress line should say.
        """
        command = [str(word) for word in argv]
        self.note("$ " + " ".join(command))
        try:
            process = subprocess.Popen(
                command,
                cwd=self.root,
                env=clean_environment() | dict(env or {}),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                pass_fds=self._keep_open,
            )
        except OSError as error:
            self.note(f"{command[0]}: {error.strerror}")
            return False
        with process, self.log.open("ab") as log:
            for line in _lines(process, progress):
                log.write(line)
        return process.returncode == 0


def _lines(process: subprocess.Popen[bytes], progress: Callable[[str], str] | None) -> Iterator[bytes]:
    """The output of ``process`` line by line; in long silences the terminal gets a word."""
    assert process.stdout is not None
    output = process.stdout.fileno()
    state = ""
    spoken = time.monotonic()
    pending = b""
    while True:
        readable, _, _ = select.select([output], [], [], 1.0)
        if time.monotonic() - spoken > PROGRESS_EVERY_S:
            spoken = time.monotonic()
            say("setup", f"  … still working{': ' + state if state else ''}")
        if not readable:
            continue
        chunk = os.read(output, 65536)
        *lines, pending = (pending + chunk).split(b"\n")
        for line in lines:
            state = progress(line.decode("utf-8", "replace")) if progress else state
            yield line + b"\n"
        if not chunk:
            yield pending
            return


def clean_environment() -> dict[str, str]:
    """Our environment without what would lead `pip` or Python astray.

    Empty ``PIP_*`` values (``PIP_INDEX_URL=``) mean "not set"; a foreign ``PYTHONPATH`` or ``PYTHONHOME`` has
    no business in our virtual environment; ``PIP_USER`` and ``PIP_TARGET`` would install elsewhere.
    """
    misleading = {"PYTHONPATH", "PYTHONHOME", "PIP_USER", "PIP_TARGET", "PIP_PREFIX"}
    return {
        name: value
        for name, value in os.environ.items()
        if name not in misleading and not (name.startswith("PIP_") and not value)
    }
