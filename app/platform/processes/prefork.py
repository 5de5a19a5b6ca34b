"""Prefork process pool: a parent that forks worker processes and restarts those that die.

The parent has one thread and no connections, so forking is safe and takes milliseconds: it loads what the
children need before it forks them. Each child gets SIGTERM when the parent dies.
"""

from __future__ import annotations

import ctypes
import os
import signal
import socket
import sys
import time
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from app.platform import log

_logger = log.logger("worker")

_PR_SET_PDEATHSIG, _PR_SET_NAME = 1, 15
_SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGCHLD)
# A child that dies sooner than this after its start waits before the next start, longer each time.
_QUICK_S, _FIRST_DELAY_S, _LONGEST_DELAY_S = 10.0, 0.05, 10.0


@dataclass(slots=True)
class ProcessSlot:
    """A child process that must always be running.

    `work(name, previous)` runs in the child and returns its exit code. `name` is unique among all machines;
    `previous` is the name of the dead process that it replaces, or `None`. `prepare` runs once in the parent
    before the first fork: what it loads is shared by all children.
    """

    title: str
    work: Callable[[str, str | None], int]
    prepare: Callable[[], None] | None = None
    pid: int = 0
    name: str | None = None
    began: float = 0.0
    due: float | None = 0.0
    delay: float = field(default=_FIRST_DELAY_S)


class ProcessPool:
    """Keep one process running for each slot until told to stop."""

    def __init__(self, slots: Sequence[ProcessSlot], *, grace_s: float) -> None:
        """`grace_s`: how long children may take to stop before they are killed."""
        self._slots = list(slots)
        self._grace_s = grace_s

    def run(self) -> int:
        """Run until SIGTERM or SIGINT and the end of every child; return the exit code."""
        signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)
        # A signal that is ignored is never delivered, blocked or not.
        signal.signal(signal.SIGCHLD, lambda *_: None)
        _logger.info("worker starts", processes=[slot.title for slot in self._slots])
        while True:
            now = time.monotonic()
            for slot in self._slots:
                if slot.due is not None and now >= slot.due:
                    self._start(slot)
            received = signal.sigtimedwait(_SIGNALS, self._until_next_start())
            self._reap()
            if received is not None and received.si_signo != signal.SIGCHLD:
                return self._stop()

    def _until_next_start(self) -> float:
        """Return the seconds until the next process is to be started."""
        due_times = [slot.due for slot in self._slots if slot.due is not None]
        return max(0.01, min([due - time.monotonic() for due in due_times], default=60.0))

    def _start(self, slot: ProcessSlot) -> None:
        if slot.prepare is not None:
            slot.prepare()
            slot.prepare = None
        name, previous = f"{socket.gethostname()}-{uuid.uuid4().hex[:12]}", slot.name
        parent = os.getpid()
        pid = os.fork()
        if pid == 0:
            _run_child(slot.title, lambda: slot.work(name, previous), parent)
        slot.pid, slot.name, slot.began, slot.due = pid, name, time.monotonic(), None

    def _reap(self) -> None:
        """Collect every child that has ended and schedule its restart."""
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if pid == 0:
                return
            for slot in self._slots:
                if slot.pid == pid:
                    self._schedule_restart(slot, status)

    def _schedule_restart(self, slot: ProcessSlot, status: int) -> None:
        now = time.monotonic()
        quick = now - slot.began < _QUICK_S
        slot.delay = min(slot.delay * 2, _LONGEST_DELAY_S) if quick else _FIRST_DELAY_S
        slot.pid, slot.due = 0, now + slot.delay
        code = os.waitstatus_to_exitcode(status)
        _logger.warning("process ended", process=slot.title, code=code, next_in_s=round(slot.delay, 2))

    def _stop(self) -> int:
        self._signal(signal.SIGTERM)
        deadline = time.monotonic() + self._grace_s
        while any(slot.pid for slot in self._slots):
            if time.monotonic() >= deadline:
                self._signal(signal.SIGKILL)
            signal.sigtimedwait((signal.SIGCHLD,), 0.2)
            for slot in self._slots:
                if slot.pid and os.waitpid(slot.pid, os.WNOHANG)[0]:
                    slot.pid = 0
        _logger.info("worker stopped")
        return 0

    def _signal(self, number: signal.Signals) -> None:
        for slot in self._slots:
            if slot.pid:
                os.kill(slot.pid, number)


def _run_child(title: str, work: Callable[[], int], parent: int) -> None:
    """Run `work` in the child and exit; never returns.

    `title` is the name that `ps -o comm` and `top` show.
    """
    code = 1
    try:
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGCHLD):
            signal.signal(number, signal.SIG_DFL)
        ctypes.CDLL(None).prctl(_PR_SET_NAME, title.encode()[:15], 0, 0, 0)
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)
        if os.getppid() != parent:
            os._exit(0)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _SIGNALS)
        code = work()
    except SystemExit as ending:
        code = ending.code if isinstance(ending.code, int) else 1
    except BaseException as error:
        _logger.error("process failed", exc_info=error)
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)
