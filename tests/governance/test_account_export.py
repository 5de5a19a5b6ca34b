"""The export of an account: whole, its own, and without secrets."""

from __future__ import annotations

import json
import re
import sys
from datetime import timedelta
from typing import Any

import pytest
from flask.testing import FlaskClient

from app import governance
from app.governance.account_export import shown
from app.platform import clock
from app.platform.postgres import db, rls
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
    assert list(body) == [
        "__meta", "profile", "auth", "format", "generated_at", "about", *governance.SECTIONS,
        *governance.LISTS, "__counts", "__warnings",
    ]  # fmt: skip
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


def test_the_export_has_the_shape_that_clients_rely_on(
    client: FlaskClient, cast: Cast, alice: Player
) -> None:
    cast.child(alice)
    done = client.post("/api/v1/analyze", json={"text": LEASE}, headers=alice.auth)
    response = client.get("/api/v1/account/dsr/export", headers=alice.auth)
    body = response.get_json()
    meta = body["__meta"]
    assert set(meta) == {
        "generated_at", "schema_version", "legal_basis", "data_subject_id", "initiated_by", "note",
    }  # fmt: skip
    assert meta["data_subject_id"] == str(alice.account_id)
    assert meta["initiated_by"] == f"api_key:{alice.key_id}"
    assert "2016/679" in meta["legal_basis"]
    assert (body["profile"]["name"], body["profile"]["emails"]) == ("alice", [alice.email])
    (person,) = body["auth"]["members"]
    assert (person["email"], person["role"], person["second_factor"]) == (alice.email, "owner", False)
    (output,) = body["outputs"]
    assert output["request_id"] == done.headers["X-Request-Id"]
    assert (output["jurisdiction"], output["mode"], output["credits_charged"]) == ("ES", "standard", 1)
    assert len(output["analysis_sha256"]) == 64
    assert [row["amount"] for row in body["credits_ledger"]] == [100, -1]
    assert {row["role"] for row in body["api_keys_metadata"]} == {"master", "child"}
    assert body["__counts"] == {name: len(body[name]) for name in body["__counts"]}
    assert set(body["__counts"]) == {*governance.SECTIONS, *governance.LISTS}
    assert body["__warnings"]
    # `tokens_by_day` counts the tokens of models.
    assert not re.search(
        r'"(?!tokens_by_day")[a-z_]*(?:password|secret|key_hash|token|totp_secret|totp_last_step|recovery)[a-z_]*":',
        response.text,
    )
    assert alice.key not in response.text


def test_a_long_history_is_streamed(client: FlaskClient, alice: Player) -> None:
    from app import usage
    from app.usage.rollup import insert_calls

    then = clock.now() - timedelta(days=1)
    calls = [
        usage.Call(then, alice.account_id, alice.key_id, "/api/v1/analyze", 200, 5) for _ in range(2_500)
    ]
    db.atomically(lambda session: insert_calls(session, calls))
    pieces = list(governance.bundle(alice.account_id, initiated_by="test"))
    assert max(len(piece) for piece in pieces) < 600_000
    assert len(json.loads(b"".join(pieces))["calls"]) == 2_500


def test_a_child_gets_nothing(client: FlaskClient, cast: Cast, alice: Player) -> None:
    response = client.get("/api/v1/account/dsr/export", headers=cast.child(alice).auth)
    assert (response.status_code, response.json and response.json["code"]) == (403, "FORBIDDEN_CHILD_KEY")


def test_the_export_is_made_as_the_account_though_it_is_sent_after_the_request(
    client: FlaskClient, alice: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[object] = []
    made = sys.modules["app.governance.account_export"]
    whole = made._rows

    def noted(*arguments: Any) -> Any:
        seen.append(rls.binding())
        return whole(*arguments)

    monkeypatch.setattr(made, "_rows", noted)
    assert client.get("/api/v1/account/dsr/export", headers=alice.auth).get_json()["account"]
    assert len(seen) == len(governance.SECTIONS)
    assert {str(one) for one in seen} == {
        str(("SELECT set_config('candado.account', %(account)s, true)", {"account": str(alice.account_id)}))
    }
