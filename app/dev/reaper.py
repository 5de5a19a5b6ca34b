"""Run one command and end it, with all that it started, when it or the parent ends.

    python -I -S reaper.py [options] -- command …     (stdin: the read end of a pipe that the parent holds)

    --stop NAME        the signal that asks the command to end (default TERM)
    --grace SECONDS    how long it may take before it is killed (default 5)
    --remove PATH      delete this file or directory when all is over; may be repeated

Each byte on the pipe, and each SIGTERM, SIGINT or SIGHUP, asks for the end: the first one politely, the
second at once. Three things can go wrong, and each is covered: the parent is killed (the pipe closes), the
command is killed (as sub-reaper we inherit what it leaves behind, and end it), we are killed (the kernel
sends the command its stop signal). Standard library only and no import of this project: it starts in some
40 ms. The exit code is the command's, 128 + n after a signal n.
"""

from __future__ import annotations

import argparse
import contextlib
import ctypes
import os
import select
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36
ORPHANS_GRACE_S = 2.0
"""What a command leaves behind gets this long between SIGTERM and SIGKILL."""
UNKILLABLE_S = 4.0
"""A process in uninterruptible sleep is given up after so long."""
CANNOT_START = 126
STOP_SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)

_libc = ctypes.CDLL(None)


def main(arguments: list[str]) -> int:
    """Run the command of ``arguments`` until nothing of it is left; return its exit code."""
    parser = argparse.ArgumentParser(prog="reaper", usage=__doc__)
    parser.add_argument("--stop", type=lambda name: signal.Signals[f"SIG{name}"], default=signal.SIGTERM)
    parser.add_argument("--grace", type=float, default=5.0)
    parser.add_argument("--remove", type=Path, action="append", default=[])
    parser.add_argument("command", nargs="+")
    options = parser.parse_args(arguments)
    _libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    heard = _signals_as_bytes()
    try:
        process = _start(options.command, options.stop)
    except OSError as error:
        print(f"{options.command[0]} cannot be started: {error.strerror}", file=sys.stderr, flush=True)
        code, hurry = CANNOT_START, True
    else:
        hurry = _await(process, heard, options.stop, options.grace)
        code = process.returncode if process.returncode >= 0 else 128 - process.returncode
    _end_orphans(hurry=hurry)
    for path in options.remove:
        with contextlib.suppress(OSError):
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path, ignore_errors=True)
            else:
                path.unlink()
    return code


def _signals_as_bytes() -> int:
    """Turn signals into bytes, each the signal's number; return the descriptor to read them from."""
    read, write = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
    signal.set_wakeup_fd(write, warn_on_full_buffer=False)
    for number in (*STOP_SIGNALS, signal.SIGCHLD):
        signal.signal(number, lambda *_: None)
    return read


def _start(command: list[str], stop: signal.Signals) -> subprocess.Popen[bytes]:
    """Start ``command``, to which the kernel sends ``stop`` when we die."""
    reaper = os.getpid()

    def before_exec() -> None:
        for number in STOP_SIGNALS:
            signal.signal(number, signal.SIG_DFL)
        _libc.prctl(PR_SET_PDEATHSIG, int(stop), 0, 0, 0)
        if os.getppid() != reaper:
            os._exit(CANNOT_START)

    # One thread, so preexec_fn is safe. Open descriptors go on: locks that live as long as the command does.
    return subprocess.Popen(command, stdin=subprocess.DEVNULL, close_fds=False, preexec_fn=before_exec)


def _await(process: subprocess.Popen[bytes], heard: int, stop: signal.Signals, grace: float) -> bool:
    """Wait for the end of ``process``, passing on what the parent asks for; return True when asked twice."""
    parent = sys.stdin.fileno()
    watched = [parent, heard]
    requests = 0
    deadline: float | None = None
    while process.poll() is None:
        patience = None if deadline is None else max(0.05, deadline - time.monotonic())
        for source in select.select(watched, [], [], patience)[0]:
            said = os.read(source, 512)
            requests += sum(byte != signal.SIGCHLD for byte in said)
            if not said:  # the parent has ended
                watched.remove(parent)
                requests = max(requests, 1)
        if requests and deadline is None:
            process.send_signal(stop)
            deadline = time.monotonic() + grace
        if requests > 1 or (deadline is not None and time.monotonic() >= deadline):
            process.kill()
    return requests > 1


def _end_orphans(*, hurry: bool) -> None:
    """End what the command left behind, which is now below us; ``hurry`` leaves out the polite signal."""
    kill_at = time.monotonic() + (0.0 if hurry else ORPHANS_GRACE_S)
    asked: set[int] = set()
    while time.monotonic() < kill_at + UNKILLABLE_S:
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return
        kill = time.monotonic() >= kill_at
        for pid in children(os.getpid()):
            if kill or pid not in asked:
                with contextlib.suppress(OSError):
                    os.kill(pid, signal.SIGKILL if kill else signal.SIGTERM)
                asked.add(pid)
        time.sleep(0.02)


def children(parent: int) -> list[int]:
    """Return the process ids whose parent is ``parent``, by one look through /proc."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            # "pid (name) state ppid …", where the name may hold anything: count from the last bracket.
            if int((entry / "stat").read_bytes().rpartition(b")")[2].split()[1]) == parent:
                found.append(int(entry.name))
    return found


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
