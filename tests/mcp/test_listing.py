"""What a client learns before it calls: the tools, their schemas and hints, the server's own words."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from flask.testing import FlaskClient
from jsonschema import Draft202012Validator

from tests.cast import Player
from tests.mcp.assistant import ERAS, LEGACY, MODERN, TOOLS, rpc

SPEND = {"analyze_document", "audit_analysis"}
HINTS = {"readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"}


def listed(client: FlaskClient, player: Player, path: str = "/api/mcp", version: str = MODERN) -> Any:
    response = rpc(client, player, "tools/list", version=version, path=path)
    assert response.status_code == 200, response.text
    return response.get_json()["result"]


def properties(schema: Mapping[str, Any], path: str = "") -> Iterator[tuple[str, Mapping[str, Any]]]:
    for name, one in schema.get("properties", {}).items():
        yield f"{path}.{name}", one
        yield from properties(one, f"{path}.{name}")
    if "items" in schema:
        yield from properties(schema["items"], f"{path}[]")


@pytest.mark.parametrize("version", ERAS)
def test_there_are_fourteen_tools_in_the_same_order_with_the_arguments_decided(
    client: FlaskClient, alice: Player, version: str
) -> None:
    found = listed(client, alice, version=version)["tools"]
    assert [one["name"] for one in found] == list(TOOLS)
    assert {one["name"]: set(one["inputSchema"].get("properties", {})) for one in found} == TOOLS
    assert found == listed(client, alice, version=version)["tools"]


def test_the_search_address_has_search_and_fetch_alone(client: FlaskClient, alice: Player) -> None:
    found = listed(client, alice, "/api/mcp/search")["tools"]
    assert {one["name"]: set(one["inputSchema"]["properties"]) for one in found} == {
        "search": {"query"},
        "fetch": {"id"},
    }


@pytest.mark.parametrize("path", ["/api/mcp", "/api/mcp/search"])
def test_every_tool_says_what_it_is_and_every_property_what_it_means(
    client: FlaskClient, alice: Player, path: str
) -> None:
    for one in listed(client, alice, path)["tools"]:
        assert one["title"]
        assert one["description"]
        assert one["annotations"].keys() >= HINTS, one["name"]
        assert 0 < one["_meta"]["anthropic/maxResultSizeChars"] <= 500_000
        for schema in (one["inputSchema"], one["outputSchema"]):
            Draft202012Validator.check_schema(schema)
            assert "$ref" not in json.dumps(schema)
            assert "$schema" not in schema
            assert schema["type"] == "object"
            silent = [name for name, inner in properties(schema) if not inner.get("description")]
            assert silent == [], one["name"]
        assert one["inputSchema"]["additionalProperties"] is False
        # Some providers refuse a schema of arguments that chooses at its root.
        assert not {"anyOf", "oneOf", "allOf"} & set(one["inputSchema"])


def test_hints_tell_what_is_so(client: FlaskClient, alice: Player) -> None:
    for one in listed(client, alice)["tools"]:
        hints = one["annotations"]
        spends = one["name"] in SPEND
        assert (hints["readOnlyHint"], hints["idempotentHint"]) == (not spends, not spends), one["name"]
        assert hints["destructiveHint"] is False
        # Any account may bring an engine of its own, which is asked over the network (decision 081).
        assert hints["openWorldHint"] is (one["name"] in ("analyze_document", "audit_analysis")), one["name"]


def test_a_modern_client_is_told_how_long_a_list_is_good_and_who_answers(
    client: FlaskClient, alice: Player
) -> None:
    found = listed(client, alice)
    assert (found["ttlMs"], found["cacheScope"], found["resultType"]) == (300_000, "public", "complete")
    discovered = rpc(client, alice, "server/discover").get_json()["result"]
    assert discovered["supportedVersions"] == [MODERN]
    assert discovered["capabilities"]["extensions"] == {"io.modelcontextprotocol/tasks": {}}
    assert "verify" in discovered["instructions"]
    server = discovered["_meta"]["io.modelcontextprotocol/serverInfo"]
    assert (server["name"], server["title"], server["version"]) == ("service", "Candado", "1.8.0")
    assert server["icons"][0]["mimeType"] == "image/svg+xml"


@pytest.mark.parametrize("version", LEGACY)
def test_a_client_of_before_shakes_hands_and_gets_no_session(
    client: FlaskClient, alice: Player, version: str
) -> None:
    hello = {
        "protocolVersion": version,
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    }
    response = rpc(client, alice, "initialize", hello, version=version)
    found = response.get_json()["result"]
    assert found["protocolVersion"] == version
    assert "verify" in found["instructions"]
    assert "Mcp-Session-Id" not in response.headers
    noted = client.post(
        "/api/mcp",
        json={"jsonrpc": "2.0", "method": "notifications/initialized"},
        headers={**alice.auth, "Accept": "application/json, text/event-stream"},
    )
    assert (noted.status_code, noted.data) == (202, b"")


def test_a_client_of_a_version_that_never_was_is_offered_the_newest_of_before(
    client: FlaskClient, alice: Player
) -> None:
    hello = {
        "protocolVersion": "1999-01-01",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    }
    response = rpc(client, alice, "initialize", hello, version=LEGACY[-1])
    assert response.get_json()["result"]["protocolVersion"] == LEGACY[-1]
