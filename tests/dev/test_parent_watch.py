"""When those who started us no longer want us."""

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time

from app.dev.supervisor import blocked_signals

WATCH = """
import time
from app.dev.supervisor import ParentWatch
watch = ParentWatch()
print("watching", flush=True)
while not watch.is_over():
    time.sleep(0.02)
"""


def test_an_ended_parent_is_noticed() -> None:
    parent = textwrap.dedent(f"""
        import subprocess, sys
        watcher = subprocess.Popen([sys.executable, "-c", {WATCH!r}], stdout=subprocess.PIPE)
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
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGUSR1})
        seen.append(blocked_signals(threading.get_native_id()))

    thread = threading.Thread(target=block)
    thread.start()
    thread.join()
    assert seen == [{signal.SIGINT}]
    assert blocked_signals(os.getpid()) == set()
    assert blocked_signals(2**22 + 1) == set()
