"""/api/v1/account/dsr/export."""

from __future__ import annotations

from typing import Any

from flask import Response

from app import governance
from app.governance.schemas import Bundle
from app.platform import clock, openapi, web
from app.platform.errors import Denied
from app.tenancy.guard import caller, require_key

routes = openapi.Routes(
    "governance", __name__, url_prefix="/api/v1", description="What is kept, and who may have it."
)

_HEADERS = {
    **openapi.RATE_HEADERS,
    "Content-Disposition": {"schema": {"type": "string"}, "description": "A file name with the day."},
}
_A_CHILD = {
    "error": "A child key may not export the account; its data are for the account's own keys.",
    "code": "FORBIDDEN_CHILD_KEY",
    "requestId": "req_3f0d6c52-6a0e-4c38-9f4b-0f6a4f1f7a11",
}
_EXAMPLE: dict[str, Any] = {
    "format": governance.FORMAT,
    "generated_at": "2026-11-21T10:15:30.125Z",
    "about": {"law": "Regulation (EU) 2016/679, articles 15 and 20."},
    **{section: [] for section in governance.SECTIONS},
    "organizations": [
        {
            "id": "5f3e8c1a-7c52-4f0e-9d0a-2b6f1c9a4e10",
            "account_id": "7d9f2f54-0c3b-4b8e-9b57-5f0a3a3c1e42",
            "name": "Despacho Ribera",
            "description": None,
            "created_at": "2026-11-21T10:15:30.125Z",
            "deleted_at": None,
        }
    ],
}


@routes.route("/account/dsr/export", methods=["GET"])
@require_key()
@routes.response(200, Bundle, headers=_HEADERS, example=_EXAMPLE)
@openapi.fails(routes, 401, 403, 429, 500, 503, examples={403: _A_CHILD})
@routes.doc(operationId="exportAccount")
def export() -> Response:
    """Export what is kept of the account

    For requests of access and portability (GDPR, articles 15 and 20): account, members, keys, organizations,
    credits, webhooks, events, audit trail, usage, as one JSON document, streamed. Documents and analyses are
    not kept and so not in it; secrets are left out.
    """
    me = caller()
    if me.role == "child":
        raise Denied(str(_A_CHILD["error"]), code="FORBIDDEN_CHILD_KEY", status=403)
    name = f"account_export_{clock.today()}.json"
    return Response(
        web.streamed(governance.bundle(me.account_id)),
        mimetype="application/json",
        headers={"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"},
    )
