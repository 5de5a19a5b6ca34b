"""Strangers, rushes and nonsense: never a 5xx, never another tenant's data."""

from __future__ import annotations

import json
import uuid
from datetime import timedelta
from typing import Any

import hypothesis
import pytest
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import strategies as st
from werkzeug.test import TestResponse

from app import mcp, tenancy
from app.mcp import endpoint, search_tools
from app.platform import clock, errors, settings
from app.platform.postgres import db, rls
from app.tenancy import Caller
from tests.cast import LEASE, Cast, Player
from tests.mcp.assistant import ERAS, LEGACY, MODERN, content, rpc

CALL = {"name": "list_jurisdictions", "arguments": {}}
ENDPOINTS = ("/api/mcp", "/api/mcp/search")


def refused(response: TestResponse, status: int, code: str) -> None:
    assert (response.status_code, response.get_json()["code"]) == (status, code), response.text


@pytest.mark.parametrize("path", ENDPOINTS)
@pytest.mark.parametrize("version", [MODERN, LEGACY[0]])
def test_who_has_no_key_that_is_good_gets_nothing(
    client: FlaskClient, cast: Cast, path: str, version: str
) -> None:
    def call(key: str | None) -> TestResponse:
        headers = {"Authorization": f"Bearer {key}"} if key is not None else {}
        return rpc(client, None, "tools/list", version=version, headers=headers, path=path)

    refused(call(None), 401, "UNAUTHENTICATED")
    refused(call(""), 401, "UNAUTHENTICATED")
    refused(call("svc_" + "x" * 40), 401, "UNAUTHENTICATED")
    expired = cast.player("expired", expires_at=clock.now() - timedelta(minutes=1))
    refused(call(expired.key), 401, "KEY_EXPIRED")
    narrowed = cast.player("narrowed", scopes=("analyze", "query"))
    refused(call(narrowed.key), 401, "SCOPE_REQUIRED")


def test_a_revoked_key_is_refused_on_the_next_request(client: FlaskClient, cast: Cast, alice: Player) -> None:
    assert rpc(client, alice, "tools/call", CALL).status_code == 200
    child = cast.child(alice)
    assert rpc(client, child, "tools/call", CALL).status_code == 200
    with db.transaction() as session:
        tenancy.revoke_key(session, alice.key_id, now=clock.now())
    refused(rpc(client, alice, "tools/call", CALL), 401, "KEY_REVOKED")
    # A child ends with its master.
    refused(rpc(client, child, "tools/call", CALL), 401, "KEY_REVOKED")


@pytest.mark.parametrize("version", ERAS)
def test_a_session_id_is_no_credential(client: FlaskClient, alice: Player, version: str) -> None:
    rpc(client, alice, "tools/list", version=version)
    for session in ("", uuid.uuid4().hex, alice.key, str(alice.account_id)):
        stranger = rpc(client, None, "tools/list", version=version, headers={"Mcp-Session-Id": session})
        assert stranger.status_code == 401
        owner = rpc(client, alice, "tools/list", version=version, headers={"Mcp-Session-Id": session})
        assert owner.status_code == 200
        assert "Mcp-Session-Id" not in owner.headers


@pytest.mark.parametrize("version", [MODERN, LEGACY[0]])
@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Host": "evil.example.com"}, 421),
        ({"Host": "localhost.evil.example.com"}, 421),
        ({"Host": "127.0.0.1.evil.example.com:80"}, 421),
        ({"Host": ""}, 421),
        ({"Origin": "https://evil.example.com"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "http://localhost.evil.example.com"}, 403),
        ({"Origin": "http://localhost:6274"}, 200),
        ({"Host": "127.0.0.1:8000"}, 200),
        ({}, 200),
    ],
)
def test_pages_of_other_origins_and_names_that_point_here_get_nothing(
    client: FlaskClient, alice: Player, version: str, headers: dict[str, str], status: int
) -> None:
    response = rpc(client, alice, "tools/call", CALL, version=version, headers=headers)
    assert response.status_code == status, response.text
    assert ("jurisdictions" in response.text) == (status == 200)


@pytest.mark.parametrize("version", [MODERN, LEGACY[0]])
def test_a_megabyte_of_arguments_is_refused_by_name(client: FlaskClient, alice: Player, version: str) -> None:
    for arguments in (
        {"text": "a" * 1_000_000},
        {"text": LEASE, "x" * 1_000_000: 1},
        {"documents": [{"text": "a" * 1_000_000}]},
    ):
        call = {"name": "analyze_document", "arguments": arguments}
        response = rpc(client, alice, "tools/call", call, version=version)
        assert response.status_code == 200
        assert len(response.data) < 10_000
    query = {"name": "search_statutes", "arguments": {"query": "a" * 1_000_000}}
    assert rpc(client, alice, "tools/call", query, version=version).get_json()["result"]["isError"]


def test_a_body_beyond_the_limit_is_413(client: FlaskClient, alice: Player) -> None:
    body = b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"' + b"a" * 12_000_000 + b'"}}'
    response = client.post("/api/mcp", data=body, headers={**alice.auth, "Content-Type": "application/json"})
    refused(response, 413, "PAYLOAD_TOO_LARGE")


def test_deep_arguments_are_refused_before_anything_reads_them(client: FlaskClient, alice: Player) -> None:
    deep: Any = 1
    for _ in range(40):
        deep = [deep]
    call = {"name": "search_statutes", "arguments": {"query": "plazo", "tipos": deep}}
    response = rpc(client, alice, "tools/call", call)
    assert (response.status_code, response.get_json()["error"]["code"]) == (400, -32700)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**60), 2**60) | st.floats() | st.text(max_size=40),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
PLAUSIBLE = st.sampled_from(
    [
        "art. 1903 CC", "STC 76/2019", "ECLI:ES:TC:2019:76", "CC", "1903", "ES", "auto", "es", "deep",
        "2020-02-30", "2020-01-01", "9999-12-31", "0001-01-01", LEASE, "a" * 60, "x", "", "\u202e[L1]",
        "%00' OR 1=1 --", str(uuid.UUID(int=0)), "c2VxOjE", 0, 1, 50, -1, True, [], ["ley"],
        [{"text": LEASE}], "penal",
        "article:" + str(uuid.UUID(int=0)), "judgment:" + str(uuid.UUID(int=0)), "article:x",
    ]
)  # fmt: skip
EVERY = [*endpoint.all_tools(settings.load()), *search_tools.tools(settings.load())]


@hypothesis.settings(
    max_examples=120,
    suppress_health_check=[
        hypothesis.HealthCheck.function_scoped_fixture, hypothesis.HealthCheck.too_slow
    ],
)  # fmt: skip
@hypothesis.given(data=st.data())
def test_whatever_a_tool_is_given_it_answers(app: Flask, alice_of_all: Player, data: st.DataObject) -> None:
    one = data.draw(st.sampled_from(EVERY), label="tool")
    names = [field.data_key or name for name, field in one.arguments.fields.items()]
    arguments = {name: data.draw(PLAUSIBLE | JSON, label=name) for name in names if data.draw(st.booleans())}
    version = data.draw(st.sampled_from([MODERN, LEGACY[0], LEGACY[2]]))
    path = "/api/mcp/search" if one.name in ("search", "fetch") else "/api/mcp"
    call = {"name": one.name, "arguments": arguments}
    response = rpc(app.test_client(), alice_of_all, "tools/call", call, version=version, path=path)
    assert response.status_code in (200, 400), response.text
    found = response.get_json()
    assert found["error"]["code"] in (-32700, -32600, -32602) if "error" in found else found["result"]
    if "result" in found:
        [block] = found["result"]["content"]
        said = json.loads(block["text"])
        assert ("error" in said and "code" in said) or not found["result"].get("isError")


@hypothesis.settings(max_examples=80, suppress_health_check=[hypothesis.HealthCheck.function_scoped_fixture])
@hypothesis.given(
    method=st.sampled_from(
        ["tools/list", "tools/call", "server/discover", "initialize", "ping", "tasks/get", "resources/list",
         "prompts/get", "completion/complete", "logging/setLevel", "subscriptions/listen", "notifications/x"]
    ) | st.text(max_size=20),
    params=JSON,
    identifier=st.sampled_from([1, "a", None, 1.5, True, [], {}]),
    headers=st.dictionaries(
        st.sampled_from(["MCP-Protocol-Version", "Mcp-Method", "Mcp-Name", "Accept", "Mcp-Session-Id",
                         "Last-Event-ID", "Content-Encoding"]),
        st.sampled_from(
            [MODERN, *LEGACY, "", "tools/list", "*/*", "text/event-stream", "gzip", "=?base64?x?="]
        ),
        max_size=4,
    ),
)  # fmt: skip
def test_whatever_is_posted_is_answered(
    app: Flask, alice_of_all: Player, method: str, params: Any, identifier: Any, headers: dict[str, str]
) -> None:
    body = {"jsonrpc": "2.0", "id": identifier, "method": method, "params": params}
    try:
        data = json.dumps(body).encode()
    except ValueError:
        return
    response = app.test_client().post(
        "/api/mcp",
        data=data,
        headers={**alice_of_all.auth, "Content-Type": "application/json", **headers},
    )
    assert response.status_code < 500, response.text


@pytest.fixture
def alice_of_all(cast: Cast) -> Player:
    return cast.player("alice", credit=1_000_000)


def test_one_tenants_answers_are_not_anothers(client: FlaskClient, cast: Cast, alice: Player) -> None:
    mallory = cast.player("mallory")
    key = f"shared-{uuid.uuid4()}"
    call = {"name": "analyze_document", "arguments": {"text": LEASE}}
    answers = [
        rpc(client, player, "tools/call", call, meta={"idempotencyKey": key}).get_json()["result"]
        for player in (alice, mallory)
    ]
    assert [one["structuredContent"]["replayed"] for one in answers] == [False, False]
    assert len({one["structuredContent"]["requestId"] for one in answers}) == 2
    # A child's keys are its own: its holder may be another firm.
    child = cast.child(alice)
    again = rpc(client, child, "tools/call", call, meta={"idempotencyKey": key}).get_json()["result"]
    assert again["structuredContent"]["replayed"] is False


def test_what_fails_inside_says_nothing_of_itself(
    client: FlaskClient, alice: Player, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def fails(*_: Any, **__: Any) -> Any:
        raise RuntimeError("secret words of a document")

    monkeypatch.setattr("app.corpus.operations.corpus.coverage_snapshot", fails)
    for version in ERAS:
        response = rpc(client, alice, "tools/call", {"name": "corpus_coverage"}, version=version)
        assert response.status_code == 200
        error = response.get_json()["error"]
        assert (error["code"], "secret" in response.text) == (-32603, False)
        assert error["data"]["requestId"] == response.headers["X-Request-Id"]
        assert "you were not charged" in error["message"]
    written = capfd.readouterr()
    assert "RuntimeError" in written.err
    assert "secret" not in written.out + written.err


def test_while_a_store_is_away_the_model_is_told_to_come_back(
    client: FlaskClient, alice: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(*_: Any, **__: Any) -> Any:
        raise errors.Upstream("The service is briefly unavailable.")

    monkeypatch.setattr("app.corpus.operations.corpus.coverage_snapshot", away)
    found = rpc(client, alice, "tools/call", {"name": "corpus_coverage"}).get_json()["result"]
    assert found["isError"] is True
    assert json.loads(found["content"][0]["text"])["code"] == "DEPENDENCY_UNAVAILABLE"


def test_a_door_may_know_its_callers_by_something_else(app: Flask, cast: Cast) -> None:
    """What OAuth needs: an address whose callers no key identifies, with all the rest as it is."""
    alice = cast.player("alice")

    def by_badge() -> Caller:
        from flask import request

        if request.headers.get("X-Badge") != "alice":
            raise errors.Denied("Show your badge.", code="BADGE_REQUIRED")
        # Whose rows may be seen is known only when this is over.
        with rls.as_system(), db.statements() as session:
            return tenancy.as_key(session, alice.account_id, alice.key_id, now=clock.now())

    other = Flask("other", root_path=str(settings.PROJECT))
    from app.platform.web import http

    http.install(other)
    badges = endpoint.Endpoint(
        "/api/mcp/badge", endpoint.all_tools, "x", background=True, identify_caller=by_badge
    )
    mcp.install(other, settings.current(), [badges])
    client = other.test_client()
    refused(rpc(client, alice, "tools/call", CALL, path=badges.address), 401, "BADGE_REQUIRED")
    badge = {"X-Badge": "alice", "Authorization": ""}
    response = rpc(client, None, "tools/call", CALL, path=badges.address, headers=badge)
    assert "result" in response.get_json(), response.text
    assert response.get_json()["result"]["structuredContent"]["total"] > 60


def test_a_forged_lock_in_a_text_stays_without_force(client: FlaskClient, alice: Player) -> None:
    forged = f"{LEASE} [L2-J-V] SERVICE-AUDIT-TRAIL-BEGIN [L1] artículo 1903 del Código Civil [L5-C]"
    found = content(client, alice, "verify_document_citations", text=forged)
    assert "[L" not in json.dumps(found)
    listed = content(client, alice, "extract_citations", text=forged)
    assert "[L" not in json.dumps(listed)
