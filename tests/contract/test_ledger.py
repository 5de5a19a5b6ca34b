"""GET /api/v1/credits/ledger (decision 037)."""

from __future__ import annotations

import uuid
from datetime import timedelta
from typing import Any

import pytest
from flask.testing import FlaskClient

from app import credits
from app.platform import clock
from app.platform.postgres import db
from tests.cast import LEASE, Cast, Player

PATH = "/api/v1/credits/ledger"


def _get(client: FlaskClient, player: Player, **query: Any) -> Any:
    response = client.get(PATH, query_string=query, headers=player.auth)
    assert response.status_code == 200, response.text
    return response.get_json()


def _analyse(client: FlaskClient, key: str, times: int = 1) -> None:
    for _ in range(times):
        headers = {"Authorization": f"Bearer {key}"}
        assert client.post("/api/v1/analyze", json={"text": LEASE}, headers=headers).status_code == 200


def test_every_movement_with_the_balance_after_it(client: FlaskClient, cast: Cast) -> None:
    alice = cast.player(credit=10)
    _analyse(client, alice.key, 2)
    body = _get(client, alice)
    assert [(row["amount"], row["kind"], row["balance_after"]) for row in body["data"]] == [
        (-1, "consumption", 8),
        (-1, "consumption", 9),
        (10, "purchase", 10),
    ]
    newest = body["data"][0]
    assert set(newest) == {
        "id", "created_at", "amount", "kind", "reference_type", "reference_id", "job_id", "api_key_id",
        "key_prefix", "description", "operation_type", "balance_after",
    }  # fmt: skip
    assert newest["api_key_id"] == str(alice.key_id)
    assert alice.key.startswith(newest["key_prefix"])
    assert (newest["reference_type"], newest["operation_type"]) == ("analysis", "analyze")
    assert uuid.UUID(newest["reference_id"])
    assert (body["has_more"], body["next_cursor"]) == (False, None)


def test_pages_neither_repeat_nor_lose_a_row(client: FlaskClient, cast: Cast) -> None:
    alice = cast.player(credit=10)
    for amount in range(1, 8):
        with db.transaction() as session:
            credits.grant(session, alice.account_id, amount, now=clock.now())
    seen: list[int] = []
    cursor = None
    while True:
        body = _get(client, alice, limit=3, **({"cursor": cursor} if cursor else {}))
        seen += [row["amount"] for row in body["data"]]
        # Written between two pages: newer than all, so no page shows or shifts by it.
        with db.transaction() as session:
            credits.grant(session, alice.account_id, 99, now=clock.now())
        cursor = body["next_cursor"]
        if not body["has_more"]:
            break
    assert seen == [7, 6, 5, 4, 3, 2, 1, 10]


def test_filters(client: FlaskClient, cast: Cast) -> None:
    alice = cast.player(credit=10)
    key_id, key = cast.key(alice.account_id)
    _analyse(client, alice.key)
    _analyse(client, key)
    assert [row["amount"] for row in _get(client, alice, kind="consumption")["data"]] == [-1, -1]
    assert [row["amount"] for row in _get(client, alice, kind="purchase,refund")["data"]] == [10]
    assert len(_get(client, alice, api_key_id=str(key_id))["data"]) == 1
    today = clock.today()
    assert len(_get(client, alice, **{"from": today, "to": today})["data"]) == 3
    assert _get(client, alice, to=today - timedelta(days=1))["data"] == []
    assert _get(client, alice, **{"from": today + timedelta(days=1)})["data"] == []


def test_mallory_sees_nothing_of_alice(client: FlaskClient, cast: Cast) -> None:
    alice, mallory = cast.player("alice"), cast.player("mallory", credit=0)
    assert _get(client, mallory)["data"] == []
    for other in (alice.key_id, uuid.uuid4()):
        response = client.get(PATH, query_string={"api_key_id": str(other)}, headers=mallory.auth)
        assert (response.status_code, response.get_json()["code"]) == (404, "NOT_FOUND")


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ({"from": "yesterday"}, "from"),
        ({"from": "2026-02-30"}, "from"),
        ({"from": "2026-03-02", "to": "2026-03-01"}, "from"),
        ({"kind": "gift"}, "kind"),
        ({"kind": ""}, "kind"),
        ({"api_key_id": "7"}, "api_key_id"),
        ({"limit": "0"}, "limit"),
        ({"limit": "201"}, "limit"),
        ({"limit": "many"}, "limit"),
        ({"cursor": "!"}, "cursor"),
        ({"cursor": "c2VxOng"}, "cursor"),
    ],
)
def test_a_wrong_parameter_is_named(
    client: FlaskClient, cast: Cast, query: dict[str, str], field: str
) -> None:
    response = client.get(PATH, query_string=query, headers=cast.player().auth)
    assert (response.status_code, response.get_json()["code"]) == (400, "VALIDATION_ERROR")
    assert response.get_json()["details"]["field"] == field


def test_polling_has_a_limit_of_its_own(client: FlaskClient, cast: Cast) -> None:
    slow = cast.player(tier="standard")
    response = client.get(PATH, headers=slow.auth)
    assert response.headers["X-RateLimit-Limit"] == "600"
