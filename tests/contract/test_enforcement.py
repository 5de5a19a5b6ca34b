"""/api/v1/governance/enforcement: who sets what, and which policy holds."""

from __future__ import annotations

from typing import Any

import pytest
from flask.testing import FlaskClient

from tests.cast import LEASE, Cast, Player

PATH = "/api/v1/governance/enforcement"
OFF = {"enabled": False, "mode": "block_any_broken", "version": 0, "scope": None}


def put(client: FlaskClient, player: Player, body: dict[str, Any], status: int = 200) -> dict[str, Any]:
    answer = client.put(PATH, json=body, headers=player.auth)
    assert answer.status_code == status, answer.text
    return dict(answer.get_json())


def effective(client: FlaskClient, player: Player) -> dict[str, Any]:
    return dict(client.get(PATH, headers=player.auth).get_json()["effective"])


def test_it_is_off_until_somebody_sets_it(client: FlaskClient, cast: Cast) -> None:
    alice = cast.player()
    assert client.get(PATH, headers=alice.auth).get_json() == {"effective": OFF, "policies": []}
    [policy] = [put(client, alice, {"enabled": True})["policy"]]
    assert (policy["scope"], policy["version"], policy["enabled"]) == ("user", 1, True)
    assert effective(client, alice) == {**OFF, "enabled": True, "version": 1, "scope": "user"}
    assert put(client, alice, {"enabled": False})["policy"]["version"] == 2
    assert effective(client, alice)["enabled"] is False


def test_the_most_specific_policy_holds(client: FlaskClient, cast: Cast) -> None:
    alice = cast.player()
    firm = cast.organization(alice)
    child, other = cast.child(alice, firm), cast.child(alice, firm)
    put(client, alice, {"enabled": True, "target": {"scope": "user"}})
    for player in (alice, child, other):
        assert effective(client, player)["scope"] == "user"
    # A master's own target is its organization.
    policy = put(client, alice, {"enabled": False})["policy"]
    assert (policy["scope"], policy["organization_id"]) == ("organization", str(firm))
    for player in (alice, child, other):
        assert effective(client, player) == {**OFF, "version": 1, "scope": "organization"}
    put(client, alice, {"enabled": True, "target": {"scope": "api_key", "api_key_id": str(child.key_id)}})
    assert effective(client, child) == {**OFF, "enabled": True, "version": 1, "scope": "api_key"}
    assert effective(client, other)["enabled"] is False
    assert len(client.get(PATH, headers=alice.auth).get_json()["policies"]) == 3
    assert "policies" not in client.get(PATH, headers=child.auth).get_json()


def test_a_child_sets_none(client: FlaskClient, cast: Cast) -> None:
    child = cast.child(cast.player())
    assert put(client, child, {"enabled": False}, 403)["code"] == "FORBIDDEN_CHILD_KEY"


def test_keys_of_others_are_unknown(client: FlaskClient, cast: Cast) -> None:
    alice, mallory = cast.player(), cast.player("mallory")
    stranger = cast.child(mallory)
    target = {"scope": "api_key", "api_key_id": str(stranger.key_id)}
    assert put(client, alice, {"enabled": True, "target": target}, 404)["code"] == "NOT_FOUND"
    assert effective(client, stranger) == OFF
    # Nor does a master govern the keys of another master of its account.
    cast.organization(alice)
    second = Player("second", alice.account_id, "", "", *cast.key(alice.account_id))
    of_second = cast.child(second)
    target = {"scope": "api_key", "api_key_id": str(of_second.key_id)}
    put(client, alice, {"enabled": True, "target": target}, 404)


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "enabled"),
        ({"enabled": "yes"}, "enabled"),
        ({"enabled": True, "mode": "warn"}, "mode"),
        ({"enabled": True, "target": "user"}, "target"),
        ({"enabled": True, "target": {"scope": "world"}}, "target.scope"),
        ({"enabled": True, "target": {}}, "target.scope"),
        ({"enabled": True, "target": {"scope": "organization"}}, "target.scope"),
        ({"enabled": True, "target": {"scope": "api_key", "api_key_id": "x"}}, "target.api_key_id"),
    ],
)
def test_wrong_fields_are_named(client: FlaskClient, cast: Cast, body: dict[str, Any], field: str) -> None:
    assert put(client, cast.player(), body, 400)["details"]["field"] == field


BROKEN = (
    "CARTA. Según el artículo 9999 de la Ley 29/1994, de 24 de noviembre, de Arrendamientos Urbanos, el "
    "arrendatario debe abandonar la vivienda en el plazo de tres días. También rige el artículo 36 LAU. "
) * 3


def test_a_broken_citation_is_withheld_and_not_charged(client: FlaskClient, cast: Cast) -> None:
    alice = cast.player()
    before = cast.balance(alice)
    assert client.post("/api/v1/analyze", json={"text": BROKEN}, headers=alice.auth).status_code == 200
    charged = cast.balance(alice)
    assert charged.balance < before.balance
    put(client, alice, {"enabled": True})
    refused = client.post("/api/v1/analyze", json={"text": BROKEN}, headers=alice.auth)
    error = refused.get_json()
    assert (refused.status_code, error["code"]) == (422, "OUTPUT_WITHHELD_BY_POLICY")
    assert error["details"]["policy"] == {"scope": "user", "version": 1}
    [named] = error["details"]["citations"]
    assert named["citation"] in BROKEN
    assert "9999" in named["citation"]
    assert named["status"] == "not_found"
    assert cast.balance(alice) == charged
    # What has no broken citation passes.
    assert client.post("/api/v1/analyze", json={"text": LEASE}, headers=alice.auth).status_code == 200
    events = client.get("/api/v1/events?type=output.withheld", headers=alice.auth).get_json()["data"]
    assert [one["payload"]["requestId"] for one in events] == [error["requestId"]]
    assert events[0]["payload"]["broken"] == 1
    # And it holds on the next request that the policy is off.
    put(client, alice, {"enabled": False})
    assert client.post("/api/v1/analyze", json={"text": BROKEN}, headers=alice.auth).status_code == 200


def test_in_a_batch_only_the_document_is_withheld(client: FlaskClient, cast: Cast) -> None:
    alice = cast.player()
    put(client, alice, {"enabled": True})
    body = {"documents": [{"id": "a", "text": BROKEN}, {"id": "b", "text": LEASE}]}
    answer = client.post("/api/v1/analyze/batch", json=body, headers=alice.auth)
    assert answer.status_code == 200, answer.text
    withheld, passed = answer.get_json()["results"]
    assert (withheld["status"], withheld["code"], withheld["httpStatus"]) == (
        "error",
        "OUTPUT_WITHHELD_BY_POLICY",
        422,
    )
    assert passed["status"] == "success"
    assert answer.get_json()["totals"]["creditsCharged"] == 1


def test_a_withheld_request_may_be_sent_again_under_its_key(client: FlaskClient, cast: Cast) -> None:
    alice = cast.player()
    put(client, alice, {"enabled": True})
    headers = {**alice.auth, "Idempotency-Key": "withheld-request-1"}
    first = client.post("/api/v1/analyze", json={"text": BROKEN}, headers=headers)
    assert first.status_code == 422
    put(client, alice, {"enabled": False})
    assert client.post("/api/v1/analyze", json={"text": BROKEN}, headers=headers).status_code == 200
