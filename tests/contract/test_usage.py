"""GET /api/v1/usage over HTTP (decision 038)."""

from __future__ import annotations

import csv
import io
import uuid
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import psycopg
import pytest
import sqlalchemy as sa
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from app import usage
from app.platform import clock
from app.platform.postgres import db
from app.usage.rollup import insert_calls
from tests.cast import LEASE, Cast, Player

NOW = datetime(2026, 9, 30, 12, tzinfo=UTC)
ANALYZE = "/api/v1/analyze"
USAGE = "/api/v1/usage"


@pytest.fixture(autouse=True)
def _noon_on_the_last_of_september() -> Iterator[None]:
    clock.install(lambda: NOW)
    yield
    clock.install(None)


@pytest.fixture
def questions_unmetered(monkeypatch: pytest.MonkeyPatch) -> None:
    # A worker may enter the call that asked for one report before the test asks for the next.
    record = usage.record
    monkeypatch.setattr(usage, "record", lambda call: None if call.endpoint == USAGE else record(call))


@pytest.fixture
def alice(cast: Cast) -> Player:
    return cast.player()


def _called(
    player: Player,
    days_ago: int = 0,
    *,
    key_id: uuid.UUID | None = None,
    endpoint: str = ANALYZE,
    status: int = 200,
    ms: int = 100,
    credits: int = 0,
    times: int = 1,
) -> None:
    at, key = NOW - timedelta(days=days_ago), key_id or player.key_id
    calls = [usage.Call(at, player.account_id, key, endpoint, status, ms, credits) for _ in range(times)]
    with db.transaction() as session:
        insert_calls(session, calls)


def _ask(client: FlaskClient, player: Player, **query: str) -> TestResponse:
    return client.get(USAGE, query_string=query, headers=player.auth)


def _report(client: FlaskClient, player: Player, **query: str) -> dict[str, Any]:
    response = _ask(client, player, **query)
    assert response.status_code == 200, response.text
    found: dict[str, Any] = response.get_json()
    return found


def _lines(response: TestResponse) -> list[list[str]]:
    assert response.status_code == 200, response.text
    return list(csv.reader(io.StringIO(response.get_data(as_text=True), newline="")))


def test_an_account_without_calls_gets_zeros_for_the_last_thirty_days(
    client: FlaskClient, alice: Player
) -> None:
    body = _report(client, alice)
    assert list(body) == ["period", "totals", "by_key", "by_endpoint", "buckets"]
    assert body["period"] == {"from": "2026-08-31", "to": "2026-09-30", "granularity": "day"}
    assert body["totals"] == {
        "calls": 0,
        "errors": 0,
        "latency_p50_ms": 0,
        "latency_p95_ms": 0,
        "rate_limited": 0,
        "credits_consumed": 0,
    }
    assert body["by_key"] == body["by_endpoint"] == []
    assert len(body["buckets"]) == 31
    assert body["buckets"][0] == {
        "period_start": "2026-08-31",
        "calls": 0,
        "errors": 0,
        "credits_consumed": 0,
        "latency_p95_ms": 0,
    }
    assert body["buckets"][-1]["period_start"] == "2026-09-30"


def test_every_field_is_there_with_its_meaning(client: FlaskClient, cast: Cast, alice: Player) -> None:
    _called(alice, 1, ms=2, credits=2, times=18)
    _called(alice, 1, ms=3, status=500)
    _called(alice, 0, ms=3, status=429, endpoint="/api/v1/sandbox/analyze")
    _called(alice, 31, times=5)
    body = _report(client, alice)
    assert body["totals"] == {
        "calls": 20,
        "errors": 2,
        "latency_p50_ms": 2,
        "latency_p95_ms": 3,
        "rate_limited": 1,
        "credits_consumed": 36,
    }
    with db.reading() as session:
        prefix = session.scalar(sa.text("SELECT key_prefix FROM api_keys WHERE id = :k"), {"k": alice.key_id})
    assert body["by_key"] == [
        {
            "api_key_id": str(alice.key_id),
            "key_name": "test key",
            "key_prefix": prefix,
            "tier": "enterprise",
            "role": "solo",
            "organization_id": None,
            "child_label": None,
            "calls": 20,
            "errors": 2,
            "rate_limited": 1,
            "credits_consumed": 36,
        }
    ]
    assert body["by_endpoint"] == [
        {"endpoint": ANALYZE, "calls": 19, "errors": 1, "latency_p50_ms": 2, "latency_p95_ms": 3},
        {
            "endpoint": "/api/v1/sandbox/analyze",
            "calls": 1,
            "errors": 1,
            "latency_p50_ms": 3,
            "latency_p95_ms": 3,
        },
    ]
    assert body["buckets"][-2:] == [
        {
            "period_start": "2026-09-29",
            "calls": 19,
            "errors": 1,
            "credits_consumed": 36,
            "latency_p95_ms": 3,
        },
        {"period_start": "2026-09-30", "calls": 1, "errors": 1, "credits_consumed": 0, "latency_p95_ms": 3},
    ]


def test_real_calls_are_reported_once_drained(client: FlaskClient, cast: Cast) -> None:
    alice = cast.player(tier="standard")
    client.post(ANALYZE, json={"text": LEASE}, headers=alice.auth)
    for _ in range(10):
        client.post(ANALYZE, json={"text": "short"}, headers=alice.auth)
    client.post(ANALYZE, json={"text": LEASE})
    usage.drain("test")
    totals = _report(client, alice)["totals"]
    assert (totals["calls"], totals["errors"], totals["rate_limited"]) == (11, 10, 1)
    assert totals["credits_consumed"] == 1


def test_weeks_begin_on_monday_and_months_on_the_first(client: FlaskClient, alice: Player) -> None:
    for days_ago in (0, 1, 29, 30):
        _called(alice, days_ago)
    weeks = _report(client, alice, **{"from": "2026-09-01", "granularity": "week"})
    assert [(item["period_start"], item["calls"]) for item in weeks["buckets"]] == [
        ("2026-08-31", 1),
        ("2026-09-07", 0),
        ("2026-09-14", 0),
        ("2026-09-21", 0),
        ("2026-09-28", 2),
    ]
    months = _report(client, alice, granularity="month")
    assert [(item["period_start"], item["calls"]) for item in months["buckets"]] == [
        ("2026-08-01", 1),
        ("2026-09-01", 3),
    ]


def test_one_day_and_a_whole_leap_year_are_ranges(client: FlaskClient, alice: Player) -> None:
    _called(alice)
    one = _report(client, alice, **{"from": "2026-09-30", "to": "2026-09-30"})
    assert [item["calls"] for item in one["buckets"]] == [1]
    leap = _report(client, alice, **{"from": "2024-01-01", "to": "2024-12-31"})
    assert len(leap["buckets"]) == 366


def test_filters_by_key_and_by_endpoint(client: FlaskClient, cast: Cast, alice: Player) -> None:
    second, _ = cast.key(alice.account_id)
    _called(alice, times=3)
    _called(alice, key_id=second, times=2)
    _called(alice, key_id=second, endpoint="/api/v1/usage")
    of_second = _report(client, alice, api_key_id=str(second))
    assert of_second["totals"]["calls"] == 3
    assert [item["api_key_id"] for item in of_second["by_key"]] == [str(second)]
    assert [item["calls"] for item in of_second["by_endpoint"]] == [2, 1]
    of_analyze = _report(client, alice, endpoint=ANALYZE)
    assert [item["calls"] for item in of_analyze["by_key"]] == [3, 2]
    assert [item["endpoint"] for item in of_analyze["by_endpoint"]] == [ANALYZE]
    both = _report(client, alice, endpoint=ANALYZE, api_key_id=str(second).upper())
    assert both["totals"]["calls"] == both["buckets"][-1]["calls"] == 2
    assert _report(client, alice, endpoint="/nowhere")["totals"]["calls"] == 0


def test_a_key_with_any_scope_may_ask_and_asking_is_free_and_counted_apart(
    client: FlaskClient, cast: Cast
) -> None:
    alice = cast.player(scopes=("mcp",), tier="standard")
    before = cast.balance(alice)
    for _ in range(12):
        response = _ask(client, alice)
        assert response.status_code == 200
    assert response.headers["X-RateLimit-Limit"] == "600"
    assert response.headers["X-RateLimit-Remaining"] == "588"
    assert response.headers["X-Request-Id"]
    assert cast.balance(alice) == before


def test_a_stranger_gets_nothing(client: FlaskClient) -> None:
    for headers in ({}, {"Authorization": "Bearer nonsense"}):
        response = client.get("/api/v1/usage?from=nonsense", headers=headers)
        assert (response.status_code, response.get_json()["code"]) == (401, "UNAUTHENTICATED")


@pytest.mark.usefixtures("questions_unmetered")
def test_mallory_sees_nothing_of_alice(client: FlaskClient, cast: Cast, alice: Player) -> None:
    mallory = cast.player("mallory")
    _called(alice, times=3)
    _called(mallory)
    assert _report(client, mallory)["totals"]["calls"] == 1
    assert len(_lines(_ask(client, mallory, format="csv"))) == 2
    for form in ("json", "csv"):
        answers = [
            _ask(client, mallory, api_key_id=str(key), format=form) for key in (alice.key_id, uuid.uuid4())
        ]
        bodies = [answer.get_json() for answer in answers]
        assert [answer.status_code for answer in answers] == [404, 404]
        assert {body.pop("requestId") for body in bodies}
        assert bodies[0] == bodies[1]
        assert bodies[0]["code"] == "NOT_FOUND"


@pytest.mark.usefixtures("questions_unmetered")
def test_a_child_key_sees_itself_only(client: FlaskClient, cast: Cast, alice: Player) -> None:
    junior = cast.child(alice)
    child_id = junior.key_id
    _called(alice, times=3)
    _called(alice, key_id=child_id)
    body = _report(client, junior)
    assert (body["totals"]["calls"], body["by_key"][0]["role"]) == (1, "child")
    assert [item["api_key_id"] for item in body["by_key"]] == [str(child_id)]
    assert body["by_endpoint"][0]["calls"] == body["buckets"][-1]["calls"] == 1
    assert _report(client, junior, api_key_id=str(child_id))["totals"]["calls"] == 1
    for other in (alice.key_id, uuid.uuid4()):
        assert _ask(client, junior, api_key_id=str(other)).status_code == 404
    assert [line[1] for line in _lines(_ask(client, junior, format="csv"))[1:]] == [str(child_id)]
    assert _report(client, alice)["totals"]["calls"] == 4


@pytest.mark.usefixtures("questions_unmetered")
def test_an_organization_is_reported_by_its_keys(client: FlaskClient, cast: Cast, alice: Player) -> None:
    organization = cast.organization(alice)
    junior, other = cast.child(alice, organization), cast.key(alice.account_id)[0]
    _called(alice, times=3)
    _called(alice, key_id=junior.key_id, times=2)
    _called(alice, key_id=other)
    body = _report(client, alice, organization_id=str(organization))
    assert body["totals"]["calls"] == sum(item["calls"] for item in body["by_endpoint"]) == 5
    assert sum(item["calls"] for item in body["buckets"]) == 5
    assert [(item["api_key_id"], item["calls"], item["child_label"]) for item in body["by_key"]] == [
        (str(alice.key_id), 3, None),
        (str(junior.key_id), 2, "Junior"),
    ]
    assert {item["organization_id"] for item in body["by_key"]} == {str(organization)}
    lines = _lines(_ask(client, alice, format="csv", organization_id=str(organization)))[1:]
    assert sorted(line[1] for line in lines) == sorted([str(alice.key_id), str(junior.key_id)])
    seen = _report(client, junior, organization_id=str(organization))
    assert [item["api_key_id"] for item in seen["by_key"]] == [str(junior.key_id)]
    assert _ask(client, alice, organization_id=str(organization), api_key_id=str(other)).status_code == 404


def test_an_organization_of_somebody_else_is_unknown(client: FlaskClient, cast: Cast, alice: Player) -> None:
    mallory = cast.player("mallory")
    theirs = cast.organization(mallory)
    junior = cast.child(alice)
    for player, organization in ((alice, theirs), (alice, uuid.uuid4()), (junior, theirs)):
        response = _ask(client, player, organization_id=str(organization))
        assert (response.status_code, response.get_json()["code"]) == (404, "NOT_FOUND")


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ({"from": "2026-09-30", "to": "2026-09-29"}, "from"),
        ({"from": "2025-09-29", "to": "2026-09-30"}, "from"),
        ({"from": "2026-10-01"}, "from"),
        ({"from": "0001-01-01", "to": "9999-12-31"}, "from"),
        ({"from": "yesterday"}, "from"),
        ({"from": "20260901"}, "from"),
        ({"from": "2026-W36-1"}, "from"),
        ({"from": ""}, "from"),
        ({"to": "2026-02-30"}, "to"),
        ({"to": "2026-09-30T00:00:00Z"}, "to"),
        ({"to": "0000-01-01"}, "to"),
        ({"granularity": "hour"}, "granularity"),
        ({"format": "xml"}, "format"),
        ({"api_key_id": "1"}, "api_key_id"),
        ({"api_key_id": "{" + str(uuid.UUID(int=1)) + "}"}, "api_key_id"),
        ({"organization_id": "acme"}, "organization_id"),
        ({"endpoint": ""}, "endpoint"),
        ({"endpoint": "/" * 201}, "endpoint"),
        ({"endpoint": "/\x00"}, "endpoint"),
    ],
)
def test_what_is_wrong_is_named(
    client: FlaskClient, alice: Player, query: dict[str, str], field: str
) -> None:
    response = _ask(client, alice, **query)
    body = response.get_json()
    assert (response.status_code, body["code"]) == (400, "VALIDATION_ERROR")
    assert body["details"]["field"] == field
    assert body["error"].startswith(f"{field}: ")
    assert body["requestId"] == response.headers["X-Request-Id"]


@pytest.mark.parametrize(
    "query",
    [
        {"from": "2025-09-30", "to": "2026-09-30"},
        {"from": "9999-12-01", "to": "9999-12-31", "granularity": "month"},
        {"to": "0001-01-01", "granularity": "week"},
        {"endpoint": "/" * 200},
        {"unknown": "ignored"},
    ],
)
def test_what_is_unusual_but_right_is_answered(
    client: FlaskClient, alice: Player, query: dict[str, str]
) -> None:
    assert _report(client, alice, **query)["buckets"]


def test_the_sheet_has_its_columns_and_one_line_per_cell(
    client: FlaskClient, cast: Cast, alice: Player
) -> None:
    _called(alice, 1, times=2)
    _called(alice, 1, status=429)
    _called(alice, 0, endpoint="=1+1", status=404)
    response = _ask(client, alice, format="csv")
    assert response.headers["Content-Type"] == "text/csv; charset=utf-8"
    assert (
        response.headers["Content-Disposition"]
        == 'attachment; filename="usage_2026-08-31_2026-09-30_day.csv"'
    )
    assert response.headers["X-RateLimit-Limit"] == "600"
    assert response.headers["X-Request-Id"]
    assert response.get_data(as_text=True).startswith(
        "period_start,api_key_id,key_prefix,endpoint,calls,errors\r\n2026-09-29,"
    )
    key = [str(alice.key_id), alice.key[:12]]
    assert _lines(response)[1:] == [
        ["2026-09-29", *key, ANALYZE, "3", "1"],
        ["2026-09-30", *key, "'=1+1", "1", "1"],
    ]
    by_week = _lines(_ask(client, alice, format="csv", granularity="week", endpoint=ANALYZE))
    assert by_week[1:] == [["2026-09-28", *key, ANALYZE, "3", "1"]]


def test_a_sheet_of_nothing_is_its_header(client: FlaskClient, alice: Player) -> None:
    assert len(_lines(_ask(client, alice, format="csv"))) == 1


@pytest.mark.parametrize("accept", ["text/csv", "application/json", "image/png", "*/*;q=0", ""])
@pytest.mark.parametrize(
    ("form", "content"), [("csv", "text/csv; charset=utf-8"), ("json", "application/json")]
)
def test_accept_never_refuses(
    client: FlaskClient, alice: Player, accept: str, form: str, content: str
) -> None:
    response = client.get(f"/api/v1/usage?format={form}", headers={**alice.auth, "Accept": accept})
    assert (response.status_code, response.headers["Content-Type"]) == (200, content)


def test_a_database_that_is_away_is_503_in_both_forms(
    client: FlaskClient, alice: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(*_: object) -> None:
        raise sa.exc.OperationalError("SELECT", {}, psycopg.OperationalError("away"))

    monkeypatch.setattr("app.usage.usage_report._statement", away)
    monkeypatch.setattr("app.usage.csv_export._busy", away)
    for form in ("json", "csv"):
        response = _ask(client, alice, format=form)
        assert (response.status_code, response.get_json()["code"]) == (503, "DEPENDENCY_UNAVAILABLE")
        assert int(response.headers["Retry-After"]) >= 1


def test_the_document_describes_both_forms(client: FlaskClient) -> None:
    operation = client.get("/api/v1/openapi.json").get_json()["paths"]["/api/v1/usage"]["get"]
    assert {item["name"] for item in operation["parameters"]} >= {
        "from",
        "to",
        "granularity",
        "api_key_id",
        "endpoint",
        "organization_id",
        "format",
    }
    assert list(operation["responses"]["200"]["content"]) == ["application/json", "text/csv"]
    assert set(operation["responses"]) >= {"200", "400", "401", "404", "429", "500", "503"}
    example = operation["responses"]["200"]["content"]["application/json"]["example"]
    for part in ("by_key", "by_endpoint", "buckets"):
        for name in ("calls", "errors"):
            assert sum(item[name] for item in example[part]) == example["totals"][name]
