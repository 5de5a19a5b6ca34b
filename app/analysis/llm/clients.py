"""Make the vendors' clients: one client per process and address, made lazily, dropped after a fork."""

from __future__ import annotations

import logging
import math
import os
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar, cast

import httpcore2
import httpx2

from app.analysis.llm.cassettes import Cassettes

T = TypeVar("T")

_lock = threading.Lock()
_clients: dict[tuple[str, ...], Any] = {}
_cassettes: tuple[Path, bool] | None = None
os.register_at_fork(after_in_child=_clients.clear)


def shared(name: tuple[str, ...], make: Callable[[httpx2.Client], T]) -> T:
    """Return the client of that name; its pool of connections ignores the environment's proxies."""
    found = _clients.get(name)
    if found is None:
        with _lock:
            found = _clients.get(name)
            if found is None:
                _quieten()
                found = _clients[name] = make(_transport())
    return cast(T, found)


def _quieten() -> None:
    """Keep the libraries from logging whole requests, which they do at level DEBUG."""
    for library in ("anthropic", "openai", "httpx2", "httpcore2"):
        logging.getLogger(library).setLevel(logging.WARNING)


def _transport() -> httpx2.Client:
    limits = httpx2.Limits(max_connections=128, max_keepalive_connections=32, keepalive_expiry=30)
    # A proxy of the environment would be a second address to which documents go.
    transport: httpx2.BaseTransport = _WithinTime(httpx2.HTTPTransport(limits=limits, trust_env=False))
    if _cassettes is not None:
        folder, replay = _cassettes
        transport = Cassettes(folder, None if replay else transport)
    return httpx2.Client(transport=transport, trust_env=False)


@contextmanager
def use_cassettes(folder: Path, *, replay: bool) -> Iterator[None]:
    """Record answers in `folder` and give what is recorded there again; with `replay` no vendor is asked."""
    global _cassettes
    before, _cassettes = _cassettes, (folder, replay)
    others = dict(_clients)
    _clients.clear()
    try:
        yield
    finally:
        for made in _clients.values():
            made.close()
        _cassettes = before
        _clients.clear()
        _clients.update(others)


class _WithinTime(httpx2.BaseTransport):
    """Hold whole answers, headers included, to the time that a single read may take.

    A vendor that sends a byte now and then never exceeds the time of a read, and would hold a thread for
    good.
    """

    def __init__(self, inner: httpx2.HTTPTransport) -> None:
        self._inner = inner
        inner._pool._network_backend = _TimedBackend()

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        most = request.extensions.get("timeout", {}).get("read")
        _timed.until = math.inf if most is None else time.monotonic() + most
        return self._inner.handle_request(request)

    def close(self) -> None:
        self._inner.close()


class _Timed(threading.local):
    """The monotonic time by which this thread's request has to be done; a body is read in the same thread."""

    until = math.inf


_timed = _Timed()


class _TimedBackend(httpcore2.SyncBackend):
    """Network backend whose connections keep to the time of whichever request uses them."""

    def connect_tcp(self, *args: Any, **options: Any) -> httpcore2.NetworkStream:
        return _TimedStream(super().connect_tcp(*args, **options))


class _TimedStream(httpcore2.NetworkStream):
    def __init__(self, inner: httpcore2.NetworkStream) -> None:
        self._inner = inner

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._inner.read(max_bytes, _left(timeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._inner.write(buffer, _left(timeout))

    def close(self) -> None:
        self._inner.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore2.NetworkStream:
        return _TimedStream(self._inner.start_tls(ssl_context, server_hostname, _left(timeout)))

    def get_extra_info(self, info: str) -> Any:
        return self._inner.get_extra_info(info)


def _left(timeout: float | None) -> float | None:
    """Return the time of one read or write. Raises `ReadTimeout` where the request has none left."""
    left = _timed.until - time.monotonic()
    if left <= 0:
        raise httpcore2.ReadTimeout("the answer took too long as a whole")
    return timeout if math.isinf(left) else min(left, math.inf if timeout is None else timeout)


def timeout(seconds: float) -> httpx2.Timeout:
    """Return a timeout of `seconds` for an answer, with a short one for connecting."""
    return httpx2.Timeout(max(0.1, seconds), connect=max(0.1, min(5.0, seconds)))
