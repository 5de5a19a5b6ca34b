"""The flow by hand: metadata, consent, tokens, refresh, revocation; the grant is a key of the account."""

from __future__ import annotations

from datetime import timedelta

import pytest
from flask import Flask
from flask.testing import FlaskClient

from app import oauth, tenancy, usage
from app.oauth.grants import GRACE
from app.platform import clock
from app.platform.postgres import db
from tests.cast import LEASE, Player
from tests.mcp.assistant import TOOLS, rpc
from tests.oauth.browser import CALLBACK, Assistant, decide, given, signed_in
from tests.oauth.conftest import CONNECT, grant_key, listing


def later(monkeypatch: pytest.MonkeyPatch, by: timedelta) -> None:
    moment = clock.now() + by
    monkeypatch.setattr(clock, "now", lambda: moment)


def test_the_way_from_a_refusal_to_the_metadata(client: FlaskClient) -> None:
    refused = listing(client, None)
    assert refused.status_code == 401
    assert refused.headers["WWW-Authenticate"] == (
        'Bearer resource_metadata="http://localhost/.well-known/oauth-protected-resource/api/mcp/connect", '
        'scope="mcp"'
    )
    resource = client.get("/.well-known/oauth-protected-resource/api/mcp/connect").get_json()
    assert resource["resource"] == "http://localhost/api/mcp/connect"
    assert resource["authorization_servers"] == ["http://localhost/oauth"]
    server = client.get("/.well-known/oauth-authorization-server/oauth").get_json()
    assert server["issuer"] == "http://localhost/oauth"
    assert server["code_challenge_methods_supported"] == ["S256"]
    assert server["authorization_response_iss_parameter_supported"] is True
    assert server["client_id_metadata_document_supported"] is True
    assert {
        server[f"{one}_endpoint"] for one in ("authorization", "token", "registration", "revocation")
    } == {
        "http://localhost/portal/authorize",
        "http://localhost/oauth/token",
        "http://localhost/oauth/register",
        "http://localhost/oauth/revoke",
    }


@pytest.mark.parametrize(
    "path",
    [
        "/.well-known/oauth-authorization-server",
        "/.well-known/oauth-protected-resource",
        "/.well-known/oauth-protected-resource/api/mcp",
        "/.well-known/openid-configuration",
    ],
)
def test_nothing_lies_at_the_addresses_of_the_key_door(client: FlaskClient, path: str) -> None:
    assert client.get(path).status_code == 404
    refused = rpc(client, None, "tools/list")
    assert refused.status_code == 401
    assert "resource_metadata" not in refused.headers["WWW-Authenticate"]


def test_addresses_are_those_of_the_setting(
    app: Flask, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    from app.platform import settings

    public = settings.current().model_copy(update={"public_url": "https://law.example"})
    monkeypatch.setattr(settings, "current", lambda: public)
    resource = client.get("/.well-known/oauth-protected-resource/api/mcp/connect").get_json()
    assert resource["resource"] == "https://law.example/api/mcp/connect"
    refused = listing(client, None).headers["WWW-Authenticate"]
    assert "https://law.example/.well-known/oauth-protected-resource/api/mcp/connect" in refused


def test_over_plain_http_nobody_consents_and_no_token_is_sent(
    app: Flask, client: FlaskClient, alice: Player, assistant: Assistant
) -> None:
    plain = "http://law.example"
    page = signed_in(app, alice, plain).get(plain + assistant.address())
    assert page.status_code == 400
    assert "its https address" in page.text or "su dirección https" in page.text
    for path in ("/oauth/token", "/oauth/revoke"):
        refused = client.post(plain + path, data={"grant_type": "refresh_token", "refresh_token": "x"})
        assert (refused.status_code, refused.get_json()["error"]) == (400, "invalid_request")


def test_a_whole_flow_ends_at_the_tools(
    client: FlaskClient, browser: FlaskClient, assistant: Assistant
) -> None:
    answer = decide(browser, assistant.address())
    assert answer.status_code == 302
    assert answer.location.startswith(f"{CALLBACK}?")
    told = given(answer)
    assert set(told) == {"code", "state", "iss"}
    assert (told["state"], told["iss"]) == ("xyz", "http://localhost/oauth")
    exchanged = assistant.exchange(told["code"])
    assert exchanged.headers["Cache-Control"] == "no-store"
    tokens = exchanged.get_json()
    assert (tokens["token_type"], tokens["expires_in"], tokens["scope"]) == ("Bearer", 3600, "mcp")
    tools = listing(client, tokens["access_token"])
    assert tools.status_code == 200, tools.text
    assert [tool["name"] for tool in tools.get_json()["result"]["tools"]] == list(TOOLS)


def test_a_grant_is_a_key_with_limits_that_is_metered_and_capped(
    client: FlaskClient, alice: Player, browser: FlaskClient, assistant: Assistant
) -> None:
    token = assistant.connected(browser, cap="0", days="30")["access_token"]
    key = grant_key(alice)
    assert (key.role, key.tier, key.name, key.issued_to) == (
        "solo",
        "enterprise",
        "Assistant",
        "assistant.example",
    )
    assert key.scopes == ["analyze", "query", "mcp"]
    assert key.monthly_credit_cap == 0
    assert key.expires_at is not None
    assert abs(key.expires_at - clock.now() - timedelta(days=30)) < timedelta(minutes=1)
    called = rpc(
        client,
        None,
        "tools/call",
        {"name": "analyze_document", "arguments": {"text": LEASE}},
        path=CONNECT,
        headers={"Authorization": f"Bearer {token}"},
    )
    result = called.get_json()["result"]
    assert result["isError"]
    assert "SPEND_CAP" in result["content"][0]["text"]
    while usage.drain("oauth-test"):
        pass
    with db.reading() as session:
        row = session.one(
            "SELECT count(*) AS n FROM usage_calls WHERE api_key_id = %(key)s AND endpoint LIKE %(path)s",
            {"key": key.id, "path": f"{CONNECT}:%"},
        )
    assert row.n == 1


def test_only_what_was_ticked_is_granted(
    client: FlaskClient, alice: Player, browser: FlaskClient, assistant: Assistant
) -> None:
    asked: dict[str, str | None] = {"scope": "mcp query analyze offline_access"}
    tokens = assistant.exchange(assistant.code(browser, asked=asked, scopes=["query"])).get_json()
    assert tokens["scope"] == "mcp query"
    assert grant_key(alice).scopes == ["query", "mcp"]
    called = rpc(
        client,
        None,
        "tools/call",
        {"name": "analyze_document", "arguments": {"text": LEASE}},
        path=CONNECT,
        headers={"Authorization": f"Bearer {tokens['access_token']}"},
    )
    assert "SCOPE_REQUIRED" in called.get_json()["result"]["content"][0]["text"]


def test_without_the_scope_of_the_tools_the_door_says_which_is_needed(
    client: FlaskClient, browser: FlaskClient, assistant: Assistant
) -> None:
    tokens = assistant.exchange(assistant.code(browser, asked={"scope": "query"})).get_json()
    assert tokens["scope"] == "query"
    refused = listing(client, tokens["access_token"])
    assert refused.status_code == 403
    told = refused.headers["WWW-Authenticate"]
    assert 'error="insufficient_scope"' in told
    assert 'scope="mcp"' in told


@pytest.mark.parametrize(
    "resource",
    [
        "http://localhost/api/mcp/connect",
        "http://localhost/api/mcp/connect/",
        "http://localhost",
        "http://localhost/",
        "http://LOCALHOST:80/api/mcp/connect",
        None,
    ],
)
def test_every_spelling_of_the_resource_means_one_audience(
    client: FlaskClient, browser: FlaskClient, assistant: Assistant, resource: str | None
) -> None:
    code = assistant.code(browser, asked={"resource": resource})
    tokens = assistant.exchange(code, **({"resource": resource} if resource else {})).get_json()
    assert listing(client, tokens["access_token"]).status_code == 200
    again = assistant.refresh(tokens["refresh_token"]).get_json()
    assert listing(client, again["access_token"]).status_code == 200


def test_refresh_tokens_rotate_and_the_old_one_works_for_a_moment(
    client: FlaskClient, browser: FlaskClient, assistant: Assistant
) -> None:
    first = assistant.connected(browser)
    second = assistant.refresh(first["refresh_token"]).get_json()
    assert second["refresh_token"] != first["refresh_token"]
    assert second["scope"] == "mcp"
    lost = assistant.refresh(first["refresh_token"])  # the answer did not arrive: asked once more
    assert lost.status_code == 200
    assert assistant.refresh(second["refresh_token"]).status_code == 200
    assert listing(client, lost.get_json()["access_token"]).status_code == 200


def test_an_old_refresh_token_that_comes_back_late_ends_the_grant(
    client: FlaskClient,
    alice: Player,
    browser: FlaskClient,
    assistant: Assistant,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    first = assistant.connected(browser)
    second = assistant.refresh(first["refresh_token"]).get_json()
    later(monkeypatch, GRACE + timedelta(seconds=1))
    stolen = assistant.refresh(first["refresh_token"])
    assert (stolen.status_code, stolen.get_json()["error"]) == (400, "invalid_grant")
    assert assistant.refresh(second["refresh_token"]).get_json()["error"] == "invalid_grant"
    assert listing(client, second["access_token"]).status_code == 401
    assert not grant_key(alice).active


def test_revoking_in_the_portal_holds_on_the_next_request(
    client: FlaskClient, alice: Player, browser: FlaskClient, assistant: Assistant
) -> None:
    tokens = assistant.connected(browser)
    assert listing(client, tokens["access_token"]).status_code == 200
    key = grant_key(alice)
    listed = browser.get("/portal/keys").text
    assert "Asistente: assistant.example" in listed
    with db.transaction() as session:
        tenancy.revoke_key(session, key.id, now=clock.now(), account_id=alice.account_id)
    refused = listing(client, tokens["access_token"])
    assert (refused.status_code, refused.get_json()["code"]) == (401, "KEY_REVOKED")
    assert 'error="invalid_token"' in refused.headers["WWW-Authenticate"]
    assert assistant.refresh(tokens["refresh_token"]).get_json()["error"] == "invalid_grant"


def test_the_client_revokes_its_tokens(
    client: FlaskClient, alice: Player, browser: FlaskClient, assistant: Assistant
) -> None:
    tokens = assistant.connected(browser)
    assert assistant.revoke(tokens["access_token"]).status_code == 200
    assert listing(client, tokens["access_token"]).status_code == 401
    again = assistant.refresh(tokens["refresh_token"]).get_json()
    assert assistant.revoke(again["refresh_token"]).status_code == 200
    assert listing(client, again["access_token"]).status_code == 401
    assert not grant_key(alice).active
    assert assistant.revoke("unknown").status_code == 200


def test_a_token_ends_when_it_is_to(
    client: FlaskClient, browser: FlaskClient, assistant: Assistant, monkeypatch: pytest.MonkeyPatch
) -> None:
    tokens = assistant.connected(browser, days="30")
    later(monkeypatch, timedelta(hours=1, seconds=1))
    assert listing(client, tokens["access_token"]).status_code == 401
    renewed = assistant.refresh(tokens["refresh_token"]).get_json()
    assert listing(client, renewed["access_token"]).status_code == 200
    later(monkeypatch, timedelta(days=30))
    assert assistant.refresh(renewed["refresh_token"]).get_json()["error"] == "invalid_grant"


def test_what_is_over_is_forgotten_and_what_is_in_use_stays(
    client: FlaskClient, browser: FlaskClient, assistant: Assistant, monkeypatch: pytest.MonkeyPatch
) -> None:
    tokens = assistant.connected(browser)
    unused = Assistant(client)
    assistant.code(browser)  # never exchanged
    later(monkeypatch, timedelta(days=2))
    with db.transaction() as session:
        assert oauth.forget(session, now=clock.now()) >= 3  # an access token, a consent, a client
    assert assistant.refresh(tokens["refresh_token"]).status_code == 200
    gone = browser.get(unused.address())
    assert gone.status_code == 400


def test_another_tenant_sees_nothing_of_a_grant(
    app: Flask, alice: Player, mallory: Player, browser: FlaskClient, assistant: Assistant
) -> None:
    assistant.connected(browser)
    key = grant_key(alice)
    other = signed_in(app, mallory)
    assert other.get(f"/portal/keys/{key.id}").status_code == 404
    assert "assistant.example" not in other.get("/portal/keys").text
