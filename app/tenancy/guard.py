"""Authentication, authorisation and rate limiting of API routes: `require_key` and `public`.

The order is identity, scope, rate limit, and only then parsing: without a valid key the answer is 401 and
says nothing about the body.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Literal, ParamSpec, Protocol

from flask import Response, g, request

from app.platform import clock, errors, ratelimit, settings
from app.platform.postgres import db, rls
from app.tenancy import activity
from app.tenancy.principal import SCOPES, Caller, Scope, identify

P = ParamSpec("P")

# Decision 010: work is limited by tier; management and polling, and the sandbox, have limits of their own.
Window = Literal["work", "management", "sandbox"]

# What a route changes: things of the key that calls (webhooks), or of its account (organizations, branding,
# the allow-list, its export), which a child may never change whatever its scopes.
Manages = Literal["key", "account"]

# Where code of this process names the caller of a request that it makes itself, in the WSGI environment. A
# client cannot: its headers arrive there under names that begin with HTTP_.
CALLER = "app.caller"

_EVERY_SCOPE = ", ".join(SCOPES)
_NARROWED: dict[str, Any] = {
    "error": f"This operation needs an API key with all scopes ({_EVERY_SCOPE}); this key has: query. Use "
    "a key with all scopes, or the portal.",
    "code": "SCOPE_REQUIRED",
    "requestId": "req_3f0d6c52-6a0e-4c38-9f4b-0f6a4f1f7a11",
    "docUrl": "https://api.example.com/docs/errors#SCOPE_REQUIRED",
    "details": {"required": list(SCOPES), "granted": ["query"]},
}


class Guard(Protocol):
    """A decorator that returns a view with the same arguments."""

    def __call__(self, view: Callable[P, Any], /) -> Callable[P, Any]:
        """Return the guarded view."""


def require_key(
    scope: Scope | None = None,
    *,
    window: Window | None = "management",
    manages: Manages | None = None,
    identify_caller: Callable[[], Caller] | None = None,
) -> Guard:
    """Require a valid key with `scope` that is within its rate limit.

    401 answers are not counted against the rate; all others are (decision 010).

    Args:
        scope: Scope that the key must have; `None` accepts any key.
        window: Rate limit that the call counts against; `None` where the view counts it itself, with `count`,
            once it knows what is asked.
        manages: What the route changes, if anything. Such a route needs a key with every scope (decision
            007): a key that was limited to one kind of work must not gain the others through a webhook or a
            child key.
        identify_caller: Knows the caller by something else than the key in `Authorization`; raises `Denied`.

    Raises:
        Denied: 401 `UNAUTHENTICATED`, `KEY_REVOKED`, `KEY_EXPIRED` or `SCOPE_REQUIRED`; 403 `IP_NOT_ALLOWED`.
        Exhausted: 429 `RATE_LIMITED`.
    """

    def decorate(view: Callable[P, Any]) -> Callable[P, Any]:
        @wraps(view)
        def guarded(*args: P.args, **kwargs: P.kwargs) -> Any:
            g.caller = request.environ.get(CALLER) or (identify_caller or _authenticate)()
            rls.enter(g.caller.account_id)
            if scope is not None:
                require_scope(g.caller, scope)
            if manages is not None:
                _refuse_narrowed(g.caller, manages)
            if window is not None:
                count(g.caller, window)
            with activity.acting(_actor(g.caller)):
                return view(*args, **kwargs)

        guarded.required = ("key", scope)  # type: ignore[attr-defined]  # read by the test of all routes
        # Read by the OpenAPI document and by the test of all management routes.
        guarded.manages = manages  # type: ignore[attr-defined]
        guarded.scopes = [scope] if scope else list(SCOPES if manages else ())  # type: ignore[attr-defined]
        guarded.refusal = _NARROWED if manages else None  # type: ignore[attr-defined]
        return guarded

    return decorate


def public(view: Callable[P, Any]) -> Callable[P, Any]:
    """Mark a route as public, with a rate limit per IP address."""

    @wraps(view)
    def opened(*args: P.args, **kwargs: P.kwargs) -> Any:
        _count(f"public:{request.remote_addr}", settings.current().rate_public)
        return view(*args, **kwargs)

    opened.required = ("public", None)  # type: ignore[attr-defined]
    return opened


def caller() -> Caller:
    """Return the caller of this request; only behind `require_key`."""
    found: Caller = g.caller
    return found


def require_scope(found: Caller, scope: Scope) -> None:
    """Raise `Denied` (401 `SCOPE_REQUIRED`) for a key without `scope`."""
    if scope not in found.scopes:
        raise errors.Denied(
            f"This operation needs the scope '{scope}', which this API key does not have.",
            code="SCOPE_REQUIRED",
            details={"required": scope, "granted": sorted(found.scopes)},
        )


def count(found: Caller, window: Window) -> None:
    """Count this call against a rate limit of its key. Raises `Exhausted` (429) above the limit."""
    config = settings.current()
    if window == "work":
        per_minute = config.tier_rates[found.tier]
    else:
        per_minute = config.rate_sandbox if window == "sandbox" else config.rate_management
    _count(f"{window}:{found.key_id}", per_minute)


def rate_headers(response: Response) -> Response:
    """Add the `X-RateLimit-…` headers to every limited response, 429 included."""
    rate: ratelimit.Rate | None = g.get("rate")
    if rate is not None:
        # Nobody has set them before, and to replace a header is to look through all of them.
        headers = response.headers
        headers.add("X-RateLimit-Limit", str(rate.limit))
        headers.add("X-RateLimit-Remaining", str(rate.remaining))
        headers.add("X-RateLimit-Reset", str(rate.reset))
    return response


def _actor(found: Caller) -> activity.Actor:
    return activity.Actor(
        "api_key", found.key_id, f"{found.key_prefix}…", activity.network(request.remote_addr)
    )


def _authenticate() -> Caller:
    header = request.headers.get("Authorization", "")
    scheme, _, token = header.partition(" ")
    if not header or scheme.lower() != "bearer" or not token.strip():
        raise errors.Denied("Send your API key in the header Authorization: Bearer <API_KEY>.")
    with rls.as_system(), db.statements() as session:
        return identify(
            session,
            token.strip(),
            prefix=settings.current().key_prefix,
            now=clock.now(),
            address=request.remote_addr,
        )


def _refuse_narrowed(found: Caller, manages: Manages) -> None:
    """Raise `Denied` for a key that lacks a scope.

    A child key on a route of the account passes: the view refuses it with its own error (decision 007), since
    more scopes would not help it.
    """
    if found.scopes >= set(SCOPES) or (manages == "account" and found.role == "child"):
        return
    granted = [scope for scope in SCOPES if scope in found.scopes]
    raise errors.Denied(
        f"This operation needs an API key with all scopes ({_EVERY_SCOPE}); this key has: "
        f"{', '.join(granted) or 'none'}. Use a key with all scopes, or the portal.",
        code="SCOPE_REQUIRED",
        details={"required": list(SCOPES), "granted": granted},
    )


def _count(name: str, per_minute: int) -> None:
    g.rate = ratelimit.limiter().hit(name, per_minute)
    if not g.rate.allowed:
        raise errors.Exhausted(
            f"Rate limit of {g.rate.limit} requests per minute exceeded. Try again in {g.rate.retry_after} "
            "s.",
            retry_after=g.rate.retry_after,
            details={"limit": g.rate.limit, "windowSeconds": 60},
        )
