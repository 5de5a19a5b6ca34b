"""GET /api/v1/audit/verify (decision 036)."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import psycopg
import pytest
from flask.testing import FlaskClient

from app import governance
from app.platform import clock, settings
from tests.cast import LEASE, Cast, Player
from tests.portal.conftest import analysed

PATH = "/api/v1/audit/verify"


def _verify(client: FlaskClient, player: Player, status: int = 200) -> Any:
    answer = client.get(PATH, headers=player.auth)
    assert answer.status_code == status, answer.text
    return answer.get_json()


def _tamper(statement: str, player: Player) -> None:
    with psycopg.connect(settings.current().database_url.get_secret_value()) as connection:
        connection.execute("SET LOCAL session_replication_role = replica")
        connection.execute(statement, [player.account_id])  # type: ignore[call-overload]


def test_a_whole_chain_is_valid_with_its_length_and_last_hash(client: FlaskClient, cast: Cast) -> None:
    alice = cast.player()
    for _ in range(3):
        assert client.post("/api/v1/analyze", json={"text": LEASE}, headers=alice.auth).status_code == 200
    body = _verify(client, alice)
    assert (body["valid"], body["records"], body["checked"], body["firstBroken"]) == (True, 3, 3, None)
    assert (body["firstBrokenId"], body["problem"], body["broken"]) == (None, None, 0)
    assert len(body["head"]) == 64
    assert body["checkedAt"].endswith("Z")
    assert "note" not in body


def test_with_no_records_it_says_that_nothing_was_verified(client: FlaskClient, cast: Cast) -> None:
    body = _verify(client, cast.player())
    assert (body["valid"], body["records"], body["head"]) == (True, 0, None)
    assert body["note"] == "There are no records, so nothing was verified."


def test_a_changed_time_is_named_with_its_position(client: FlaskClient, cast: Cast) -> None:
    alice = cast.player()
    entries = [analysed(alice) for _ in range(4)]
    _tamper("UPDATE audit_records SET at = at - interval '1 year' WHERE account_id = %s AND seq = 3", alice)
    body = _verify(client, alice)
    assert (body["valid"], body["firstBroken"], body["problem"], body["broken"]) == (False, 3, "columns", 1)
    assert body["firstBrokenId"] == str(entries[2].analysis_id)


def test_a_missing_record_has_a_position_and_no_id(client: FlaskClient, cast: Cast) -> None:
    alice = cast.player()
    for _ in range(4):
        analysed(alice)
    _tamper("DELETE FROM audit_records WHERE account_id = %s AND seq = 4", alice)
    body = _verify(client, alice)
    assert (body["valid"], body["firstBroken"], body["firstBrokenId"]) == (False, 4, None)
    assert body["problem"] == "missing"


def test_a_trail_whose_head_was_taken_away_is_not_called_whole(client: FlaskClient, cast: Cast) -> None:
    alice = cast.player()
    analysed(alice)
    _tamper("DELETE FROM audit_heads WHERE account_id = %s", alice)
    assert (_verify(client, alice)["valid"], _verify(client, alice)["problem"]) == (False, "head")


@pytest.mark.parametrize("scope", ["analyze", "query", "mcp"])
def test_any_scope_will_do_but_not_a_child_key(client: FlaskClient, cast: Cast, scope: str) -> None:
    alice = cast.player(scopes=(scope,))
    assert _verify(client, alice)["valid"]
    full = cast.player()
    refused = client.get(PATH, headers=cast.child(full).auth)
    assert (refused.status_code, refused.get_json()["code"]) == (403, "FORBIDDEN_CHILD_KEY")
    assert client.get(PATH).status_code == 401


def test_another_accounts_damage_is_its_own(client: FlaskClient, cast: Cast) -> None:
    alice, mallory = cast.player("alice"), cast.player("mallory")
    for player in (alice, mallory):
        analysed(player)
    _tamper("DELETE FROM audit_records WHERE account_id = %s", mallory)
    assert _verify(client, alice)["valid"]
    assert not _verify(client, mallory)["valid"]


def test_a_long_chain_is_verified_by_a_worker_and_asked_for_again(
    client: FlaskClient, cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(governance.chain_check, "AT_ONCE_MAX", 3)
    alice = cast.player()
    for _ in range(6):
        analysed(alice)
    _tamper("UPDATE audit_records SET request_id = 'req_other' WHERE account_id = %s AND seq = 5", alice)
    answer = client.get(PATH, headers=alice.auth)
    assert (answer.status_code, answer.headers["Retry-After"]) == (202, "5")
    body = answer.get_json()
    assert (body["valid"], body["records"], body["checked"], body["head"]) == (None, 6, 0, None)
    assert _verify(client, alice, 202)["valid"] is None
    governance.chain_check.verify_due()
    body = _verify(client, alice)
    assert (body["valid"], body["checked"], body["firstBroken"]) == (False, 6, 5)
    first = body["checkedAt"]
    assert _verify(client, alice)["checkedAt"] == first, "given again while it is fresh"
    monkeypatch.setattr(governance.chain_check, "_FRESH_S", 0)
    assert _verify(client, alice, 202)["valid"] is None


def test_a_verification_that_a_killed_worker_had_goes_on_after_its_lease(
    client: FlaskClient, cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(governance.chain_check, "AT_ONCE_MAX", 3)
    alice = cast.player()
    for _ in range(4):
        analysed(alice)
    # What other tests asked for would be claimed first.
    governance.chain_check.verify_due()
    assert _verify(client, alice, 202)["checked"] == 0
    moment = [clock.now()]
    clock.install(lambda: moment[0])
    try:
        with monkeypatch.context() as patch:
            patch.setattr(governance.chain_check, "records_after", _killed)
            with pytest.raises(KeyboardInterrupt):
                governance.chain_check.verify_due()
        governance.chain_check.verify_due()
        assert _verify(client, alice, 202)["checked"] == 0, "its lease still runs"
        moment[0] += timedelta(seconds=60)
        governance.chain_check.verify_due()
        assert (_verify(client, alice)["valid"], _verify(client, alice)["checked"]) == (True, 4)
    finally:
        clock.install(None)


def _killed(*_: object, **__: object) -> None:
    raise KeyboardInterrupt
