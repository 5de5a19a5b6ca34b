"""/api/v1/governance/enforcement."""

from __future__ import annotations

from typing import Any

from flask import Response

from app import tenancy
from app.governance.enforcement import schemas
from app.platform import clock
from app.platform.postgres import db
from app.platform.web import http, openapi
from app.tenancy.guard import caller, require_key

routes = openapi.Routes(
    "enforcement", __name__, url_prefix="/api/v1", description="Policies that withhold outputs."
)

_REQUEST_ID = "req_3f0d6c52-6a0e-4c38-9f4b-0f6a4f1f7a11"
_POLICY = {
    "id": "0d5f4c0a-7c52-4f0e-9d0a-2b6f1c9a4e10",
    "scope": "organization",
    "api_key_id": None,
    "organization_id": "5f3e8c1a-7c52-4f0e-9d0a-2b6f1c9a4e10",
    "enabled": True,
    "mode": "block_any_broken",
    "version": 3,
    "updated_at": "2026-11-21T10:15:30.125Z",
}
_STATE = {
    "effective": {"enabled": True, "mode": "block_any_broken", "version": 3, "scope": "organization"},
    "policies": [_POLICY],
}
_A_CHILD = {
    "error": "A child key may not set an enforcement policy; its master's or the account's applies to it.",
    "code": "FORBIDDEN_CHILD_KEY",
    "requestId": _REQUEST_ID,
}


@routes.route("/governance/enforcement", methods=["GET"])
@require_key()
@routes.response(200, schemas.State, headers=openapi.RATE_HEADERS, example=_STATE)
@openapi.fails(routes, 401, 429, 500, 503)
@routes.doc(operationId="getEnforcement")
def show() -> Response:
    """Get the enforcement policy

    Off unless somebody set one. The most specific one holds: that of the key, else of its organization, else
    of the account. A child key is told what holds for it and no more.
    """
    me = caller()
    held = me.enforcement
    answer: dict[str, Any] = {
        "effective": {
            "enabled": held.enabled,
            "mode": tenancy.enforcement.MODE,
            "version": held.version,
            "scope": held.scope,
        }
    }
    if me.role != "child":
        with db.reading() as session:
            answer["policies"] = [
                _policy(row) for row in tenancy.enforcement.policies(session, me.account_id)
            ]
    return http.answer(answer)


@routes.route("/governance/enforcement", methods=["PUT"])
@require_key(manages="account")
@routes.arguments(
    schemas.PolicyChange,
    example={"enabled": True, "mode": "block_any_broken", "target": {"scope": "organization"}},
)
@routes.response(200, schemas.PolicySet, headers=openapi.RATE_HEADERS, example={"policy": _POLICY})
@openapi.fails(routes, 400, 401, 403, 404, 413, 415, 429, 500, 503, examples={403: _A_CHILD})
@routes.doc(operationId="setEnforcement")
def change(body: dict[str, Any]) -> Response:
    """Set an enforcement policy

    While it holds, an analysis with a broken citation (mismatch, not_found or derogated) is answered with 422
    OUTPUT_WITHHELD_BY_POLICY, is not charged, and names the document's broken citations. Holds on the next
    request.
    """
    target = body.get("target") or {}
    with db.transaction() as session:
        row = tenancy.enforcement.set_policy(
            session,
            caller(),
            enabled=body["enabled"],
            scope=target.get("scope"),
            api_key_id=target.get("api_key_id"),
            now=clock.now(),
        )
        return http.answer({"policy": _policy(row)})


def _policy(row: tenancy.EnforcementPolicy) -> dict[str, Any]:
    target = str(row.target_id) if row.target_id else None
    return {
        "id": str(row.id),
        "scope": row.scope,
        "api_key_id": target if row.scope == "api_key" else None,
        "organization_id": target if row.scope == "organization" else None,
        "enabled": row.enabled,
        "mode": tenancy.enforcement.MODE,
        "version": row.version,
        "updated_at": clock.iso(row.updated_at),
    }
