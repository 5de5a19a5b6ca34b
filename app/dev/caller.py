"""Who started us, `make` or a terminal, and whether they still want us."""

from __future__ import annotations

import os
import re
import select
import signal
from pathlib import Path

# Bits of the masks in /proc/<pid>/status.
FATAL = sum(1 << (number - 1) for number in (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGTERM))
STDOUT = 1


class Caller:
    """The process above us and the terminal before us.

    `make` passes SIGTERM on to what it runs, but not SIGINT and SIGHUP: those it expects a terminal to have
    sent to everybody, and waits. Where only `make` got one, we see that it is waiting inside its handler, by
    the signal that is blocked there.
    """

    def __init__(self, *, follow_parent: bool) -> None:
        """``follow_parent``: end with the process that started us, and as soon as it is told to end."""
        self._parent = os.getppid() if follow_parent else None
        # What was blocked before make began to wait for us was inherited, and says nothing.
        self._blocked = blocked_signals(self._parent) if self._parent else 0
        self._terminal: select.poll | None = None
        if os.isatty(STDOUT) and signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:
            self._terminal = select.poll()
            self._terminal.register(STDOUT, 0)

    def wants_us_gone(self) -> bool:
        """True when the caller has ended or was told to end, or the terminal was closed."""
        if self._terminal and any(event & select.POLLHUP for _, event in self._terminal.poll(0)):
            return True
        if self._parent is None:
            return False
        return os.getppid() != self._parent or bool(blocked_signals(self._parent) & FATAL & ~self._blocked)


def blocked_signals(pid: int) -> int:
    """The mask of signals that the process blocks; 0 when it cannot be read."""
    try:
        status = Path(f"/proc/{pid}/status").read_text("utf-8", "replace")
    except OSError:
        return 0
    found = re.search(r"(?m)^SigBlk:\s*([0-9a-f]+)$", status)
    return int(found[1], 16) if found else 0
