"""Attestations in the results of jobs and in the items of batches."""

from __future__ import annotations

import json
from typing import Any

import psycopg
from flask.testing import FlaskClient

from app import governance, tenancy
from app.platform import settings
from app.platform.postgres import db
from tests.cast import LEASE, Player
from tests.jobs.conftest import alice, desk
from tests.jobs.desk import Desk

__all__ = ["alice", "desk"]

BATCH = {
    "documents": [
        {"id": "a", "text": LEASE},
        {"id": "b", "text": "short"},
        {"text": LEASE.replace("900", "950")},
    ]
}


def _opt(player: Player, on: bool) -> None:
    with db.transaction() as session:
        tenancy.set_options(session, player.account_id, attestation=on)


def _done(client: FlaskClient, player: Player, desk: Desk, kind: str, payload: Any) -> str:
    made = client.post("/api/v1/jobs", json={"kind": kind, "payload": payload}, headers=player.auth)
    assert made.status_code == 202, made.text
    assert desk.run(made.get_json()["jobId"])
    return f"/api/v1/jobs/{made.get_json()['jobId']}"


def _verifies(item: dict[str, Any]) -> bool:
    with db.reading() as session:
        found = governance.outputs.verify(session, item["attestation"], item["analysis"])
    return found.signature_valid and bool(found.content_match)


def test_the_result_of_a_job_carries_the_attestation_that_the_endpoint_gives(
    client: FlaskClient, alice: Player, desk: Desk
) -> None:
    _opt(alice, True)
    path = _done(client, alice, desk, "analyze", {"text": LEASE})
    first = client.get(path, headers=alice.auth)
    result = first.get_json()["result"]
    assert _verifies(result)
    assert set(result["attestation"]) == set(governance.attestation.FIELDS)
    output = f"/api/v1/outputs/{result['requestId']}/attestation"
    alone = client.get(output, headers=alice.auth)
    assert alone.get_json() == result["attestation"]
    assert alone.data.strip() in first.data
    assert client.get(path, headers=alice.auth).data == first.data
    direct = client.post("/api/v1/analyze", json={"text": LEASE}, headers=alice.auth).get_json()
    assert set(direct) == set(result)


def test_each_item_of_a_batch_has_its_own(client: FlaskClient, alice: Player, desk: Desk) -> None:
    _opt(alice, True)
    path = _done(client, alice, desk, "analyze_batch", BATCH)
    stored = client.get(path, headers=alice.auth).get_json()["result"]
    direct = client.post("/api/v1/analyze/batch", json=BATCH, headers=alice.auth).get_json()
    for answer in (stored, direct):
        first, failed, second = answer["results"]
        assert _verifies(first)
        assert _verifies(second)
        assert "attestation" not in failed
        assert first["attestation"]["content_hash"] != second["attestation"]["content_hash"]
        assert first["attestation"]["request_id"] == second["attestation"]["request_id"]
    assert set(stored) == set(direct)


def test_without_the_option_there_is_none_and_nothing_else_shows(
    client: FlaskClient, alice: Player, desk: Desk
) -> None:
    path = _done(client, alice, desk, "analyze", {"text": LEASE})
    _opt(alice, True)
    result = client.get(path, headers=alice.auth).get_json()["result"]
    assert not [name for name in result if name == "attestation" or name.startswith("_")]


def test_a_result_is_given_even_if_its_record_was_tampered_with(
    client: FlaskClient, alice: Player, desk: Desk
) -> None:
    _opt(alice, True)
    path = _done(client, alice, desk, "analyze", {"text": LEASE})
    with psycopg.connect(settings.current().database_url.get_secret_value()) as connection:
        connection.execute("SET LOCAL session_replication_role = replica")
        connection.execute(
            "UPDATE audit_records SET content = content || %s WHERE account_id = %s",
            [json.dumps({"credits": 9}), alice.account_id],
        )
    result = client.get(path, headers=alice.auth).get_json()["result"]
    assert result["analysis"]
    assert "attestation" not in result
