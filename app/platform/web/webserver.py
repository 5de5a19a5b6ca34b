"""Web server: granian, configured to replace dead workers and to log JSON only.

`python web.py` runs it. The application is loaded once, by the parent, and its workers are forked from it, so
that they share its memory and one that died is replaced at once (decision 108). Each worker listens on its
own socket (SO_REUSEPORT), so that the others accept connections while one is replaced. What a process writes
directly to its output, such as the traceback of a failed start, goes through a pipe that converts it to JSON.
"""

from __future__ import annotations

import json
import os
import re
import select
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from granian import Granian
from granian.constants import Interfaces
from granian.log import LogLevels

from app.platform import clock, log, settings

# Granian ends everything when a worker dies twice within 5.5 s. Here others that live go on, and without any,
# it is ended after so many deaths within so many seconds, so that its supervisor learns of it.
_DEATHS, _WITHIN_S = 4, 60.0
# A worker is alive, and not just being loaded, after this.
_LOADED_S = 10.0
_LONGEST_LINE = 4_000
_PAUSE_MS = 500

_TRACEBACK = "Traceback (most recent call last):"
_FRAME = re.compile(r'  File "(?:.*?/)??([^/"]+/[^/"]+|[^/"]+)", line (\d+)(?:, in (.+))?$')
_ERROR = re.compile(r"([A-Za-z_][\w.]*)(?::|$)")
# Where tracebacks of two processes meet, their ends come apart from their frames.
_STRAY = re.compile(
    r"((?:[A-Za-z_]\w*\.)+[A-Z]\w*|[A-Z]\w*(?:Error|Exception|Warning|Exit|Interrupt|Group|Iteration)):"
)
_SOURCE = "    "


class _RestartTimes(dict[int, float]):
    """Restart times of workers, as granian reads them.

    `get` returns a recent time, on which granian gives up, only in a crash loop.
    """

    def __init__(self, alive: Callable[[int], bool]) -> None:
        super().__init__()
        self._alive = alive
        self._all: list[float] = []

    def clear(self) -> None:
        """Keep everything: granian clears all but the last restart, and a crash loop is seen in several."""

    def __setitem__(self, worker: int, at: float) -> None:
        self._all = [*(one for one in self._all if at - one < _WITHIN_S), at]
        super().__setitem__(worker, at)

    def get(self, worker: int, default: Any = 0) -> Any:
        looping = len(self._all) >= _DEATHS and time.monotonic() - self._all[-_DEATHS] < _WITHIN_S
        return time.monotonic() if looping and not self._alive(worker) else float("-inf")


def run(load: Callable[[], object] | None = None) -> int:
    """Serve until SIGTERM or SIGINT; return the exit code, 1 where it cannot start.

    Args:
        load: loads the application before workers are forked, which then find it loaded. It must leave no
            connection and no thread behind, since neither lives on in a forked process.
    """
    with _as_json():
        try:
            config = settings.current()
        except settings.SettingsError as error:
            # One plain sentence: an operator needs the name of the setting, not where we read it.
            sys.stderr.write(f"candado: {error}\n")
            sys.stderr.flush()
            return 1
        if load is not None:
            try:
                _interruptibly(load)
            except SystemExit as ended:
                if ended.code:
                    sys.stderr.write(f"{ended.code}\n")
                    sys.stderr.flush()
                return 1 if ended.code else 0
            except Exception:  # noqa: BLE001 (its traceback belongs to the log, without its words)
                traceback.print_exc()
                return 1
        server = Granian(
            "wsgi:serve",
            address=config.host,
            port=config.port,
            interface=Interfaces.WSGI,
            workers=config.web_workers,
            blocking_threads=config.web_threads,
            respawn_failed_workers=True,
            # The other is forked before this one is stopped.
            workers_max_rss=config.web_max_mb or None,
            workers_kill_timeout=max(1, round(config.web_grace_s)),
            log_level=LogLevels(config.log_level),
            log_dictconfig=log.for_granian(),
            factory=True,
        )

        def alive(worker: int) -> bool:
            return any(
                one.idx != worker and one.inner.is_alive() and time.monotonic() - one.birth > _LOADED_S
                for one in server.wrks
            )

        server.respawned_wrks = _RestartTimes(alive)
        try:
            server.serve()
        except SystemExit as ended:
            return ended.code if isinstance(ended.code, int) else 1
    return 0


def _interruptibly(load: Callable[[], object]) -> None:
    """Load the application; SIGTERM or SIGINT ends it, as they end the server later, by `SystemExit(0)`."""

    def end(*_: object) -> None:
        sys.exit(0)

    before = {number: signal.signal(number, end) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        load()
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def _as_json() -> Iterator[None]:
    """Send what this process and its children write to standard output and error through `JsonLines`."""
    out = os.dup(2)
    reading, writing = os.pipe()
    os.set_inheritable(writing, True)
    relay = threading.Thread(target=_relay, args=(reading, out), name="log", daemon=True)
    for stream in (1, 2):
        os.dup2(writing, stream)
    os.close(writing)
    # A child must not hold the reading end: with us gone, it would fill the pipe and wait for ever.
    os.register_at_fork(after_in_child=lambda: _close(reading, out))
    relay.start()
    try:
        yield
    finally:
        # What is still in a buffer belongs to the log too: flushed later, it would leave as it was written.
        for buffered in (sys.stdout, sys.stderr):
            buffered.flush()
        for stream in (1, 2):
            os.dup2(out, stream)
        relay.join(2.0)


def _close(*descriptors: int) -> None:
    for descriptor in descriptors:
        os.close(descriptor)


def _relay(reading: int, out: int) -> None:
    lines, rest, poll = JsonLines(), b"", select.poll()
    poll.register(reading, select.POLLIN)
    while True:
        if not poll.poll(_PAUSE_MS):
            # A traceback is written in one go: what has not come by now does not.
            _write(out, list(lines.flush()))
            poll.poll()
        chunk = os.read(reading, 65_536)
        if not chunk:
            break
        *whole, rest = (rest + chunk).split(b"\n")
        _write(out, [text for line in whole for text in lines.take(line.decode("utf-8", "replace"))])
    _write(out, [*(lines.take(rest.decode("utf-8", "replace")) if rest else ()), *lines.flush()])


def _write(out: int, lines: list[str]) -> None:
    data = memoryview("".join(f"{line}\n" for line in lines).encode())
    while data:
        data = data[os.write(out, data) :]


class JsonLines:
    """Convert output to JSON: one object per line, and one per traceback without its message.

    The message of an exception may quote the client's document that was being processed.
    """

    def __init__(self) -> None:
        self._frames: list[str] | None = None

    def take(self, line: str) -> Iterator[str]:
        """Yield the JSON lines that are complete after this line."""
        if line.startswith("{") and _is_object(line):
            yield line
            return
        line = line.rstrip()
        if line.endswith(_TRACEBACK):
            yield from self.flush()
            self._frames = []
        elif found := _FRAME.match(line):
            self._frames = [*(self._frames or []), f"{found[1]}:{found[2]} in {found[3] or '?'}"]
        elif line.startswith(_SOURCE) or (self._frames is not None and line.startswith(" ")):
            # A line of the program, which may hold words too.
            return
        elif found := (_ERROR if self._frames is not None else _STRAY).match(line):
            yield self._traceback(found[1])
        elif line:
            yield from self.flush()
            yield _record(line[:_LONGEST_LINE], "warning")

    def flush(self) -> Iterator[str]:
        """Yield a traceback that was cut off."""
        if self._frames:
            yield self._traceback("an exception")

    def _traceback(self, kind: str) -> str:
        frames, self._frames = self._frames or [], None
        return _record(
            "traceback", "error", exception=" at ".join(filter(None, [kind, " > ".join(frames[-8:])]))
        )


def _is_object(line: str) -> bool:
    try:
        return isinstance(json.loads(line), dict)
    except ValueError:
        return False


def _record(event: str, level: str, **more: str) -> str:
    at = clock.iso(clock.now())
    return json.dumps({"event": event, "level": level, "logger": "stderr", **more, "timestamp": at})
