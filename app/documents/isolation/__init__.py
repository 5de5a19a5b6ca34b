"""Run one function on untrusted bytes in a process of its own: no network, bounded memory, time and files.

The process is a fresh interpreter in a session of its own, with an empty environment, an empty private
working directory and no descriptors but its pipes. It gets the bytes by its standard input and hands a
result back by its standard output; when it fails it hands back a code of `app.documents.errors` and nothing
else (decision 077).
"""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from app.documents.errors import BROKEN, TOO_COMPLEX, DocumentUnreadable
from app.documents.isolation.functions import FUNCTIONS, IsolatedFunction
from app.platform import log
from app.platform.errors import Upstream

__all__ = ["FUNCTIONS", "run"]

_logger = log.logger("documents")

_CHILD = Path(__file__).with_name("child.py")
_PROJECT = Path(__file__).resolve().parents[3]
# Of this process; each may use half a gigabyte and one processor, or as many as OCR finds.
_AT_ONCE = max(2, os.cpu_count() or 2)
_MAX_WAIT_S = 20.0
_slots = threading.BoundedSemaphore(_AT_ONCE)
_BLOCK = 1 << 18
# Start, limits and the end of the process, beyond the time that the function has.
_OVERHEAD_S = 1.0


class Frame(NamedTuple):
    """What a process hands back: its result, or a code with whole numbers."""

    ok: bool
    body: bytes


def run(function: str, data: bytes, arguments: Mapping[str, Any]) -> bytes:
    """Run a function of `isolation.functions` on `data` in a process of its own; return its result.

    Args:
        function: A key of `FUNCTIONS`.
        data: Untrusted bytes, given as they are.
        arguments: Anything that JSON can say.

    Raises:
        DocumentUnreadable: The function raised it, failed in any other way, or went over a limit.
        Upstream: 503, when too many such processes run, or none can be started.
        KeyError: There is no such function.
    """
    entry = FUNCTIONS[function]
    header = json.dumps(
        {
            "paths": _import_paths(),
            "target": entry.target,
            "programs": entry.programs,
            "memory": entry.memory,
            "seconds": entry.seconds,
            "arguments": dict(arguments),
        }
    ).encode()
    started = time.monotonic()
    with _slot():
        output, returned = _in_process(entry, len(header).to_bytes(4, "big") + header, data)
    if output[:1] == b"+" and returned == 0:
        return output[1:]
    error = _error(output, returned)
    _logger.info(
        "document not read",
        function=function,
        code=error.code,
        exit=returned,
        ms=round((time.monotonic() - started) * 1000),
    )
    raise error


@contextlib.contextmanager
def _slot() -> Iterator[None]:
    if not _slots.acquire(timeout=_MAX_WAIT_S):
        raise Upstream("Too many documents are being read right now. Try again in a few seconds.")
    try:
        yield
    finally:
        _slots.release()


def _in_process(entry: IsolatedFunction, header: bytes, data: bytes) -> tuple[bytes, int]:
    """Start the process, feed it and read its answer; return that and its exit code (negative: a signal)."""
    try:
        directory = tempfile.mkdtemp(prefix="isolated-")
    except OSError:
        raise _not_started() from None
    try:
        process = subprocess.Popen(  # noqa: S603 (our own interpreter and script)
            [sys.executable, "-I", "-S", "-B", str(_CHILD)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            bufsize=0,
            cwd=directory,
            # One thread in the library that numpy opens: more would each take address space.
            env={"OPENBLAS_NUM_THREADS": "1", "OMP_THREAD_LIMIT": "1"},
            start_new_session=True,
        )
        try:
            output = _exchange(process, (header, data), entry)
        finally:
            _end(process)
        return output, process.returncode
    except OSError:
        raise _not_started() from None
    finally:
        shutil.rmtree(directory, ignore_errors=True)


def _exchange(process: subprocess.Popen[bytes], parts: tuple[bytes, ...], entry: IsolatedFunction) -> bytes:
    """Write `parts` to the process and return what it wrote until it closed its output or time ran out."""
    assert process.stdin is not None
    assert process.stdout is not None
    deadline = time.monotonic() + entry.seconds + _OVERHEAD_S
    waiting = [memoryview(part) for part in parts if part]
    output = bytearray()
    os.set_blocking(process.stdin.fileno(), False)
    with selectors.DefaultSelector() as selector:
        selector.register(process.stdin, selectors.EVENT_WRITE)
        selector.register(process.stdout, selectors.EVENT_READ)
        while len(output) <= entry.result + 1:
            left = deadline - time.monotonic()
            if left <= 0:
                return _code(TOO_COMPLEX)
            for key, _ in selector.select(left):
                if key.fileobj is process.stdout:
                    block = os.read(key.fd, _BLOCK)
                    if not block:
                        return bytes(output)
                    output += block
                    continue
                try:
                    written = os.write(key.fd, waiting[0][:_BLOCK])
                except BrokenPipeError:
                    written, waiting = 0, []
                if waiting:
                    waiting[0] = waiting[0][written:]
                    waiting = [part for part in waiting if part]
                if not waiting:
                    selector.unregister(process.stdin)
                    with contextlib.suppress(BrokenPipeError):
                        process.stdin.close()
    return _code(TOO_COMPLEX)


def _end(process: subprocess.Popen[bytes]) -> None:
    """Kill the process with everything it started, and take its exit code."""
    with contextlib.suppress(subprocess.TimeoutExpired):
        # It has said all it had to say; what it started is killed below, whether or not it has ended.
        process.wait(0.2)
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            with contextlib.suppress(OSError):
                pipe.close()


def _code(code: str) -> bytes:
    return b"-" + json.dumps({"code": code}).encode()


def _error(output: bytes, returned: int) -> DocumentUnreadable:
    """Return the error for what a failed process wrote and how it ended."""
    if output[:1] == b"-":
        try:
            value = json.loads(output[1:1000])
            return DocumentUnreadable(value["code"], **value.get("figures", {}))
        except (ValueError, KeyError, TypeError, AttributeError):
            return DocumentUnreadable(BROKEN)
    # Over its processor time, or killed because memory ran out.
    over = returned in (-signal.SIGXCPU, -signal.SIGKILL)
    return DocumentUnreadable(TOO_COMPLEX if over else BROKEN)


def _not_started() -> Upstream:
    return Upstream("The document could not be read right now. Try again in a few seconds.")


def _import_paths() -> list[str]:
    """Return where the process imports from: this project, and the libraries as this process finds them."""
    return [str(_PROJECT), *(path for path in sys.path if path and os.path.isabs(path))]  # noqa: PTH117
