"""GET /api/v1/audit/export."""

from __future__ import annotations

from typing import Any

from flask import Response

from app import tenancy
from app.governance import export as exports
from app.governance.export import schemas
from app.platform import clock, settings
from app.platform.errors import Invalid
from app.platform.postgres import db
from app.platform.web import openapi
from app.tenancy.guard import caller, require_key

routes = openapi.Routes("audit-export", __name__, url_prefix="/api/v1", description="Signed export.")

_NDJSON = "application/x-ndjson"
_EXAMPLE = (
    '{"type":"analysis","seq":1,"at":"2026-11-20T10:15:30.125Z","previousHash":"0000…","hash":"5df6…",'
    '"content":{"analysisId":"0d5f4c0a-7c52-4f0e-9d0a-2b6f1c9a4e10","jurisdiction":"ES"}}\n'
)


def _header(name: str) -> str:
    return f"X-{settings.current().wire_name}-Export-{name}"


@routes.route("/audit/export", methods=["GET"])
@require_key()
@routes.arguments(schemas.ExportQuery, location="query")
@openapi.fails(routes, 400, 401, 429, 500, 503)
@routes.doc(
    operationId="exportAuditTrail",
    responses={
        "200": {
            "description": "One JSON object a line. Headers, with the wire name in the place of the dots: "
            "X-…-Export-Signature `t=<unix seconds>,v1=<Ed25519, base64url>` over the 32 bytes of "
            'SHA-256("<t>." + body), X-…-Export-Signer-Key-Id, -Count, -Format, -Has-More, -Next-Cursor.',
            "content": {_NDJSON: {"schema": {"type": "string"}, "example": _EXAMPLE}},
        }
    },
)
def audit_export(query: dict[str, Any]) -> Response:
    """Export the audit trail, signed

    Newline-delimited JSON, the oldest first, a page at a time. Keep the next cursor and ask on from it later:
    within each type rows come in the order of their positions, so nothing is missed and nothing comes twice.
    Every page is signed; the key is one of GET /attestations/keys. Metadata only, never text. A child key
    gets its own rows.
    """
    me = caller()
    since, until = query.get("since"), query.get("until")
    if since and until and since >= until:
        raise Invalid("since: must be before until.", details={"field": "since"})
    selection = exports.RecordSelection(
        me.account_id, since, until, me.key_id if me.role == "child" else None
    )
    with db.transaction() as session:
        page = exports.export(
            session,
            selection,
            kinds=tuple(dict.fromkeys(query["type"])),
            form=query["format"],
            cursor=query.get("cursor"),
            limit=query["limit"],
            now=clock.now(),
        )
        # A reader that goes on from its cursor has been noted when it began.
        if query.get("cursor") is None:
            tenancy.activity.record(
                session,
                me.account_id,
                "export.downloaded",
                details={"export": "audit", "types": sorted(set(query["type"])), "format": query["format"]},
            )
    headers = {
        _header("Signature"): f"t={page.signed_at},v1={page.signature}",
        _header("Signer-Key-Id"): page.signer_key_id,
        _header("Count"): str(page.count),
        _header("Format"): query["format"],
        _header("Has-More"): "true" if page.more else "false",
        _header("Next-Cursor"): page.cursor,
    }
    return Response(page.body, mimetype=_NDJSON, headers=headers)
