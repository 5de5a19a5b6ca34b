"""An OpenID Connect provider for tests: real keys, real codes with PKCE, and claims that a test may spoil."""

from __future__ import annotations

import base64
import hashlib
import json
import secrets
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, unquote_plus, urlsplit

from joserfc import jwk, jwt

CLIENT_ID, CLIENT_SECRET = "candado at firm", "s3cret/+ñ"


class Provider:
    """State of a running provider. A test changes what it says before it is asked.

    Attributes:
        url: Its issuer.
        person: Claims of whom it signs in.
        spoiled: Claims of the token that replace the right ones; `None` removes one.
        metadata: What replaces a part of its metadata.
        algorithm: With which it signs; `none` for an unsigned token, `HS256` with the secret.
        thin: Whether the address is told at the userinfo address alone.
    """

    def __init__(self) -> None:
        self.url = ""
        self.person: dict[str, Any] = {"sub": "p-1", "email_verified": True}
        self.spoiled: dict[str, Any] = {}
        self.metadata: dict[str, Any] = {}
        self.algorithm = "RS256"
        self.thin = False
        self.key = jwk.RSAKey.generate_key(2048, {"kid": "k1"})
        self.stranger = jwk.RSAKey.generate_key(2048, {"kid": "k1"})
        self.signs_with = self.key
        self.codes: dict[str, dict[str, str]] = {}
        self.asked: list[str] = []

    def authorize(self, address: str) -> str:
        """Sign the person in, as a browser at `address` would; return where it is sent back to."""
        asked = {name: values[0] for name, values in parse_qs(urlsplit(address).query).items()}
        assert address.startswith(f"{self.url}/authorize?")
        assert asked["response_type"] == "code"
        assert asked["code_challenge_method"] == "S256"
        assert asked["client_id"] == CLIENT_ID
        code = secrets.token_urlsafe(8)
        self.codes[code] = asked
        return f"{asked['redirect_uri']}?code={code}&state={asked['state']}"

    def described(self) -> dict[str, Any]:
        """Its metadata."""
        return {
            "issuer": self.url,
            "authorization_endpoint": f"{self.url}/authorize",
            "token_endpoint": f"{self.url}/token",
            "jwks_uri": f"{self.url}/keys",
            "userinfo_endpoint": f"{self.url}/userinfo",
            **self.metadata,
        }

    def exchange(self, form: dict[str, str], authorization: str | None) -> tuple[int, dict[str, Any]]:
        """Answer the token endpoint."""
        kept = self.codes.pop(form.get("code", ""), None)
        challenge = hashlib.sha256(form.get("code_verifier", "").encode()).digest()
        if authorization is not None:
            pair = base64.b64decode(authorization.removeprefix("Basic ")).decode()
            who = tuple(map(unquote_plus, pair.split(":", 1)))
        else:
            who = form.get("client_id", ""), form.get("client_secret", "")
        if kept is None or who != (CLIENT_ID, CLIENT_SECRET):
            return 401, {"error": "invalid_client"}
        if (
            kept["code_challenge"] != base64.urlsafe_b64encode(challenge).rstrip(b"=").decode()
            or kept["redirect_uri"] != form["redirect_uri"]
        ):
            return 400, {"error": "invalid_grant"}
        return 200, {"access_token": "at", "token_type": "Bearer", "id_token": self._token(kept["nonce"])}

    def _token(self, nonce: str) -> str:
        now = int(time.time())
        person = {"sub": self.person["sub"]} if self.thin else self.person
        claims = {
            "iss": self.url,
            "aud": CLIENT_ID,
            "iat": now,
            "exp": now + 300,
            "nonce": nonce,
            **person,
            **self.spoiled,
        }
        claims = {name: value for name, value in claims.items() if value is not None}
        if self.algorithm == "none":
            parts = ({"alg": "none"}, claims)
            return ".".join(
                base64.urlsafe_b64encode(json.dumps(one).encode()).rstrip(b"=").decode() for one in parts
            ) + "."  # fmt: skip
        header = {"alg": self.algorithm, "kid": "k1"}
        if self.algorithm == "HS256":
            return jwt.encode(header, claims, jwk.OctKey.import_key(CLIENT_SECRET * 4), algorithms=["HS256"])
        return jwt.encode(header, claims, self.signs_with, algorithms=[self.algorithm])


class _Handler(BaseHTTPRequestHandler):
    provider: Provider

    def do_GET(self) -> None:
        path = urlsplit(self.path).path
        self.provider.asked.append(path)
        if path == "/.well-known/openid-configuration":
            self._say(200, self.provider.described())
        elif path == "/keys":
            self._say(200, {"keys": [self.provider.key.as_dict(private=False)]})
        elif path == "/userinfo" and self.headers["Authorization"] == "Bearer at":
            self._say(200, self.provider.person)
        else:
            self._say(404, {})

    def do_POST(self) -> None:
        self.provider.asked.append(self.path)
        raw = self.rfile.read(int(self.headers["Content-Length"])).decode()
        form = {name: values[0] for name, values in parse_qs(raw).items()}
        self._say(*self.provider.exchange(form, self.headers["Authorization"]))

    def _say(self, status: int, what: dict[str, Any]) -> None:
        raw = json.dumps(what).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(raw)))
        self.end_headers()
        self.wfile.write(raw)

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


@contextmanager
def providing() -> Iterator[Provider]:
    """A provider on a port of its own."""
    provider = Provider()
    handler = type("Handler", (_Handler,), {"provider": provider})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    provider.url = f"http://127.0.0.1:{server.server_address[1]}"
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield provider
    finally:
        server.shutdown()
        server.server_close()
