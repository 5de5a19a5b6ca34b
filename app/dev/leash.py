"""Between a parent and one child: when the parent dies, the child and all that it started die too.

    python -I -S leash.py [options] -- command …      (stdin: the read end of a pipe that the parent holds)

    --stop NAME        the signal that asks the command to end (default TERM)
    --grace SECONDS    how long it may take before everything below is killed (default 5)
    --user NAME        run the command as this user (root only)
    --pass CAPABILITY  with --user: keep the right to go through closed directories (see `_become`)
    --remove PATH      delete this file or directory when all is over; may be repeated

Each byte on the pipe asks for the end: the first one politely, the second at once. SIGTERM, SIGINT and SIGHUP
do the same, but one that comes before we listen would kill us, and then nobody tidies up.

Three things can go wrong, and each is covered: the parent is killed (the pipe closes, whichever of its
threads started us); the command is killed (as sub-reaper we inherit what it leaves behind, and end it); we
are killed (the kernel sends the command its stop signal). Standard library only, one thread, no import of
this project: it starts in some 20 ms, and forking is safe. The exit code is the command's, 128 + n after a
signal n.
"""

from __future__ import annotations

import argparse
import contextlib
import ctypes
import os
import pwd
import select
import shutil
import signal
import sys
import time
from pathlib import Path

PR_SET_PDEATHSIG = 1
PR_SET_SECUREBITS = 28
SECBIT_NO_SETUID_FIXUP = 4
PR_SET_CHILD_SUBREAPER = 36
PR_CAP_AMBIENT = 47
PR_CAP_AMBIENT_RAISE = 2
CAPABILITY_VERSION_3 = 0x20080522
CAPABILITIES = {"dac_override": 1, "dac_read_search": 2}

ORPHANS_GRACE_S = 2.0
"""What a command leaves behind gets this long between SIGTERM and SIGKILL."""

CANNOT_START = 126
HEARD = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGCHLD)

_libc = ctypes.CDLL(None, use_errno=True)


class Leash:
    """One command, from its start until nothing of it is left."""

    def __init__(self, command: list[str], options: argparse.Namespace) -> None:
        self._command = command
        self._options = options
        self._stop_signal = signal.Signals[f"SIG{options.stop}"]
        self._requests = 0
        self._exit_code: int | None = None
        self._child = 0

    def hold(self) -> int:
        """Run the command to its end, tidy up, return its exit code."""
        _prctl(PR_SET_CHILD_SUBREAPER, 1)
        wake = self._listen()
        self._child = self._start()
        parent = sys.stdin.fileno()
        watched = [parent, wake]
        deadline: float | None = None
        while self._exit_code is None:
            patience = None if deadline is None else max(0.0, deadline - time.monotonic())
            ready, _, _ = select.select(watched, [], [], patience)
            if wake in ready:
                with contextlib.suppress(BlockingIOError):
                    os.read(wake, 512)
            if parent in ready:
                asked = len(os.read(parent, 512))
                self._requests += asked
                if not asked:
                    watched.remove(parent)
                    self._requests = max(self._requests, 1)
            self._reap()
            if self._requests and deadline is None:
                self._signal(self._child, self._stop_signal)
                deadline = time.monotonic() + self._options.grace
            if self._requests > 1 or (deadline is not None and time.monotonic() >= deadline):
                self._signal(self._child, signal.SIGKILL)
        self._end_orphans()
        for path in self._options.remove:
            _remove(Path(path))
        return self._exit_code

    def _listen(self) -> int:
        """Turn signals into bytes on a pipe; returns its read end."""
        read, write = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        signal.set_wakeup_fd(write, warn_on_full_buffer=False)
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, self._on_stop)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        return read

    def _on_stop(self, *_: object) -> None:
        self._requests += 1

    def _start(self) -> int:
        leash = os.getpid()
        # Held back until the child no longer has our handlers: a stop signal must not be lost on the way.
        signal.pthread_sigmask(signal.SIG_BLOCK, HEARD)
        pid = os.fork()
        if pid:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, HEARD)
            return pid
        try:
            self._exec(leash)
        except OSError as error:
            print(f"{self._command[0]} cannot be started: {error.strerror}", file=sys.stderr, flush=True)
        except KeyError:
            print(f"there is no user {self._options.user}", file=sys.stderr, flush=True)
        finally:
            os._exit(CANNOT_START)

    def _exec(self, leash: int) -> None:
        """In the child: become the command."""
        signal.set_wakeup_fd(-1)
        for number in HEARD:
            signal.signal(number, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, HEARD)
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        if self._options.user:
            _become(self._options.user, self._options.keep)
        # After the change of user, which clears it.
        _prctl(PR_SET_PDEATHSIG, self._stop_signal)
        if os.getppid() != leash:
            os._exit(CANNOT_START)
        os.execvp(self._command[0], self._command)  # noqa: S606  there is no shell to go through

    def _reap(self) -> None:
        """Collect whoever ended: the command, or an orphan that came to us."""
        with contextlib.suppress(ChildProcessError):
            while True:
                pid, status = os.waitpid(-1, os.WNOHANG)
                if pid == 0:
                    return
                if pid == self._child:
                    code = os.waitstatus_to_exitcode(status)
                    self._exit_code = code if code >= 0 else 128 - code

    def _end_orphans(self) -> None:
        started = time.monotonic()
        asked: set[int] = set()
        while left := descendants(os.getpid()):
            waited = time.monotonic() - started
            kill = waited > ORPHANS_GRACE_S or self._requests > 1
            for pid in left:
                if kill:
                    self._signal(pid, signal.SIGKILL)
                elif pid not in asked:
                    self._signal(pid, signal.SIGTERM)
                    asked.add(pid)
            if waited > 3 * ORPHANS_GRACE_S:
                return  # a process in uninterruptible sleep: nobody can end it
            time.sleep(0.02)
            self._reap()

    @staticmethod
    def _signal(pid: int, number: int) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, number)


def descendants(ancestor: int) -> list[int]:
    """Process ids of all that live below ``ancestor``, by one look through /proc."""
    children: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with contextlib.suppress(OSError, ValueError, IndexError):
                # "pid (name) state ppid …", where the name may hold anything: count from the last bracket.
                fields = (entry / "stat").read_bytes().rpartition(b")")[2].split()
                children.setdefault(int(fields[1]), []).append(int(entry.name))
    found: list[int] = []
    queue = [ancestor]
    while queue:
        below = children.get(queue.pop(), [])
        found += below
        queue += below
    return found


def _become(user: str, keep: str | None) -> None:
    """Give root away for ``user``; ``keep`` names one capability that survives it.

    PostgreSQL refuses to run as root, and a user like `nobody` cannot enter a checkout below root's closed
    home. With ``dac_read_search`` it can: read and pass everywhere, write only what it owns. Where the
    container has no such right to give, ``dac_override`` is tried, which containers usually have. The secure
    bit keeps capabilities through the change of user, and makes access(2) count them too: that is how
    PostgreSQL looks for its own programs.
    """
    entry = pwd.getpwnam(user)
    os.setgroups([])
    if keep:
        _prctl(PR_SET_SECUREBITS, SECBIT_NO_SETUID_FIXUP)
    os.setresgid(entry.pw_gid, entry.pw_gid, entry.pw_gid)
    os.setresuid(entry.pw_uid, entry.pw_uid, entry.pw_uid)
    if keep:
        try:
            _keep_capability(CAPABILITIES[keep])
        except OSError:
            _keep_capability(CAPABILITIES["dac_override"])


def _keep_capability(number: int) -> None:
    """Hold exactly one capability, and keep it across the next exec."""
    bits = 1 << number
    header = (ctypes.c_uint32 * 2)(CAPABILITY_VERSION_3, 0)
    data = (ctypes.c_uint32 * 6)(bits, bits, bits, 0, 0, 0)
    if _libc.capset(ctypes.byref(header), ctypes.byref(data)):
        raise OSError(ctypes.get_errno(), "the right to enter closed directories cannot be passed on")
    _prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, number)


def _prctl(option: int, *arguments: int) -> None:
    padded = [ctypes.c_ulong(value) for value in (*arguments, 0, 0, 0, 0)[:4]]
    if _libc.prctl(option, *padded):
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))


def _remove(path: Path) -> None:
    with contextlib.suppress(OSError):
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink()


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="leash", usage=__doc__)
    parser.add_argument("--stop", default="TERM")
    parser.add_argument("--grace", type=float, default=5.0)
    parser.add_argument("--user")
    parser.add_argument("--pass", dest="keep", choices=sorted(CAPABILITIES))
    parser.add_argument("--remove", action="append", default=[])
    parser.add_argument("command", nargs="+")
    options = parser.parse_args(arguments)
    return Leash(options.command, options).hold()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
