"""Sending to an address a client gave: what is dialled, for how long, and what comes back."""

from __future__ import annotations

import datetime
import gzip
import socket
import ssl
import threading
import time
import tracemalloc
from ipaddress import IPv4Address, ip_address
from pathlib import Path
from typing import Any, NoReturn, cast

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from app.platform import addresses, safe_http
from tests.platform.listener import OK, Listener, listening


def _get(
    server: Listener, *, timeout_s: float = 5, max_bytes: int = 100, path: str = "/"
) -> safe_http.Response:
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


def test_what_is_sent_is_what_was_given_and_not_a_byte_more() -> None:
    """No `Accept-Encoding` that calls for a compressed answer, no cookie, the headers in their order."""
    with listening(OK.replace(b"X-Colour", b"Set-Cookie: a=b\r\nX-Colour")) as server:
        for _ in range(2):
            safe_http.send(
                "POST",
                f"http://127.0.0.1:{server.port}/a%2fb/../[c]?d=%zz&e='",
                body=b"{}",
                headers={"webhook-id": "1", "X-Service-Event": "e  f", "User-Agent": "Service-Webhooks/1"},
                timeout_s=5,
                max_bytes=10,
                allow_hosts=["127.0.0.1"],
            )
        assert server.asked == 2 * [
            b"POST /a%%2fb/../[c]?d=%%zz&e=' HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nContent-Length: 2\r\n"
            b"Connection: close\r\nwebhook-id: 1\r\nX-Service-Event: e  f\r\nUser-Agent: Service-Webhooks/1"
            b"\r\n\r\n{}" % server.port
        ]


def test_each_request_has_a_connection_of_its_own_that_is_closed_after_it() -> None:
    closed = threading.Semaphore(0)

    def answer(stream: socket.socket) -> None:
        stream.sendall(b"HTTP/1.1 200 OK\r\nConnection: keep-alive\r\nContent-Length: 2\r\n\r\nhi")
        # As one that would keep it: what ends the wait is the other side.
        if stream.recv(1) == b"":
            closed.release()

    with listening(answer) as server:
        for _ in range(2):
            assert _get(server).body == b"hi"
        assert [closed.acquire(timeout=20), closed.acquire(timeout=20)] == [True, True]
        assert len(server.asked) == 2


def test_a_redirect_is_an_answer_and_is_not_followed() -> None:
    with listening() as inner:
        moved = (
            b"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:%d/\r\nContent-Length: 0\r\n\r\n" % inner.port
        )
        with listening(moved) as server:
            assert _get(server).status == 302
        assert inner.asked == []


@pytest.mark.parametrize(
    "place",
    [
        b"http://169.254.169.254/latest/meta-data/",
        b"http://127.0.0.1:6379/",
        b"https://[::1]/",
        b"file:///etc/passwd",
        # Addresses at which parsers stumble: nobody reads where a redirect leads.
        b":http:",
        b"//a=b%xn--/",
        b"//xn--a/",
        b"https://[::1",
        b"https://a:99999/",
        b"\xff\xfe",
    ],
)
def test_where_a_redirect_leads_is_not_even_read(place: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    dialled: list[object] = []
    real = socket.create_connection

    def dial(where: object, **more: Any) -> socket.socket:
        dialled.append(where)
        return real(cast(tuple[str, int], where), **more)

    monkeypatch.setattr(safe_http.socket, "create_connection", dial)
    with listening(b"HTTP/1.1 307 Go\r\nLocation: %b\r\nContent-Length: 0\r\n\r\n" % place) as server:
        answer = _get(server)
        assert (answer.status, answer.headers["location"]) == (307, place.decode("latin-1"))
        assert dialled == [("127.0.0.1", server.port)]


@pytest.mark.parametrize(
    "answers",
    [
        ("93.184.215.14", "10.0.0.7"),
        ("10.0.0.7", "93.184.215.14"),
        ("2606:4700::1111", "::1"),
        ("::1",),
        ("::",),
        ("::ffff:127.0.0.1",),
        ("::ffff:93.184.215.14",),
        ("::7f00:1",),
        ("64:ff9b::7f00:1",),
        ("2002:7f00:1::",),
        ("2606:4700::5efe:7f00:1",),
        ("fe80::1",),
        ("fec0::1",),
        ("fd00:ec2::254",),
        ("ff02::1",),
    ],
)
def test_nothing_is_dialled_where_one_address_of_a_name_is_not_public(
    answers: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    dialled: list[object] = []
    monkeypatch.setattr(safe_http.socket, "create_connection", lambda place, **_: dialled.append(place))
    with pytest.raises(safe_http.AddressNotAllowed, match="public address is needed"):
        safe_http.send(
            "POST", "https://a.example/", timeout_s=2, max_bytes=0,
            resolve=lambda host, port: [ip_address(answer) for answer in answers],
        )  # fmt: skip
    assert dialled == []


def test_an_address_of_version_six_is_dialled_as_it_stands() -> None:
    with listening(host="::1") as server:
        answer = safe_http.send(
            "GET", f"http://[0:0::1]:{server.port}/", timeout_s=5, max_bytes=10,
            allow_hosts=[f"[::1]:{server.port}"],
        )  # fmt: skip
        assert answer.body == b"hi"
        assert b"\r\nHost: [::1]:%d\r\n" % server.port in server.asked[0]


def test_the_next_address_is_dialled_where_one_refuses() -> None:
    with listening() as server:
        answer = safe_http.send(
            "GET", f"http://hooks.example.test:{server.port}/", timeout_s=5, max_bytes=10,
            allow_hosts=["hooks.example.test"],
            resolve=lambda host, port: [ip_address(n) for n in ("127.0.0.2", "127.0.0.1")],
        )  # fmt: skip
        assert answer.status == 200


def test_the_library_below_gets_no_other_place_than_the_one_judged() -> None:
    target = addresses.read("https://a.example/")
    network = safe_http._Network(target, _to_loopback, time.monotonic() + 5)
    for place in (("b.example", 443), ("a.example", 8443)):
        with pytest.raises(safe_http.AddressNotAllowed, match="another place"):
            network.connect_tcp(*place)


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
    with pytest.raises(safe_http.AddressNotAllowed, match="loopback"):
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
    with pytest.raises(safe_http.RequestFailed, match="refused"):
        safe_http.send("POST", "https://rebind.example/", timeout_s=2, max_bytes=0, resolve=names)
    assert (dialled, names.asked) == ([("93.184.215.14", 443)], 1)


def test_a_connection_that_led_elsewhere_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    with listening() as server:
        real = socket.create_connection
        monkeypatch.setattr(
            safe_http.socket, "create_connection", lambda _, **more: real(("127.0.0.1", server.port), **more)
        )
        with pytest.raises(safe_http.AddressNotAllowed, match="another address"):
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
    with listening(drip) as server, pytest.raises(safe_http.RequestFailed, match=r"no answer within 0\.5 s"):
        _get(server, timeout_s=0.5)
    over.set()
    # The drip itself would have gone on for ever; far from the deadline means it did not count.
    assert time.monotonic() - began < 30


_CHUNKED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"


@pytest.mark.parametrize(
    ("start", "part"),
    [
        (b"", b"HTTP/1.1 100 Continue\r\n\r\n" * 50),
        (b"", b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"),
        (b"HTTP/1.1 200 OK\r\n", b"X: y\r\n"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 90\r\n\r\n", b"x"),
        (b"HTTP/1.1 200 OK\r\n\r\n", b"x"),
        (_CHUNKED, b"1\r\nx\r\n"),
        (_CHUNKED, b"0"),
        (_CHUNKED + b"1;", b"x"),
        (_CHUNKED + b"0\r\n", b"X: y\r\n"),
    ],
)
def test_a_part_now_and_then_does_not_move_the_deadline(start: bytes, part: bytes) -> None:
    over = threading.Event()

    def drip(stream: socket.socket) -> None:
        stream.sendall(start)
        # Longer than the deadline by far, and not for ever: then the test fails.
        for _ in range(400):
            stream.sendall(part)
            if over.wait(0.05):
                return

    began = time.monotonic()
    with listening(drip) as server, pytest.raises(safe_http.RequestFailed, match="no answer") as failed:
        _get(server, timeout_s=0.5)
    over.set()
    assert failed.value.public_reason == safe_http.TIMED_OUT
    assert time.monotonic() - began < 30


def test_interim_answers_as_fast_as_they_go_end_at_the_deadline() -> None:
    def flood(stream: socket.socket) -> None:
        while time.monotonic() - began < 20:
            stream.sendall(b"HTTP/1.1 100 Continue\r\n\r\n" * 1000)

    began = time.monotonic()
    with listening(flood) as server, pytest.raises(safe_http.RequestFailed, match="no answer"):
        _get(server, timeout_s=0.5)
    assert time.monotonic() - began < 30


def test_a_receiver_that_takes_nothing_ends_at_the_deadline() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server, pytest.raises(safe_http.RequestFailed) as failed:
        # It is never accepted: the system takes a connection, and some of what is sent.
        safe_http.send(
            "POST", f"http://127.0.0.1:{server.getsockname()[1]}/", body=bytes(30_000_000),
            timeout_s=0.5, max_bytes=0, allow_hosts=["127.0.0.1"],
        )  # fmt: skip
    assert failed.value.public_reason == safe_http.TIMED_OUT


def test_an_answer_before_the_request_was_read_is_an_answer() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:

        def answer() -> None:
            connection, _ = server.accept()
            with connection:
                connection.recv(1000)
                connection.sendall(b"HTTP/1.1 410 Gone\r\nContent-Length: 0\r\n\r\n")

        thread = threading.Thread(target=answer)
        thread.start()
        found = safe_http.send(
            "POST", f"http://127.0.0.1:{server.getsockname()[1]}/", body=bytes(30_000_000),
            timeout_s=20, max_bytes=0, allow_hosts=["127.0.0.1"],
        )  # fmt: skip
        thread.join()
    assert found.status == 410


@pytest.mark.parametrize(
    "banner", [b"SSH-2.0-OpenSSH_9.2\r\n", b"220 mail.example.com ESMTP\r\n", b"\0", b"HTTQ"]
)
def test_a_server_of_another_protocol_that_waits_is_not_waited_for(banner: bytes) -> None:
    over = threading.Event()

    def greet(stream: socket.socket) -> None:
        for place in range(len(banner)):
            stream.sendall(banner[place : place + 1])
        over.wait(60)

    with listening(greet) as server, pytest.raises(safe_http.RequestFailed, match="not HTTP") as failed:
        _get(server, timeout_s=50)
    over.set()
    assert failed.value.public_reason == safe_http.NOT_CONNECTED


def test_interim_answers_are_passed_over() -> None:
    hints = b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nX-Colour: red\r\n\r\n"
    with listening(hints + OK) as server:
        answer = _get(server)
    assert (answer.status, answer.headers["x-colour"], answer.body) == (200, "blue", b"hi")


def test_an_answer_in_chunks_is_put_together() -> None:
    with listening(_CHUNKED + b"1;a=b\r\nh\r\n1\r\ni\r\n0\r\nX-Late: 1\r\n\r\n") as server:
        assert _get(server).body == b"hi"


def test_an_answer_of_no_given_length_ends_with_the_connection() -> None:
    with listening(b"HTTP/1.0 200 OK\r\n\r\nhi") as server:
        assert _get(server).body == b"hi"


def test_a_compressed_answer_stays_as_it_came() -> None:
    """What would be 100 MB is never unpacked, and the limit counts what came."""
    bomb = gzip.compress(bytes(100_000_000), 9)
    head = b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: %d\r\n\r\n" % len(bomb)
    with listening(head + bomb) as server:
        tracemalloc.start()
        try:
            assert _get(server, max_bytes=len(bomb)).body == bomb
            assert tracemalloc.get_traced_memory()[1] < 5_000_000
        finally:
            tracemalloc.stop()
        assert _get(server, max_bytes=0).status == 200
        with pytest.raises(safe_http.ResponseTooLarge):
            _get(server, max_bytes=len(bomb) - 1)


@pytest.mark.parametrize("part", [b"X: y\r\n", b"X", b"\r\n y"])
def test_headers_without_end_are_not_read_to_the_deadline(part: bytes) -> None:
    def endless(stream: socket.socket) -> None:
        stream.sendall(b"HTTP/1.1 200 OK\r\nX: y")
        while True:
            stream.sendall(part * 1000)

    with listening(endless) as server, pytest.raises(safe_http.RequestFailed, match="not HTTP"):
        _get(server, timeout_s=50)


def test_a_receiver_that_says_nothing_ends_at_the_deadline() -> None:
    over = threading.Event()
    with (
        listening(lambda _: over.wait(30) and None) as server,
        pytest.raises(safe_http.RequestFailed, match="no answer"),
    ):
        _get(server, timeout_s=0.3)
    over.set()


def test_a_name_server_that_says_nothing_ends_at_the_deadline() -> None:
    over = threading.Event()

    def hang(host: str, port: int) -> list[safe_http.Address]:
        over.wait(30)
        return []

    with pytest.raises(safe_http.RequestFailed, match="not resolved in time"):
        safe_http.send("GET", "https://a.example/", timeout_s=0.3, max_bytes=0, resolve=hang)
    over.set()


def test_size_is_limited_and_no_limit_reads_no_body() -> None:
    big = b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n" + b"x" * 1000
    endless = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + b"a\r\n0123456789\r\n" * 200
    for answer in (big, endless):
        with listening(answer) as server:
            assert _get(server, max_bytes=0) == safe_http.Response(
                200, _get(server, max_bytes=0).headers, b""
            )
            with pytest.raises(safe_http.RequestFailed, match="larger than 100 bytes"):
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
        (_CHUNKED + b"5\r\nhalf", "broke off"),
        (_CHUNKED + b"4\r\nhalf\r\n", "broke off"),
        (_CHUNKED + b"zz\r\nhalf\r\n", "not HTTP"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab", "not HTTP"),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", "not HTTP"),
        (b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\n\r\n", "not HTTP"),
        (b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "not HTTP"),
    ],
)
def test_what_is_no_answer_is_said_plainly(answer: bytes, reason: str) -> None:
    with listening(answer) as server, pytest.raises(safe_http.RequestFailed, match=reason) as failed:
        _get(server)
    assert "mail.example.com" not in failed.value.reason
    assert failed.value.public_reason == safe_http.NOT_CONNECTED


def test_nobody_there() -> None:
    with listening() as server:
        pass
    with pytest.raises(safe_http.RequestFailed, match="refused"):
        _get(server)
    with pytest.raises(safe_http.RequestFailed, match="does not resolve"):
        safe_http.send("GET", "https://a.example/", timeout_s=1, max_bytes=0, resolve=lambda host, port: [])


@pytest.mark.parametrize(
    "headers",
    [
        {"X-A": "b\r\nX-C: d"},
        {"X-A": "b\nX-C: d"},
        {"X-A": "\0"},
        {"X-A: b\r\nX-C": "d"},
        {"X-Ä": "b"},
        {"": "b"},
    ],
)
def test_a_header_cannot_smuggle_another(headers: dict[str, str]) -> None:
    def resolve(host: str, port: int) -> NoReturn:
        raise AssertionError("asked for a name before the headers were read")

    with pytest.raises(ValueError, match="well formed"):
        safe_http.send(
            "GET", "https://a.example/", headers=headers, timeout_s=1, max_bytes=0, resolve=resolve
        )


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

        def send(name: str) -> safe_http.Response:
            return safe_http.send(
                "GET", f"https://{name}:{server.port}/", timeout_s=5, max_bytes=10,
                allow_hosts=[name], resolve=_to_loopback,
            )  # fmt: skip

        with pytest.raises(safe_http.RequestFailed, match="certificate is not valid"):
            send("hooks.example.test")
        trusting = ssl.create_default_context(cafile=str(certificate))
        monkeypatch.setattr(safe_http, "_tls", lambda: trusting)
        assert send("hooks.example.test").body == b"hi"
        assert server.names[-1] == "hooks.example.test"
        assert b"Host: hooks.example.test:%d\r\n" % server.port in server.asked[-1]
        with pytest.raises(safe_http.RequestFailed, match="certificate is not valid"):
            send("other.example.test")


def test_only_http_1_is_offered(certificate: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(certificate)
    tls.set_alpn_protocols(["h2", "http/1.1"])
    chosen: list[str | None] = []

    def answer(stream: socket.socket) -> None:
        assert isinstance(stream, ssl.SSLSocket)
        chosen.append(stream.selected_alpn_protocol())
        stream.sendall(OK)

    trusting = ssl.create_default_context(cafile=str(certificate))
    monkeypatch.setattr(safe_http, "_tls", lambda: trusting)
    with listening(answer, tls=tls) as server:
        safe_http.send(
            "GET", f"https://hooks.example.test:{server.port}/", timeout_s=5, max_bytes=10,
            allow_hosts=["hooks.example.test"], resolve=_to_loopback,
        )  # fmt: skip
    assert chosen == ["http/1.1"]


@pytest.mark.parametrize(
    ("greeting", "told"),
    [(b"HTTP/1.1 400 Bad Request\r\n\r\n", safe_http.TLS_FAILED), (None, safe_http.TIMED_OUT)],
)
def test_a_server_without_tls_is_told_apart_from_a_silent_one(greeting: bytes | None, told: str) -> None:
    over = threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as server:

        def answer() -> None:
            connection, _ = server.accept()
            with connection:
                connection.recv(65536)
                if greeting is not None:
                    connection.sendall(greeting)
                over.wait(30)

        thread = threading.Thread(target=answer)
        thread.start()
        with pytest.raises(safe_http.RequestFailed) as failed:
            safe_http.send(
                "GET", f"https://127.0.0.1:{server.getsockname()[1]}/",
                timeout_s=0.5 if greeting is None else 20, max_bytes=0, allow_hosts=["127.0.0.1"],
            )  # fmt: skip
        over.set()
        thread.join()
    assert failed.value.public_reason == told
