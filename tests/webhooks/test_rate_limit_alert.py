"""`rate_limit.sustained`: five clock minutes in a row with refusals, told once an hour."""

from __future__ import annotations

import time
from typing import Any

import pytest
import sqlalchemy as sa
from flask.testing import FlaskClient

from app import webhooks
from app.platform import ratelimit, redis_client
from app.platform.postgres import db
from tests.cast import LEASE, Cast, Player

# A search of nothing: refused before anything is looked for.
PATH = "/api/v1/jurisprudencia/search"


@pytest.fixture
def alice(cast: Cast) -> Player:
    """On the slowest tier, with her ten calls of this minute made and some seconds of Redis's minute left."""
    seconds, _ = redis_client.client().time()
    if seconds % 60 > 50:
        time.sleep(60 - seconds % 60)
    alice = cast.player("alice", tier="standard")
    for _ in range(10):
        assert ratelimit.limiter().hit(f"work:{alice.key_id}", 10).allowed
    return alice


def _refused(client: FlaskClient, player: Player) -> None:
    response = client.post(PATH, json={"query": "arras"}, headers=player.auth)
    assert (response.status_code, response.get_json()["code"]) == (429, "RATE_LIMITED")


def _began_earlier(player: Player, minutes: int) -> None:
    """As if the row of minutes had begun so much sooner."""
    redis_client.client().hincrby(f"refused:{player.key_id}", "first", -minutes)


def _told(player: Player) -> list[Any]:
    with db.reading() as session:
        return list(
            session.execute(
                sa.text(
                    "SELECT api_key_id, payload FROM events WHERE account_id = :a "
                    "AND type = 'rate_limit.sustained' ORDER BY seq"
                ),
                {"a": player.account_id},
            )
        )


def test_the_fifth_minute_in_a_row_with_refusals_is_told_once(client: FlaskClient, alice: Player) -> None:
    _refused(client, alice)
    _began_earlier(alice, webhooks.SUSTAINED_MINUTES - 2)
    _refused(client, alice)
    assert _told(alice) == [], "four minutes may be a busy morning"
    _began_earlier(alice, 1)
    for _ in range(3):
        _refused(client, alice)
    [event] = _told(alice)
    assert (event.api_key_id, event.payload) == (alice.key_id, {"minutes": 5, "refused": 3})
    found = client.get("/api/v1/events?type=rate_limit.sustained", headers=alice.auth).get_json()["data"]
    assert [one["payload"] for one in found] == [event.payload]


def test_it_is_told_again_in_the_next_hour_only(client: FlaskClient, alice: Player) -> None:
    _refused(client, alice)
    _began_earlier(alice, 40)
    _refused(client, alice)
    # Another process knows nothing of it, and another row of minutes begins: it is the same hour.
    redis_client.client().delete(f"refused:{alice.key_id}")
    _refused(client, alice)
    _began_earlier(alice, 7)
    _refused(client, alice)
    assert [event.payload["refused"] for event in _told(alice)] == [2]
    with db.transaction() as session:
        session.execute(
            sa.text("UPDATE events SET id = gen_random_uuid() WHERE account_id = :a"), {"a": alice.account_id}
        )
    redis_client.client().hincrby(f"refused:{alice.key_id}", "told", -1)
    _refused(client, alice)
    assert len(_told(alice)) == 2


def test_a_minute_without_refusals_begins_the_row_anew(client: FlaskClient, alice: Player) -> None:
    _refused(client, alice)
    _began_earlier(alice, 30)
    redis_client.client().hincrby(f"refused:{alice.key_id}", "minute", -2)
    _refused(client, alice)
    assert _told(alice) == []
    assert redis_client.client().hget(f"refused:{alice.key_id}", "refused") == b"1"
    assert 0 < redis_client.client().ttl(f"refused:{alice.key_id}") <= 120


def test_what_is_allowed_leaves_no_trace_and_what_is_told_is_forgotten(
    client: FlaskClient, cast: Cast, alice: Player
) -> None:
    bob = cast.player("bob")
    client.post("/api/v1/sandbox/analyze", json={}, headers=bob.auth)
    assert not redis_client.client().exists(f"refused:{bob.key_id}")
    _refused(client, alice)
    found = ratelimit.limiter().refusals(str(alice.key_id))
    assert found is not None
    redis_client.client().delete(f"refused:{alice.key_id}")
    ratelimit.limiter().mark_notified(str(alice.key_id), found)
    assert 0 < redis_client.client().ttl(f"refused:{alice.key_id}") <= 120


def test_a_refusal_is_answered_though_it_cannot_be_told(
    client: FlaskClient, alice: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(*_: object, **__: object) -> Any:
        raise sa.exc.OperationalError("INSERT", {}, Exception("gone"))

    _refused(client, alice)
    _began_earlier(alice, 9)
    with monkeypatch.context() as patch:
        patch.setattr("app.webhooks.event_bus.rate_limit_alert.publish", away)
        _refused(client, alice)
    assert _told(alice) == []
    _refused(client, alice)
    assert len(_told(alice)) == 1


def test_a_full_queue_of_jobs_is_no_refusal_for_the_rate(
    client: FlaskClient, alice: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    redis_client.client().delete(f"rate:work:{alice.key_id}")
    monkeypatch.setattr("app.jobs.submit.PENDING_MAX", 0)
    body = {"kind": "analyze", "payload": {"text": LEASE}}
    response = client.post("/api/v1/jobs", json=body, headers=alice.auth)
    assert (response.status_code, response.get_json()["code"]) == (429, "PENDING_JOB_LIMIT")
    assert not redis_client.client().exists(f"refused:{alice.key_id}")
