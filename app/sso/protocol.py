"""The code flow of OpenID Connect with PKCE, state and nonce (OpenID Connect Core 1.0, RFC 7636, RFC 9700).

No table is read here. What is known between the two halves of a sign-in is an `Attempt`, which the portal
keeps in the visitor's session on the server.
"""

from __future__ import annotations

import base64
import hmac
import json
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import quote_plus, urlencode

from authlib.common.urls import add_params_to_uri
from authlib.oauth2.rfc7636 import create_s256_code_challenge
from authlib.oidc.core import CodeIDToken
from joserfc import jwk, jwt
from joserfc.errors import JoseError

from app.platform import safe_http, settings
from app.platform.errors import Invalid

# Signatures with a key that the provider alone has: no `none`, and no HMAC, whose key we have as well.
ALGORITHMS = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA")
# Between leaving for the provider and coming back, in seconds.
LASTS_S = 600
_LEEWAY_S = 60
_TIMEOUT_S, _MAX_BYTES = 8.0, 256_000
_SCOPE = "openid email profile"


class ProviderFailed(Exception):
    """The provider could not be asked, refused, or said what may not be believed.

    Attributes:
        reason: Which of it, a word that the portal explains.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Client:
    """As whom we appear before a provider. `repr` shows no secret."""

    issuer: str
    client_id: str
    client_secret: str | None
    redirect_uri: str

    def __repr__(self) -> str:
        return f"<Client of {self.issuer}>"


@dataclass(frozen=True, slots=True)
class Attempt:
    """A sign-in that has begun: what has to come back, and whom to ask then."""

    state: str
    nonce: str
    verifier: str
    issuer: str
    token_endpoint: str
    jwks_uri: str
    userinfo_endpoint: str | None
    basic: bool
    names_issuer: bool


@dataclass(frozen=True, slots=True)
class Identity:
    """Whom a provider has signed in; the address is one that it has verified."""

    subject: str
    email: str


def begin(client: Client) -> tuple[str, Attempt]:
    """Return the address at the provider to go to, and what to keep until the visitor comes back.

    Raises:
        ProviderFailed: Its metadata cannot be had, or are not those of this issuer.
    """
    found = _metadata(client.issuer)
    methods = found.get("token_endpoint_auth_methods_supported") or ["client_secret_basic"]
    attempt = Attempt(
        state=secrets.token_urlsafe(32),
        nonce=secrets.token_urlsafe(32),
        verifier=secrets.token_urlsafe(48),
        issuer=client.issuer,
        token_endpoint=_endpoint(found, "token_endpoint"),
        jwks_uri=_endpoint(found, "jwks_uri"),
        userinfo_endpoint=_endpoint(found, "userinfo_endpoint") if found.get("userinfo_endpoint") else None,
        basic="client_secret_basic" in methods,
        names_issuer=found.get("authorization_response_iss_parameter_supported") is True,
    )
    asked = {
        "response_type": "code",
        "client_id": client.client_id,
        "redirect_uri": client.redirect_uri,
        "scope": _SCOPE,
        "state": attempt.state,
        "nonce": attempt.nonce,
        "code_challenge": create_s256_code_challenge(attempt.verifier),
        "code_challenge_method": "S256",
    }
    address = add_params_to_uri(_endpoint(found, "authorization_endpoint"), list(asked.items()))
    return str(address), attempt


def finish(client: Client, attempt: Attempt, answer: Mapping[str, str], *, now: datetime) -> Identity:
    """Take the provider's answer; return whom it has signed in.

    Args:
        client: The client as it is saved now.
        attempt: What was kept when the visitor left, and is now used up.
        answer: The query of the address to which the visitor came back.
        now: The current time.

    Raises:
        ProviderFailed: The answer is not one to this attempt, or its token is not to be believed.
    """
    if not hmac.compare_digest(answer.get("state", "").encode(), attempt.state.encode()):
        raise ProviderFailed("state")
    # Another provider's answer, carried here by somebody in between (RFC 9207, section 2.4).
    named = answer.get("iss")
    if client.issuer != attempt.issuer or named not in (None, attempt.issuer):
        raise ProviderFailed("issuer")
    if named is None and attempt.names_issuer:
        raise ProviderFailed("issuer")
    if answer.get("error") or not answer.get("code"):
        raise ProviderFailed("refused")
    tokens = _exchange(client, attempt, answer["code"])
    claims = _claims(client, attempt, tokens, now)
    return _identity(attempt, tokens, claims)


def _exchange(client: Client, attempt: Attempt, code: str) -> Mapping[str, Any]:
    """Return the answer of the token endpoint to a code."""
    form = {
        "grant_type": "authorization_code",
        "code": code,
        "redirect_uri": client.redirect_uri,
        "code_verifier": attempt.verifier,
    }
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    if client.client_secret is None:
        form["client_id"] = client.client_id
    elif attempt.basic:
        # Both halves are encoded as of a form first (RFC 6749, section 2.3.1).
        pair = f"{quote_plus(client.client_id)}:{quote_plus(client.client_secret)}"
        headers["Authorization"] = f"Basic {base64.b64encode(pair.encode()).decode()}"
    else:
        form |= {"client_id": client.client_id, "client_secret": client.client_secret}
    found = _json("POST", attempt.token_endpoint, body=urlencode(form).encode(), headers=headers)
    if not isinstance(found.get("id_token"), str):
        raise ProviderFailed("token")
    return found


def _claims(client: Client, attempt: Attempt, tokens: Mapping[str, Any], now: datetime) -> Mapping[str, Any]:
    """Return the claims of an ID token, its signature and they themselves checked (Core, section 3.1.3.7)."""
    try:
        keys = jwk.KeySet.import_key_set(_json("GET", attempt.jwks_uri))  # type: ignore[arg-type]
        token = jwt.decode(tokens["id_token"], keys, algorithms=list(ALGORITHMS))
        claims = CodeIDToken(
            token.claims,
            token.header,
            options={
                "iss": {"essential": True, "value": attempt.issuer},
                "aud": {"essential": True, "value": client.client_id},
                "sub": {"essential": True},
                "exp": {"essential": True},
                "iat": {"essential": True},
            },
            params={
                "nonce": attempt.nonce,
                "client_id": client.client_id,
                "access_token": tokens.get("access_token"),
            },
        )
        claims.validate(now=int(now.timestamp()), leeway=_LEEWAY_S)
    except (JoseError, ValueError, TypeError, KeyError) as error:
        raise ProviderFailed("token") from error
    subject = claims.get("sub")
    if not isinstance(subject, str) or not 1 <= len(subject) <= 255:
        raise ProviderFailed("token")
    return dict(claims)


def _identity(attempt: Attempt, tokens: Mapping[str, Any], claims: Mapping[str, Any]) -> Identity:
    """Return who it is; providers that keep the address out of the token are asked for it."""
    told = claims
    if "email" not in told and attempt.userinfo_endpoint and isinstance(tokens.get("access_token"), str):
        bearer = {"Authorization": f"Bearer {tokens['access_token']}"}
        told = _json("GET", attempt.userinfo_endpoint, headers=bearer)
        if told.get("sub") != claims["sub"]:
            raise ProviderFailed("token")
    email = told.get("email")
    if not isinstance(email, str) or not email:
        raise ProviderFailed("no_email")
    if told.get("email_verified") is not True:
        raise ProviderFailed("unverified")
    return Identity(claims["sub"], email)


def check_issuer(issuer: str) -> None:
    """Check that an issuer answers with its own metadata. Raises `ProviderFailed` or `Invalid` (its URL)."""
    safe_http.check_url(issuer, allow_hosts=settings.current().allowed_sso_hosts, field="issuer")
    if "?" in issuer or "#" in issuer:
        raise Invalid("issuer: must have no query and no fragment.", details={"field": "issuer"})
    found = _metadata(issuer)
    for name in ("authorization_endpoint", "token_endpoint", "jwks_uri"):
        _endpoint(found, name)


def _metadata(issuer: str) -> Mapping[str, Any]:
    """Return the metadata of an issuer (OpenID Connect Discovery 1.0, section 4)."""
    found = _json("GET", issuer.rstrip("/") + "/.well-known/openid-configuration")
    if found.get("issuer") != issuer:
        raise ProviderFailed("issuer")
    return found


def _endpoint(metadata: Mapping[str, Any], name: str) -> str:
    """Return an address of the metadata that may be called."""
    found = metadata.get(name)
    try:
        if not isinstance(found, str):
            raise ProviderFailed("metadata")
        safe_http.check_url(found, allow_hosts=settings.current().allowed_sso_hosts, field=name)
    except Invalid:
        raise ProviderFailed("metadata") from None
    return found


def _json(
    method: str, url: str, *, body: bytes = b"", headers: Mapping[str, str] | None = None
) -> Mapping[str, Any]:
    """Return the JSON object that an address of the provider answers."""
    try:
        answer = safe_http.send(
            method,
            url,
            body=body,
            headers={"Accept": "application/json", **(headers or {})},
            timeout_s=_TIMEOUT_S,
            max_bytes=_MAX_BYTES,
            allow_hosts=settings.current().allowed_sso_hosts,
        )
    except (safe_http.RequestError, ValueError):
        raise ProviderFailed("unreachable") from None
    try:
        found = json.loads(answer.body) if answer.status == 200 else None
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise ProviderFailed("refused" if answer.status in (400, 401, 403) else "unreachable")
    return found
