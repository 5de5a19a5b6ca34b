"""What members and keys did: over the API and in the signed export, in the order of positions."""

from __future__ import annotations

import contextlib
import json
import threading
from datetime import timedelta
from typing import Any

import pytest
import sqlalchemy as sa
from flask.testing import FlaskClient

from app import tenancy
from app.platform import clock
from app.platform.postgres import db, rls
from tests.cast import Cast, Player
from tests.contract.exports import export, lines

PATH = "/api/v1/audit/activity"
NETWORK = {"cidr": "127.0.0.0/8", "label": "office"}


def listed(client: FlaskClient, player: Player, status: int = 200, **query: Any) -> Any:
    answer = client.get(PATH, query_string=query, headers=player.auth)
    assert answer.status_code == status, answer.text
    return answer.get_json()


def actions(client: FlaskClient, player: Player, **query: Any) -> list[str]:
    return [row["action"] for row in listed(client, player, **query)["data"]]


def policies(player: Player, count: int) -> None:
    """Leave `count` activities."""
    for number in range(count):
        with db.transaction() as session:
            tenancy.enforcement.set_account_policy(
                session,
                player.account_id,
                enabled=bool(number % 2),
                scope="user",
                target=None,
                now=clock.now(),
            )


def test_what_a_key_did_is_listed_newest_first(client: FlaskClient, cast: Cast) -> None:
    alice = cast.player()
    made = client.post("/api/v1/organizations", json={"name": "Firm"}, headers=alice.auth).get_json()
    assert client.post("/api/v1/security/ip-allowlist", json=NETWORK, headers=alice.auth).status_code == 201
    client.put("/api/v1/governance/enforcement", json={"enabled": True}, headers=alice.auth)
    page = listed(client, alice)
    assert [row["action"] for row in page["data"]] == [
        "policy.changed", "network.allowed", "organization.created", "key.created", "member.joined",
    ]  # fmt: skip
    assert (page["has_more"], page["next_cursor"]) == (False, None)
    policy, network, organization, key, joined = page["data"]
    assert policy["details"]["scope"] == "organization"
    assert organization["actor"] == {
        "kind": "api_key", "id": str(alice.key_id), "name": f"{alice.key[:12]}…", "network": "127.0.0.0/24",
    }  # fmt: skip
    assert organization["target"]["id"] == made["organization"]["id"]
    assert network["target"]["name"] == "127.0.0.0/8"
    assert key["details"]["scopes"] == ["analyze", "query", "mcp"]
    # Done by the service's operator, whom nothing here names.
    assert (joined["actor"]["kind"], joined["actor"]["id"], joined["target"]["name"]) == (
        "service", None, alice.email,
    )  # fmt: skip
    assert alice.key not in json.dumps(page)


def test_an_act_that_is_rolled_back_leaves_nothing(client: FlaskClient, cast: Cast) -> None:
    alice = cast.player()
    before = actions(client, alice)
    with contextlib.suppress(RuntimeError), db.transaction() as session:
        tenancy.set_options(session, alice.account_id, citator=True)
        raise RuntimeError
    assert client.post("/api/v1/organizations", json={"name": "x"}, headers=alice.auth).status_code == 422
    assert actions(client, alice) == before


def test_pages_go_on_from_their_cursor(client: FlaskClient, cast: Cast) -> None:
    alice = cast.player()
    policies(alice, 7)
    seen: list[int] = []
    cursor: str | None = None
    while True:
        page = listed(client, alice, limit=3, **({"cursor": cursor} if cursor else {}))
        seen += [row["seq"] for row in page["data"]]
        # What is done meanwhile is newer than every page that follows.
        policies(alice, 1)
        cursor = page["next_cursor"]
        if cursor is None:
            break
    assert seen == sorted(seen, reverse=True)
    assert len(seen) == 9


def test_filters(client: FlaskClient, cast: Cast) -> None:
    alice = cast.player()
    assert client.post("/api/v1/security/ip-allowlist", json=NETWORK, headers=alice.auth).status_code == 201
    assert actions(client, alice, action="network.allowed,member.joined") == [
        "network.allowed",
        "member.joined",
    ]
    assert actions(client, alice, actor_id=alice.key_id) == ["network.allowed"]
    now = clock.now()
    assert actions(client, alice, until=clock.iso(now - timedelta(hours=1))) == []
    assert len(actions(client, alice, since=clock.iso(now - timedelta(hours=1)))) == 3


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ({"action": "nap"}, "action"),
        ({"limit": 0}, "limit"),
        ({"limit": 501}, "limit"),
        ({"actor_id": "x"}, "actor_id"),
        ({"since": "yesterday"}, "since"),
        ({"since": "2026-02-01T00:00:00Z", "until": "2026-01-01T00:00:00Z"}, "since"),
        ({"cursor": "x"}, "cursor"),
        ({"cursor": "MQ.MQ"}, "cursor"),
    ],
)
def test_wrong_filters_are_named(client: FlaskClient, cast: Cast, query: Any, field: str) -> None:
    error = listed(client, cast.player(), 400, **query)
    assert (error["code"], error["details"]["field"]) == ("VALIDATION_ERROR", field)


def test_a_cursor_of_another_account_or_of_other_filters_is_refused(client: FlaskClient, cast: Cast) -> None:
    alice, mallory = cast.player(), cast.player("mallory")
    policies(alice, 3)
    cursor = listed(client, alice, limit=2)["next_cursor"]
    assert listed(client, mallory, 400, cursor=cursor)["details"]["field"] == "cursor"
    assert listed(client, alice, 400, cursor=cursor, action="key.created")["details"]["field"] == "cursor"
    assert listed(client, alice, cursor=cursor)["data"]


def test_nobody_sees_what_happened_in_another_account(client: FlaskClient, cast: Cast) -> None:
    alice, mallory = cast.player(), cast.player("mallory")
    policies(alice, 2)
    page = listed(client, mallory)
    assert [row["action"] for row in page["data"]] == ["key.created", "member.joined"]
    assert listed(client, mallory, actor_id=alice.key_id)["data"] == []
    assert str(alice.account_id) not in json.dumps(page)


def test_a_child_sees_its_own_acts(client: FlaskClient, cast: Cast) -> None:
    alice = cast.player()
    child = cast.child(alice)
    assert listed(client, child)["data"] == []
    made = client.post(
        "/api/v1/webhooks", json={"url": "https://hooks.example.com/a?token=s3cret"}, headers=child.auth
    )
    assert made.status_code == 201
    (row,) = listed(client, child)["data"]
    assert (row["action"], row["target"]["name"]) == ("webhook.created", "hooks.example.com")
    assert "s3cret" not in json.dumps(row)
    assert listed(client, child, actor_id=alice.key_id)["data"] == []
    assert [one["type"] for one in lines(export(client, child, type="activity"))] == ["activity"]


def test_a_clock_that_steps_back_changes_no_order(
    client: FlaskClient, cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice = cast.player()
    real = clock.now
    for hours in (0, -5, -10):
        monkeypatch.setattr(clock, "now", lambda hours=hours: real() + timedelta(hours=hours))
        policies(alice, 1)
    monkeypatch.undo()
    rows = listed(client, alice, action="policy.changed")["data"]
    assert [row["seq"] for row in rows] == sorted((row["seq"] for row in rows), reverse=True)
    assert [row["at"] for row in rows] == sorted(row["at"] for row in rows), "the newest has the oldest time"
    exported = [
        one for one in lines(export(client, alice, type="activity")) if one["action"] == "policy.changed"
    ]
    assert [one["id"] for one in exported] == [row["id"] for row in reversed(rows)]


def test_the_signed_export_has_the_same_and_goes_on(client: FlaskClient, cast: Cast) -> None:
    alice = cast.player()
    first = export(client, alice, type="activity")
    assert [one["action"] for one in lines(first)] == ["member.joined", "key.created"]
    policies(alice, 1)
    cursor = first.headers["X-Service-Export-Next-Cursor"]
    more = export(client, alice, type="activity", cursor=cursor)
    # The beginning of an export is noted, its going on is not: a reader that asks every minute is no news.
    assert [one["action"] for one in lines(more)] == ["export.downloaded", "policy.changed"]
    after = export(client, alice, type="activity", cursor=more.headers["X-Service-Export-Next-Cursor"])
    assert lines(after) == []
    (event,) = [
        one
        for one in lines(export(client, alice, type="activity", format="ocsf"))
        if one["api"]["operation"] == "policy.changed"
    ]
    assert (event["class_uid"], event["actor"]) == (6003, {"app_name": "service"})


def test_readers_miss_nothing_of_writers_that_overtake_each_other(client: FlaskClient, cast: Cast) -> None:
    """A transaction that began first and commits last must not come behind a cursor."""
    alice = cast.player()
    begun, other_done = threading.Event(), threading.Event()

    def slow() -> None:
        with rls.acting_for(alice.account_id), db.transaction() as session:
            tenancy.enforcement.set_account_policy(
                session, alice.account_id, enabled=True, scope="api_key", target=alice.key_id, now=clock.now()
            )
            begun.set()
            assert other_done.wait(20)

    thread = threading.Thread(target=slow)
    thread.start()
    assert begun.wait(20)
    with db.transaction() as session:
        tenancy.describe(session, alice.account_id, name="Renamed", time_zone="UTC")
    first = export(client, alice, type="activity")
    other_done.set()
    thread.join()
    cursor = first.headers["X-Service-Export-Next-Cursor"]
    found = [one["action"] for one in lines(export(client, alice, type="activity", cursor=cursor))]
    assert found == ["export.downloaded", "policy.changed"]


def test_no_role_changes_or_deletes_what_happened(cast: Cast) -> None:
    alice = cast.player()
    for change in (
        "UPDATE activities SET action = 'sign_in' WHERE account_id = :a",
        "UPDATE activities SET actor_name = 'mallory' WHERE account_id = :a",
        "UPDATE activities SET at = now() WHERE account_id = :a",
        "DELETE FROM activities WHERE account_id = :a",
    ):
        for scope in (rls.acting_for(alice.account_id), rls.as_system()):
            with scope, pytest.raises(sa.exc.DBAPIError), db.transaction() as session:
                session.execute(sa.text(change), {"a": alice.account_id})
