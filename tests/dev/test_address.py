"""Where the web server listens."""

import socket

import pytest

from app.dev.console import Halt
from app.dev.supervisor import Address


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@pytest.mark.parametrize(
    ("host", "ip", "url"),
    [
        ("127.0.0.1", "127.0.0.1", "http://127.0.0.1:"),
        ("localhost", "127.0.0.1", "http://localhost:"),
        ("", "127.0.0.1", "http://127.0.0.1:"),
        ("0.0.0.0", "0.0.0.0", "http://127.0.0.1:"),
        ("::1", "::1", "http://[::1]:"),
        ("::", "::", "http://[::1]:"),
    ],
)
def test_names_become_addresses_and_addresses_that_open(host: str, ip: str, url: str) -> None:
    port = free_port()
    address = Address(host, port)
    assert (address.ip, address.url) == (ip, f"{url}{port}")


def test_a_name_that_does_not_resolve_is_one_sentence() -> None:
    with pytest.raises(Halt, match=r"Nothing can listen on HOST=no\.such\.host\.invalid"):
        Address("no.such.host.invalid", 8000)


def test_a_taken_port_is_refused_even_by_one_that_shares() -> None:
    with socket.socket() as other:
        other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        other.bind(("127.0.0.1", 0))
        other.listen(1)
        port = other.getsockname()[1]
        with pytest.raises(Halt, match=f"Port {port} on 127.0.0.1 is taken"):
            Address("127.0.0.1", port)
    Address("127.0.0.1", port)


def test_a_foreign_address_is_refused() -> None:
    with pytest.raises(Halt, match=r"Nothing can listen on HOST=192\.0\.2\.1"):
        Address("192.0.2.1", 8000)


def test_nobody_answers_where_nobody_listens() -> None:
    assert not Address("127.0.0.1", free_port()).answers("/readyz")
