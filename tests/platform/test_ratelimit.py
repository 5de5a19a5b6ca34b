"""Exact windows, and what happens when Redis is away."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NoReturn

import pytest
import redis
from flask.testing import FlaskClient

from app.platform import clock, ratelimit, redis_client
from tests.cast import LEASE, Cast


@pytest.fixture
def limiter(cast: Cast) -> ratelimit.Limiter:
    return ratelimit.Limiter(processes=2)


def test_exactly_the_limit_passes_under_a_rush(limiter: ratelimit.Limiter) -> None:
    with ThreadPoolExecutor(16) as pool:
        rates = list(pool.map(lambda _: limiter.hit("rush", 25), range(100)))
    assert sum(rate.allowed for rate in rates) == 25
    assert sorted(rate.remaining for rate in rates if rate.allowed) == list(range(25))


def test_the_window_slides_with_its_oldest_call(limiter: ratelimit.Limiter) -> None:
    first = limiter.hit("slide", 2)
    second = limiter.hit("slide", 2)
    refused = limiter.hit("slide", 2)
    assert (first.allowed, second.allowed, refused.allowed) == (True, True, False)
    assert abs(refused.reset_at - (clock.epoch() + 60)) < 1
    # Move the oldest call out of the window, by the clock that counts: Redis's.
    name = "rate:slide"
    member = redis_client.client().zrange(name, 0, 0)[0]
    redis_client.client().zincrby(name, -60_000_000, member)
    assert limiter.hit("slide", 2).allowed
    assert not limiter.hit("slide", 2).allowed


def test_a_refused_call_is_not_counted(limiter: ratelimit.Limiter) -> None:
    for _ in range(10):
        limiter.hit("refused", 3)
    assert redis_client.client().zcard("rate:refused") == 3
    assert 0 < redis_client.client().pttl("rate:refused") <= 60_000


def test_a_lowered_limit_never_shows_less_than_nothing_left(limiter: ratelimit.Limiter) -> None:
    for _ in range(5):
        limiter.hit("lowered", 10)
    rate = limiter.hit("lowered", 2)
    assert (rate.allowed, rate.remaining) == (False, 0)


def test_while_redis_is_away_each_process_keeps_its_share(
    limiter: ratelimit.Limiter, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(*_: object) -> NoReturn:
        raise redis.ConnectionError

    monkeypatch.setattr(redis_client, "send", away)
    rates = [limiter.hit("away", 10) for _ in range(8)]
    assert [rate.allowed for rate in rates] == [True] * 5 + [False] * 3
    assert {rate.limit for rate in rates} == {5}
    assert 1 <= rates[-1].retry_after <= 60


def test_while_redis_is_away_an_analysis_is_still_answered(
    client: FlaskClient, cast: Cast, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    alice = cast.player()

    away = redis.Redis(unix_socket_path=str(tmp_path / "nobody-listens.sock"))
    monkeypatch.setattr(redis_client, "client", lambda: away)
    headers = {**alice.auth, "Idempotency-Key": "redis-is-away"}
    response = client.post("/api/v1/analyze", json={"text": LEASE}, headers=headers)
    assert response.status_code == 200
    assert response.headers["X-RateLimit-Limit"] == "500"
    # The answer could not be kept: a repeat is made again, uncharged.
    assert client.post("/api/v1/analyze", json={"text": LEASE}, headers=headers).status_code == 200
    ratelimit.limiter()._shared_again_at = 0.0
    assert cast.balance(alice).balance == 99
