"""HTTP client for URLs given by customers (webhooks, logos), protected against SSRF.

`httpcore`, the engine of httpx, writes and reads HTTP/1.1; the network backend below it is ours. The name is
resolved once, every address found is checked, and the connection uses a checked address with the name in SNI
and `Host`, so DNS rebinding gains nothing. It uses no proxy of the environment, follows no redirect, stores
no cookie, keeps no connection, has one deadline for the whole request and a size limit, and verifies TLS with
the system's trust store.

Source: docs/decisions/043-outgoing-http-by-httpcore.md.
"""

from __future__ import annotations

import queue
import re
import socket
import ssl
import threading
import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from ipaddress import ip_address

import httpcore2

from app.platform import addresses, settings
from app.platform.addresses import Address, NotAllowed, Target
from app.platform.errors import Invalid

Resolver = Callable[[str, int], Sequence[Address]]

# At registration a slow name server must not hold a request; the check is repeated at every connection.
_CHECK_TIMEOUT_S = 3.0
TIMED_OUT, TLS_FAILED, NOT_CONNECTED = "timed out", "TLS failed", "could not connect"
_HEADER_NAME = re.compile(r"[A-Za-z0-9-]+")
_HEADER_VALUE = re.compile(r"[\x20-\x7e]*")
# httpcore ends a head without an end at 100 KiB.
_MAX_HEADERS, _MAX_HEADER_BYTES = 100, 65_536
_HTTP = b"HTTP/"


class RequestError(Exception):
    """The request gave no usable response.

    `reason` is in plain words and quotes neither request nor response. `public_reason` is the part that may
    be shown to the customer who gave the URL: no resolved address and nothing about the network behind it
    (decision 031).
    """

    def __init__(self, reason: str, *, public_reason: str = "") -> None:
        super().__init__(reason)
        self.reason = reason
        self.public_reason = public_reason or NOT_CONNECTED


class AddressNotAllowed(RequestError):
    """The URL or an address of its name must not be connected to."""


class RequestFailed(RequestError):
    """Resolving, connecting, sending or reading failed; another attempt may succeed."""


class ResponseTooLarge(RequestFailed):
    """The body is longer than the limit; another attempt would fail the same way."""


@dataclass(frozen=True, slots=True)
class Response:
    """Status, headers and body as received.

    Header names are in lower case; of repeated headers the last is kept. `body` is not decompressed.
    """

    status: int
    headers: Mapping[str, str]
    body: bytes

    def __repr__(self) -> str:
        return f"<Response {self.status}, {len(self.body)} bytes>"


def look_up(host: str, port: int) -> list[Address]:
    """Resolve `host` and return its addresses in the system's order of preference. Raises `OSError`."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(ip_address(str(entry[4][0]).partition("%")[0]) for entry in found))


def check_url(
    url: str,
    *,
    allow_hosts: Collection[str] = (),
    schemes: Collection[str] = ("https",),
    field: str = "url",
    resolve: Resolver = look_up,
) -> None:
    """Check that `url` may be called (decision 031); a name that does not resolve passes.

    A passing check is not final: every connection checks its addresses again.

    Args:
        url: The URL to check.
        allow_hosts: Entries `host` or `host:port` that are exempt from the rules.
        schemes: Schemes that are accepted.
        field: Name of the request's field, for the message.
        resolve: Resolver of names.

    Raises:
        Invalid: 422 `URL_NOT_ALLOWED`.
    """
    try:
        target = addresses.read(url, allow_hosts=allow_hosts, schemes=schemes, ports=_ports(schemes))
        if target.exempt or target.literal is not None:
            return
        try:
            found = _resolved(target, resolve, time.monotonic() + _CHECK_TIMEOUT_S)
        except RequestFailed:
            return
        _judge(found)
    except (NotAllowed, AddressNotAllowed) as error:
        raise Invalid(
            f"{field}: {error}.", code="URL_NOT_ALLOWED", status=422, details={"field": field}
        ) from None


def send(
    method: str,
    url: str,
    *,
    body: bytes = b"",
    headers: Mapping[str, str] | None = None,
    timeout_s: float,
    max_bytes: int,
    allow_hosts: Collection[str] = (),
    schemes: Collection[str] = ("https",),
    resolve: Resolver = look_up,
) -> Response:
    """Send one request on its own connection and return the response.

    Redirects are returned like any other response; interim responses (1xx) are skipped.

    Args:
        method: HTTP method.
        url: Checked again before connecting.
        body: Bytes to send.
        headers: Further headers, printable ASCII.
        timeout_s: Deadline for the whole request, in seconds.
        max_bytes: Longest body that is read; 0 reads no body.
        allow_hosts: Entries `host` or `host:port` that are exempt from the rules.
        schemes: Schemes that are accepted.
        resolve: Resolver of names.

    Raises:
        AddressNotAllowed: The URL must not be called.
        ValueError: A header is malformed.
        ResponseTooLarge: The body is longer than `max_bytes`.
        RequestFailed: Any other failure.
    """
    deadline = time.monotonic() + timeout_s
    try:
        target = addresses.read(url, allow_hosts=allow_hosts, schemes=schemes, ports=_ports(schemes))
    except NotAllowed as error:
        raise AddressNotAllowed(f"the URL {error}") from None
    sent = _request_headers(target, len(body), headers or {})
    try:
        # No `httpx.Client`: not following a redirect, it would still parse where it leads, and raise.
        with (
            httpcore2.HTTPConnection(
                httpcore2.Origin(target.scheme.encode(), target.host.encode(), target.port),
                ssl_context=_tls(),
                network_backend=_Network(target, resolve, deadline),
            ) as connection,
            connection.stream(method, _url(target), headers=sent, content=body) as response,
        ):
            return _read(response, max_bytes)
    except TimeoutError:
        raise RequestFailed(f"no answer within {timeout_s:g} s", public_reason=TIMED_OUT) from None
    except ssl.SSLCertVerificationError as error:
        raise RequestFailed(
            f"its TLS certificate is not valid: {error.verify_message}", public_reason=TLS_FAILED
        ) from None
    except ssl.SSLError:
        raise RequestFailed("the TLS connection failed", public_reason=TLS_FAILED) from None
    except ConnectionRefusedError:
        raise RequestFailed("the connection was refused") from None
    except httpcore2.RemoteProtocolError:
        raise RequestFailed("the answer is not HTTP, or broke off") from None
    except OSError:
        raise RequestFailed("the connection failed or broke off") from None


def _ports(schemes: Collection[str]) -> frozenset[int]:
    """Return the ports of the setting, and 80 where plain HTTP is accepted."""
    return settings.current().outgoing_port_numbers | ({80} if "http" in schemes else set())


def _url(target: Target) -> httpcore2.URL:
    # From its parts: a second parser could read another host in the same text.
    return httpcore2.URL(scheme=target.scheme, host=target.host, port=target.port, target=target.path)


def _request_headers(target: Target, length: int, headers: Mapping[str, str]) -> list[tuple[str, str]]:
    """Return all headers of a request. Raises `ValueError` for a malformed one, before connecting."""
    lines = {"Host": target.host_header, "Content-Length": str(length), "Connection": "close", **headers}
    for name, value in lines.items():
        if not _HEADER_NAME.fullmatch(name) or not _HEADER_VALUE.fullmatch(value):
            raise ValueError(f"the header {name!r} is not well formed")
    return list(lines.items())


def _read(response: httpcore2.Response, max_bytes: int) -> Response:
    if len(response.headers) > _MAX_HEADERS or any(
        len(name) + len(value) > _MAX_HEADER_BYTES for name, value in response.headers
    ):
        raise httpcore2.RemoteProtocolError("too many headers, or too long ones")
    headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in response.headers}
    body = bytearray()
    if max_bytes:
        for part in response.iter_stream():
            body += part
            if len(body) > max_bytes:
                raise ResponseTooLarge(f"the answer is larger than {max_bytes} bytes")
    return Response(response.status, headers, bytes(body))


class _Network(httpcore2.NetworkBackend):
    """Network backend that connects only to a checked address of one target."""

    def __init__(self, target: Target, resolve: Resolver, deadline: float) -> None:
        self._target, self._resolve, self._deadline = target, resolve, deadline

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,
    ) -> httpcore2.NetworkStream:
        """Resolve, check and connect to the target before the deadline; the other arguments are ignored."""
        target, literal = self._target, self._target.literal
        if (host, port) != (target.host, target.port):
            raise AddressNotAllowed("the connection would lead to another place than the one checked")
        found = [literal] if literal is not None else _resolved(target, self._resolve, self._deadline)
        if not target.exempt:
            _judge(found)
        return _Stream(_dial(found, target.port, self._deadline), self._deadline)


class _Stream(httpcore2.NetworkStream):
    """Socket stream with one deadline for all reads and writes.

    The deadline replaces every `timeout`, so that a peer that sends a byte now and then cannot keep it open.
    """

    def __init__(self, connection: socket.socket, deadline: float) -> None:
        self._socket, self._deadline = connection, deadline
        self._start = b""

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        self._socket.settimeout(_left(self._deadline))
        data = self._socket.recv(max_bytes)
        if len(self._start) < len(_HTTP):
            # A mail or SSH server greets and waits: no reason to wait with it.
            self._start = (self._start + data)[: len(_HTTP)]
            if not _HTTP.startswith(self._start):
                raise httpcore2.RemoteProtocolError("not HTTP")
        return data

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        rest = memoryview(buffer)
        while rest:
            self._socket.settimeout(_left(self._deadline))
            try:
                rest = rest[self._socket.send(rest) :]
            except TimeoutError:
                raise
            except OSError as error:
                # A server may answer and close before it has read everything: httpcore reads on.
                raise httpcore2.WriteError from error

    def close(self) -> None:
        self._socket.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore2.NetworkStream:
        try:
            self._socket.settimeout(_left(self._deadline))
            return _Stream(
                ssl_context.wrap_socket(self._socket, server_hostname=server_hostname), self._deadline
            )
        except BaseException:
            self._socket.close()
            raise


def _resolved(target: Target, resolve: Resolver, deadline: float) -> Sequence[Address]:
    """Resolve the name of `target` before the deadline, or raise `RequestFailed`.

    It uses a thread because the system's resolver has no timeout.
    """
    answers: queue.SimpleQueue[Sequence[Address] | None] = queue.SimpleQueue()

    def ask() -> None:
        try:
            answers.put(resolve(target.host, target.port))
        except (OSError, ValueError):
            answers.put(None)

    threading.Thread(target=ask, name="resolver", daemon=True).start()
    try:
        found = answers.get(timeout=_left(deadline))
    except queue.Empty:
        raise RequestFailed("its name was not resolved in time", public_reason=TIMED_OUT) from None
    if not found:
        raise RequestFailed("its name does not resolve")
    return found


def _judge(found: Sequence[Address]) -> None:
    # One bad answer among good ones is refused too: which of them is dialled is chance.
    for address in found:
        reason = addresses.reason_against(address)
        if reason is not None:
            raise AddressNotAllowed(f"its name leads to {reason}; a public address is needed")


def _dial(found: Sequence[Address], port: int, deadline: float) -> socket.socket:
    """Connect to the first address that accepts; each gets an equal share of the time left."""
    for position, address in enumerate(found):
        share = _left(deadline) / (len(found) - position)
        try:
            connection = socket.create_connection((str(address), port), timeout=share)
        except OSError:
            if position == len(found) - 1:
                raise
            continue
        try:
            if ip_address(connection.getpeername()[0].partition("%")[0]) != address:
                raise AddressNotAllowed("the connection led to another address than the one checked")
            # Head and body are written one after the other: the body must not wait for the head's receipt.
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        except BaseException:
            connection.close()
            raise
        return connection
    raise RequestFailed("its name does not resolve")


def _left(deadline: float) -> float:
    left = deadline - time.monotonic()
    if left <= 0:
        raise TimeoutError
    return left


@cache
def _tls() -> ssl.SSLContext:
    return ssl.create_default_context()
