"""What is no tool's business: JSON-RPC, versions, headers, hosts, methods."""

from __future__ import annotations

from typing import Any

import pytest
from flask.testing import FlaskClient

from app.mcp import endpoint
from app.platform import settings
from tests.cast import Player
from tests.mcp.assistant import ERAS, LEGACY, MODERN, rpc

JSON = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}


def post(client: FlaskClient, player: Player, data: bytes | str, **headers: str) -> Any:
    return client.post("/api/mcp", data=data, headers={**player.auth, **JSON, **headers})


@pytest.mark.parametrize("version", [MODERN, LEGACY[0]])
@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", -32700),
        (b"{", -32700),
        (b"\xff\xfe", -32700),
        (b'{"a": NaN}', -32700),
        (b'{"a":' * 40 + b"1" + b"}" * 40, -32700),
        (b"[" * 100_000, -32700),
        (b"[]", -32600),
        (b"5", -32600),
        (b'{"hello": "there"}', -32600),
        (b'{"jsonrpc": "1.0", "id": 1, "method": "tools/list"}', -32600),
        (b'{"jsonrpc": "2.0", "id": 1}', -32600),
        (b'{"jsonrpc": "2.0", "id": 1, "method": 5}', -32600),
        (b'{"jsonrpc": "2.0", "id": null, "method": "tools/list"}', -32600),
        (b'{"jsonrpc": "2.0", "id": true, "method": "tools/list"}', -32600),
        (b'{"jsonrpc": "2.0", "id": 1.5, "method": "tools/list"}', -32600),
        (b'{"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": []}', -32600),
        (b'{"jsonrpc": "2.0", "id": 1, "result": {}}', -32600),
        (b'[{"jsonrpc": "2.0", "id": 1, "method": "ping"}]', -32600),
        (b'{"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"a": "\\u0000"}}', -32600),
        (b'{"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"a": "\\ud800"}}', -32600),
    ],
)
def test_a_body_that_is_no_request_is_told_so(
    client: FlaskClient, alice: Player, data: bytes, code: int, version: str
) -> None:
    response = post(client, alice, data, **{"MCP-Protocol-Version": version})
    assert response.status_code == 400
    found = response.get_json()
    assert (found["id"], found["error"]["code"]) == (None, code)
    assert "canary" not in found["error"]["message"]


@pytest.mark.parametrize("version", ERAS)
def test_an_unknown_tool_and_an_unknown_cursor_are_wrong_parameters(
    client: FlaskClient, alice: Player, version: str
) -> None:
    for method, params in (
        ("tools/list", {"cursor": "next"}),
        ("tools/call", {"name": "drop_tables", "arguments": {}}),
        ("tools/call", {"name": "verify_citation", "arguments": "art. 5"}),
        ("tools/call", {}),
    ):
        response = rpc(client, alice, method, params, version=version)
        assert response.status_code in (200, 400)
        assert response.get_json()["error"]["code"] == -32602, params


@pytest.mark.parametrize("version", ERAS)
def test_an_unknown_method_is_not_found(client: FlaskClient, alice: Player, version: str) -> None:
    response = rpc(client, alice, "tools/destroy", version=version)
    assert response.get_json()["error"]["code"] == -32601
    assert response.status_code == (404 if version == MODERN else 200)


def test_a_version_that_is_not_spoken_is_answered_with_those_that_are(
    client: FlaskClient, alice: Player
) -> None:
    response = rpc(client, alice, "tools/list", version="2030-01-01")
    assert response.status_code == 400
    error = response.get_json()["error"]
    assert (error["code"], error["data"]) == (-32022, {"supported": [MODERN], "requested": "2030-01-01"})


@pytest.mark.parametrize(
    "headers",
    [
        {"Mcp-Method": "tools/list"},
        {"Mcp-Name": "search_statutes"},
        {"Mcp-Name": "=?base64?!!!?="},
        {"Mcp-Name": ""},
        {"Mcp-Method": ""},
    ],
)
def test_headers_that_differ_from_the_body_are_refused(
    client: FlaskClient, alice: Player, headers: dict[str, str]
) -> None:
    call = {"name": "list_jurisdictions", "arguments": {}}
    response = rpc(client, alice, "tools/call", call, headers=headers)
    assert response.status_code == 400
    assert response.get_json()["error"]["code"] == -32020


def test_a_name_in_base64_is_read(client: FlaskClient, alice: Player) -> None:
    call = {"name": "list_jurisdictions", "arguments": {}}
    encoded = {"Mcp-Name": "=?base64?bGlzdF9qdXJpc2RpY3Rpb25z?="}
    assert rpc(client, alice, "tools/call", call, headers=encoded).status_code == 200


def test_a_modern_request_without_its_envelope_is_told_what_is_missing(
    client: FlaskClient, alice: Player
) -> None:
    response = post(
        client,
        alice,
        b'{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}',
        **{"MCP-Protocol-Version": MODERN, "Mcp-Method": "tools/list"},
    )
    assert (response.status_code, response.get_json()["error"]["code"]) == (400, -32602)


@pytest.mark.parametrize("method", ["GET", "DELETE", "PUT", "PATCH"])
@pytest.mark.parametrize("path", ["/api/mcp", "/api/mcp/search"])
def test_there_is_no_stream_and_no_session_to_end(
    client: FlaskClient, alice: Player, method: str, path: str
) -> None:
    response = client.open(path, method=method, headers={**alice.auth, "Accept": "text/event-stream"})
    assert response.status_code == 405
    assert "POST" in response.headers["Allow"]


def test_a_client_that_accepts_no_json_gets_none(client: FlaskClient, alice: Player) -> None:
    assert rpc(client, alice, "tools/list", headers={"Accept": "text/html"}).status_code == 406
    assert rpc(client, alice, "tools/list", headers={"Accept": "*/*"}).status_code == 200


def test_a_body_of_another_type_is_refused(client: FlaskClient, alice: Player) -> None:
    assert rpc(client, alice, "tools/list", headers={"Content-Type": "text/plain"}).status_code == 415


def test_keys_have_no_metadata_of_oauth(client: FlaskClient) -> None:
    response = client.post("/api/mcp", json={})
    assert response.status_code == 401
    assert "resource_metadata" not in response.headers["WWW-Authenticate"]
    for path in (
        "/.well-known/oauth-protected-resource",
        "/.well-known/oauth-protected-resource/api/mcp",
        "/.well-known/oauth-authorization-server",
    ):
        assert client.get(path).status_code == 404


def test_the_document_of_the_http_interface_does_not_know_the_tool_server(client: FlaskClient) -> None:
    paths = client.get("/api/v1/openapi.json").get_json()["paths"]
    assert not [path for path in paths if "mcp" in path]


@pytest.mark.parametrize(
    ("set_to", "hosts", "origins"),
    [
        (
            {},
            ["localhost", "localhost:*", "127.0.0.1", "127.0.0.1:*", "[::1]", "[::1]:*"],
            ["http://localhost", "http://localhost:*", "http://127.0.0.1", "http://127.0.0.1:*",
             "http://[::1]", "http://[::1]:*"],
        ),
        (
            {"public_url": "https://law.example.com"},
            ["law.example.com", "law.example.com:*"],
            ["https://law.example.com"],
        ),
        (
            {
                "public_url": "https://law.example.com",
                "mcp_hosts": "web, web:8000",
                "mcp_origins": "https://a.example.com/",
            },
            ["web", "web:*", "web:8000", "web:8000:*", "law.example.com", "law.example.com:*"],
            ["https://a.example.com", "https://law.example.com"],
        ),
    ],
)  # fmt: skip
def test_hosts_and_origins_follow_the_settings(
    set_to: dict[str, str], hosts: list[str], origins: list[str]
) -> None:
    config = settings.Settings(**set_to)
    assert endpoint._hosts(config) == hosts
    assert endpoint._origins(config) == origins
