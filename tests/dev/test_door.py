"""Where the web server listens."""

import socket

import pytest

from app.dev.console import Halt
from app.dev.door import Door


@pytest.mark.parametrize(
    ("host", "address", "url"),
    [
        ("127.0.0.1", "127.0.0.1", "http://127.0.0.1:8000"),
        ("localhost", "127.0.0.1", "http://localhost:8000"),
        ("", "127.0.0.1", "http://127.0.0.1:8000"),
        ("0.0.0.0", "0.0.0.0", "http://127.0.0.1:8000"),
        ("::1", "::1", "http://[::1]:8000"),
        ("::", "::", "http://[::1]:8000"),
    ],
)
def test_names_become_addresses_and_addresses_that_open(host: str, address: str, url: str) -> None:
    door = Door(host, 8000)
    assert (door.address, door.url) == (address, url)


def test_a_name_that_does_not_resolve_is_one_sentence() -> None:
    with pytest.raises(Halt, match=r"HOST=no\.such\.host\.invalid is no address of this machine"):
        Door("no.such.host.invalid", 8000)


def test_a_taken_port_is_refused_even_by_one_that_shares() -> None:
    with socket.socket() as other:
        other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        other.bind(("127.0.0.1", 0))
        other.listen(1)
        door = Door("127.0.0.1", other.getsockname()[1])
        with pytest.raises(Halt, match=f"Port {door.port} on 127.0.0.1 is taken"):
            door.refuse_if_taken()
    door.refuse_if_taken()


def test_a_foreign_address_is_refused() -> None:
    with pytest.raises(Halt, match=r"Nothing can listen on 192\.0\.2\.1"):
        Door("192.0.2.1", 8000).refuse_if_taken()


def test_nobody_answers_behind_a_closed_door() -> None:
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        assert not Door("127.0.0.1", silent.getsockname()[1]).answers("/readyz")
