"""Endpoints of the authorization server, and the caller at the tool server's OAuth endpoint."""

from __future__ import annotations

from dataclasses import replace

from flask import Blueprint, Flask, Response, request

from app import branding, tenancy
from app.oauth import clients, grants, metadata
from app.oauth.metadata import Site
from app.oauth.server import AuthorizationRequest, AuthorizationServer, OAuthResponse
from app.platform import clock, errors, ratelimit, settings
from app.platform.postgres import db, rls
from app.platform.web import http, public_address
from app.tenancy import guard

routes = Blueprint("oauth", __name__)

# Registrations in a minute: from one address, and from all of them.
REGISTRATIONS_PER_ADDRESS, REGISTRATIONS = 10, 120
_CACHED = {"Cache-Control": "public, max-age=300", "Access-Control-Allow-Origin": "*"}
_SECRETS = ("code", "refresh_token", "token")


def site() -> Site:
    """Return the service as clients reach it (decision 106)."""
    config = settings.current()
    return Site(base=public_address.base(), name=config.service_name, key_prefix=config.key_prefix)


def install(app: Flask) -> None:
    """Register the endpoints on `app`, and the header that tells clients where to get a token."""
    app.register_blueprint(routes)
    app.after_request(_challenge)


@routes.get(metadata.RESOURCE_METADATA)
@guard.public
def resource_metadata() -> Response:
    """Describe the tool server's OAuth endpoint (RFC 9728)."""
    here = replace(site(), name=branding.name_at(public_address.account_of_host()))
    return http.answer(metadata.of_resource(here), headers=_CACHED)


@routes.get(metadata.SERVER_METADATA)
@guard.public
def server_metadata() -> Response:
    """Describe the authorization server (RFC 8414)."""
    return http.answer(metadata.of_server(site()), headers=_CACHED)


@routes.post(f"{metadata.ISSUER}/token")
@guard.public
def token() -> Response:
    """Exchange an authorization code or a refresh token for tokens."""
    return _with_server("create_token_response")


@routes.post(f"{metadata.ISSUER}/revoke")
@guard.public
def revoke() -> Response:
    """Revoke a token (RFC 7009)."""
    return _with_server("create_endpoint_response", "revocation")


@routes.post(f"{metadata.ISSUER}/register")
@guard.public
def register() -> Response:
    """Register a client (RFC 7591); it is forgotten after a day unless a member consents."""
    for name, most in (
        (f"register:{request.remote_addr}", REGISTRATIONS_PER_ADDRESS),
        ("register", REGISTRATIONS),
    ):
        rate = ratelimit.limiter().hit(name, most)
        if not rate.allowed:
            return _refused(
                "temporarily_unavailable",
                f"Too many registrations. Try again in {rate.retry_after} s.",
                429,
                {"Retry-After": str(rate.retry_after)},
            )
    try:
        given = http.json_body()
        with db.transaction() as session:
            made = clients.registration(clients.register(session, given, now=clock.now()))
    except clients.WrongMetadata as error:
        return _refused(error.error, error.message, 400)
    except errors.Invalid as error:
        return _refused("invalid_client_metadata", error.message, 400)
    return http.answer(made, 201, {"Cache-Control": "no-store"})


def identify_caller() -> tenancy.Caller:
    """Return the caller of the current request by its access token.

    Raises:
        Denied: 401 without a token that works; 403 `INSUFFICIENT_SCOPE`, `IP_NOT_ALLOWED`.
    """
    scheme, _, secret = request.headers.get("Authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not secret.strip():
        raise errors.Denied("Connect to this address with OAuth. With an API key, use /api/mcp.")
    with rls.as_system(), db.statements() as session:
        caller = grants.identify(
            session,
            secret.strip(),
            audience=site().audience,
            now=clock.now(),
            address=request.remote_addr,
        )
    if metadata.CHALLENGE_SCOPE not in caller.scopes:
        raise errors.Denied(
            "This connection may not use the tools: the scope 'mcp' was not granted. Connect again.",
            code="INSUFFICIENT_SCOPE",
            status=403,
        )
    return caller


def _with_server(endpoint: str, *names: str) -> Response:
    """Have the authorization server answer the current form, as the account whose code or token it holds."""
    here = site()
    if not here.is_secure:
        return _refused(
            "invalid_request",
            "Send tokens over https: this address is http. Use the service's https address.",
            400,
        )
    values = request.form.to_dict(flat=False)
    secret = next((values[name][0] for name in _SECRETS if values.get(name)), "")
    with rls.as_system(), db.statements() as session:
        account_id = grants.account_of(session, secret)
    if account_id is not None:
        rls.enter(account_id)
    # What a refusal revoked is kept: the transaction ends well whatever the answer is.
    with db.transaction() as session:
        server = AuthorizationServer(session, here, now=clock.now())
        asked = AuthorizationRequest(request.method, here, values, dict(request.headers))
        answer: OAuthResponse = getattr(server, endpoint)(*names, asked)
    return Response(answer.body, answer.status, answer.headers)


def _refused(error: str, description: str, status: int, headers: dict[str, str] | None = None) -> Response:
    body = {"error": error, "error_description": description}
    return http.answer(body, status, {"Cache-Control": "no-store", **(headers or {})})


def _challenge(response: Response) -> Response:
    """Say at the OAuth endpoint, and there alone, where a token is to be had."""
    if request.path == metadata.CONNECT and response.status_code in (401, 403):
        error = "invalid_token" if "Authorization" in request.headers else None
        if response.status_code == 403:
            body = response.get_json(silent=True) or {}
            if body.get("code") != "INSUFFICIENT_SCOPE":
                return response
            error = "insufficient_scope"
        response.headers["WWW-Authenticate"] = metadata.challenge(site(), error)
    return response
