"""Redirect URIs and resource indicators."""

from __future__ import annotations

import pytest

from app.oauth import rules
from tests.oauth.browser import WRONG_REDIRECTS


@pytest.mark.parametrize("uri", WRONG_REDIRECTS)
def test_wrong_redirects(uri: str) -> None:
    assert rules.wrong_redirect(uri)


@pytest.mark.parametrize(
    ("uri", "source"),
    [
        ("https://claude.ai/api/mcp/auth_callback", "https://claude.ai"),
        ("https://assistant.example:8443/cb?x=1", "https://assistant.example:8443"),
        ("http://localhost/cb", "http://localhost"),
        ("http://127.0.0.1:33418/", "http://127.0.0.1:33418"),
        ("http://[::1]:5000/cb", "http:"),
        ("cursor://anysphere.cursor-mcp/oauth/callback", "cursor:"),
        ("vscode://vscode.github-authentication/did-authenticate", "vscode:"),
        ("com.example.app:/callback", "com.example.app:"),
    ],
)
def test_redirects_of_assistants_and_the_policy_they_need(uri: str, source: str) -> None:
    assert rules.wrong_redirect(uri) is None
    assert rules.form_action(uri) == source


def test_only_the_port_of_the_own_computer_may_differ() -> None:
    assert rules.redirects_alike("http://127.0.0.1/cb", "http://127.0.0.1:49152/cb")
    assert rules.redirects_alike("http://localhost:1/cb", "http://localhost:2/cb")
    assert rules.redirects_alike("http://[::1]/cb", "http://[::1]:9/cb")
    assert not rules.redirects_alike("http://localhost/cb", "http://127.0.0.1/cb")
    assert not rules.redirects_alike("http://127.0.0.1/cb", "http://127.0.0.1/other")
    assert not rules.redirects_alike("http://127.0.0.1/cb", "http://127.0.0.1/cb?x=1")
    assert not rules.redirects_alike("http://127.0.0.1/cb", "http://x@127.0.0.1/cb")
    assert not rules.redirects_alike("https://a.example/cb", "https://a.example:444/cb")


def test_addresses_of_metadata_documents() -> None:
    assert rules.is_document_address("https://assistant.example/client.json")
    for wrong in (
        "https://assistant.example",
        "https://assistant.example/",
        "http://assistant.example/c",
        "https://assistant.example/a/../c",
        "https://u@assistant.example/c",
        "https://assistant.example/c#x",
        "client-abc",
    ):
        assert not rules.is_document_address(wrong), wrong
