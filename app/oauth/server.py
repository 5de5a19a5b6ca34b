"""The authorization server: Authlib's grants over our tables (RFC 6749, 7009, 7636, 8707, 9207).

Authlib checks the requests; here stand what it asks of a database, the resource indicator, and that every
client is a public one with PKCE. A server lives for one request and one transaction.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from authlib.oauth2 import OAuth2Error
from authlib.oauth2 import OAuth2Request as _Request
from authlib.oauth2.rfc6749 import AuthorizationServer as _Server
from authlib.oauth2.rfc6749 import OAuth2Payload as _Payload
from authlib.oauth2.rfc6749.errors import InvalidRequestError
from authlib.oauth2.rfc6749.grants import AuthorizationCodeGrant as _CodeGrant
from authlib.oauth2.rfc6749.grants import RefreshTokenGrant as _RefreshGrant
from authlib.oauth2.rfc7009 import RevocationEndpoint as _Revocation
from authlib.oauth2.rfc7636 import CodeChallenge as _CodeChallenge
from authlib.oauth2.rfc9207 import IssuerParameter as _IssuerParameter

from app.oauth import clients, grants, rules
from app.oauth.metadata import Site
from app.oauth.models import OAuthClient, OAuthGrant, OAuthToken
from app.platform.postgres.db import Session

# Quoted by Authlib in descriptions, where other characters are not allowed.
_QUOTED = ("response_type", "grant_type")
_QUOTABLE = re.compile(r"[A-Za-z0-9:._ -]{1,100}")
_METHODS = ["none"]


class InvalidTarget(OAuth2Error):  # type: ignore[misc]  # authlib ships no types
    """The resource indicator names another resource (RFC 8707, section 2)."""

    error = "invalid_target"
    description = "The resource is not the tool server of this service."


@dataclass(slots=True)
class OAuthResponse:
    """Status, body and headers of a response; the portal and the routes make their own response of it."""

    status: int
    body: str
    headers: dict[str, str] = field(default_factory=dict)

    @property
    def location(self) -> str | None:
        """Target of the redirect, `None` for a response that is none."""
        return self.headers.get("Location")

    @location.setter
    def location(self, value: str) -> None:
        self.headers["Location"] = value


@dataclass(frozen=True, slots=True)
class PendingAuthorization:
    """A valid authorization request that waits for the member's consent; `grant` is Authlib's."""

    grant: Any
    client: OAuthClient
    redirect_uri: str
    scopes: tuple[str, ...]


class _RequestPayload(_Payload):  # type: ignore[misc]  # authlib ships no types
    def __init__(self, values: Mapping[str, Sequence[str]]) -> None:
        self._values = {name: list(found) for name, found in values.items()}
        self._data = {name: found[0] for name, found in self._values.items() if found}
        for name in _QUOTED:
            if name in self._data and not _QUOTABLE.fullmatch(self._data[name]):
                self._data[name] = "unknown"

    @property
    def data(self) -> dict[str, str]:
        return self._data

    @property
    def datalist(self) -> dict[str, list[str]]:
        return self._values


class AuthorizationRequest(_Request):  # type: ignore[misc]  # authlib ships no types
    """A request to an endpoint, as Authlib reads it.

    Args:
        method: HTTP method.
        site: The service; its address says whether the transport is secure, whatever proxies stand before it.
        values: All values of each parameter: of the query at the authorization endpoint, else of the form.
        headers: Headers of the request.
    """

    def __init__(
        self, method: str, site: Site, values: Mapping[str, Sequence[str]], headers: Mapping[str, str]
    ) -> None:
        super().__init__(method, site.issuer, headers=headers)
        self.payload = _RequestPayload(values)

    @property
    def args(self) -> dict[str, str]:
        """The parameters."""
        found: dict[str, str] = self.payload.data
        return found

    @property
    def form(self) -> dict[str, str]:
        """The parameters."""
        return self.args


class _S256(_CodeChallenge):  # type: ignore[misc]  # authlib ships no types
    SUPPORTED_CODE_CHALLENGE_METHOD = ["S256"]  # noqa: RUF012 (read by Authlib)

    def validate_code_challenge(self, grant: Any, redirect_uri: str) -> None:
        asked = grant.request.payload.data
        if not asked.get("code_challenge") or asked.get("code_challenge_method") != "S256":
            raise InvalidRequestError("A code_challenge with code_challenge_method S256 is required.")
        super().validate_code_challenge(grant, redirect_uri)


class _AuthorizationCode(_CodeGrant):  # type: ignore[misc]  # authlib ships no types
    TOKEN_ENDPOINT_AUTH_METHODS = _METHODS

    def validate_authorization_request(self) -> str:
        redirect_uri: str = super().validate_authorization_request()
        try:
            self.server.check_resource(self.request)
        except InvalidTarget as error:
            error.redirect_uri = redirect_uri
            raise
        return redirect_uri

    @staticmethod
    def validate_authorization_redirect_uri(request: Any, client: OAuthClient) -> str:
        # Authlib quotes the URI in its error, and fails where it has characters that may not be quoted.
        found: str = request.payload.redirect_uri or ""
        if not client.check_redirect_uri(found):
            raise InvalidRequestError("The redirect_uri is not one that this client registered.")
        return found

    def generate_authorization_code(self) -> str:
        return grants.mint(self.server.site, "code")

    def save_authorization_code(self, code: str, request: Any) -> None:
        server = self.server
        grants.begin(
            server.session,
            request.user,
            client_id=request.client.client_id,
            redirect_uri=request.payload.redirect_uri,
            requested=request.scope.split(),
            audience=server.site.audience,
            code=code,
            code_challenge=request.payload.data["code_challenge"],
            now=server.now,
        )

    def validate_token_request(self) -> None:
        self.server.check_resource(self.request)
        super().validate_token_request()

    def query_authorization_code(self, code: str, client: OAuthClient) -> OAuthGrant | None:
        return grants.by_code(self.server.session, code, client.client_id, now=self.server.now)

    def delete_authorization_code(self, authorization_code: OAuthGrant) -> None:
        # Marked as used, not deleted, so that a second use is noticed; `grants.issue` did so.
        assert authorization_code.code_used_at is not None

    def authenticate_user(self, authorization_code: OAuthGrant) -> OAuthGrant:
        return authorization_code


class _RefreshToken(_RefreshGrant):  # type: ignore[misc]  # authlib ships no types
    TOKEN_ENDPOINT_AUTH_METHODS = _METHODS
    INCLUDE_NEW_REFRESH_TOKEN = True

    def validate_token_request(self) -> None:
        self.server.check_resource(self.request)
        super().validate_token_request()

    def authenticate_refresh_token(self, refresh_token: str) -> _RefreshCredential | None:
        server, client = self.server, self.request.client
        found = grants.by_refresh_token(server.session, refresh_token, client.client_id, now=server.now)
        return _RefreshCredential(*found) if found else None

    def authenticate_user(self, refresh_token: _RefreshCredential) -> OAuthGrant:
        return refresh_token.grant

    def issue_token(self, user: OAuthGrant, refresh_token: _RefreshCredential) -> dict[str, Any]:
        # The scope stays that of the grant, and the answer says so.
        made: dict[str, Any] = self.generate_token(user=user, scope=refresh_token.get_scope())
        return made

    def revoke_old_credential(self, refresh_token: _RefreshCredential) -> None:
        refresh_token.row.rotated_at = refresh_token.row.rotated_at or self.server.now


@dataclass(frozen=True, slots=True)
class _RefreshCredential:
    grant: OAuthGrant
    row: OAuthToken

    def check_client(self, client: OAuthClient) -> bool:
        return self.grant.client_id == client.client_id

    def get_scope(self) -> str:
        return self.grant.get_scope()


class _RevocationEndpoint(_Revocation):  # type: ignore[misc]  # authlib ships no types
    CLIENT_AUTH_METHODS = _METHODS

    def query_token(self, token_string: str, token_type_hint: str | None) -> _RevocationToken:
        return _RevocationToken(token_string)

    def revoke_token(self, token: _RevocationToken, request: Any) -> None:
        server = self.server
        grants.revoke_token(server.session, token.secret, request.client.client_id, now=server.now)


@dataclass(frozen=True, slots=True)
class _RevocationToken:
    """A token that is looked up with its client when it is revoked: another client's is unknown."""

    secret: str

    def check_client(self, client: OAuthClient) -> bool:
        return True


class _Issuer(_IssuerParameter):  # type: ignore[misc]  # authlib ships no types
    def __init__(self, site: Site) -> None:
        self._site = site

    def get_issuer(self) -> str:
        return self._site.issuer


class AuthorizationServer(_Server):  # type: ignore[misc]  # authlib ships no types
    """Authlib's server with our tables.

    Args:
        session: The open transaction, which sees the rows of the account concerned.
        site: The service.
        now: The current time.
    """

    def __init__(self, session: Session, site: Site, *, now: datetime) -> None:
        super().__init__()
        self.session, self.site, self.now = session, site, now
        self._issuer = _Issuer(site)
        self._issuer(self)
        self.register_grant(_AuthorizationCode, [_S256(required=True)])
        self.register_grant(_RefreshToken)
        self.register_endpoint(_RevocationEndpoint)
        self.register_token_generator("default", self._tokens)

    def read_authorization(self, request: AuthorizationRequest) -> PendingAuthorization | OAuthResponse:
        """Return what an authorization request asks for, or the answer to a wrong one.

        That answer is a redirect to the client; where the client or its redirect URI is wrong it is none, and
        has the status of an error.
        """
        try:
            grant = self.get_consent_grant(request)
        except OAuth2Error as error:
            answer: OAuthResponse = self.handle_error_response(request, error)
            self._issuer.add_issuer_parameter(self, answer)
            return answer
        scopes = tuple(grant.request.scope.split())
        return PendingAuthorization(grant, grant.request.client, grant.redirect_uri, scopes)

    def finish_authorization(
        self, pending: PendingAuthorization, consent: grants.Consent | None
    ) -> OAuthResponse:
        """Return the redirect to the client, with a code or, without consent, with `access_denied`."""
        answer: OAuthResponse = self.create_authorization_response(
            pending.grant.request, consent, pending.grant
        )
        return answer

    def check_resource(self, request: Any) -> None:
        """Raise `InvalidTarget` where a resource indicator names something else than the tool server."""
        named = request.payload.datalist.get("resource", [])
        if not all(rules.is_resource(one, self.site.audience) for one in named if one):
            raise InvalidTarget

    def query_client(self, client_id: str) -> OAuthClient | None:
        """Return the client with this id (asked by Authlib)."""
        return clients.find(self.session, client_id)

    def save_token(self, token: dict[str, Any], request: Any) -> None:
        """Do nothing: `grants.issue` has kept the hashes (asked by Authlib)."""

    def create_oauth2_request(self, request: AuthorizationRequest) -> AuthorizationRequest:
        """Return the request as it is (asked by Authlib)."""
        return request

    def handle_response(self, status: int, body: Any, headers: Sequence[tuple[str, str]]) -> OAuthResponse:
        """Return the answer (asked by Authlib)."""
        text = body if isinstance(body, str) else json.dumps(body)
        return OAuthResponse(status, text, {**dict(headers), "Cache-Control": "no-store"})

    def send_signal(self, name: str, *args: Any, **kwargs: Any) -> None:
        """Do nothing: nobody listens (asked by Authlib)."""

    def _tokens(self, *, client: OAuthClient, user: OAuthGrant, scope: str, **_: Any) -> dict[str, Any]:
        made = grants.issue(self.session, user, client, self.site, now=self.now)
        return {
            "token_type": "Bearer",
            "access_token": made.access,
            "expires_in": made.expires_in_s,
            "refresh_token": made.refresh,
            "scope": scope,
        }
