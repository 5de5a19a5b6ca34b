"""The export of an account: whole, its own, and without secrets."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest
from flask.testing import FlaskClient

from app import governance
from app.governance.bundle import shown
from app.platform import clock, db
from tests.cast import LEASE, Cast, Player
from tests.isolation.world import house


@pytest.fixture
def alice(cast: Cast) -> Player:
    return cast.player()


def test_every_table_of_accounts_is_in_it_or_left_out_with_a_reason(app: object) -> None:
    of_accounts = {t.name for t in db.Base.metadata.sorted_tables if "account_id" in t.columns} | {"accounts"}
    assert set(governance.SECTIONS.values()) | set(governance.LEFT_OUT) == of_accounts
    assert not set(governance.SECTIONS.values()) & set(governance.LEFT_OUT)


def test_no_column_that_holds_a_secret_is_shown(app: object) -> None:
    names = {
        f"{name}.{column.name}"
        for name in governance.SECTIONS.values()
        for column in shown(db.Base.metadata.tables[name])
        if any(word in column.name for word in ("secret", "hash", "password", "token"))
    }
    assert names == {
        "audit_records.previous_hash",
        "audit_records.hash",
        "webhook_endpoints.previous_secret_until",
    }


def test_the_export_is_the_accounts_own_and_whole(client: FlaskClient, cast: Cast) -> None:
    alice, mallory = house(cast, "alice"), house(cast, "mallory")
    client.post("/api/v1/analyze", json={"text": LEASE}, headers=alice.master.auth)
    response = client.get("/api/v1/account/dsr/export", headers=alice.master.auth)
    assert response.status_code == 200
    assert response.headers["Content-Disposition"].startswith('attachment; filename="account_export_')
    assert not [mark for mark in mallory.marks if mark in response.text]
    body = json.loads(response.text)
    assert list(body) == ["format", "generated_at", "about", *governance.SECTIONS]
    assert [row["id"] for row in body["account"]] == [str(alice.master.account_id)]
    assert {row["id"] for row in body["organizations"]} == {
        alice.own["organization_id"],
        alice.sibling["organization_id"],
    }
    assert [row["email"] for row in body["members"]] == [alice.master.email]
    assert len(body["api_keys"]) == 4
    assert len(body["audit_records"]) == 3
    assert [row["amount"] for row in body["credit_ledger"]].count(-1) == 1
    assert "tomás" not in response.text.lower()
    assert alice.master.key not in response.text


def test_a_long_history_is_streamed(client: FlaskClient, alice: Player) -> None:
    from app import usage
    from app.usage.books import enter

    then = clock.now() - timedelta(days=1)
    calls = [
        usage.Call(then, alice.account_id, alice.key_id, "/api/v1/analyze", 200, 5) for _ in range(2_500)
    ]
    db.atomically(lambda session: enter(session, calls))
    pieces = list(governance.bundle(alice.account_id))
    assert max(len(piece) for piece in pieces) < 600_000
    assert len(json.loads(b"".join(pieces))["calls"]) == 2_500


def test_a_child_gets_nothing(client: FlaskClient, cast: Cast, alice: Player) -> None:
    response = client.get("/api/v1/account/dsr/export", headers=cast.child(alice).auth)
    assert (response.status_code, response.json and response.json["code"]) == (403, "FORBIDDEN_CHILD_KEY")
