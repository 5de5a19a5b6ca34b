"""The only outgoing HTTP to addresses that clients gave: webhooks, logos.

The name is resolved once, every answer is judged, and the address judged is the one dialled, with the name as
SNI and `Host`; a name that changes its answer between check and use gains nothing. No proxy from the
environment, no redirect, one deadline for everything, a size limit, TLS by the system's trust.
"""

from __future__ import annotations

import http.client
import io
import queue
import re
import socket
import ssl
import threading
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from ipaddress import ip_address
from typing import Any

from app.platform import addresses, settings
from app.platform.addresses import Address, NotAllowed, Target
from app.platform.errors import Invalid

Resolver = Callable[[str, int], Sequence[Address]]

# At registration a slow name server must not hold a request; the check is repeated at every connection.
_CHECK_TIMEOUT_S = 3.0
TIMED_OUT, TLS_FAILED, NOT_CONNECTED = "timed out", "TLS failed", "could not connect"
_HEADER_NAME = re.compile(r"[A-Za-z0-9-]+")
_HEADER_VALUE = re.compile(r"[\x20-\x7e]*")


class FetchError(Exception):
    """Nothing usable came back. `reason` is in plain words and quotes neither question nor answer.

    `told` is what may be said to who gave the URL: no address that its name led to, nothing of what lies
    behind it (decision 031).
    """

    def __init__(self, reason: str, *, told: str = "") -> None:
        super().__init__(reason)
        self.reason = reason
        self.told = told or NOT_CONNECTED


class Refused(FetchError):
    """We do not dial this address."""


class Failed(FetchError):
    """We dialled, or tried to find out where, and it did not work."""


class TooLarge(Failed):
    """The answer is longer than we read; it will be the next time too."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back. Names of headers are in lower case; the last of several wins."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    def __repr__(self) -> str:
        return f"<Answer {self.status}, {len(self.body)} bytes>"


def look_up(host: str, port: int) -> list[Address]:
    """Every address of `host`, in the system's order of preference. Raises `OSError`."""
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
    """Raise `Invalid` (422 `URL_NOT_ALLOWED`) where `url` is none that we would dial (decision 031).

    A name that does not resolve passes (decision 031): every connection is checked anyway. `field` names the
    request's field in the message.
    """
    try:
        target = addresses.read(url, allow_hosts=allow_hosts, schemes=schemes, ports=_ports(schemes))
        if target.exempt or target.literal is not None:
            return
        try:
            found = _resolved(target, resolve, time.monotonic() + _CHECK_TIMEOUT_S)
        except Failed:
            return
        _judge(found)
    except (NotAllowed, Refused) as error:
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
) -> Answer:
    """One request, one answer, within `timeout_s` seconds in all.

    `max_bytes` 0 reads no body; otherwise a longer body raises `TooLarge`. A redirect is an answer like any
    other. Raises `Refused` where the address is not allowed and `Failed` for everything else.
    """
    deadline = time.monotonic() + timeout_s
    try:
        target = addresses.read(url, allow_hosts=allow_hosts, schemes=schemes, ports=_ports(schemes))
    except NotAllowed as error:
        raise Refused(f"the URL {error}") from None
    request = _request(method, target, body, headers or {})
    try:
        with _connect(target, resolve, deadline) as connection:
            _write(connection, request, deadline)
            return _read(connection, method, max_bytes, deadline)
    except TimeoutError:
        raise Failed(f"no answer within {timeout_s:g} s", told=TIMED_OUT) from None
    except ssl.SSLCertVerificationError as error:
        raise Failed(f"its TLS certificate is not valid: {error.verify_message}", told=TLS_FAILED) from None
    except ssl.SSLError:
        raise Failed("the TLS connection failed", told=TLS_FAILED) from None
    except ConnectionRefusedError:
        raise Failed("the connection was refused") from None
    except http.client.HTTPException:
        raise Failed("the answer is not HTTP, or broke off") from None
    except OSError:
        raise Failed("the connection failed or broke off") from None


def _ports(schemes: Collection[str]) -> frozenset[int]:
    """The ports of the setting, and that of plain HTTP for who asks for it."""
    return settings.current().outgoing_port_numbers | ({80} if "http" in schemes else set())


def _request(method: str, target: Target, body: bytes, headers: Mapping[str, str]) -> bytes:
    lines = {"Host": target.host_header, "Content-Length": str(len(body)), "Connection": "close", **headers}
    for name, value in lines.items():
        if not _HEADER_NAME.fullmatch(name) or not _HEADER_VALUE.fullmatch(value):
            raise ValueError(f"the header {name!r} is not well formed")
    head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
    return f"{method} {target.path} HTTP/1.1\r\n{head}\r\n".encode("ascii") + body


def _connect(target: Target, resolve: Resolver, deadline: float) -> socket.socket:
    literal = target.literal
    found = [literal] if literal is not None else _resolved(target, resolve, deadline)
    if not target.exempt:
        _judge(found)
    plain = _dial(found, target.port, deadline)
    try:
        if target.scheme == "http":
            return plain
        plain.settimeout(_left(deadline))
        return _tls().wrap_socket(plain, server_hostname=target.host)
    except BaseException:
        plain.close()
        raise


def _resolved(target: Target, resolve: Resolver, deadline: float) -> Sequence[Address]:
    """The addresses of the name, or `Failed`. The system's resolver knows no deadline, hence the thread."""
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
        raise Failed("its name was not resolved in time", told=TIMED_OUT) from None
    if not found:
        raise Failed("its name does not resolve")
    return found


def _judge(found: Sequence[Address]) -> None:
    # One bad answer among good ones is refused too: which of them is dialled is chance.
    for address in found:
        reason = addresses.reason_against(address)
        if reason is not None:
            raise Refused(f"its name leads to {reason}; a public address is needed")


def _dial(found: Sequence[Address], port: int, deadline: float) -> socket.socket:
    """A connection to the first address that takes it; each gets its share of the time left."""
    for position, address in enumerate(found):
        share = _left(deadline) / (len(found) - position)
        try:
            connection = socket.create_connection((str(address), port), timeout=share)
        except OSError:
            if position == len(found) - 1:
                raise
            continue
        if ip_address(connection.getpeername()[0].partition("%")[0]) != address:
            connection.close()
            raise Refused("the connection led to another address than the one checked")
        return connection
    raise Failed("its name does not resolve")


def _write(connection: socket.socket, request: bytes, deadline: float) -> None:
    rest = memoryview(request)
    while rest:
        connection.settimeout(_left(deadline))
        rest = rest[connection.send(rest) :]


def _read(connection: socket.socket, method: str, max_bytes: int, deadline: float) -> Answer:
    response = http.client.HTTPResponse(_Reading(connection, deadline), method=method)  # type: ignore[arg-type]
    try:
        response.begin()
        headers = {name.lower(): value for name, value in response.getheaders()}
        body = response.read(max_bytes + 1) if max_bytes else b""
    finally:
        response.close()
    if len(body) > max_bytes:
        raise TooLarge(f"the answer is larger than {max_bytes} bytes")
    if max_bytes and response.length:
        raise Failed("the answer broke off")
    return Answer(response.status, headers, body)


class _Reading(io.RawIOBase):
    """A socket read under one deadline, so that a byte now and then does not keep it open for ever."""

    def __init__(self, connection: socket.socket, deadline: float) -> None:
        self._connection, self._deadline = connection, deadline

    def makefile(self, _mode: str) -> io.BufferedReader:
        return io.BufferedReader(self)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        self._connection.settimeout(_left(self._deadline))
        return self._connection.recv_into(buffer)


def _left(deadline: float) -> float:
    left = deadline - time.monotonic()
    if left <= 0:
        raise TimeoutError
    return left


@cache
def _tls() -> ssl.SSLContext:
    return ssl.create_default_context()
