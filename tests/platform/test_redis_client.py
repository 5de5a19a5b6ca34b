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


def test_an_answer_that_comes_in_pieces_is_read_whole() -> None:
    words = b"\r\n$5".join(str(number).encode() for number in range(40_000))
    assert redis_client.send(b"ECHO", words) == words
    assert redis_client.send(b"ECHO", b"next") == b"next"


def test_answers_are_what_the_library_reads(client: Any) -> None:
    name = uuid.uuid4().hex
    for command in (
        ("RPUSH", name, "a", ""), ("LRANGE", name, "0", "-1"), ("LRANGE", name, "5", "9"),
        ("GET", f"{name}-"),
        ("EVAL", "return {1, {'a', false}, {}, -7}", "0"), ("PING",), ("EXPIRE", name, "60"),
    ):  # fmt: skip
        sent = redis_client.send(*(part.encode() for part in command))
        if command[0] not in ("RPUSH", "EXPIRE"):
            kept = client.connection_pool.get_connection()
            kept.send_command(*command)
            assert sent in (kept.read_response(), b"PONG")
            client.connection_pool.release(kept)


def test_connections_that_a_restart_closed_cost_one_command_nothing(client: Any) -> None:
    names = [uuid.uuid4().hex.encode() for _ in range(60)]
    with ThreadPoolExecutor(4) as threads:
        list(threads.map(lambda name: redis_client.send(b"ECHO", name), names))
    for one in client.client_list():
        if one["id"] != str(client.client_id()):
            client.client_kill_filter(_id=one["id"])
    assert redis_client.send(b"ECHO", b"still") == b"still"
    assert len(_kept()) == 1


def test_a_server_that_is_silent_is_waited_for_once(monkeypatch: pytest.MonkeyPatch) -> None:
    redis_client.send(b"CLIENT", b"ID")
    monkeypatch.setattr(redis_client, "_asked", lambda *_: (_ for _ in ()).throw(TimeoutError()))
    with pytest.raises(redis.exceptions.TimeoutError):
        redis_client.send(b"CLIENT", b"ID")
    assert not _kept()
