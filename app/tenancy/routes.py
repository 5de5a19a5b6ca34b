"""Operations on /api/v1/security/ip-allowlist."""

from __future__ import annotations

from typing import Any

from flask import Response, request

from app import tenancy
from app.platform import clock
from app.platform.errors import Denied
from app.platform.postgres import db
from app.platform.web import http, openapi
from app.tenancy import schemas
from app.tenancy.guard import caller, require_key

routes = openapi.Routes(
    "security",
    __name__,
    url_prefix="/api/v1",
    description="IP allow-list: the networks from which the API keys of the account can be used.",
)

_ENTRY = {
    "id": "9a1c2c1e-8a54-4c0e-9a2f-5a1d7c3e9b10",
    "cidr": "203.0.113.0/24",
    "label": "Office in Valencia",
    "created_at": "2026-11-21T10:15:30.125Z",
}
_EMPTY = "The allow-list is empty: API keys of this account can be used from any IP address."
_ENFORCED = (
    "API keys of this account can be used from these networks only; requests from other addresses get 403 "
    "IP_NOT_ALLOWED."
)
_REQUEST_ID = "req_3f0d6c52-6a0e-4c38-9f4b-0f6a4f1f7a11"
_LIST = {"entries": [_ENTRY], "count": 1, "enforced": True, "note": _ENFORCED, "requestId": _REQUEST_ID}
_A_CHILD = {
    "error": "A child key cannot see or change the allow-list of the account.",
    "code": "FORBIDDEN_CHILD_KEY",
    "requestId": _REQUEST_ID,
}
_SHUT_OUT = (
    "The allow-list does not include the address of this request, so API keys of this account are now "
    "refused from it. Add the address from a listed one, or in the portal."
)


@routes.route("/security/ip-allowlist", methods=["GET"])
@require_key()
@routes.response(200, schemas.AllowList, headers=openapi.RATE_HEADERS, example=_LIST)
@openapi.fails(routes, 401, 403, 429, 500, 503, examples={403: _A_CHILD})
@routes.doc(operationId="listAllowedAddresses")
def index() -> Response:
    """List the IP allow-list

    An empty list allows all addresses.
    """
    _not_a_child()
    with db.reading() as session:
        entries = tenancy.allowed_addresses(session, caller().account_id)
        return http.answer(
            {
                "entries": [_entry(row) for row in entries],
                "count": len(entries),
                "enforced": bool(entries),
                "note": _ENFORCED if entries else _EMPTY,
                "requestId": http.request_id(),
            }
        )


@routes.route("/security/ip-allowlist", methods=["POST"])
@require_key(manages="account")
@routes.arguments(schemas.AllowedCreate, example={"cidr": _ENTRY["cidr"], "label": _ENTRY["label"]})
@routes.response(
    201, schemas.AllowedCreated, headers=openapi.RATE_HEADERS, example={"entry": _ENTRY, "warning": None}
)
@openapi.fails(routes, 400, 401, 403, 409, 413, 415, 422, 429, 500, 503, examples={403: _A_CHILD})
@routes.doc(operationId="allowAddress", parameters=[openapi.IDEMPOTENCY_KEY])
def add(body: dict[str, Any]) -> Response:
    """Add a network to the IP allow-list

    Takes effect on the next request, for every key of the account. `warning` is present if the list now
    excludes the address of this request.
    """
    _not_a_child()
    with db.transaction() as session:
        row = tenancy.allow_address(
            session, caller().account_id, cidr=body["cidr"], label=body.get("label"), now=clock.now()
        )
        entry = _entry(row)
        inside = tenancy.covers(tenancy.allowed_addresses(session, caller().account_id), request.remote_addr)
    return http.answer({"entry": entry, "warning": None if inside else _SHUT_OUT}, 201)


@routes.route("/security/ip-allowlist", methods=["DELETE"])
@require_key(manages="account")
@routes.arguments(schemas.AllowedQuery, location="query")
@routes.response(204, headers=openapi.RATE_HEADERS)
@openapi.fails(routes, 400, 401, 403, 404, 429, 500, 503, examples={403: _A_CHILD})
@routes.doc(operationId="disallowAddress")
def remove(query: dict[str, Any]) -> Response:
    """Remove a network from the IP allow-list

    Takes effect on the next request. If the list becomes empty, all addresses are allowed.
    """
    _not_a_child()
    with db.transaction() as session:
        tenancy.disallow_address(session, caller().account_id, query["id"])
    return Response(status=204)


def _not_a_child() -> None:
    if caller().role == "child":
        raise Denied(str(_A_CHILD["error"]), code="FORBIDDEN_CHILD_KEY", status=403)


def _entry(row: tenancy.AllowedAddress) -> dict[str, Any]:
    return {
        "id": str(row.id),
        "cidr": row.cidr,
        "label": row.label,
        "created_at": clock.iso(row.created_at),
    }
