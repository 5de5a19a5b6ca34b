"""/api/v1/jobs (decision 027)."""

from __future__ import annotations

import uuid
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
import redis
import sqlalchemy as sa
from flask import Flask
from flask.testing import FlaskClient

from app import governance, tenancy, usage, webhooks
from app.jobs import submit
from app.platform import redis_client, settings
from app.platform.postgres import db
from tests.cast import LEASE, Cast, Player
from tests.jobs.conftest import alice, desk
from tests.jobs.desk import Desk

__all__ = ["alice", "desk"]

PATH = "/api/v1/jobs"
JOB = {
    "jobId", "kind", "status", "progress", "createdAt", "startedAt", "completedAt", "creditsCharged",
    "error", "result", "resultExpiresAt", "resultExpired",
}  # fmt: skip
TWINS = {"id", "created_at", "started_at", "completed_at", "credits_charged", "error_code"}
SINGLE: dict[str, Any] = {"kind": "analyze", "payload": {"text": LEASE}}


def _create(
    client: FlaskClient, player: Player, body: Any = None, headers: dict[str, str] | None = None
) -> Any:
    response = client.post(PATH, json=body or SINGLE, headers={**player.auth, **(headers or {})})
    assert response.status_code == 202, response.text
    return response.get_json()


def _get(client: FlaskClient, player: Player, job_id: str) -> Any:
    response = client.get(f"{PATH}/{job_id}", headers=player.auth)
    assert response.status_code == 200, response.text
    return response.get_json()


def test_a_creation_answers_202_with_an_absolute_address_to_poll(
    client: FlaskClient, cast: Cast, alice: Player, desk: Desk
) -> None:
    response = client.post(PATH, json=SINGLE, headers=alice.auth)
    assert response.status_code == 202
    made = response.get_json()
    assert set(made) == {"jobId", "status", "createdAt", "pollUrl"}
    assert made["status"] == "pending"
    assert made["pollUrl"] == f"http://localhost{PATH}/{made['jobId']}"
    assert response.headers["X-RateLimit-Limit"] == "1000"
    assert (cast.balance(alice).balance, cast.balance(alice).held) == (100, 1)
    job = _get(client, alice, made["jobId"])
    assert set(job) == JOB
    assert job == {
        "jobId": made["jobId"],
        "kind": "analyze",
        "status": "pending",
        "progress": {"done": 0, "total": 1},
        "createdAt": made["createdAt"],
        "startedAt": None,
        "completedAt": None,
        "creditsCharged": 0,
        "error": None,
        "result": None,
        "resultExpiresAt": None,
        "resultExpired": False,
    }


def test_the_public_address_is_the_one_to_poll(
    client: FlaskClient, alice: Player, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PUBLIC_URL", "https://api.candado.example")
    settings.current.cache_clear()
    try:
        made = _create(client, alice)
    finally:
        monkeypatch.undo()
        settings.current.cache_clear()
    assert made["pollUrl"] == f"https://api.candado.example{PATH}/{made['jobId']}"


def test_an_analysis_runs_and_its_result_is_what_the_synchronous_endpoint_answers(
    client: FlaskClient, cast: Cast, alice: Player, desk: Desk
) -> None:
    request_id = f"req_{uuid.uuid4()}"
    made = _create(client, alice, headers={"X-Request-Id": request_id})
    assert desk.run(made["jobId"])
    job = _get(client, alice, made["jobId"])
    assert (job["status"], job["creditsCharged"], job["error"]) == ("completed", 1, None)
    assert job["createdAt"] <= job["startedAt"] <= job["completedAt"] < job["resultExpiresAt"]
    assert job["progress"] == {"done": 1, "total": 1}
    direct = client.post("/api/v1/analyze", json=SINGLE["payload"], headers=alice.auth).get_json()
    changing = {"processingMs", "requestId"}
    assert {k: v for k, v in job["result"].items() if k not in changing} == {
        k: v for k, v in direct.items() if k not in changing
    }
    assert job["result"]["requestId"] == request_id
    assert (cast.balance(alice).balance, cast.balance(alice).held) == (98, 0)
    [row] = [
        row
        for row in client.get("/api/v1/credits/ledger", headers=alice.auth).get_json()["data"]
        if row["job_id"]
    ]
    assert (row["job_id"], row["amount"], row["operation_type"]) == (made["jobId"], -1, "analyze")
    assert row["api_key_id"] == str(alice.key_id)
    with db.reading() as session:
        records = governance.records(session, alice.account_id)
        assert [record.request_id for record in records].count(request_id) == 1
        assert governance.verify_chain(session, alice.account_id).valid
    [event] = desk.events(alice)
    assert event["type"] == "analysis.completed"
    assert event["resultUrl"] == made["pollUrl"]
    assert event["quality"]["total"] == job["result"]["citationChecks"]["total"]
    assert (event["creditsCharged"], event["error"], event["jobId"]) == (1, None, made["jobId"])


def test_mode_deep_is_audited_and_costs_two(
    client: FlaskClient, cast: Cast, alice: Player, desk: Desk
) -> None:
    made = _create(client, alice, {"kind": "analyze", "payload": {"text": LEASE, "mode": "auditoria"}})
    assert cast.balance(alice).held == 2
    desk.run(made["jobId"])
    job = _get(client, alice, made["jobId"])
    assert (job["creditsCharged"], job["result"]["mode"]) == (2, "deep")
    assert job["result"]["audit"]["audited"] is True
    assert cast.balance(alice).balance == 98


def test_a_batch_answers_like_the_synchronous_one_and_charges_its_successes(
    client: FlaskClient, cast: Cast, alice: Player, desk: Desk
) -> None:
    documents: list[Any] = [{"id": "a", "text": LEASE}, {"id": "b", "text": "short"}, {"text": LEASE}, 7]
    body = {"kind": "analyze_batch", "payload": {"documents": documents, "concurrency": 2}}
    made = _create(client, alice, body)
    assert cast.balance(alice).held == 4
    assert _get(client, alice, made["jobId"])["progress"] == {"done": 0, "total": 4}
    desk.run(made["jobId"])
    job = _get(client, alice, made["jobId"])
    assert (job["status"], job["creditsCharged"], job["progress"]) == (
        "completed",
        2,
        {"done": 4, "total": 4},
    )
    direct = client.post("/api/v1/analyze/batch", json=body["payload"], headers=alice.auth).get_json()
    assert set(job["result"]) == set(direct)
    for ours, theirs in zip(job["result"]["results"], direct["results"], strict=True):
        if "error" in ours:
            # A job takes longer documents, and names its own limit.
            ours["error"] = ours["error"].replace("50 to 500000", "50 to 50000")
        assert {**ours, "processingMs": 0} == {**theirs, "processingMs": 0}
    assert job["result"]["totals"] | {"processingMs": 0} == direct["totals"] | {"processingMs": 0}
    assert (cast.balance(alice).balance, cast.balance(alice).held) == (96, 0)
    assert desk.charged(alice) == (4, 2)


def test_a_batch_of_failures_completes_and_costs_nothing(
    client: FlaskClient, cast: Cast, alice: Player, desk: Desk
) -> None:
    made = _create(client, alice, {"kind": "analyze_batch", "payload": {"documents": [{"text": "no"}] * 3}})
    desk.run(made["jobId"])
    job = _get(client, alice, made["jobId"])
    assert (job["status"], job["creditsCharged"], job["result"]["totals"]["failed"]) == ("completed", 0, 3)
    assert (cast.balance(alice).balance, cast.balance(alice).held) == (100, 0)


@pytest.mark.parametrize(
    ("body", "status", "code", "field"),
    [
        ({}, 400, "VALIDATION_ERROR", "kind"),
        ({"kind": "debate", "payload": {"text": LEASE}}, 400, "VALIDATION_ERROR", "kind"),
        ({"kind": None, "payload": {"text": LEASE}}, 400, "VALIDATION_ERROR", "kind"),
        ({"kind": 3, "payload": {"text": LEASE}}, 400, "VALIDATION_ERROR", "kind"),
        ({"kind": "analyze"}, 400, "VALIDATION_ERROR", "payload"),
        ({"kind": "analyze", "payload": None}, 400, "VALIDATION_ERROR", "payload"),
        ({"kind": "analyze", "payload": "text"}, 400, "VALIDATION_ERROR", "payload"),
        ({"kind": "analyze", "payload": []}, 400, "VALIDATION_ERROR", "payload"),
        ({"kind": "analyze", "payload": {}}, 400, "VALIDATION_ERROR", "payload.text"),
        ({"kind": "analyze", "payload": {"text": 5}}, 400, "VALIDATION_ERROR", "payload.text"),
        ({"kind": "analyze", "payload": {"text": "x" * 49}}, 422, "VALIDATION_ERROR", "payload.text"),
        ({"kind": "analyze", "payload": {"text": "x" * 500_001}}, 422, "VALIDATION_ERROR", "payload.text"),
        (
            {"kind": "analyze", "payload": {"text": LEASE, "mode": "fast"}},
            400, "VALIDATION_ERROR", "payload.mode",
        ),
        (
            {"kind": "analyze", "payload": {"text": LEASE, "jurisdiction": "XX"}},
            400, "VALIDATION_ERROR", "payload.jurisdiction",
        ),
        ({"kind": "analyze_batch", "payload": {"text": LEASE}}, 400, "VALIDATION_ERROR", "payload.documents"),
        (
            {"kind": "analyze_batch", "payload": {"documents": []}},
            400, "VALIDATION_ERROR", "payload.documents",
        ),
        (
            {"kind": "analyze_batch", "payload": {"documents": [{"text": LEASE}] * 51}},
            422, "BATCH_TOO_LARGE", "payload.documents",
        ),
        (
            {"kind": "analyze_batch", "payload": {"documents": [{}], "concurrency": 11}},
            400, "VALIDATION_ERROR", "payload.concurrency",
        ),
    ],
)  # fmt: skip
def test_a_wrong_body_is_refused_at_once_and_holds_nothing(
    client: FlaskClient, cast: Cast, alice: Player, desk: Desk, body: Any, status: int, code: str, field: str
) -> None:
    response = client.post(PATH, json=body, headers=alice.auth)
    assert (response.status_code, response.get_json()["code"]) == (status, code), response.text
    assert response.get_json()["details"]["field"] == field
    assert response.get_json()["error"].startswith(f"{field}: ")
    assert cast.balance(alice).held == 0
    assert desk.queued() == []


def _text(length: int) -> str:
    return ("La renta será de 900 euros. " * (length // 28 + 1))[:length]


@pytest.mark.parametrize(
    ("length", "mode", "held"),
    [
        (50, "standard", 1), (50_000, "standard", 1), (50_001, "standard", 2), (120_000, "deep", 6),
        (500_000, "standard", 10),
    ],
)  # fmt: skip
def test_a_text_costs_as_much_as_it_is_long(
    client: FlaskClient, cast: Cast, alice: Player, desk: Desk, length: int, mode: str, held: int
) -> None:
    _create(client, alice, {"kind": "analyze", "payload": {"text": _text(length), "mode": mode}})
    assert cast.balance(alice).held == held


def test_a_text_above_the_limit_of_a_job_is_422(
    client: FlaskClient, cast: Cast, alice: Player, desk: Desk
) -> None:
    body = {"kind": "analyze", "payload": {"text": _text(500_001)}}
    refused = client.post(PATH, json=body, headers=alice.auth)
    assert refused.status_code == 422
    assert refused.get_json()["error"] == "payload.text: must have 50 to 500000 characters, has 500001."
    assert (cast.balance(alice).held, desk.queued()) == (0, [])


def test_a_long_text_is_analysed_whole_and_charged_by_its_length(
    client: FlaskClient, cast: Cast, alice: Player, desk: Desk
) -> None:
    filler = "Las partes se reúnen de nuevo para tratar de sus cosas sin acuerdo alguno. " * 1000
    text = f"{LEASE}\n\n{filler}\n\nÚLTIMA. Se pactan intereses de demora del 37 % anual."
    made = _create(client, alice, {"kind": "analyze", "payload": {"text": text}})
    desk.run(made["jobId"])
    job = _get(client, alice, made["jobId"])
    assert (job["status"], job["creditsCharged"], cast.balance(alice).balance) == ("completed", 2, 98)
    assert job["result"]["creditsCharged"] == 2
    quotes = [quote for one in job["result"]["statements"] for quote in one["quotes"]]
    assert all(text[one["start"] : one["end"]].split() == one["text"].split() for one in quotes)
    assert any("37 %" in one["text"] and one["start"] > 70_000 for one in quotes)


def test_a_batch_is_charged_by_the_length_of_its_texts(
    client: FlaskClient, cast: Cast, alice: Player, desk: Desk
) -> None:
    documents = [{"text": LEASE}, {"text": _text(50_001), "mode": "deep"}, {"text": _text(500_001)}]
    made = _create(client, alice, {"kind": "analyze_batch", "payload": {"documents": documents}})
    assert cast.balance(alice).held == 6, "one, twice two, and one for what cannot be read"
    desk.run(made["jobId"])
    job = _get(client, alice, made["jobId"])
    assert [one["status"] for one in job["result"]["results"]] == ["success", "success", "error"]
    assert job["result"]["results"][2]["httpStatus"] == 422
    assert (job["creditsCharged"], cast.balance(alice).balance) == (5, 95)


def test_the_payload_of_a_job_is_described_with_its_own_limit(client: FlaskClient) -> None:
    described = client.get("/api/v1/openapi.json").get_json()["components"]["schemas"]
    refs = [one["$ref"] for one in described["JobCreate"]["properties"]["payload"]["anyOf"]]
    single, batch = (described[ref.rpartition("/")[2]]["properties"] for ref in refs)
    item = described[batch["documents"]["items"]["$ref"].rpartition("/")[2]]["properties"]
    assert single["text"]["maxLength"] == item["text"]["maxLength"] == 500_000
    assert described["AnalyzeRequest"]["properties"]["text"]["maxLength"] == 50_000


@pytest.mark.parametrize("count", [1, 50])
def test_the_edges_of_a_batch_are_accepted(
    client: FlaskClient, alice: Player, desk: Desk, count: int
) -> None:
    body = {"kind": "analyze_batch", "payload": {"documents": [{"text": LEASE}] * count}}
    made = _create(client, alice, body)
    assert _get(client, alice, made["jobId"])["progress"]["total"] == count


def test_what_the_balance_cannot_cover_is_402_at_creation(
    client: FlaskClient, cast: Cast, desk: Desk
) -> None:
    poor = cast.player(credit=3)
    body = {"kind": "analyze_batch", "payload": {"documents": [{"text": LEASE}] * 2, "mode": "deep"}}
    response = client.post(PATH, json=body, headers=poor.auth)
    assert response.status_code == 402
    answer = response.get_json()
    assert (answer["error"], answer["balance"], answer["required"]) == ("INSUFFICIENT_CREDITS", 3, 4)
    assert (cast.balance(poor).balance, cast.balance(poor).held) == (3, 0)
    assert client.get(PATH, headers=poor.auth).get_json() == {"jobs": []}
    assert redis_client.client().keys("job:*") == []


def test_waiting_jobs_count_against_the_balance(client: FlaskClient, cast: Cast, desk: Desk) -> None:
    poor = cast.player(credit=1)
    _create(client, poor)
    response = client.post(PATH, json=SINGLE, headers=poor.auth)
    assert (response.status_code, response.get_json()["balance"]) == (402, 0)


def test_a_repeat_under_the_same_key_and_kind_is_the_same_job(
    client: FlaskClient, cast: Cast, alice: Player, desk: Desk
) -> None:
    key = {"Idempotency-Key": f"job-{uuid.uuid4()}"}
    first = _create(client, alice, headers=key)
    again = client.post(PATH, json=SINGLE, headers={**alice.auth, **key})
    assert (again.status_code, again.headers["Idempotency-Replayed"]) == (202, "true")
    assert again.get_json() == first
    changed = {"kind": "analyze", "payload": {"text": LEASE + " Otrosí."}}
    refused = client.post(PATH, json=changed, headers={**alice.auth, **key})
    assert (refused.status_code, refused.get_json()["code"]) == (409, "IDEMPOTENCY_CONFLICT")
    batch = {"kind": "analyze_batch", "payload": {"documents": [{"text": LEASE}]}}
    assert _create(client, alice, batch, key)["jobId"] != first["jobId"]
    assert cast.balance(alice).held == 2
    desk.run(first["jobId"])
    done = client.post(PATH, json=SINGLE, headers={**alice.auth, **key})
    assert (done.status_code, done.get_json()) == (202, first)
    assert cast.balance(alice).balance == 99


def test_a_repeat_finds_its_job_when_redis_lost_the_answer(
    client: FlaskClient, cast: Cast, alice: Player, desk: Desk
) -> None:
    key = {"Idempotency-Key": f"job-{uuid.uuid4()}"}
    first = _create(client, alice, headers=key)
    redis_client.client().flushdb()
    desk.forward(seconds=30)
    again = _create(client, alice, headers=key)
    assert again == first
    assert len(client.get(PATH, headers=alice.auth).get_json()["jobs"]) == 1
    assert cast.balance(alice).held == 1


def test_a_malformed_idempotency_key_is_refused(client: FlaskClient, alice: Player, desk: Desk) -> None:
    response = client.post(PATH, json=SINGLE, headers={**alice.auth, "Idempotency-Key": "short"})
    assert (response.status_code, response.get_json()["code"]) == (400, "IDEMPOTENCY_KEY_INVALID")


def test_the_list_is_the_keys_own_newest_first_with_both_spellings(
    client: FlaskClient, cast: Cast, alice: Player, desk: Desk
) -> None:
    made = []
    for _ in range(3):
        made.append(_create(client, alice)["jobId"])
        desk.forward(seconds=1)
    desk.run(made[0])
    _, other = cast.key(alice.account_id)
    _create(client, Player(**{**vars(alice), "key": other}))
    listed = client.get(PATH, headers=alice.auth).get_json()["jobs"]
    assert [job["jobId"] for job in listed] == made[::-1]
    for job in listed:
        assert set(job) == (JOB - {"result"}) | TWINS
        assert job["id"] == job["jobId"]
        assert job["created_at"] == job["createdAt"]
        assert job["started_at"] == job["startedAt"]
        assert job["completed_at"] == job["completedAt"]
        assert job["credits_charged"] == job["creditsCharged"]
        assert job["error_code"] is None
    assert LEASE[:40] not in str(listed)


def test_the_list_can_be_narrowed(client: FlaskClient, alice: Player, desk: Desk) -> None:
    first, second = (_create(client, alice)["jobId"] for _ in range(2))
    desk.run(first)

    def ids(query: str) -> list[str]:
        answer = client.get(f"{PATH}?{query}", headers=alice.auth)
        assert answer.status_code == 200
        return [job["jobId"] for job in answer.get_json()["jobs"]]

    assert ids("status=completed") == [first]
    assert ids("status=pending") == [second]
    assert ids("status=cancelled") == ids("status=failed") == ids("status=running") == []
    assert ids("limit=1") == [second]
    assert len(ids("limit=100")) == 2


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("status=done", "status"),
        ("status=", "status"),
        ("limit=0", "limit"),
        ("limit=101", "limit"),
        ("limit=ten", "limit"),
    ],
)
def test_a_wrong_parameter_of_the_list_is_named(
    client: FlaskClient, alice: Player, query: str, field: str
) -> None:
    response = client.get(f"{PATH}?{query}", headers=alice.auth)
    assert (response.status_code, response.get_json()["details"]["field"]) == (400, field)


def test_the_list_holds_twenty_unless_asked_for_more(client: FlaskClient, alice: Player, desk: Desk) -> None:
    for _ in range(21):
        _create(client, alice)
    assert len(client.get(PATH, headers=alice.auth).get_json()["jobs"]) == 20
    assert len(client.get(f"{PATH}?limit=21", headers=alice.auth).get_json()["jobs"]) == 21


def test_a_pending_job_can_be_cancelled_once(
    client: FlaskClient, cast: Cast, alice: Player, desk: Desk
) -> None:
    job_id = _create(client, alice)["jobId"]
    response = client.delete(f"{PATH}/{job_id}", headers=alice.auth)
    assert response.status_code == 200
    job = response.get_json()
    assert set(job) == JOB
    assert (job["status"], job["result"], job["creditsCharged"]) == ("cancelled", None, 0)
    assert job["completedAt"] is not None
    assert (cast.balance(alice).balance, cast.balance(alice).held) == (100, 0)
    assert (desk.row(job_id).payload_key, desk.names(job_id), desk.queued()) == (None, [], [])
    assert _get(client, alice, job_id) == job
    again = client.delete(f"{PATH}/{job_id}", headers=alice.auth)
    assert (again.status_code, again.get_json()["code"]) == (409, "JOB_NOT_PENDING")
    assert not desk.run(job_id), "a queue that still had it would give it to nobody"
    assert desk.events(alice) == []


@pytest.mark.parametrize("state", ["running", "completed", "failed"])
def test_only_a_pending_job_can_be_cancelled(
    client: FlaskClient, cast: Cast, alice: Player, desk: Desk, state: str
) -> None:
    job_id = _create(client, alice)["jobId"]
    if state == "running":
        desk.take(uuid.UUID(job_id))
    else:
        if state == "failed":
            redis_client.client().delete(f"job:{uuid.UUID(job_id).hex}:payload")
        desk.run(job_id)
    before = _get(client, alice, job_id)
    assert before["status"] == state
    response = client.delete(f"{PATH}/{job_id}", headers=alice.auth)
    assert (response.status_code, response.get_json()["code"]) == (409, "JOB_NOT_PENDING")
    assert response.get_json()["details"] == {"status": state}
    assert _get(client, alice, job_id) == before


def test_mallory_cannot_see_alices_job(client: FlaskClient, cast: Cast, alice: Player, desk: Desk) -> None:
    mallory = cast.player("mallory")
    job_id = _create(client, alice)["jobId"]
    for method in ("GET", "DELETE"):
        answers = []
        for asked in (job_id, str(uuid.uuid4())):
            response = client.open(f"{PATH}/{asked}", method=method, headers=mallory.auth)
            body = response.get_json()
            body.pop("requestId")
            answers.append((response.status_code, body))
        assert answers[0] == answers[1]
        assert answers[0][0] == 404
    assert client.get(PATH, headers=mallory.auth).get_json() == {"jobs": []}
    assert _get(client, alice, job_id)["status"] == "pending"


def test_what_is_no_uuid_is_404(client: FlaskClient, alice: Player) -> None:
    assert client.get(f"{PATH}/17", headers=alice.auth).status_code == 404


def test_another_key_of_the_account_can_collect_but_a_child_neither_sees_nor_is_seen(
    client: FlaskClient, cast: Cast, alice: Player, desk: Desk
) -> None:
    carol = cast.child(alice)
    _, second_key = cast.key(alice.account_id)
    second = Player(**{**vars(alice), "key": second_key})
    key = {"Idempotency-Key": f"job-{uuid.uuid4()}"}
    ours, hers = (_create(client, player, headers=key)["jobId"] for player in (alice, carol))
    assert ours != hers
    assert _create(client, second, headers=key)["jobId"] == ours
    assert _get(client, second, ours)["status"] == "pending"
    for player, job_id in ((carol, ours), (alice, hers), (second, hers)):
        for method in ("GET", "DELETE"):
            answer = client.open(f"{PATH}/{job_id}", method=method, headers=player.auth)
            assert answer.status_code == 404
    assert [job["id"] for job in client.get(PATH, headers=carol.auth).get_json()["jobs"]] == [hers]
    assert client.get(PATH, headers=second.auth).get_json() == {"jobs": []}


def test_a_master_is_told_of_its_childs_job_and_whose_key_reads_the_result(
    client: FlaskClient, cast: Cast, alice: Player, desk: Desk
) -> None:
    carol = cast.child(alice)
    made = client.post(
        "/api/v1/webhooks", json={"url": "https://hooks.example.com/in"}, headers=alice.auth
    ).get_json()
    job_id = _create(client, carol)["jobId"]
    desk.run(job_id)
    log = client.get(f"/api/v1/webhooks/{made['id']}/deliveries", headers=alice.auth).get_json()
    assert [row["event"] for row in log["deliveries"]] == ["analysis.completed"]
    query = {"type": "analysis.completed"}
    [event] = client.get("/api/v1/events", query_string=query, headers=alice.auth).get_json()["data"]
    assert event["payload"]["jobId"] == job_id
    assert event["api_key_id"] == str(carol.key_id)
    path = event["payload"]["resultUrl"].removeprefix("http://localhost")
    assert client.get(path, headers=alice.auth).status_code == 404
    read = client.get(path, headers=carol.auth)
    assert (read.status_code, read.get_json()["status"]) == (200, "completed")
    assert (
        "its master is notified"
        in webhooks.CATALOGUE["analysis.completed"].fields["resultUrl"]["description"]
    )


def test_a_cap_that_a_job_would_pass_is_402_and_told_once(
    client: FlaskClient, cast: Cast, alice: Player, desk: Desk
) -> None:
    with db.transaction() as session:
        tenancy.set_monthly_cap(session, alice.key_id, 1)
    _create(client, alice)
    for _ in range(2):
        response = client.post(PATH, json=SINGLE, headers=alice.auth)
        assert (response.status_code, response.get_json()["code"]) == (402, "SPEND_CAP_REACHED")
    assert len(desk.events(alice, "spend_cap.reached")) == 1


def test_credits_of_jobs_count_in_the_usage_of_their_key_and_route(
    client: FlaskClient, alice: Player, desk: Desk
) -> None:
    made = _create(client, alice)
    desk.run(made["jobId"])
    usage.drain("test")
    found = client.get("/api/v1/usage", headers=alice.auth).get_json()
    assert (found["totals"]["calls"], found["totals"]["credits_consumed"]) == (1, 1)
    assert [(row["endpoint"], row["calls"]) for row in found["by_endpoint"]] == [(PATH, 1)]
    assert [(row["api_key_id"], row["credits_consumed"]) for row in found["by_key"]] == [
        (str(alice.key_id), 1)
    ]


def _fill(player: Player, count: int) -> None:
    with db.transaction() as session:
        session.execute(
            sa.text(
                "INSERT INTO jobs (id, account_id, api_key_id, kind, status, request_id, poll_url, total, "
                "done, hold_id, credits_charged, created_at, expires_at, due_at, queued_at, attempt, "
                "payload_key) SELECT gen_random_uuid(), :a, :k, 'analyze', 'pending', 'req_x', 'x', 1, 0, "
                "gen_random_uuid(), 0, now(), now() + interval '1 day', now(), now(), 0, 'x'::bytea "
                "FROM generate_series(1, :n)"
            ),
            {"a": player.account_id, "k": player.key_id, "n": count},
        )


def test_a_key_has_at_most_a_thousand_pending_jobs(
    client: FlaskClient, cast: Cast, alice: Player, desk: Desk
) -> None:
    _fill(alice, 999)
    last = _create(client, alice)["jobId"]
    response = client.post(PATH, json=SINGLE, headers=alice.auth)
    assert (response.status_code, response.get_json()["code"]) == (429, "PENDING_JOB_LIMIT")
    assert response.get_json()["details"] == {"limit": 1000, "pending": 1000}
    assert int(response.headers["Retry-After"]) >= 1
    assert cast.balance(alice).held == 1
    _, other = cast.key(alice.account_id)
    _create(client, Player(**{**vars(alice), "key": other}))
    desk.run(last)
    _create(client, alice)


def test_the_limit_holds_in_a_rush(
    app: Flask, cast: Cast, alice: Player, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(submit, "PENDING_MAX", 10)

    def create(_: int) -> int:
        return app.test_client().post(PATH, json=SINGLE, headers=alice.auth).status_code

    with ThreadPoolExecutor(6) as pool:
        answers = list(pool.map(create, range(18)))
    assert (answers.count(202), answers.count(429)) == (10, 8)
    assert cast.balance(alice).held == 10


@pytest.mark.parametrize(("method", "path"), [("POST", ""), ("GET", ""), ("GET", "/x"), ("DELETE", "/x")])
def test_jobs_need_a_key_with_the_scope_analyze(
    client: FlaskClient, cast: Cast, method: str, path: str
) -> None:
    address = PATH + path.replace("x", str(uuid.uuid4()))
    body = SINGLE if method == "POST" else None
    assert client.open(address, method=method, json=body).status_code == 401
    reader = cast.player(scopes=("query",))
    response = client.open(address, method=method, json=body, headers=reader.auth)
    assert (response.status_code, response.get_json()["code"]) == (401, "SCOPE_REQUIRED")


def test_creation_counts_as_work_and_polling_as_management(
    client: FlaskClient, cast: Cast, desk: Desk
) -> None:
    slow = cast.player(tier="standard")
    response = client.post(PATH, json=SINGLE, headers=slow.auth)
    assert response.headers["X-RateLimit-Limit"] == "10"
    job_id = response.get_json()["jobId"]
    for answer in (
        client.get(PATH, headers=slow.auth),
        client.get(f"{PATH}/{job_id}", headers=slow.auth),
        client.delete(f"{PATH}/{job_id}", headers=slow.auth),
    ):
        assert answer.headers["X-RateLimit-Limit"] == "600"


def test_a_result_expires_with_its_key(client: FlaskClient, alice: Player, desk: Desk) -> None:
    job_id = _create(client, alice)["jobId"]
    desk.run(job_id)
    desk.forward(hours=23, minutes=59)
    assert _get(client, alice, job_id)["result"] is not None
    desk.forward(minutes=2)
    job = _get(client, alice, job_id)
    assert (job["status"], job["result"], job["resultExpired"]) == ("completed", None, True)
    assert job["creditsCharged"] == 1
    assert client.get(PATH, headers=alice.auth).get_json()["jobs"][0]["resultExpired"] is True
    assert desk.row(job_id).result_key is not None
    desk.reap()
    assert desk.row(job_id).result_key is None
    assert _get(client, alice, job_id) == job


def test_a_result_that_redis_lost_is_told_as_expired(client: FlaskClient, alice: Player, desk: Desk) -> None:
    job_id = _create(client, alice)["jobId"]
    desk.run(job_id)
    redis_client.client().flushdb()
    job = _get(client, alice, job_id)
    assert (job["status"], job["result"], job["resultExpired"]) == ("completed", None, True)


def test_while_redis_is_away_a_result_is_neither_shown_nor_called_lost(
    client: FlaskClient, alice: Player, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    job_id = _create(client, alice)["jobId"]
    desk.run(job_id)
    real = redis_client.client()

    class Away:
        def __getattr__(self, name: str) -> Any:
            if name in ("get", "set", "pipeline", "connection_pool"):
                raise redis.ConnectionError
            return getattr(real, name)

    monkeypatch.setattr(redis_client, "client", Away)
    shown = client.get(f"{PATH}/{job_id}", headers=alice.auth)
    assert (shown.status_code, shown.get_json()["code"]) == (503, "DEPENDENCY_UNAVAILABLE")
    refused = client.post(PATH, json=SINGLE, headers=alice.auth)
    assert (refused.status_code, refused.get_json()["code"]) == (503, "DEPENDENCY_UNAVAILABLE")
    monkeypatch.undo()
    assert _get(client, alice, job_id)["result"] is not None
    assert Cast.balance(alice).held == 0


def test_a_failed_job_says_why(client: FlaskClient, cast: Cast, alice: Player, desk: Desk) -> None:
    made = _create(client, alice)
    redis_client.client().flushdb()
    assert desk.run(made["jobId"])
    job = _get(client, alice, made["jobId"])
    assert (job["status"], job["result"], job["creditsCharged"]) == ("failed", None, 0)
    assert job["error"]["code"] == "PAYLOAD_LOST"
    assert set(job["error"]) == {"code", "message"}
    assert (job["resultExpired"], job["resultExpiresAt"]) == (False, None)
    [listed] = client.get(f"{PATH}?status=failed", headers=alice.auth).get_json()["jobs"]
    assert listed["error_code"] == "PAYLOAD_LOST"
    assert (cast.balance(alice).balance, cast.balance(alice).held) == (100, 0)
    [event] = desk.events(alice)
    assert event == {
        "type": "analysis.failed",
        "jobId": made["jobId"],
        "kind": "analyze",
        "status": "failed",
        "creditsCharged": 0,
        "error": job["error"],
        "resultUrl": None,
        "quality": None,
    }


def test_every_state_has_an_example(client: FlaskClient) -> None:
    document = client.get("/api/v1/openapi.json").get_json()
    answer = document["paths"]["/api/v1/jobs/{job_id}"]["get"]["responses"]["200"]
    shown = [example["value"] for example in answer["content"]["application/json"]["examples"].values()]
    assert {job["status"] for job in shown} == {"pending", "running", "completed", "failed", "cancelled"}
    assert all(set(job) == JOB for job in shown)
