"""Sending to an address a client gave: what is dialled, for how long, and what comes back."""

from __future__ import annotations

import datetime
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from ipaddress import IPv4Address, ip_address
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from app.platform import safe_http

OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nX-Colour: blue\r\n\r\nhi"


class Listener:
    """A server made of one function from a connection; it keeps what it was sent."""

    def __init__(self, answer: Callable[[socket.socket], None], tls: ssl.SSLContext | None = None) -> None:
        self.asked: list[bytes] = []
        self.names: list[str | None] = []
        self._answer, self._tls = answer, tls
        if tls is not None:
            tls.sni_callback = lambda _socket, name, _context: self.names.append(name)
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._socket.getsockname()[1]
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            threading.Thread(target=self._one, args=(connection,), daemon=True).start()

    def _one(self, connection: socket.socket) -> None:
        try:
            with connection:
                stream = self._tls.wrap_socket(connection, server_side=True) if self._tls else connection
                with stream:
                    asked = stream.recv(65536)
                    if asked:
                        self.asked.append(asked)
                        self._answer(stream)
        except OSError:
            pass

    def close(self) -> None:
        # Closing alone would leave the thread in accept, and with it the port open.
        self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()


@contextmanager
def listening(
    answer: bytes | Callable[[socket.socket], None] = OK, tls: ssl.SSLContext | None = None
) -> Iterator[Listener]:
    made = Listener((lambda s: s.sendall(answer)) if isinstance(answer, bytes) else answer, tls)
    try:
        yield made
    finally:
        made.close()


def _get(
    server: Listener, *, timeout_s: float = 5, max_bytes: int = 100, path: str = "/"
) -> safe_http.Answer:
    return safe_http.send(
        "GET",
        f"http://127.0.0.1:{server.port}{path}",
        timeout_s=timeout_s,
        max_bytes=max_bytes,
        allow_hosts=["127.0.0.1"],
    )


def test_the_answer_and_what_was_asked() -> None:
    with listening() as server:
        answer = safe_http.send(
            "POST",
            f"http://127.0.0.1:{server.port}/hook?a=1",
            body=b"{}",
            headers={"Content-Type": "application/json"},
            timeout_s=5,
            max_bytes=10,
            allow_hosts=[f"127.0.0.1:{server.port}"],
        )
        assert (answer.status, answer.headers["x-colour"], answer.body) == (200, "blue", b"hi")
        head, _, body = server.asked[0].partition(b"\r\n\r\n")
        lines = head.split(b"\r\n")
        assert lines[0] == b"POST /hook?a=1 HTTP/1.1"
        assert {b"Host: 127.0.0.1:%d" % server.port, b"Content-Length: 2", b"Connection: close"} < set(lines)
        assert body == b"{}"


def test_a_redirect_is_an_answer_and_is_not_followed() -> None:
    with listening() as inner:
        moved = (
            b"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:%d/\r\nContent-Length: 0\r\n\r\n" % inner.port
        )
        with listening(moved) as server:
            assert _get(server).status == 302
        assert inner.asked == []


def test_no_proxy_of_the_environment_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    with listening() as proxy, listening() as server:
        for name in ("http_proxy", "HTTP_PROXY", "https_proxy", "all_proxy"):
            monkeypatch.setenv(name, f"http://127.0.0.1:{proxy.port}")
        assert _get(server).status == 200
        assert proxy.asked == []


class Rebinding:
    """A name server that first answers a public address and then one inside."""

    def __init__(self, *answers: str) -> None:
        self.answers = [ip_address(answer) for answer in answers]
        self.asked = 0

    def __call__(self, host: str, port: int) -> list[safe_http.Address]:
        self.asked += 1
        return [self.answers[min(self.asked, len(self.answers)) - 1]]


def test_a_name_that_rebinds_between_check_and_use_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    dialled: list[object] = []
    monkeypatch.setattr(safe_http.socket, "create_connection", lambda place, **_: dialled.append(place))
    names = Rebinding("93.184.215.14", "127.0.0.1")
    safe_http.check_url("https://rebind.example/", resolve=names)
    with pytest.raises(safe_http.Refused, match="loopback"):
        safe_http.send("POST", "https://rebind.example/", timeout_s=2, max_bytes=0, resolve=names)
    assert dialled == []


def test_the_address_judged_is_the_one_dialled_and_the_name_is_asked_for_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    dialled: list[object] = []

    def refuse(place: tuple[str, int], **_: object) -> socket.socket:
        dialled.append(place)
        raise ConnectionRefusedError

    monkeypatch.setattr(safe_http.socket, "create_connection", refuse)
    names = Rebinding("93.184.215.14", "127.0.0.1")
    with pytest.raises(safe_http.Failed, match="refused"):
        safe_http.send("POST", "https://rebind.example/", timeout_s=2, max_bytes=0, resolve=names)
    assert (dialled, names.asked) == ([("93.184.215.14", 443)], 1)


def test_a_connection_that_led_elsewhere_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    with listening() as server:
        real = socket.create_connection
        monkeypatch.setattr(
            safe_http.socket, "create_connection", lambda _, **more: real(("127.0.0.1", server.port), **more)
        )
        with pytest.raises(safe_http.Refused, match="another address"):
            safe_http.send(
                "GET", "https://a.example/", timeout_s=2, max_bytes=0,
                resolve=lambda host, port: [IPv4Address("93.184.215.14")],
            )  # fmt: skip
        assert server.asked == []


def test_an_answer_dripped_byte_by_byte_ends_at_the_deadline() -> None:
    over = threading.Event()

    def drip(stream: socket.socket) -> None:
        stream.sendall(b"HTTP/1.1 200 OK\r\nX-Slow: ")
        while not over.wait(0.05):
            stream.sendall(b"x")

    began = time.monotonic()
    with listening(drip) as server, pytest.raises(safe_http.Failed, match=r"no answer within 0\.5 s"):
        _get(server, timeout_s=0.5)
    over.set()
    # The drip itself would have gone on for ever; far from the deadline means it did not count.
    assert time.monotonic() - began < 30


def test_a_receiver_that_says_nothing_ends_at_the_deadline() -> None:
    over = threading.Event()
    with (
        listening(lambda _: over.wait(30) and None) as server,
        pytest.raises(safe_http.Failed, match="no answer"),
    ):
        _get(server, timeout_s=0.3)
    over.set()


def test_a_name_server_that_says_nothing_ends_at_the_deadline() -> None:
    over = threading.Event()

    def hang(host: str, port: int) -> list[safe_http.Address]:
        over.wait(30)
        return []

    with pytest.raises(safe_http.Failed, match="not resolved in time"):
        safe_http.send("GET", "https://a.example/", timeout_s=0.3, max_bytes=0, resolve=hang)
    over.set()


def test_size_is_limited_and_no_limit_reads_no_body() -> None:
    big = b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n" + b"x" * 1000
    endless = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + b"a\r\n0123456789\r\n" * 200
    for answer in (big, endless):
        with listening(answer) as server:
            assert _get(server, max_bytes=0) == safe_http.Answer(200, _get(server, max_bytes=0).headers, b"")
            with pytest.raises(safe_http.Failed, match="larger than 100 bytes"):
                _get(server)
    with listening(big) as server:
        assert len(_get(server, max_bytes=1000).body) == 1000


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (b"", "not HTTP, or broke off"),
        (b"220 mail.example.com ESMTP\r\n", "not HTTP, or broke off"),
        (b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 200 + b"\r\n", "not HTTP, or broke off"),
        (b"HTTP/1.1 200 OK\r\nX: " + b"y" * 100_000 + b"\r\n\r\n", "not HTTP, or broke off"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nhalf", "broke off"),
    ],
)
def test_what_is_no_answer_is_said_plainly(answer: bytes, reason: str) -> None:
    with listening(answer) as server, pytest.raises(safe_http.Failed, match=reason) as failed:
        _get(server)
    assert "mail.example.com" not in failed.value.reason


def test_nobody_there() -> None:
    with listening() as server:
        pass
    with pytest.raises(safe_http.Failed, match="refused"):
        _get(server)
    with pytest.raises(safe_http.Failed, match="does not resolve"):
        safe_http.send("GET", "https://a.example/", timeout_s=1, max_bytes=0, resolve=lambda host, port: [])


def test_a_header_cannot_smuggle_another() -> None:
    with pytest.raises(ValueError, match="well formed"):
        safe_http.send(
            "GET", "https://a.example/", headers={"X-A": "b\r\nX-C: d"}, timeout_s=1, max_bytes=0
        )  # fmt: skip


@pytest.fixture
def certificate(tmp_path: Path) -> Path:
    """Key and certificate for hooks.example.test, signed by nobody but itself."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "hooks.example.test")])
    now = datetime.datetime.now(datetime.UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("hooks.example.test")]), critical=False)
        .sign(key, hashes.SHA256())
    )
    path = tmp_path / "pair.pem"
    path.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
        + made.public_bytes(serialization.Encoding.PEM)
    )
    return path


def _to_loopback(host: str, port: int) -> list[safe_http.Address]:
    return [IPv4Address("127.0.0.1")]


def test_tls_asks_for_the_name_and_trusts_the_system_alone(
    certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(certificate)
    with listening(tls=tls) as server:

        def send(name: str) -> safe_http.Answer:
            return safe_http.send(
                "GET", f"https://{name}:{server.port}/", timeout_s=5, max_bytes=10,
                allow_hosts=[name], resolve=_to_loopback,
            )  # fmt: skip

        with pytest.raises(safe_http.Failed, match="certificate is not valid"):
            send("hooks.example.test")
        trusting = ssl.create_default_context(cafile=str(certificate))
        monkeypatch.setattr(safe_http, "_tls", lambda: trusting)
        assert send("hooks.example.test").body == b"hi"
        assert server.names[-1] == "hooks.example.test"
        assert b"Host: hooks.example.test:%d\r\n" % server.port in server.asked[-1]
        with pytest.raises(safe_http.Failed, match="certificate is not valid"):
            send("other.example.test")
