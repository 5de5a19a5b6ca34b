"""`Idempotency-Key` over HTTP (decision 025)."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor

import pytest
from flask import Flask
from flask.testing import FlaskClient

from app.platform import redis_client
from tests.cast import LEASE, Cast, Player

PATH = "/api/v1/analyze"


@pytest.fixture
def alice(cast: Cast) -> Player:
    return cast.player()


def _headers(player: Player, key: str) -> dict[str, str]:
    return {**player.auth, "Idempotency-Key": key, "Content-Type": "application/json"}


def test_a_repeat_is_byte_equal_and_not_charged(client: FlaskClient, cast: Cast, alice: Player) -> None:
    first = client.post(PATH, json={"text": LEASE}, headers=_headers(alice, "key-00000001"))
    again = client.post(PATH, json={"text": LEASE}, headers=_headers(alice, "key-00000001"))
    assert first.status_code == again.status_code == 200
    assert again.data == first.data
    assert "Idempotency-Replayed" not in first.headers
    assert again.headers["Idempotency-Replayed"] == "true"
    assert again.headers["X-Processing-Ms"] == first.headers["X-Processing-Ms"]
    assert again.headers["X-RateLimit-Remaining"] == "998"
    assert cast.balance(alice).balance == 99


def test_key_order_and_spacing_of_the_body_do_not_matter(
    client: FlaskClient, cast: Cast, alice: Player
) -> None:
    body = {"text": LEASE, "mode": "standard", "x": {"b": [1, {"d": 4, "c": 3}], "a": 1}}
    turned = {"x": {"a": 1, "b": [1, {"c": 3, "d": 4}]}, "mode": "standard", "text": LEASE}
    headers = _headers(alice, "key-00000002")
    first = client.post(PATH, data=json.dumps(body), headers=headers)
    again = client.post(PATH, data=json.dumps(turned, indent=3, ensure_ascii=False), headers=headers)
    assert again.data == first.data
    assert cast.balance(alice).balance == 99


def test_another_body_is_a_conflict(client: FlaskClient, cast: Cast, alice: Player) -> None:
    headers = _headers(alice, "key-00000003")
    client.post(PATH, json={"text": LEASE}, headers=headers)
    for changed in ({"text": LEASE + " "}, {"text": LEASE, "language": "en"}, {"text": LEASE, "x": 1}):
        response = client.post(PATH, json=changed, headers=headers)
        assert (response.status_code, response.get_json()["code"]) == (409, "IDEMPOTENCY_CONFLICT")
    assert cast.balance(alice).balance == 99


def test_twenty_at_once_run_once(app: Flask, cast: Cast, alice: Player) -> None:
    def call(_: int) -> tuple[int, bytes]:
        response = app.test_client().post(PATH, json={"text": LEASE}, headers=_headers(alice, "key-00000004"))
        return response.status_code, response.data

    with ThreadPoolExecutor(20) as pool:
        answers = set(pool.map(call, range(20)))
    assert len(answers) == 1
    assert cast.balance(alice).balance == 99


def test_a_failure_is_not_remembered(client: FlaskClient, cast: Cast) -> None:
    poor = cast.player(credit=0)
    headers = _headers(poor, "key-00000005")
    assert client.post(PATH, json={"text": LEASE}, headers=headers).status_code == 402
    assert client.post(PATH, json={"text": LEASE, "mode": "deep"}, headers=headers).status_code == 402
    assert client.post(PATH, json={"text": "short"}, headers=headers).status_code == 422


def test_a_lost_answer_is_made_again_free(
    client: FlaskClient, cast: Cast, alice: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.idempotency.leases.LEASE_S", 0.01)
    headers = _headers(alice, "key-00000006")
    client.post(PATH, json={"text": LEASE}, headers=headers)
    redis_client.client().flushdb()
    again = client.post(PATH, json={"text": LEASE}, headers=headers)
    assert again.status_code == 200
    assert "Idempotency-Replayed" not in again.headers
    assert (cast.balance(alice).balance, cast.balance(alice).held) == (99, 0)
    assert client.post(PATH, json={"text": LEASE}, headers=headers).data == again.data


@pytest.mark.parametrize("key", ["a" * 7, "a" * 201, "with space", "ñandúñandú", ""])
def test_a_malformed_key_is_refused(client: FlaskClient, cast: Cast, alice: Player, key: str) -> None:
    response = client.post(PATH, json={"text": LEASE}, headers=_headers(alice, key))
    assert (response.status_code, response.get_json()["code"]) == (400, "IDEMPOTENCY_KEY_INVALID")
    assert cast.balance(alice).balance == 100


def test_two_routes_do_not_share_a_key(client: FlaskClient, alice: Player) -> None:
    headers = _headers(alice, "key-00000007")
    assert client.post(PATH, json={"text": LEASE}, headers=headers).status_code == 200
    batch = client.post(PATH + "/batch", json={"documents": [{"text": LEASE}]}, headers=headers)
    assert batch.status_code == 200
    assert "Idempotency-Replayed" not in batch.headers


def test_a_replay_needs_a_valid_key_of_the_same_account(
    client: FlaskClient, cast: Cast, alice: Player
) -> None:
    mallory = cast.player("mallory")
    first = client.post(PATH, json={"text": LEASE}, headers=_headers(alice, "key-00000008"))
    other = client.post(PATH, json={"text": LEASE}, headers=_headers(mallory, "key-00000008"))
    assert other.data != first.data
    assert cast.balance(mallory).balance == 99
