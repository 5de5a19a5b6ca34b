"""What tests of OAuth share: a client that starts the flow, and the member who consents."""

from __future__ import annotations

import base64
import hashlib
import re
import secrets
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from tests.cast import Player

CALLBACK = "https://assistant.example/callback"
# What no client may register.
WRONG_REDIRECTS = (
    "javascript:alert(1)",
    "javascript://x/%0aalert(1)",
    "JavaScript://x/%0aalert(1)",
    "data:text/html,x",
    "data://x/y",
    "vbscript:/x",
    "file:///etc/passwd",
    "blob:https://a.example/x",
    "http://assistant.example/cb",
    "http://127.0.0.1.evil.example/cb",
    "http://localhost@evil.example/cb",
    "https://user:pass@assistant.example/cb",
    "https://assistant.example/cb#fragment",
    "https://assistant.example/c b",
    "https://assistant.example;script-src/cb",
    "https:///cb",
    "https://assistant.example:99999/cb",
    "https:assistant.example",
    "http://[::1",
    "//assistant.example/cb",
    "/cb",
    "cursor:cb",
    "",
    "https://assistant.example/" + "x" * 1000,
)
_TOKEN = re.compile(r'name="csrf_token" value="([^"]+)"')


def signed_in(app: Flask, player: Player, base: str = "http://localhost") -> FlaskClient:
    """A browser in which the player has signed in."""
    browser = app.test_client()
    page = browser.get(f"{base}/portal/sign-in")
    form = {"csrf_token": _token(page), "email": player.email, "password": player.password}
    assert browser.post(f"{base}/portal/sign-in", data=form).status_code == 303
    return browser


def decide(browser: FlaskClient, url: str, **form: Any) -> TestResponse:
    """Open the consent page at `url` and send its form: by default, allow everything it offers."""
    page = browser.get(url)
    assert page.status_code == 200, page.text
    chosen = {"decision": "allow", "days": "90", "scopes": ["query", "analyze"], **form}
    return browser.post(url, data={"csrf_token": _token(page), **chosen})


def _token(page: TestResponse) -> str:
    found = _TOKEN.search(page.text)
    assert found, page.text
    return found[1]


class Assistant:
    """A client of OAuth, by hand; it registers itself unless it has a client id."""

    def __init__(self, http: FlaskClient, callback: str = CALLBACK, client_id: str = "") -> None:
        self.http, self.callback = http, callback
        self.verifier = secrets.token_urlsafe(48)
        self.client_id = client_id or self.register().get_json()["client_id"]

    def register(self) -> TestResponse:
        asked = {"client_name": "Assistant", "redirect_uris": [self.callback]}
        answer = self.http.post("/oauth/register", json=asked)
        assert answer.status_code == 201, answer.text
        return answer

    def address(self, **other: str | None) -> str:
        """The address to which a member is sent."""
        digest = hashlib.sha256(self.verifier.encode()).digest()
        values: dict[str, str | None] = {
            "response_type": "code",
            "client_id": self.client_id,
            "redirect_uri": self.callback,
            "scope": "mcp",
            "state": "xyz",
            "code_challenge": base64.urlsafe_b64encode(digest).rstrip(b"=").decode(),
            "code_challenge_method": "S256",
            "resource": "http://localhost/api/mcp/connect",
            **other,
        }
        return "/portal/authorize?" + urlencode({k: v for k, v in values.items() if v is not None})

    def code(self, browser: FlaskClient, *, asked: dict[str, str | None] | None = None, **form: Any) -> str:
        answer = decide(browser, self.address(**(asked or {})), **form)
        assert answer.status_code == 302, answer.text
        return given(answer)["code"]

    def exchange(self, code: str, /, **other: str) -> TestResponse:
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": self.callback,
            "client_id": self.client_id,
            "code_verifier": self.verifier,
            "resource": "http://localhost/api/mcp/connect",
            **other,
        }
        return self.http.post("/oauth/token", data=form)

    def refresh(self, token: str, **other: str) -> TestResponse:
        form = {"grant_type": "refresh_token", "refresh_token": token, "client_id": self.client_id, **other}
        return self.http.post("/oauth/token", data=form)

    def revoke(self, token: str) -> TestResponse:
        return self.http.post("/oauth/revoke", data={"token": token, "client_id": self.client_id})

    def connected(self, browser: FlaskClient, **form: Any) -> dict[str, Any]:
        """Tokens, after a whole flow."""
        answer = self.exchange(self.code(browser, **form))
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = answer.get_json()
        return found


def given(answer: TestResponse) -> dict[str, str]:
    """What the client is told in the address to which the browser is led."""
    return {name: values[0] for name, values in parse_qs(urlsplit(answer.location).query).items()}
