"""What an attacker tries: others' codes and tokens, open redirects, wrong verifiers, forged consent."""

from __future__ import annotations

from typing import Any

import pytest
import sqlalchemy as sa
from flask import Flask
from flask.testing import FlaskClient

from app.oauth import clients
from app.oauth.models import OAuthGrant
from app.platform import safe_http
from app.platform.postgres import db
from tests.cast import Cast, Player
from tests.mcp.assistant import rpc
from tests.oauth.browser import CALLBACK, WRONG_REDIRECTS, Assistant, decide, given, signed_in
from tests.oauth.conftest import CONNECT, grant_key, listing
from tests.portal.conftest import colleague

DOCUMENT = "https://assistant.example/client.json"


def test_a_key_opens_not_the_oauth_door_and_a_token_not_the_key_door(
    client: FlaskClient, alice: Player, browser: FlaskClient, assistant: Assistant
) -> None:
    token = assistant.connected(browser)["access_token"]
    assert rpc(client, alice, "tools/list", path=CONNECT).status_code == 401
    bearer = {"Authorization": f"Bearer {token}"}
    for path in ("/api/mcp", "/api/mcp/search"):
        assert rpc(client, None, "tools/list", path=path, headers=bearer).status_code == 401
    assert client.get("/api/v1/usage", headers=bearer).status_code == 401


def test_a_refresh_token_and_a_code_are_no_access_tokens(
    client: FlaskClient, browser: FlaskClient, assistant: Assistant
) -> None:
    code = assistant.code(browser)
    assert listing(client, code).status_code == 401
    tokens = assistant.exchange(code).get_json()
    assert listing(client, tokens["refresh_token"]).status_code == 401
    assert assistant.refresh(tokens["access_token"]).get_json()["error"] == "invalid_grant"


def test_a_token_for_another_audience_opens_nothing(
    client: FlaskClient, browser: FlaskClient, assistant: Assistant
) -> None:
    token = assistant.connected(browser)["access_token"]
    with db.transaction() as session:
        session.execute(sa.update(OAuthGrant).values(audience="https://other.example/api/mcp/connect"))
    assert listing(client, token).status_code == 401


@pytest.mark.parametrize(
    "resource",
    ["https://other.example", "http://localhost/api/mcp", "http://localhost:81", "nonsense", "http://["],
)
def test_another_resource_is_refused_at_every_step(
    browser: FlaskClient, assistant: Assistant, resource: str
) -> None:
    led = browser.get(assistant.address(resource=resource))
    assert led.status_code == 302
    assert given(led)["error"] == "invalid_target"
    assert given(led)["iss"] == "http://localhost/oauth"
    code = assistant.code(browser)
    assert assistant.exchange(code, resource=resource).get_json()["error"] == "invalid_target"
    tokens = assistant.exchange(code).get_json()
    refused = assistant.refresh(tokens["refresh_token"], resource=resource)
    assert refused.get_json()["error"] == "invalid_target"


def test_a_code_opens_once_and_its_second_use_ends_the_grant(
    client: FlaskClient, browser: FlaskClient, assistant: Assistant
) -> None:
    code = assistant.code(browser)
    tokens = assistant.exchange(code).get_json()
    replayed = assistant.exchange(code)
    assert (replayed.status_code, replayed.get_json()["error"]) == (400, "invalid_grant")
    assert listing(client, tokens["access_token"]).status_code == 401
    assert assistant.refresh(tokens["refresh_token"]).get_json()["error"] == "invalid_grant"


def test_a_code_needs_its_verifier_redirect_uri_and_client(
    client: FlaskClient, browser: FlaskClient, assistant: Assistant
) -> None:
    code = assistant.code(browser)
    foreign = Assistant(client)
    for wrong in (
        {"code_verifier": "w" * 43},
        {"code_verifier": ""},
        {"redirect_uri": "https://assistant.example/other"},
        {"client_id": foreign.client_id},
        {"client_id": "unknown"},
        {"client_id": "un\x00known"},
        {"code": "wrong"},
        {"code": "señal"},
        {"grant_type": 'pass"word'},
        {"client_secret": "made up"},
    ):
        answer = assistant.exchange(code, **wrong)
        assert 400 <= answer.status_code < 500, (wrong, answer.text)
        assert "access_token" not in answer.text
    assert assistant.exchange(code).status_code == 200


def test_another_clients_tokens_can_be_neither_refreshed_nor_revoked(
    client: FlaskClient, browser: FlaskClient, assistant: Assistant
) -> None:
    tokens, foreign = assistant.connected(browser), Assistant(client)
    assert foreign.refresh(tokens["refresh_token"]).get_json()["error"] == "invalid_grant"
    assert foreign.revoke(tokens["refresh_token"]).status_code == 200
    assert listing(client, tokens["access_token"]).status_code == 200
    assert assistant.refresh(tokens["refresh_token"]).status_code == 200


@pytest.mark.parametrize(
    "asked",
    [
        {"code_challenge": None},
        {"code_challenge_method": None},
        {"code_challenge_method": "plain"},
        {"code_challenge": "short"},
        {"response_type": "token"},
        {"response_type": 'co"de'},
        {"scope": "openid"},
    ],
)
def test_a_wrong_request_goes_back_to_the_client_with_an_error(
    browser: FlaskClient, assistant: Assistant, asked: dict[str, str | None]
) -> None:
    answer = browser.get(assistant.address(**asked))
    assert answer.status_code == 302, answer.text
    assert answer.location.startswith(f"{CALLBACK}?")
    assert {"error", "state", "iss"} <= set(given(answer))


@pytest.mark.parametrize(
    "redirect",
    [
        None,
        "https://evil.example/callback",
        "https://assistant.example/callback/",
        "https://assistant.example/callback?x=1",
        "https://assistant.example@evil.example/callback",
        "http://assistant.example/callback",
        "https://assistant.example:8443/callback",
        "javascript:alert(1)",
        "//evil.example",
        "\u202ehttps://assistant.example/callback",
    ],
)
def test_nobody_is_led_to_an_address_that_the_client_did_not_register(
    browser: FlaskClient, assistant: Assistant, redirect: str | None
) -> None:
    for address in (
        assistant.address(redirect_uri=redirect),
        assistant.address(redirect_uri=redirect, response_type="token"),
    ):
        answer = browser.get(address)
        assert answer.status_code == 400
        assert "Location" not in answer.headers


@pytest.mark.parametrize(
    "client_id", ["unknown", "", "x\x00y", "https://127.0.0.1/client.json", "http://a.example/c"]
)
def test_an_unknown_client_leads_nowhere(browser: FlaskClient, assistant: Assistant, client_id: str) -> None:
    answer = browser.get(assistant.address(client_id=client_id))
    assert answer.status_code == 400
    assert "Location" not in answer.headers


@pytest.mark.parametrize("uri", WRONG_REDIRECTS)
def test_such_a_redirect_uri_cannot_be_registered(client: FlaskClient, cast: Cast, uri: str) -> None:
    answer = client.post("/oauth/register", json={"redirect_uris": [uri]})
    assert (answer.status_code, answer.get_json()["error"]) == (400, "invalid_redirect_uri")


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"redirect_uris": []},
        {"redirect_uris": CALLBACK},
        {"redirect_uris": [CALLBACK] * 21},
        {"redirect_uris": [CALLBACK], "client_name": 7},
        {"redirect_uris": [CALLBACK], "grant_types": ["implicit"]},
        {"redirect_uris": [CALLBACK], "response_types": "code"},
    ],
)
def test_wrong_metadata_are_not_registered(client: FlaskClient, cast: Cast, body: dict[str, Any]) -> None:
    answer = client.post("/oauth/register", json=body)
    assert answer.status_code == 400
    assert answer.get_json()["error"].startswith("invalid_")
    assert client.post("/oauth/register", data="[]", content_type="application/json").status_code == 400
    assert client.post("/oauth/register", data="{", content_type="application/json").status_code == 400


def test_registrations_are_limited(client: FlaskClient, assistant: Assistant) -> None:
    body = {"redirect_uris": [CALLBACK]}
    statuses = [client.post("/oauth/register", json=body).status_code for _ in range(11)]
    assert statuses[0] == 201
    assert statuses[-1] == 429


def test_consent_needs_a_member_with_the_role_and_a_form_of_our_own(
    app: Flask, client: FlaskClient, alice: Player, browser: FlaskClient, assistant: Assistant
) -> None:
    address = assistant.address()
    stranger = client.get(address)
    assert stranger.status_code == 303
    assert stranger.location.startswith("/portal/sign-in?next=")
    assert browser.post(address, data={"decision": "allow", "days": "90"}).status_code == 400
    elsewhere = {"Sec-Fetch-Site": "cross-site"}
    assert browser.post(address, data={"decision": "allow"}, headers=elsewhere).status_code == 403
    officer = signed_in(app, colleague(alice, "compliance"))
    assert officer.get(address).status_code == 403
    developer = signed_in(app, colleague(alice, "developer"))
    assert decide(developer, address).status_code == 302


def test_a_refusal_is_told_and_gives_nothing(browser: FlaskClient, assistant: Assistant) -> None:
    told = given(decide(browser, assistant.address(), decision="deny"))
    assert told == {"error": "access_denied", "state": "xyz", "iss": "http://localhost/oauth"} | {
        name: value for name, value in told.items() if name == "error_description"
    }


@pytest.mark.parametrize("form", [{"days": "9999"}, {"cap": "-1"}, {"cap": "many"}, {"cap": "1000000001"}])
def test_a_wrong_form_is_shown_again(
    browser: FlaskClient, assistant: Assistant, form: dict[str, str]
) -> None:
    assert decide(browser, assistant.address(), **form).status_code == 422


def test_the_key_of_a_grant_cannot_be_made_a_key_with_a_secret(
    alice: Player, browser: FlaskClient, assistant: Assistant
) -> None:
    assistant.connected(browser)
    key = grant_key(alice)
    assert "/rotate" not in browser.get(f"/portal/keys/{key.id}").text
    assert browser.get(f"/portal/keys/{key.id}/rotate").status_code == 303
    assert str(key.id) not in browser.get("/portal/organizations/new").text


class Fetched:
    """The answer of a client's host, and how often it was asked."""

    def __init__(self, document: bytes, status: int = 200) -> None:
        self.document, self.status, self.count = document, status, 0

    def __call__(self, method: str, url: str, **_: object) -> safe_http.Response:
        self.count += 1
        return safe_http.Response(self.status, {}, self.document)


def test_a_metadata_document_is_read_by_the_safe_fetcher_and_its_host_shown(
    client: FlaskClient, browser: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    document = b'{"client_id": "%s", "client_name": "Claude", "redirect_uris": ["http://127.0.0.1/cb"]}'
    fetched = Fetched(document % DOCUMENT.encode())
    monkeypatch.setattr(clients.safe_http, "send", fetched)
    mine = Assistant(client, "http://127.0.0.1:49152/cb", DOCUMENT)
    assert client.get(mine.address()).status_code == 303
    assert fetched.count == 0, "a stranger had the service fetch an address"
    page = browser.get(mine.address())
    assert page.status_code == 200, page.text
    assert "assistant.example" in page.text
    assert "form-action 'self' http://127.0.0.1:49152;" in page.headers["Content-Security-Policy"]
    tokens = mine.connected(browser)
    assert fetched.count == 1
    assert listing(client, tokens["access_token"]).status_code == 200


@pytest.mark.parametrize(
    ("document", "status"),
    [
        (b"{}", 200),
        (b"[]", 200),
        (b"not JSON", 200),
        (b'{"client_id": "https://other.example/c", "redirect_uris": ["https://other.example/cb"]}', 200),
        (b'{"client_id": "%s", "redirect_uris": ["javascript:alert(1)"]}' % DOCUMENT.encode(), 200),
        (
            b'{"client_id": "%s", "redirect_uris": ["https://a.example/cb"], '
            b'"token_endpoint_auth_method": "private_key_jwt"}' % DOCUMENT.encode(),
            200,
        ),
        (b"", 302),
        (b"", 500),
    ],
)
def test_a_wrong_metadata_document_is_refused(
    client: FlaskClient,
    browser: FlaskClient,
    monkeypatch: pytest.MonkeyPatch,
    document: bytes,
    status: int,
) -> None:
    monkeypatch.setattr(clients.safe_http, "send", Fetched(document, status))
    answer = browser.get(Assistant(client, CALLBACK, DOCUMENT).address())
    assert answer.status_code == 400
    assert "Location" not in answer.headers
