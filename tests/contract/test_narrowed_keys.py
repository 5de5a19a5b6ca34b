"""A key that was narrowed may look at what the account manages, and change none of it (decision 007)."""

from __future__ import annotations

import re
import uuid
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from app import tenancy
from app.platform.postgres import db
from app.tenancy import SCOPES
from tests.cast import Cast, Player

API = "/api/v1"
WRITES = {"POST", "PUT", "PATCH", "DELETE"}
# Read as they look, but they hand out the whole account.
GRAVE_READS = {("GET", f"{API}/account/dsr/export")}
# Posted as they look, but they change nothing: what they answer is computed from what is there.
HARMLESS_POSTS = {
    ("POST", f"{API}/attestations/verify"),
    ("POST", f"{API}/outputs/<string:request_id>/attestation"),
}

# What each of them takes; fields that a route does not know are ignored.
BODY = {
    "name": "Changed", "childLabel": "Changed", "cidr": "198.51.100.0/24", "url": "https://93.184.215.14/in",
    "enabled": True, "decision": "accepted", "node": "A", "engine": "openai", "model": "m", "apiKey": "k",
}  # fmt: skip

NARROWED = [("analyze",), ("query",), ("mcp",), ("analyze", "query"), ("analyze", "mcp"), ("query", "mcp")]


def _management(app: Flask) -> list[tuple[str, str, Any]]:
    """Method, rule and view of what asks for a key but for no one scope, and changes something."""
    found = []
    for rule in app.url_map.iter_rules():
        view = app.view_functions[rule.endpoint]
        if not rule.rule.startswith(API) or getattr(view, "required", None) != ("key", None):
            continue
        found += [
            (method, rule.rule, view)
            for method in sorted((rule.methods or set()) & (WRITES | {"GET"}))
            if (method in WRITES and (method, rule.rule) not in HARMLESS_POSTS)
            or (method, rule.rule) in GRAVE_READS
        ]
    return found


def _ask(client: FlaskClient, method: str, rule: str, who: Player) -> Any:
    path = re.sub(r"<[^>]+>", lambda _: str(uuid.uuid4()), rule)
    body = None if method in ("GET", "DELETE") else BODY
    query = {"id": str(uuid.uuid4())} if method == "DELETE" and "allowlist" in rule else None
    return client.open(path, method=method, json=body, query_string=query, headers=who.auth)


def test_every_route_that_changes_what_is_managed_asks_for_a_whole_key(app: Flask) -> None:
    rows = _management(app)
    assert len(rows) >= 17
    assert [(method, rule) for method, rule, view in rows if view.manages is None] == []


@pytest.mark.parametrize("scopes", NARROWED, ids=lambda scopes: "+".join(scopes))
def test_a_narrowed_key_changes_nothing(
    app: Flask, client: FlaskClient, cast: Cast, scopes: tuple[str, ...]
) -> None:
    narrowed = cast.player(scopes=scopes)
    for method, rule, _ in _management(app):
        answer = _ask(client, method, rule, narrowed)
        body = answer.get_json()
        assert (answer.status_code, body["code"]) == (401, "SCOPE_REQUIRED"), (method, rule, body)
        assert body["details"] == {"required": list(SCOPES), "granted": list(scopes)}
        assert "all scopes (analyze, query, mcp)" in body["error"]
        assert f"has: {', '.join(scopes)}" in body["error"]
    assert client.get(f"{API}/webhooks", headers=narrowed.auth).get_json()["webhooks"] == []
    assert client.get(f"{API}/organizations", headers=narrowed.auth).get_json()["organizations"] == []


@pytest.mark.parametrize("path", ["webhooks", "organizations", "branding", "usage", "security/ip-allowlist"])
def test_a_narrowed_key_reads_what_is_managed(client: FlaskClient, cast: Cast, path: str) -> None:
    narrowed = cast.player(scopes=("query",))
    assert client.get(f"{API}/{path}", headers=narrowed.auth).status_code == 200


def test_a_whole_key_is_not_asked_twice(app: Flask, client: FlaskClient, cast: Cast) -> None:
    for method, rule, _ in _management(app):
        if "allowlist" in rule:
            continue  # would shut this test out; tests/contract and tests/isolation add networks with care
        answer = _ask(client, method, rule, cast.player())
        assert answer.status_code != 401, (method, rule, answer.text)


def test_a_child_is_told_first_that_no_child_may(app: Flask, client: FlaskClient, cast: Cast) -> None:
    child = cast.child(cast.player(), scopes=("query",))
    for method, rule, view in _management(app):
        answer = _ask(client, method, rule, child)
        told = (answer.status_code, answer.get_json()["code"])
        if view.manages == "key":
            assert told == (401, "SCOPE_REQUIRED"), (method, rule)
        else:
            assert told in {(403, "FORBIDDEN_CHILD_KEY"), (404, "NOT_FOUND")}, (method, rule, answer.text)


def test_a_child_whose_master_lost_a_scope_is_narrowed_too(client: FlaskClient, cast: Cast) -> None:
    master = cast.player()
    child = cast.child(master)
    body = {"url": "https://93.184.215.14/in"}
    assert client.post(f"{API}/webhooks", json=body, headers=child.auth).status_code == 201
    with db.transaction() as session:
        tenancy.own_key(session, master.account_id, master.key_id).scopes = ["analyze", "query"]
    refused = client.post(f"{API}/webhooks", json=body, headers=child.auth)
    assert (refused.status_code, refused.get_json()["code"]) == (401, "SCOPE_REQUIRED")


def test_a_refused_key_is_told_before_its_body_is_looked_at(client: FlaskClient, cast: Cast) -> None:
    narrowed = cast.player(scopes=("analyze",))
    headers = {**narrowed.auth, "Content-Type": "application/json"}
    for method, path in (("POST", "webhooks"), ("PUT", "branding"), ("POST", "organizations")):
        answer = client.open(f"{API}/{path}", method=method, data="{", headers=headers)
        assert answer.get_json()["code"] == "SCOPE_REQUIRED"


def test_the_document_names_the_scopes_of_management(app: Flask, client: FlaskClient) -> None:
    document = client.get(f"{API}/openapi.json").get_json()
    for method, rule, _ in _management(app):
        path = re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule)
        operation = document["paths"][path][method.lower()]
        assert operation["security"] == [{"bearerAuth": list(SCOPES)}], (method, path)
        example = operation["responses"]["401"]["content"]["application/json"]["example"]
        assert example["code"] == "SCOPE_REQUIRED"
