"""What the person at the terminal sees: short prefixed lines, and one sentence when something is wrong."""

from __future__ import annotations

import contextlib
import sys

WIDTH = 8


class Halt(Exception):
    """The work cannot go on. The text is the one plain sentence that is shown; the exit code is 1."""


def say(source: str, text: str) -> None:
    """Print ``text`` with the name of who says it in front of every line.

    A terminal that went away is no reason to stop: the supervisor must live to end its children.
    """
    with contextlib.suppress(OSError, ValueError):
        for line in text.splitlines() or [""]:
            sys.stdout.write(f"{source:>{WIDTH}} | {line}".rstrip() + "\n")
        sys.stdout.flush()


def show(text: str) -> None:
    """Print ``text`` as it is, for what will be copied and pasted."""
    with contextlib.suppress(OSError, ValueError):
        sys.stdout.write(text)
        sys.stdout.flush()
