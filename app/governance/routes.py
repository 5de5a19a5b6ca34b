"""Endpoints /api/v1/account/dsr/export and /api/v1/audit/verify."""

from __future__ import annotations

from typing import Any

from flask import Response

from app import governance, tenancy
from app.governance.schemas import Bundle, ChainState
from app.platform import clock
from app.platform.errors import Denied
from app.platform.postgres import db
from app.platform.web import http, openapi
from app.tenancy.guard import caller, require_key

routes = openapi.Routes(
    "governance",
    __name__,
    url_prefix="/api/v1",
    description="Stored data: export and verification of the audit trail.",
)

_HEADERS = {
    **openapi.RATE_HEADERS,
    "Content-Disposition": {"schema": {"type": "string"}, "description": "A file name with the day."},
}
_A_CHILD = {
    "error": "A child key cannot export the account. Use another key of the account.",
    "code": "FORBIDDEN_CHILD_KEY",
    "requestId": "req_3f0d6c52-6a0e-4c38-9f4b-0f6a4f1f7a11",
}
_EXAMPLE: dict[str, Any] = {
    "__meta": {
        "generated_at": "2026-11-21T10:15:30.125Z",
        "schema_version": "1",
        "legal_basis": "Regulation (EU) 2016/679, articles 15 and 20.",
        "data_subject_id": "7d9f2f54-0c3b-4b8e-9b57-5f0a3a3c1e42",
        "initiated_by": "api_key:9a1c2c1e-8a54-4c0e-9a2f-5a1d7c3e9b10",
        "note": "Everything this service stores about the account, its members and keys, as of generated_at.",
    },
    "profile": {
        "id": "7d9f2f54-0c3b-4b8e-9b57-5f0a3a3c1e42",
        "name": "Despacho Ribera",
        "created_at": "2026-01-07T09:00:00.000Z",
        "emails": ["owner@example.com"],
    },
    "auth": {
        "members": [
            {
                "id": "3b1f7a52-0c3b-4b8e-9b57-5f0a3a3c1e42",
                "email": "owner@example.com",
                "role": "owner",
                "created_at": "2026-01-07T09:00:00.000Z",
                "last_sign_in_at": "2026-11-20T08:01:12.004Z",
                "second_factor": True,
            }
        ]
    },
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
    "outputs": [
        {
            "request_id": "req_3f0d6c52-6a0e-4c38-9f4b-0f6a4f1f7a11",
            "analysis_id": "0d5f4c0a-7c52-4f0e-9d0a-2b6f1c9a4e10",
            "created_at": "2026-11-20T10:15:30.125Z",
            "api_key_id": "9a1c2c1e-8a54-4c0e-9a2f-5a1d7c3e9b10",
            "jurisdiction": "ES",
            "legal_branch": "civil",
            "language": "es",
            "mode": "standard",
            "models": ["rules"],
            "credits_charged": 1,
            "document_characters": 1843,
            "document_sha256": "b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9",
            "analysis_sha256": "5df6e0e2761359d30a8275058e299fcc0381534545f55cf43e41983f5d4c9456",
        }
    ],
    "credits_ledger": [],
    "api_keys_metadata": [],
    "__counts": {"organizations": 1, "outputs": 1},
    "__warnings": [
        "Documents and analyses are not stored: outputs has the metadata and hashes of each, not its text."
    ],
}


@routes.route("/account/dsr/export", methods=["GET"])
@require_key(manages="account")
@routes.response(200, Bundle, headers=_HEADERS, example=_EXAMPLE)
@openapi.fails(routes, 401, 403, 429, 500, 503, examples={403: _A_CHILD})
@routes.doc(operationId="exportAccount")
def export() -> Response:
    """Export all stored data of the account

    For requests of access and portability (GDPR, articles 15 and 20): account, members, keys, organizations,
    credits, webhooks, events, audit trail and usage, streamed as one JSON document. `__counts` has the
    number of entries of each list, `__warnings` what is not included: documents and analyses are not stored,
    and secrets are left out.
    """
    me = caller()
    if me.role == "child":
        raise Denied(str(_A_CHILD["error"]), code="FORBIDDEN_CHILD_KEY", status=403)
    with db.transaction() as session:
        tenancy.activity.record(session, me.account_id, "export.downloaded", details={"export": "account"})
    name = f"account_export_{clock.today()}.json"
    return Response(
        http.streamed(governance.bundle(me.account_id, initiated_by=f"api_key:{me.key_id}")),
        mimetype="application/json",
        headers={"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"},
    )


_CHAIN_OF_A_CHILD = {
    **_A_CHILD,
    "error": "A child key cannot verify the audit chain of the account. Use another key of the account.",
}
_WHOLE: dict[str, Any] = {
    "valid": True,
    "records": 1284,
    "checked": 1284,
    "head": "5df6e0e2761359d30a8275058e299fcc0381534545f55cf43e41983f5d4c9456",
    "firstBroken": None,
    "firstBrokenId": None,
    "problem": None,
    "broken": 0,
    "checkedAt": "2026-11-21T10:15:30.125Z",
}
_UNDER_WAY = {
    **_WHOLE,
    "valid": None,
    "records": 240_000,
    "checked": 61_000,
    "head": None,
    "note": "The records are being verified. Try again in a few seconds.",
}
# How long to wait before asking again, in seconds.
_AGAIN_S = 5


@routes.route("/audit/verify", methods=["GET"])
@require_key()
@routes.response(200, ChainState, headers=openapi.RATE_HEADERS, example=_WHOLE)
@routes.alt_response(
    202,
    schema=ChainState,
    description="The chain is being verified; ask again after Retry-After seconds.",
    headers={
        **openapi.RATE_HEADERS,
        "Retry-After": {"schema": {"type": "integer"}, "description": "Seconds."},
    },
    example=_UNDER_WAY,
)
@openapi.fails(routes, 401, 403, 429, 500, 503, examples={403: _CHAIN_OF_A_CHILD})
@routes.doc(operationId="verifyAuditTrail")
def verify_trail() -> Response:
    """Verify the chain of audit records

    Recomputes the hash of every record of the account, in order, and compares the listed fields of each
    record with the hashed content. A chain of up to 5,000 records is verified at once. A longer chain is
    verified in the background: 202 reports the progress, and the result is repeated for five minutes, with
    its time in `checkedAt`. Any key with a valid scope may ask, except child keys, because the records of
    one key are not a chain. Costs no credits.
    """
    me = caller()
    if me.role == "child":
        raise Denied(str(_CHAIN_OF_A_CHILD["error"]), code="FORBIDDEN_CHILD_KEY", status=403)
    with db.transaction() as session:
        check = governance.chain_check.now_or_ask(session, me.account_id)
    verdict = check.verdict
    body: dict[str, Any] = {
        "valid": verdict.valid if verdict else None,
        "records": check.total,
        "checked": check.done,
        "head": verdict.head if verdict and verdict.records else None,
        "firstBroken": verdict.first_broken_seq if verdict else None,
        "firstBrokenId": verdict.first_broken and str(verdict.first_broken) if verdict else None,
        "problem": verdict.problem if verdict else None,
        "broken": verdict.broken if verdict else 0,
        "checkedAt": clock.iso(check.at),
    }
    if verdict is None:
        body["note"] = _UNDER_WAY["note"]
        return http.answer(body, 202, headers={"Retry-After": str(_AGAIN_S)})
    if verdict.valid and not verdict.records:
        body["note"] = "There are no records, so nothing was verified."
    return http.answer(body, headers={"Cache-Control": "no-store"})
