"""When those who started us no longer want us."""

import os
import pty
import signal
import subprocess
import sys
import textwrap
import threading
import time

from app.dev.caller import FATAL, blocked_signals

WATCH = """
import sys, time
from app.dev.caller import Caller
caller = Caller(follow_parent=%s)
print("watching", flush=True)
while not caller.wants_us_gone():
    time.sleep(0.02)
"""


def test_a_closed_terminal_is_noticed() -> None:
    terminal, ours = pty.openpty()
    watcher = subprocess.Popen(
        [sys.executable, "-c", WATCH % False],
        stdin=subprocess.DEVNULL,
        stdout=ours,
        start_new_session=True,
        # Started under nohup, the tests would hand on that a hang-up is to be ignored.
        preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_DFL),
    )
    os.close(ours)
    assert b"watching" in os.read(terminal, 100)
    time.sleep(0.2)
    assert watcher.poll() is None
    os.close(terminal)
    assert watcher.wait(10) == 0


def test_an_ended_parent_is_noticed() -> None:
    parent = textwrap.dedent(f"""
        import subprocess, sys
        watcher = subprocess.Popen([sys.executable, "-c", {WATCH % True!r}], stdout=subprocess.PIPE)
        watcher.stdout.readline()
        print(watcher.pid)
    """)
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", parent], stdout=subprocess.PIPE, check=True)
    watcher = int(done.stdout)
    end = time.monotonic() + 10
    while time.monotonic() < end:
        try:
            os.kill(watcher, 0)
        except ProcessLookupError:
            return
        time.sleep(0.05)
    os.kill(watcher, signal.SIGKILL)
    raise AssertionError("the watcher outlived its parent")


def test_blocked_signals_are_read_from_the_kernel() -> None:
    seen = []

    def block() -> None:
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        seen.append(blocked_signals(threading.get_native_id()))

    thread = threading.Thread(target=block)
    thread.start()
    thread.join()
    assert seen[0] & FATAL == 1 << (signal.SIGINT - 1)
    assert blocked_signals(os.getpid()) & FATAL == 0
    assert blocked_signals(2**22 + 1) == 0
