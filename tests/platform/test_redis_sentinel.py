"""`REDIS_URL` with Redis Sentinel: how it is read, and a master that is killed."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import redis

from app.platform import redis_client
from app.platform.settings import SettingsError
from tests.replicated_redis import NAME, Replicated

OPTIONS: dict[str, Any] = {"socket_timeout": 0.5, "socket_connect_timeout": 0.5}


@pytest.fixture
def replicated(tmp_path: Path) -> Iterator[Replicated]:
    made = Replicated(tmp_path)
    try:
        yield made
    finally:
        made.stop()


def eventually(wanted: Any, seconds: float = 20) -> None:
    deadline = time.monotonic() + seconds
    while True:
        try:
            wanted()
        except (redis.exceptions.RedisError, AssertionError):
            if time.monotonic() > deadline:
                raise
            time.sleep(0.05)
        else:
            return


def test_a_client_follows_the_master(replicated: Replicated) -> None:
    client = redis_client.connect(replicated.url(2), **OPTIONS)
    replica = redis.Redis(port=replicated.replica, db=2, **OPTIONS)

    def copied() -> None:
        client.set("kept", "1")
        assert replica.get("kept") == b"1"

    def watched() -> None:
        with redis.Redis(port=replicated.sentinels[0], **OPTIONS) as sentinel:
            assert [one["port"] for one in sentinel.sentinel_slaves(NAME)] == [replicated.replica]

    eventually(copied)
    eventually(watched)
    replicated.kill_master()
    with pytest.raises(redis.exceptions.RedisError):
        client.set("meanwhile", "1")

    def written() -> None:
        client.set("later", "2")
        assert replica.get("later") == b"2"

    eventually(written)
    assert client.get("kept") == b"1"
    for one in (client, replica):
        redis_client.disconnect(one)


def test_the_address_of_sentinels_is_read() -> None:
    client = redis_client.connect("redis+sentinel://:p%40ss@one:1,[::1],three/law/5", **OPTIONS)
    pool: Any = client.connection_pool
    addresses = [
        (one.connection_pool.connection_kwargs["host"], one.connection_pool.connection_kwargs["port"])
        for one in pool.sentinel_manager.sentinels
    ]
    assert addresses == [("one", 1), ("::1", 26379), ("three", 26379)]
    assert pool.service_name == "law"
    assert (pool.connection_kwargs["db"], pool.connection_kwargs["password"]) == (5, "p@ss")
    # The password is the servers'; a sentinel is asked without it.
    assert "password" not in pool.sentinel_manager.sentinel_kwargs


@pytest.mark.parametrize("url", ["//one", "///law", "//one:x/law", "//one/law/x", "//one,/law"])
def test_another_address_is_refused_in_one_sentence(url: str) -> None:
    with pytest.raises(SettingsError, match=r"REDIS_URL must be redis\+sentinel://host:26379"):
        redis_client.connect(f"redis+sentinel:{url}")
