"""Single commands keep their connections, and a connection that ended under them costs no caller anything."""

from __future__ import annotations

import uuid
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
import redis

from app.platform import redis_client, settings


@pytest.fixture(autouse=True)
def client(configured: settings.Settings) -> Any:
    redis_client.close()
    return redis_client.client()


def _kept() -> list[Any]:
    return redis_client._kept.get(redis_client.client().connection_pool, [])


def test_the_next_command_goes_over_the_same_connection() -> None:
    name = uuid.uuid4().hex.encode()
    first = redis_client.send(b"CLIENT", b"ID")
    assert redis_client.send(b"SET", name, b"1", b"EX", b"60") in (b"OK", True)
    assert redis_client.send(b"CLIENT", b"ID") == first
    assert len(_kept()) == 1


def test_commands_at_once_have_a_connection_each() -> None:
    names = [uuid.uuid4().hex.encode() for _ in range(200)]
    with ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(lambda name: redis_client.send(b"ECHO", name), names))
    assert answers == names
    assert 1 <= len(_kept()) <= 8


def test_an_answer_that_is_an_error_leaves_the_connection_as_it_was() -> None:
    first = redis_client.send(b"CLIENT", b"ID")
    with pytest.raises(redis.exceptions.ResponseError):
        redis_client.send(b"NO-SUCH-COMMAND")
    assert redis_client.send(b"CLIENT", b"ID") == first


def test_a_connection_that_the_server_closed_is_replaced_before_it_is_used(client: Any) -> None:
    first = redis_client.send(b"CLIENT", b"ID")
    client.execute_command("CLIENT", "KILL", "ID", first)
    assert redis_client.send(b"CLIENT", b"ID") != first
    assert len(_kept()) == 1


def test_closing_closes_what_is_kept() -> None:
    redis_client.send(b"CLIENT", b"ID")
    [connection] = _kept()
    redis_client.close()
    assert connection._sock is None
    assert not redis_client._kept
