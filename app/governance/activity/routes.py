"""GET /api/v1/audit/activity."""

from __future__ import annotations

from typing import Any

from flask import Response

from app import tenancy
from app.governance import activity
from app.governance.activity import schemas
from app.platform.errors import Invalid
from app.platform.postgres import db
from app.platform.web import http, openapi
from app.tenancy.guard import caller, require_key

routes = openapi.Routes(
    "activity", __name__, url_prefix="/api/v1", description="What members and keys did with the account."
)

_PAGE: dict[str, Any] = {
    "data": [
        {
            "id": "0d5f4c0a-7c52-4f0e-9d0a-2b6f1c9a4e10",
            "seq": 412,
            "at": "2026-11-21T10:15:30.125Z",
            "action": "key.revoked",
            "actor": {
                "kind": "member",
                "id": "3b1f7a52-0c3b-4b8e-9b57-5f0a3a3c1e42",
                "name": "owner@example.com",
                "network": "203.0.113.0/24",
            },
            "target": {
                "kind": "api_key",
                "id": "9a1c2c1e-8a54-4c0e-9a2f-5a1d7c3e9b10",
                "name": "Case files (svc_3kf9Q2aB…)",
            },
            "details": {},
        }
    ],
    "has_more": True,
    "next_cursor": "NDEy.5VZx0o1oKoHjcY0Wn0Vd6Q",
}


@routes.route("/audit/activity", methods=["GET"])
@require_key()
@routes.arguments(schemas.ActivityQuery, location="query")
@routes.response(200, schemas.ActivityPage, headers=openapi.RATE_HEADERS, example=_PAGE)
@openapi.fails(routes, 400, 401, 429, 500, 503)
@routes.doc(operationId="listActivity")
def list_activity(query: dict[str, Any]) -> Response:
    """List the activity of members and keys

    Sign-ins and failed ones, second factors, keys, caps, members and roles, webhooks, branding, policies,
    reviews, settings, documents and exports: who, when, from which network, what. Newest first, in the order
    of positions and never by clock. No text of documents and no secrets. A child key gets its own. The signed
    export has the same with `type=activity`.
    """
    me = caller()
    since, until = query.get("since"), query.get("until")
    if since and until and since >= until:
        raise Invalid("since: must be before until.", details={"field": "since"})
    wanted = query.get("actor_id")
    if me.role == "child" and wanted not in (None, me.key_id):
        return http.answer({"data": [], "has_more": False, "next_cursor": None})
    chosen = tenancy.activity.Filter(
        since, until, tuple(query["action"]), me.key_id if me.role == "child" else wanted
    )
    with db.reading() as session:
        page = activity.page(session, me.account_id, chosen, cursor=query.get("cursor"), limit=query["limit"])
        rows = [activity.on_the_wire(row) for row in page.rows]
    return http.answer({"data": rows, "has_more": page.cursor is not None, "next_cursor": page.cursor})
