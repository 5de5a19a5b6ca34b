"""Reviews by people: recorded in the chain, seen by those who may see the output, without a word of text."""

from __future__ import annotations

from typing import Any

import pytest
from flask.testing import FlaskClient

from app import governance
from app.governance import verifier
from app.platform.postgres import db, rls
from tests.cast import LEASE, Cast, Player
from tests.contract.exports import export, lines
from tests.jobs.conftest import desk
from tests.jobs.desk import Desk

__all__ = ["desk"]


def analysed(client: FlaskClient, player: Player) -> str:
    answer = client.post("/api/v1/analyze", json={"text": LEASE}, headers=player.auth)
    return str(answer.get_json()["requestId"])


def review(client: FlaskClient, player: Player, request_id: str, body: Any, status: int = 201) -> Any:
    answer = client.post(f"/api/v1/outputs/{request_id}/review", json=body, headers=player.auth)
    assert answer.status_code == status, answer.text
    return answer.get_json()


def test_reviews_are_records_of_the_chain(client: FlaskClient, cast: Cast) -> None:
    alice = cast.player()
    request_id = analysed(client, alice)
    final = "ab" * 32
    made = review(client, alice, request_id, {"decision": "corrected", "finalHash": final})["review"]
    assert (made["decision"], made["finalHash"], made["apiKeyId"]) == ("corrected", final, str(alice.key_id))
    assert made["memberId"] is None
    review(client, alice, request_id, {"decision": "accepted"})
    listed = client.get(f"/api/v1/outputs/{request_id}/review", headers=alice.auth).get_json()["reviews"]
    assert [one["decision"] for one in listed] == ["corrected", "accepted"]
    assert listed[0] == made
    analysed(client, alice)
    with rls.acting_for(alice.account_id), db.reading() as session:
        verdict = governance.verify_chain(session, alice.account_id)
        assert (verdict.valid, verdict.records) == (True, 4)
        # Lists of analyses have analyses only.
        assert len(governance.records(session, alice.account_id)) == 2
        record = governance.record_of(session, alice.account_id, request_id)
        assert record is not None
        assert record.kind == "analysis"
    rows = lines(export(client, alice, type="analysis,review"))
    assert [row["type"] for row in rows] == ["analysis", "analysis", "review", "review"]
    assert "4 records follow each other" in verifier.verify_chain(rows)[0]
    with pytest.raises(verifier.VerificationError, match="position 2 is missing"):
        verifier.verify_chain(lines(export(client, alice)))


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "decision"),
        ({"decision": "maybe"}, "decision"),
        ({"decision": "accepted", "finalHash": "xyz"}, "finalHash"),
        ({"decision": "accepted", "finalHash": "AB" * 32}, "finalHash"),
        ({"decision": "accepted", "finalHash": 3}, "finalHash"),
    ],
)
def test_wrong_reviews_are_named(client: FlaskClient, cast: Cast, body: Any, field: str) -> None:
    alice = cast.player()
    assert review(client, alice, analysed(client, alice), body, 400)["details"]["field"] == field


def test_only_those_who_may_see_an_output_review_it(client: FlaskClient, cast: Cast) -> None:
    alice, mallory = cast.player(), cast.player("mallory")
    firm = cast.organization(alice)
    child, sibling = cast.child(alice, firm), cast.child(alice, firm)
    request_id = analysed(client, child)
    for player in (mallory, sibling):
        review(client, player, request_id, {"decision": "accepted"}, 404)
    review(client, child, request_id, {"decision": "accepted"})
    review(client, alice, request_id, {"decision": "rejected"})
    assert client.post(f"/api/v1/outputs/{request_id}/review", json={}).status_code == 401


def test_the_result_of_a_job_says_that_it_was_reviewed(client: FlaskClient, cast: Cast, desk: Desk) -> None:
    alice = cast.player()
    other = LEASE.replace("900", "950")
    documents = [{"id": "a", "text": LEASE}, {"id": "b", "text": other}]
    made = client.post(
        "/api/v1/jobs",
        json={"kind": "analyze_batch", "payload": {"documents": documents}},
        headers=alice.auth,
    ).get_json()
    desk.run(made["jobId"])

    def result() -> Any:
        return client.get(f"/api/v1/jobs/{made['jobId']}", headers=alice.auth).get_json()["result"]

    def origins() -> list[bool]:
        return [one["contentOrigin"]["reviewed"] for one in result()["results"]]

    assert origins() == [False, False]
    # One of the two: a review is of the newest analysis of its request.
    review(client, alice, result()["requestId"], {"decision": "accepted"})
    assert sorted(origins()) == [False, True]
