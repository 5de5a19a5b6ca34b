"""GET and POST /api/v1/sandbox/analyze (decision 023)."""

from __future__ import annotations

import json
from itertools import product
from typing import Any

import pytest
import sqlalchemy as sa
import yaml
from flask.testing import FlaskClient

from app import usage
from app.analysis import pipeline
from app.platform import settings
from app.platform.postgres import db
from tests.cast import LEASE, Cast, Player

PATH = "/api/v1/sandbox/analyze"
NAMES = [
    "contract_es", "providencia_aeat", "dictamen_teac", "demanda_concursal_es", "demand_co", "laboral_cl",
]  # fmt: skip
OWN = {
    "contract_es": ("ES", "mercantil"),
    "providencia_aeat": ("ES", "contencioso"),
    "dictamen_teac": ("ES", "contencioso"),
    "demanda_concursal_es": ("ES", "mercantil"),
    "demand_co": ("CO", "civil"),
    "laboral_cl": ("CL", "laboral"),
}
FIELDS = [
    "analysis", "jurisdiction", "legalBranch", "model", "processingMs", "mode", "creditsCharged",
    "certaintyLocks", "citationChecks", "statements", "assessment", "detectedJurisdiction", "language",
    "documentKind", "summary", "scope", "reviewFlags", "contentOrigin", "requestId", "sandbox", "sample",
    "available_samples", "notes",
]  # fmt: skip

AUDIT = {"auditor", "text", "findings", "overallSeverity", "recommendations", "processingMs", "audited"}


@pytest.fixture
def alice(cast: Cast) -> Player:
    return cast.player()


def _ask(client: FlaskClient, player: Player, **body: Any) -> dict[str, Any]:
    response = client.post(PATH, json=body, headers=player.auth)
    assert response.status_code == 200, response.text
    found: dict[str, Any] = response.get_json()
    return found


def test_every_sample_in_every_language_and_mode(client: FlaskClient, alice: Player) -> None:
    for name, language, mode in product(NAMES, ("es", "en"), ("standard", "deep")):
        body = _ask(client, alice, sample=name, language=language, mode=mode)
        deep = mode == "deep"
        assert list(body) == [*FIELDS[:12], *(["audit"] if deep else []), *FIELDS[12:]]
        assert (body["jurisdiction"], body["legalBranch"]) == OWN[name]
        assert (body["sandbox"], body["sample"], body["available_samples"]) == (True, name, NAMES)
        assert (body["mode"], body["creditsCharged"]) == (mode, 0)
        assert body["model"].count("+") == int(deep)
        assert body["processingMs"] >= 1
        block = body["analysis"].split("SERVICE-AUDIT-TRAIL-BEGIN\n")[1].split("SERVICE-AUDIT-TRAIL-END")[0]
        assert yaml.safe_load(block)["mode"] == mode
        assert ("## Risks" if language == "en" else "## Riesgos") in body["analysis"]
        counts = body["citationChecks"]["counts"]
        assert len(counts) == 6
        assert (
            sum(counts.values()) == body["citationChecks"]["total"] == len(body["citationChecks"]["checks"])
        )
        if deep:
            assert set(body["audit"]) == AUDIT
            assert body["audit"]["audited"] is True
            assert body["audit"]["processingMs"] >= 1


def test_headers_name_the_sandbox_and_its_own_limit(client: FlaskClient, alice: Player) -> None:
    response = client.post(PATH, headers=alice.auth)
    assert response.headers["X-Sandbox"] == "true"
    assert int(response.headers["X-Processing-Ms"]) == response.get_json()["processingMs"]
    assert response.headers["X-RateLimit-Limit"] == "60"
    assert response.headers["X-RateLimit-Remaining"] == "59"
    assert response.headers["X-Request-Id"] == response.get_json()["requestId"]
    assert response.headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize(
    "sent",
    [
        {},
        {"data": b""},
        {"data": b" \n "},
        {"data": b"", "content_type": "application/json"},
        {"data": b"", "content_type": "text/plain"},
        {"data": b"{}", "content_type": "application/json"},
        {"json": {"sample": None, "language": None, "mode": None, "text": None, "jurisdiction": None}},
        {"json": {"text": ""}},
        {"json": {"text": "x" * 60_000}},
        {"json": {"temperature": 1, "unknown": {"a": []}}},
        {"json": {}, "headers": {"Idempotency-Key": "12345678"}},
    ],
)
def test_the_body_may_be_left_out_and_says_little(
    client: FlaskClient, alice: Player, sent: dict[str, Any]
) -> None:
    headers = {**alice.auth, **sent.pop("headers", {})}
    response = client.post(PATH, headers=headers, **sent)
    assert response.status_code == 200, response.text
    body = response.get_json()
    assert (body["sample"], body["mode"]) == ("contract_es", "standard")
    assert "## Riesgos" in body["analysis"]


def test_the_text_sent_is_not_read(client: FlaskClient, alice: Player) -> None:
    plain, sent = _ask(client, alice), _ask(client, alice, text=LEASE)
    assert sent["analysis"] == plain["analysis"]
    assert "Herrero" not in json.dumps(sent)


def test_overrides_show_in_the_answer(client: FlaskClient, alice: Player) -> None:
    body = _ask(client, alice, sample="demand_co", jurisdiction="mx", legalBranch="familia", language="en")
    assert (body["jurisdiction"], body["legalBranch"]) == ("MX", "familia")
    assert "\njurisdiction: MX\n" in body["analysis"]
    assert "CO, civil" in body["notes"]
    assert "CO, civil" not in _ask(client, alice, sample="demand_co", language="en")["notes"]


def test_aliases_of_mode_are_the_ones_of_analyze(client: FlaskClient, alice: Player) -> None:
    assert _ask(client, alice, mode="agil")["mode"] == "standard"
    assert _ask(client, alice, mode="auditoria")["mode"] == "deep"


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"sample": "contract_fr"}, "sample"),
        ({"sample": "CONTRACT_ES"}, "sample"),
        ({"sample": ""}, "sample"),
        ({"sample": 3}, "sample"),
        ({"sample": ["contract_es"]}, "sample"),
        ({"text": 17}, "text"),
        ({"jurisdiction": "XX"}, "jurisdiction"),
        ({"jurisdiction": ""}, "jurisdiction"),
        ({"jurisdiction": {}}, "jurisdiction"),
        ({"legalBranch": "canónico"}, "legalBranch"),
        ({"language": "fr"}, "language"),
        ({"mode": "turbo"}, "mode"),
        ({"mode": True}, "mode"),
    ],
)
def test_a_wrong_field_is_named(client: FlaskClient, alice: Player, body: dict[str, Any], field: str) -> None:
    response = client.post(PATH, json=body, headers=alice.auth)
    found = response.get_json()
    assert (response.status_code, found["code"]) == (400, "VALIDATION_ERROR")
    assert found["details"]["field"] == field
    assert found["error"].startswith(field)


def test_an_unknown_sample_is_answered_with_the_list(client: FlaskClient, alice: Player) -> None:
    found = client.post(PATH, json={"sample": "contract_fr"}, headers=alice.auth).get_json()
    wrong = {"field": "sample", "message": f"must be one of {', '.join(NAMES)}; got 'contract_fr'."}
    assert found["details"] == {
        "field": "sample", "allowed": NAMES, "got": "contract_fr", "errors": [wrong],
    }  # fmt: skip


@pytest.mark.parametrize(
    ("sent", "status", "code"),
    [
        ({"data": b"{", "content_type": "application/json"}, 400, "MALFORMED_JSON"),
        ({"data": b"[]", "content_type": "application/json"}, 400, "VALIDATION_ERROR"),
        ({"data": b"null", "content_type": "application/json"}, 400, "VALIDATION_ERROR"),
        ({"data": b"{}", "content_type": "text/plain"}, 415, "UNSUPPORTED_MEDIA_TYPE"),
        ({"data": b"{}"}, 415, "UNSUPPORTED_MEDIA_TYPE"),
        ({"data": b" " * 12_000_001, "content_type": "application/json"}, 413, "PAYLOAD_TOO_LARGE"),
    ],
)
def test_a_body_that_is_there_must_be_json(
    client: FlaskClient, alice: Player, sent: dict[str, Any], status: int, code: str
) -> None:
    response = client.post(PATH, headers=alice.auth, **sent)
    assert (response.status_code, response.get_json()["code"]) == (status, code)


def test_a_key_of_scope_analyze_is_needed(client: FlaskClient, cast: Cast) -> None:
    assert client.post(PATH).status_code == 401
    narrow = cast.player(scopes=("query",))
    response = client.post(PATH, headers=narrow.auth)
    assert (response.status_code, response.get_json()["code"]) == (401, "SCOPE_REQUIRED")


@pytest.mark.parametrize("tier", ["standard", "enterprise"])
def test_the_61st_call_in_a_minute_is_429_whatever_the_tier(
    client: FlaskClient, cast: Cast, tier: str
) -> None:
    player = cast.player(tier=tier)
    for _ in range(60):
        assert client.post(PATH, headers=player.auth).status_code == 200
    response = client.post(PATH, headers=player.auth)
    assert (response.status_code, response.get_json()["code"]) == (429, "RATE_LIMITED")
    assert 1 <= int(response.headers["Retry-After"]) <= 60
    assert response.headers["X-RateLimit-Limit"] == "60"
    # The sandbox has a window of its own: real work is still possible.
    assert client.post("/api/v1/analyze", json={"text": LEASE}, headers=player.auth).status_code == 200


def test_no_credit_moves_and_nothing_is_analysed_or_recorded(
    client: FlaskClient, cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(*_: Any, **__: Any) -> Any:
        raise AssertionError("the sandbox runs no analysis")

    monkeypatch.setattr(pipeline, "analyse", never)
    monkeypatch.setattr("app.analysis.draft.node_a.engine", never)
    poor = cast.player(credit=0)
    assert _ask(client, poor, mode="deep", text=LEASE)["creditsCharged"] == 0
    assert (cast.balance(poor).balance, cast.balance(poor).held) == (0, 0)
    with db.reading() as session:
        for table in ("credit_ledger", "audit_records", "redaction_events", "idempotency_records"):
            query = sa.text(f"SELECT count(*) FROM {table} WHERE account_id = :a")
            assert session.scalar(query, {"a": poor.account_id}) == 0, table


def test_a_call_counts_as_usage_at_no_credits(
    client: FlaskClient, alice: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[usage.Call] = []
    monkeypatch.setattr(usage, "record", calls.append)
    _ask(client, alice, mode="deep")
    client.post(PATH, json={"sample": "x"}, headers=alice.auth)
    assert [(call.endpoint, call.status, call.credits) for call in calls] == [(PATH, 200, 0), (PATH, 400, 0)]
    assert {call.api_key_id for call in calls} == {alice.key_id}


def test_names_follow_the_settings(
    client: FlaskClient, alice: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = settings.current().model_copy(update={"wire_name": "Acme", "service_name": "Acme Lex"})
    monkeypatch.setattr("app.analysis.api.routes.settings.current", lambda: config)
    text = _ask(client, alice)["analysis"]
    assert text.endswith("ACME-AUDIT-TRAIL-END\n")
    assert "Acme Lex" in text
    assert "Candado" not in text


def test_the_list_needs_no_key(client: FlaskClient, cast: Cast) -> None:
    response = client.get(PATH)
    assert response.status_code == 200
    body = response.get_json()
    assert list(body) == ["sandbox", "available_samples", "samples", "example_request", "description"]
    assert body["sandbox"] is True
    assert body["available_samples"] == [item["sample"] for item in body["samples"]] == NAMES
    for item in body["samples"]:
        assert set(item) == {"sample", "title", "jurisdiction", "legalBranch", "language"}
        assert (item["jurisdiction"], item["legalBranch"]) == OWN[item["sample"]]
        assert item["title"]
        assert item["language"] == "es"
    assert body["description"]


def test_the_example_request_works_as_given(client: FlaskClient, alice: Player) -> None:
    example = client.get(PATH).get_json()["example_request"]
    assert set(example) == {"sample", "method", "path", "headers", "body"}
    headers = {name: value.replace("<API_KEY>", alice.key) for name, value in example["headers"].items()}
    response = client.open(
        example["path"], method=example["method"], headers=headers, data=json.dumps(example["body"])
    )
    assert response.status_code == 200
    assert response.get_json()["sample"] == example["sample"]


def test_the_openapi_document_says_all_this(client: FlaskClient) -> None:
    operations = client.get("/api/v1/openapi.json").get_json()["paths"][PATH]
    post, get = operations["post"], operations["get"]
    assert (post["operationId"], get["operationId"]) == ("sandboxAnalyze", "sandboxSamples")
    assert set(post["responses"]) == {"200", "400", "401", "403", "413", "415", "429", "500", "503"}
    assert post["requestBody"]["required"] is False
    assert {"X-Sandbox", "X-Processing-Ms", "X-RateLimit-Limit"} <= set(post["responses"]["200"]["headers"])
    assert get["security"] == []
