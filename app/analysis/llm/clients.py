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
from typing import Any, Final, TypeVar, cast

import httpcore2
import httpx2

from app.analysis.llm.cassettes import Cassettes
from app.analysis.llm.failure_reasons import AttemptFailed, FailureKind
from app.platform import safe_http, settings

T = TypeVar("T")

# Longer than any answer that is asked for, of a server that an account chose.
_LONGEST_BODY: Final = 4_000_000
_ATTEMPT_S: Final = 180.0
# What an own engine is told of a request: the libraries add what the operator's environment says of its own.
_SENT: Final = ("accept", "anthropic-version", "authorization", "content-type")
_OF_THE_CONNECTION: Final = ("accept-encoding", "connection", "content-length", "host", "user-agent")
_READ: Final = ("content-type", "retry-after")

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


def own(base_url: str | None) -> httpx2.Client:
    """Return how an account's own engine is reached: its address is judged at every connection.

    Args:
        base_url: an address that the account chose; `None` for its vendor's, which is called as the
            operator's engines are, over connections of its own.
    """
    if base_url is None:
        return shared(("own engines",), _with_own_headers)
    _quieten()
    return httpx2.Client(transport=_ChosenAddress(base_url), trust_env=False, follow_redirects=False)


def _with_own_headers(client: httpx2.Client) -> httpx2.Client:
    return httpx2.Client(transport=_OwnHeaders(client), trust_env=False)


def own_headers(key: str) -> dict[str, str]:
    """Return the headers of a client that must send this key, whatever the environment says."""
    return {"Authorization": f"Bearer {key}"}


class _OwnHeaders(httpx2.BaseTransport):
    """Transport that sends what a request needs and none of the operator's headers, over a client's pool."""

    def __init__(self, client: httpx2.Client) -> None:
        self._inner = client._transport

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        for name in set(request.headers) - {*_SENT, *_OF_THE_CONNECTION}:
            del request.headers[name]
        return self._inner.handle_request(request)


class _ForbiddenAddress(httpx2.ConnectError):
    """The address that an account chose must not be called."""


class _NoAnswer(httpx2.ProtocolError):
    """What came is no answer: too long, or compressed without having been asked for."""


def of_connection(error: Exception) -> AttemptFailed:
    """Return the failure that a library's error about a connection means."""
    match error.__cause__:
        case _ForbiddenAddress():
            return AttemptFailed(FailureKind.FORBIDDEN)
        case _NoAnswer():
            return AttemptFailed(FailureKind.MALFORMED)
    return AttemptFailed(FailureKind.AWAY)


class _ChosenAddress(httpx2.BaseTransport):
    """Transport to an address that an account chose, and to no other, by `app.platform.safe_http`."""

    def __init__(self, base_url: str) -> None:
        url = httpx2.URL(base_url)
        self._origin = (url.scheme, url.raw_host, url.port)

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        url = request.url
        if (url.scheme, url.raw_host, url.port) != self._origin:
            raise _ForbiddenAddress("another place than the one that was chosen", request=request)
        most = request.extensions.get("timeout", {}).get("read")
        headers = {name: request.headers[name] for name in _SENT if name in request.headers}
        try:
            found = safe_http.send(
                request.method,
                str(url),
                body=request.read(),
                headers={**headers, "Accept-Encoding": "identity"},
                timeout_s=_ATTEMPT_S if most is None else most,
                max_bytes=_LONGEST_BODY,
                allow_hosts=settings.current().allowed_engine_hosts,
            )
        except safe_http.AddressNotAllowed:
            raise _ForbiddenAddress("its address must not be called", request=request) from None
        except safe_http.ResponseTooLarge:
            raise _NoAnswer("too long", request=request) from None
        except (safe_http.RequestFailed, ValueError):
            raise httpx2.ConnectError("no answer", request=request) from None
        # Nothing is decompressed: a small answer could become one of any size.
        if found.headers.get("content-encoding", "identity") != "identity":
            raise _NoAnswer("compressed", request=request)
        kept = {name: found.headers[name] for name in _READ if name in found.headers}
        return httpx2.Response(found.status, headers=kept, content=found.body, request=request)


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
