"""POST /api/v1/analyze/batch (decision 026)."""

from __future__ import annotations

import uuid
from typing import Any

import pytest
from flask.testing import FlaskClient

from app import governance
from app.analysis import pipeline
from app.platform.postgres import db
from tests.cast import LEASE, Cast, Player

PATH = "/api/v1/analyze/batch"


@pytest.fixture
def alice(cast: Cast) -> Player:
    return cast.player()


def _send(client: FlaskClient, player: Player, documents: Any, **more: Any) -> Any:
    return client.post(PATH, json={"documents": documents, **more}, headers=player.auth)


def test_results_come_in_order_with_their_ids_and_totals(
    client: FlaskClient, cast: Cast, alice: Player
) -> None:
    documents = [{"id": f"d{n}", "text": f"{LEASE} Expediente {n}."} for n in range(7)] + [{"text": LEASE}]
    response = _send(client, alice, documents, concurrency=3)
    assert response.status_code == 200, response.text
    body = response.get_json()
    assert [item["id"] for item in body["results"]] == [f"d{n}" for n in range(7)] + [None]
    assert {item["status"] for item in body["results"]} == {"success"}
    assert {"analysis", "jurisdiction", "legalBranch", "model", "processingMs"} <= set(body["results"][0])
    assert "requestId" not in body["results"][0]
    assert uuid.UUID(body["batchId"])
    totals = body["totals"]
    assert {k: totals[k] for k in ("submitted", "succeeded", "failed", "creditsCharged", "concurrency")} == {
        "submitted": 8,
        "succeeded": 8,
        "failed": 0,
        "creditsCharged": 8,
        "concurrency": 3,
    }
    headers = response.headers
    assert (headers["X-Batch-Submitted"], headers["X-Batch-Succeeded"], headers["X-Batch-Failed"]) == (
        "8",
        "8",
        "0",
    )
    assert headers["X-Credits-Charged"] == "8"
    assert headers["X-Processing-Ms"] == str(totals["processingMs"])
    assert headers["X-RateLimit-Remaining"] == "999"
    assert (cast.balance(alice).balance, cast.balance(alice).held) == (92, 0)
    with db.reading() as session:
        assert len(governance.records(session, alice.account_id)) == 8
        assert governance.verify_chain(session, alice.account_id).valid


def test_failures_are_items_and_cost_nothing(client: FlaskClient, cast: Cast, alice: Player) -> None:
    documents: list[Any] = [
        {"id": "good", "text": LEASE},
        {"id": "short", "text": "short"},
        {"id": "typed", "text": 17},
        {"id": 5, "text": LEASE},
        {"id": "nowhere", "text": LEASE, "jurisdiction": "XX"},
        {"id": "branch", "text": LEASE, "legalBranch": "none"},
        "text",
        None,
        {},
    ]
    response = _send(client, alice, documents)
    assert response.status_code == 200, response.text
    found = [
        (item["id"], item.get("code"), item.get("httpStatus")) for item in response.get_json()["results"]
    ]
    assert found == [
        ("good", None, None),
        ("short", "VALIDATION_ERROR", 422),
        ("typed", "VALIDATION_ERROR", 400),
        (None, "VALIDATION_ERROR", 400),
        ("nowhere", "VALIDATION_ERROR", 400),
        ("branch", "VALIDATION_ERROR", 400),
        (None, "VALIDATION_ERROR", 400),
        (None, "VALIDATION_ERROR", 400),
        (None, "VALIDATION_ERROR", 400),
    ]
    assert response.headers["X-Batch-Failed"] == "8"
    assert (cast.balance(alice).balance, cast.balance(alice).held) == (99, 0)


def test_the_mode_of_the_batch_overrides_every_document(
    client: FlaskClient, cast: Cast, alice: Player
) -> None:
    response = _send(client, alice, [{"text": LEASE}, {"text": LEASE, "mode": "deep"}], mode="agil")
    assert [item["mode"] for item in response.get_json()["results"]] == ["standard", "standard"]
    response = _send(client, alice, [{"text": LEASE}], mode="deep")
    assert response.get_json()["results"][0]["audit"]["audited"] is True
    assert cast.balance(alice).balance == 96


@pytest.mark.parametrize(
    ("count", "mode", "credit", "required"),
    [(3, None, 2, 3), (3, "deep", 5, 6), (50, None, 49, 50)],
)
def test_the_worst_case_is_checked_before_anything_runs(
    client: FlaskClient, cast: Cast, count: int, mode: str | None, credit: int, required: int
) -> None:
    poor = cast.player(credit=credit)
    response = _send(client, poor, [{"text": LEASE}] * count, **({"mode": mode} if mode else {}))
    assert response.status_code == 402
    body = response.get_json()
    assert (body["error"], body["balance"], body["required"]) == ("INSUFFICIENT_CREDITS", credit, required)
    assert (cast.balance(poor).balance, cast.balance(poor).held) == (credit, 0)


@pytest.mark.parametrize("count", [1, 50])
def test_one_and_fifty_documents_pass(client: FlaskClient, alice: Player, count: int) -> None:
    short = "La renta será de 900 euros mensuales y la fianza de 900."
    response = _send(client, alice, [{"text": short}] * count, concurrency=10)
    assert response.status_code == 200
    assert response.get_json()["totals"]["succeeded"] == count


@pytest.mark.parametrize(
    ("body", "status", "code", "field"),
    [
        ({"documents": [{"text": "x"}] * 51}, 422, "BATCH_TOO_LARGE", "documents"),
        ({"documents": []}, 400, "VALIDATION_ERROR", "documents"),
        ({"documents": {}}, 400, "VALIDATION_ERROR", "documents"),
        ({"documents": None}, 400, "VALIDATION_ERROR", "documents"),
        ({}, 400, "VALIDATION_ERROR", "documents"),
        ({"documents": [{}], "concurrency": 0}, 400, "VALIDATION_ERROR", "concurrency"),
        ({"documents": [{}], "concurrency": 11}, 400, "VALIDATION_ERROR", "concurrency"),
        ({"documents": [{}], "concurrency": "5"}, 400, "VALIDATION_ERROR", "concurrency"),
        ({"documents": [{}], "concurrency": True}, 400, "VALIDATION_ERROR", "concurrency"),
        ({"documents": [{}], "concurrency": 2.5}, 400, "VALIDATION_ERROR", "concurrency"),
        ({"documents": [{}], "mode": "fast"}, 400, "VALIDATION_ERROR", "mode"),
    ],
)
def test_a_wrong_envelope_is_refused_whole(
    client: FlaskClient, alice: Player, body: dict[str, Any], status: int, code: str, field: str
) -> None:
    response = client.post(PATH, json=body, headers=alice.auth)
    assert (response.status_code, response.get_json()["code"]) == (status, code)
    assert response.get_json()["details"]["field"] == field


def test_the_whole_array_is_one_idempotent_request(client: FlaskClient, cast: Cast, alice: Player) -> None:
    headers = {**alice.auth, "Idempotency-Key": "batch-0001"}
    first = client.post(PATH, json={"documents": [{"text": LEASE}, {"text": "no"}]}, headers=headers)
    again = client.post(PATH, json={"documents": [{"text": LEASE}, {"text": "no"}]}, headers=headers)
    assert again.data == first.data
    assert again.headers["Idempotency-Replayed"] == "true"
    assert again.headers["X-Credits-Charged"] == first.headers["X-Credits-Charged"] == "1"
    turned = client.post(PATH, json={"documents": [{"text": "no"}, {"text": LEASE}]}, headers=headers)
    assert turned.status_code == 409
    assert cast.balance(alice).balance == 99


def test_an_unexpected_failure_of_one_document_leaves_the_others(
    client: FlaskClient, cast: Cast, alice: Player, monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    real = pipeline.analyse

    def fragile(request: Any, **more: Any) -> Any:
        if "Expediente 1" in request.text.reveal():
            raise RuntimeError(request.text.reveal())
        return real(request, **more)

    monkeypatch.setattr(pipeline, "analyse", fragile)
    response = _send(client, alice, [{"text": f"{LEASE} Expediente {n}."} for n in range(3)])
    assert [item.get("code") for item in response.get_json()["results"]] == [None, "UNKNOWN_ERROR", None]
    assert "Herrero" not in capfd.readouterr().err
    assert cast.balance(alice).balance == 98


def test_a_batch_counts_once_against_the_rate(client: FlaskClient, cast: Cast) -> None:
    slow = cast.player(tier="standard")
    response = _send(client, slow, [{"text": "no"}] * 50)
    assert (response.headers["X-RateLimit-Limit"], response.headers["X-RateLimit-Remaining"]) == ("10", "9")
