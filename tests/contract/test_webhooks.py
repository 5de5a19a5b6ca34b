"""/api/v1/webhooks (decision 030)."""

from __future__ import annotations

import uuid
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
import sqlalchemy as sa
from flask import Flask
from flask.testing import FlaskClient

from app import webhooks
from app.platform import clock
from app.platform.postgres import db
from tests.cast import Cast, Player
from tests.webhooks.conftest import listed_hosts, office, sender
from tests.webhooks.office import Office
from tests.webhooks.receiver import receiving

__all__ = ["listed_hosts", "office", "sender"]

PATH = "/api/v1/webhooks"
# A public address, so that no test asks a name server.
URL = "https://93.184.215.14/hook"
RECORD = {
    "id",
    "url",
    "events",
    "description",
    "active",
    "created_at",
    "last_delivery_at",
    "last_failure_at",
    "deactivated_because",
}


def _create(client: FlaskClient, player: Player, headers: dict[str, str] | None = None, **body: Any) -> Any:
    response = client.post(PATH, json={"url": URL, **body}, headers={**player.auth, **(headers or {})})
    assert response.status_code == 201, response.text
    return response.get_json()


@pytest.fixture
def alice(cast: Cast) -> Player:
    return cast.player("alice")


def test_creation_shows_the_secret_once_and_subscribes_to_all_three(
    client: FlaskClient, alice: Player
) -> None:
    made = _create(client, alice)
    assert set(made) == RECORD | {"secret"}
    assert made["secret"].startswith("whsec_")
    assert made["events"] == ["analysis.completed", "analysis.failed", "credits.low"]
    assert (made["active"], made["description"], made["last_delivery_at"]) == (True, None, None)
    shown = client.get(f"{PATH}/{made['id']}", headers=alice.auth).get_json()
    assert shown == {name: made[name] for name in RECORD}
    listed = client.get(PATH, headers=alice.auth).get_json()
    assert listed == {"webhooks": [shown]}


def test_what_is_given_is_kept_in_order_and_unknown_fields_are_ignored(
    client: FlaskClient, alice: Player
) -> None:
    made = _create(
        client,
        alice,
        events=["credits.low", "analysis.failed", "credits.low"],
        description="x" * 200,
        secret="mine",
        active=False,
    )
    assert made["events"] == ["analysis.failed", "credits.low"]
    assert (made["description"], made["active"]) == ("x" * 200, True)
    assert made["secret"] != "mine"
    assert _create(client, alice, events=None, description=None)["events"] == list(webhooks.DEFAULT_EVENTS)


@pytest.mark.parametrize(
    ("body", "status", "code", "field"),
    [
        ({}, 400, "VALIDATION_ERROR", "url"),
        ({"url": None}, 400, "VALIDATION_ERROR", "url"),
        ({"url": 7}, 400, "VALIDATION_ERROR", "url"),
        ({"url": "hooks.example.com"}, 400, "VALIDATION_ERROR", "url"),
        ({"url": ""}, 400, "VALIDATION_ERROR", "url"),
        ({"url": URL + "x" * 2048}, 400, "VALIDATION_ERROR", "url"),
        ({"url": "https://93.184.215.14:22/"}, 422, "URL_NOT_ALLOWED", "url"),
        ({"url": "http://93.184.215.14/"}, 422, "URL_NOT_ALLOWED", "url"),
        ({"url": "https://localhost/"}, 422, "URL_NOT_ALLOWED", "url"),
        ({"url": "https://169.254.169.254/latest"}, 422, "URL_NOT_ALLOWED", "url"),
        ({"url": "https://[::ffff:127.0.0.1]/"}, 422, "URL_NOT_ALLOWED", "url"),
        ({"url": "https://u:p@93.184.215.14/"}, 422, "URL_NOT_ALLOWED", "url"),
        ({"url": URL, "events": "credits.low"}, 400, "VALIDATION_ERROR", "events"),
        ({"url": URL, "events": []}, 400, "VALIDATION_ERROR", "events"),
        ({"url": URL, "events": ["citation.broken"]}, 400, "VALIDATION_ERROR", "events[0]"),
        ({"url": URL, "events": ["credits.low", 3]}, 400, "VALIDATION_ERROR", "events[1]"),
        ({"url": URL, "description": "x" * 201}, 400, "VALIDATION_ERROR", "description"),
        ({"url": URL, "description": 5}, 400, "VALIDATION_ERROR", "description"),
    ],
)
def test_a_wrong_field_is_named(
    client: FlaskClient, alice: Player, body: Any, status: int, code: str, field: str
) -> None:
    response = client.post(PATH, json=body, headers=alice.auth)
    assert (response.status_code, response.get_json()["code"]) == (status, code), response.text
    assert response.get_json()["details"]["field"] == field


def test_the_twenty_first_is_refused_even_in_a_rush(app: Flask, cast: Cast, alice: Player) -> None:
    def create(_: int) -> int:
        return app.test_client().post(PATH, json={"url": URL}, headers=alice.auth).status_code

    with ThreadPoolExecutor(6) as pool:
        answers = list(pool.map(create, range(24)))
    assert (answers.count(201), answers.count(422)) == (20, 4)
    response = app.test_client().post(PATH, json={"url": URL}, headers=alice.auth)
    assert response.get_json()["code"] == "WEBHOOK_LIMIT"
    # The limit is the key's.
    _, other = cast.key(alice.account_id)
    headers = {"Authorization": f"Bearer {other}"}
    assert app.test_client().post(PATH, json={"url": URL}, headers=headers).status_code == 201


def test_a_replayed_creation_shows_the_same_secret_to_the_same_key_only(
    client: FlaskClient, cast: Cast, alice: Player
) -> None:
    key = {"Idempotency-Key": f"create-{uuid.uuid4()}"}
    first = _create(client, alice, key)
    again = client.post(PATH, json={"url": URL}, headers={**alice.auth, **key})
    assert (again.status_code, again.headers["Idempotency-Replayed"]) == (201, "true")
    assert again.get_json() == first
    assert len(client.get(PATH, headers=alice.auth).get_json()["webhooks"]) == 1
    other = client.post(PATH, json={"url": URL, "description": "b"}, headers={**alice.auth, **key})
    assert (other.status_code, other.get_json()["code"]) == (409, "IDEMPOTENCY_CONFLICT")
    _, second = cast.key(alice.account_id)
    mine = client.post(PATH, json={"url": URL}, headers={"Authorization": f"Bearer {second}", **key})
    assert mine.status_code == 201
    assert mine.get_json()["secret"] != first["secret"]
    with db.reading() as session:
        row = session.execute(
            sa.text("SELECT * FROM webhook_endpoints WHERE id = :i"), {"i": first["id"]}
        ).one()
    assert first["secret"] not in str(row)


def test_change(client: FlaskClient, alice: Player) -> None:
    made = _create(client, alice, description="before")
    path = f"{PATH}/{made['id']}"

    def patch(**body: Any) -> Any:
        response = client.patch(path, json=body, headers=alice.auth)
        assert response.status_code == 200, response.text
        return response.get_json()

    assert set(patch()) == RECORD
    assert patch(active=False)["active"] is False
    changed = patch(active=True, events=["credits.low"], description="after", url="https://8.8.8.8/")
    assert (changed["active"], changed["events"], changed["description"]) == (True, ["credits.low"], "after")
    assert changed["url"] == URL
    assert patch(description=None)["description"] == "after"
    assert patch(description="")["description"] is None
    assert client.get(path, headers=alice.auth).get_json() == patch()
    for body in ({"active": "yes"}, {"active": 1}, {"events": []}, {"description": "x" * 201}):
        assert client.patch(path, json=body, headers=alice.auth).status_code == 400


def test_delete(client: FlaskClient, alice: Player) -> None:
    made = _create(client, alice)
    path = f"{PATH}/{made['id']}"
    response = client.delete(path, headers=alice.auth)
    assert (response.status_code, response.get_json()) == (200, {"deleted_webhook_id": made["id"]})
    assert client.get(path, headers=alice.auth).status_code == 404
    assert client.delete(path, headers=alice.auth).status_code == 404


@pytest.mark.parametrize(
    ("method", "rest", "body"),
    [
        ("get", "", None),
        ("patch", "", {"active": False}),
        ("delete", "", None),
        ("post", "/rotate-secret", None),
        ("post", "/test", None),
        ("get", "/deliveries", None),
        ("post", "/deliveries/redrive", {"redrive_all_failed": True}),
    ],
)
def test_mallory_and_another_key_of_alice_find_nothing(
    client: FlaskClient, cast: Cast, alice: Player, method: str, rest: str, body: Any
) -> None:
    made = _create(client, alice)
    _, sibling = cast.key(alice.account_id)
    answers = set()
    for auth in (cast.player("mallory").auth, {"Authorization": f"Bearer {sibling}"}):
        for found in (made["id"], str(uuid.uuid4())):
            response = getattr(client, method)(f"{PATH}/{found}{rest}", json=body, headers=auth)
            answers.add((response.status_code, response.get_json()["code"], response.get_json()["error"]))
    assert answers == {(404, "NOT_FOUND", "There is no webhook with this id.")}
    assert client.get(f"{PATH}/{made['id']}", headers=alice.auth).get_json()["active"] is True
    assert client.get(f"{PATH}/not-a-uuid{rest}", headers=alice.auth).status_code in (404, 405)


def test_any_valid_scope_will_do_and_management_has_its_own_limit(client: FlaskClient, cast: Cast) -> None:
    asker = cast.player(tier="standard", scopes=("query",))
    response = client.get(PATH, headers=asker.auth)
    assert (response.status_code, response.headers["X-RateLimit-Limit"]) == (200, "600")
    assert client.get(PATH).status_code == 401


def test_rotation(client: FlaskClient, alice: Player) -> None:
    made = _create(client, alice)
    response = client.post(f"{PATH}/{made['id']}/rotate-secret", headers=alice.auth)
    rotated = response.get_json()
    assert response.status_code == 200
    assert set(rotated) == RECORD | {"secret", "previous_secret_expires_at"}
    assert rotated["secret"] != made["secret"]
    assert rotated["previous_secret_expires_at"][:10] > clock.iso(clock.now())[:10]
    key = {"Idempotency-Key": f"rotate-{uuid.uuid4()}"}
    once, twice = (
        client.post(f"{PATH}/{made['id']}/rotate-secret", json={}, headers={**alice.auth, **key}).get_json()
        for _ in range(2)
    )
    assert once["secret"] == twice["secret"]


def test_the_test_event_arrives_whatever_is_subscribed_to(
    client: FlaskClient, office: Office, alice: Player, sender: webhooks.Sender
) -> None:
    with receiving() as receiver:
        made = _create(client, alice, url=receiver.url + "/hook", events=["credits.low"])
        _create(client, alice, url=receiver.url + "/other")
        response = client.post(f"{PATH}/{made['id']}/test", headers=alice.auth)
        assert response.status_code == 202
        answer = response.get_json()
        assert (answer["event"], answer["status"], answer["webhook_id"]) == (
            "webhook.test",
            "pending",
            made["id"],
        )
        sender.round()
        (received,) = receiver.got
    assert received.path == "/hook"
    assert (received.body["event"], received.body["id"]) == ("webhook.test", answer["event_id"])
    assert received.headers["x-service-delivery-id"] == answer["delivery_id"]
    assert received.body["data"]["webhookId"] == made["id"]


def test_the_log_shows_what_became_of_each_without_content(
    client: FlaskClient, office: Office, alice: Player, sender: webhooks.Sender
) -> None:
    statuses = iter([200, 500])
    with receiving(lambda _: next(statuses)) as receiver:
        made = _create(client, alice, url=receiver.url)
        office.publish(alice)
        sender.round()
        office.publish(alice, "analysis.completed")
        sender.round()
        office.publish(alice)
    path = f"{PATH}/{made['id']}/deliveries"
    body = client.get(path, headers=alice.auth).get_json()
    assert body["webhook_endpoint"] == {name: made[name] for name in ("id", "url", "events")}
    assert (body["count"], body["limit"]) == (3, 20)
    assert body["summary"] == {"pending": 1, "success": 1, "failed": 1, "exhausted": 0}
    pending, failed, success = body["deliveries"]
    assert set(pending) == {
        "id", "event", "status", "attempts", "last_status_code", "last_error", "created_at", "delivered_at",
        "next_retry_at", "payload_preview",
    }  # fmt: skip
    assert [row["status"] for row in (pending, failed, success)] == ["pending", "failed", "success"]
    assert (failed["attempts"], failed["last_status_code"]) == (1, 500)
    assert failed["last_error"] == "answered 500"
    assert failed["next_retry_at"] > failed["created_at"]
    assert (failed["delivered_at"], success["next_retry_at"], pending["next_retry_at"]) == (None,) * 3
    preview = success["payload_preview"]
    assert preview == {
        "redacted": True,
        "event": "credits.low",
        "keys": ["balance", "threshold"],
        "size_bytes": len(receiver.got[0].raw),
    }
    only = client.get(path, query_string={"status": "failed", "limit": 1}, headers=alice.auth).get_json()
    assert [row["id"] for row in only["deliveries"]] == [failed["id"]]
    for query in ({"status": "done"}, {"limit": 0}, {"limit": 101}, {"limit": "x"}):
        assert client.get(path, query_string=query, headers=alice.auth).status_code == 400


def test_redrive(client: FlaskClient, office: Office, alice: Player, sender: webhooks.Sender) -> None:
    status = {"now": 500}
    with receiving(lambda _: status["now"]) as receiver:
        made = _create(client, alice, url=receiver.url)
        path = f"{PATH}/{made['id']}/deliveries/redrive"

        def redrive(**body: Any) -> Any:
            return client.post(path, json=body, headers=alice.auth)

        for _ in range(3):
            office.publish(alice)
        while sender.round():
            pass
        log = client.get(f"{PATH}/{made['id']}/deliveries", headers=alice.auth).get_json()["deliveries"]
        status["now"] = 200
        one = redrive(delivery_id=log[0]["id"])
        assert (one.status_code, one.get_json()) == (200, {"redriven": 1, "delivery_ids": [log[0]["id"]]})
        assert redrive(delivery_id=log[0]["id"]).get_json()["code"] == "DELIVERY_NOT_FAILED"
        rest = redrive(redrive_all_failed=True).get_json()
        assert (rest["redriven"], set(rest["delivery_ids"])) == (2, {row["id"] for row in log[1:]})
        while sender.round():
            pass
        assert len(receiver.got) == 6
        assert redrive(redrive_all_failed=True).get_json() == {"redriven": 0, "delivery_ids": []}
    unknown = redrive(delivery_id=str(uuid.uuid4()))
    assert (unknown.status_code, unknown.get_json()["details"]["field"]) == (404, "delivery_id")
    for body in ({}, {"redrive_all_failed": False}, {"delivery_id": "7"}, {"delivery_id": 7}):
        assert redrive(**body).status_code == 400, body
    assert redrive(delivery_id=log[0]["id"], redrive_all_failed=True).status_code == 400


def test_a_deactivated_webhook_ends_what_is_open_and_must_be_activated_first(
    client: FlaskClient, office: Office, alice: Player, sender: webhooks.Sender
) -> None:
    with receiving() as receiver:
        made = _create(client, alice, url=receiver.url)
        path = f"{PATH}/{made['id']}"
        office.publish(alice)
        client.patch(path, json={"active": False}, headers=alice.auth)
        office.publish(alice)
        assert sender.round() == 0
        summary = client.get(f"{path}/deliveries", headers=alice.auth).get_json()["summary"]
        assert summary == {"pending": 0, "success": 0, "failed": 0, "exhausted": 1}
        for rest, body in (("/test", {}), ("/deliveries/redrive", {"redrive_all_failed": True})):
            refused = client.post(path + rest, json=body, headers=alice.auth)
            assert (refused.status_code, refused.get_json()["code"]) == (409, "WEBHOOK_INACTIVE")
        client.patch(path, json={"active": True}, headers=alice.auth)
        assert (
            client.post(
                f"{path}/deliveries/redrive", json={"redrive_all_failed": True}, headers=alice.auth
            ).get_json()["redriven"]
            == 1
        )
        assert sender.round() == 1
        assert len(receiver.got) == 1
