"""Make the vendors' clients: one client per process and address, made lazily, dropped after a fork."""

from __future__ import annotations

import logging
import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar, cast

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
    """Hold whole answers to the time that a single read may take.

    A vendor that sends a byte now and then never exceeds the time of a read, and would hold a thread for
    good.
    """

    def __init__(self, inner: httpx2.BaseTransport) -> None:
        self._inner = inner

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        most = request.extensions.get("timeout", {}).get("read")
        began = time.monotonic()
        answer = self._inner.handle_request(request)
        if most is not None and isinstance(answer.stream, httpx2.SyncByteStream):
            answer.stream = _Bounded(answer.stream, began + most)
        return answer

    def close(self) -> None:
        self._inner.close()


class _Bounded(httpx2.SyncByteStream):
    def __init__(self, inner: httpx2.SyncByteStream, until: float) -> None:
        self._inner, self._until = inner, until

    def __iter__(self) -> Iterator[bytes]:
        for part in self._inner:
            if time.monotonic() > self._until:
                raise httpx2.ReadTimeout("the answer took too long as a whole")
            yield part

    def close(self) -> None:
        self._inner.close()


def timeout(seconds: float) -> httpx2.Timeout:
    """Return a timeout of `seconds` for an answer, with a short one for connecting."""
    return httpx2.Timeout(max(0.1, seconds), connect=max(0.1, min(5.0, seconds)))
