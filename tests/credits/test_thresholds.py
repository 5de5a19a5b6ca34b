"""The `credits.low` fact and monthly spend caps (decision 012)."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
import sqlalchemy as sa
from flask import Flask
from flask.testing import FlaskClient

from app import credits, tenancy
from app.platform import clock
from app.platform.postgres import db
from tests.cast import LEASE, Cast, Player


def _analyse(client: FlaskClient, player: Player) -> int:
    return client.post("/api/v1/analyze", json={"text": LEASE}, headers=player.auth).status_code


def _events(player: Player) -> list[dict[str, int]]:
    with db.reading() as session:
        return list(
            session.scalars(
                sa.text(
                    "SELECT payload FROM events WHERE account_id = :a AND type = 'credits.low' ORDER BY seq"
                ),
                {"a": player.account_id},
            )
        )


def _grant(player: Player, amount: int) -> None:
    with db.transaction() as session:
        credits.grant(session, player.account_id, amount, now=clock.now())


def test_low_is_announced_once_and_armed_again_by_a_top_up(client: FlaskClient, cast: Cast) -> None:
    alice = cast.player(credit=21)
    _analyse(client, alice)
    assert _events(alice) == []
    _analyse(client, alice)
    _analyse(client, alice)
    assert _events(alice) == [{"balance": 19, "threshold": 20}]
    # A top-up that stays below does not arm it.
    _grant(alice, 1)
    _analyse(client, alice)
    assert len(_events(alice)) == 1
    _grant(alice, 3)
    _analyse(client, alice)
    _analyse(client, alice)
    assert _events(alice)[1:] == [{"balance": 19, "threshold": 20}]


def test_many_at_once_announce_once(app: Flask, cast: Cast) -> None:
    alice = cast.player(credit=24)
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda _: _analyse(app.test_client(), alice), range(12)))
    assert len(_events(alice)) == 1


def _cap(player: Player, cap: int | None) -> None:
    with db.transaction() as session:
        tenancy.set_monthly_cap(session, player.key_id, cap)


def test_a_key_stops_at_its_cap_and_others_go_on(client: FlaskClient, cast: Cast) -> None:
    alice = cast.player()
    _cap(alice, 2)
    assert [_analyse(client, alice) for _ in range(3)] == [200, 200, 402]
    response = client.post("/api/v1/analyze", json={"text": LEASE}, headers=alice.auth)
    body = response.get_json()
    assert body["code"] == "SPEND_CAP_REACHED"
    assert body["details"]["monthlyCreditCap"] == body["details"]["spent"] == 2
    assert body["details"]["resetsAt"] > clock.iso(clock.now())
    _, other = cast.key(alice.account_id)
    free = client.post("/api/v1/analyze", json={"text": LEASE}, headers={"Authorization": f"Bearer {other}"})
    assert free.status_code == 200
    _cap(alice, None)
    assert _analyse(client, alice) == 200


def test_a_cap_of_zero_allows_nothing(client: FlaskClient, cast: Cast) -> None:
    alice = cast.player()
    _cap(alice, 0)
    assert _analyse(client, alice) == 402


def test_a_cap_holds_under_a_rush(app: Flask, cast: Cast) -> None:
    alice = cast.player()
    _cap(alice, 5)
    with ThreadPoolExecutor(10) as pool:
        answers = list(pool.map(lambda _: _analyse(app.test_client(), alice), range(20)))
    assert answers.count(200) == 5
    assert cast.balance(alice).balance == 95


def test_a_new_month_starts_from_nothing(client: FlaskClient, cast: Cast) -> None:
    alice = cast.player()
    _cap(alice, 1)
    assert [_analyse(client, alice) for _ in range(2)] == [200, 402]
    later = clock.now() + timedelta(days=32)
    clock.install(lambda: later)
    try:
        assert _analyse(client, alice) == 200
    finally:
        clock.install(None)


@pytest.mark.parametrize("cap", [-1, 1_000_000_001])
def test_a_senseless_cap_is_refused(cast: Cast, cap: int) -> None:
    with pytest.raises(Exception, match="monthlyCreditCap"):
        _cap(cast.player(), cap)
