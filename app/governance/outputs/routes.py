"""/api/v1/outputs/{requestId}/… and /api/v1/attestations."""

from __future__ import annotations

from typing import Any

from flask import Response

from app.governance import attestation, citation_recheck, outputs, reviews
from app.governance.outputs import schemas
from app.platform import clock
from app.platform.postgres import db
from app.platform.web import http, openapi
from app.tenancy.guard import caller, public, require_key

routes = openapi.Routes(
    "outputs",
    __name__,
    url_prefix="/api/v1",
    description="What the service attests of an analysis, and proofs that need no word of ours.",
)

_REQUEST_ID = "req_3f0d6c52-6a0e-4c38-9f4b-0f6a4f1f7a11"
_KID = "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k"
ATTESTATION: dict[str, Any] = {
    "attestation_version": attestation.VERSION,
    "issued_at": "2026-11-20T10:15:30.125Z",
    "signer_key_id": _KID,
    "request_id": _REQUEST_ID,
    "jurisdiction": "ES",
    "integrity_hash": "5df6e0e2761359d30a8275058e299fcc0381534545f55cf43e41983f5d4c9456",
    "content_hash": "b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9",
    "model_chain": ["rules"],
    "verify_engine_version": "1.0",
    "citation_summary": {
        "verified": 4,
        "mismatch": 0,
        "not_found": 0,
        "derogated": 0,
        "not_verifiable": 1,
        "pending": 0,
    },
    "signature": "5VZx0o1oKoHjcY0Wn0Vd6b1lJpFa2XyS8e0fG2kqz1m3yTtQm4cO1p9uR7vLhB6dN5sKwEjXiUg2CqZ0aYfBDQ",
}
_JWKS = {
    "keys": [
        {
            "kty": "OKP",
            "crv": "Ed25519",
            "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
            "kid": _KID,
            "alg": "EdDSA",
            "use": "sig",
            "signs_from": "2026-01-07T09:00:00.000000Z",
        }
    ]
}
_VERIFIED = {
    "signature_valid": True,
    "content_match": True,
    "citation_recheck": {
        "counts": {**ATTESTATION["citation_summary"]},
        "total": 5,
        "broken": 0,
    },
    "signer_key_id": _KID,
    "requestId": _REQUEST_ID,
}
_REVIEWED = {
    "review": {
        "id": "6f1c2b1e-8a54-4c0e-9a2f-5a1d7c3e9b10",
        "seq": 1285,
        "at": "2026-11-20T11:02:09.500Z",
        "decision": "corrected",
        "finalHash": "b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9",
        "memberId": None,
        "apiKeyId": "9a1c2c1e-8a54-4c0e-9a2f-5a1d7c3e9b10",
        "hash": "5df6e0e2761359d30a8275058e299fcc0381534545f55cf43e41983f5d4c9456",
    },
    "requestId": _REQUEST_ID,
}
_OFF = {
    "error": "Attestation is off for this account. An owner or administrator switches it on in the portal, "
    "under Account.",
    "code": "ATTESTATION_DISABLED",
    "requestId": _REQUEST_ID,
}
_NONE = {
    "error": "There is no output of this request id.",
    "code": "OUTPUT_NOT_FOUND",
    "requestId": _REQUEST_ID,
}
_BROKEN = {
    "error": "The audit record of this output does not fit its hash, so that nothing can be "
    "attested. Tell support.",
    "code": "AUDIT_RECORD_BROKEN",
    "requestId": _REQUEST_ID,
}
_PENDING = {
    "status": "pending",
    "note": "The record is not in a signed head of the log yet. Ask again.",
    "requestId": _REQUEST_ID,
}
_PROOF = """\
c2sp.org/tlog-proof@v1
extra 3q2+7wAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=
index 1
bjQLnP+zepicpUTmu3gKLHiQHT+zNzh2hRGjBhevoB0=

law.example.com/transparency
2
+sVCA+fMaWzw38tCySodnbr3CtnmIfS9jZhmLwDjwSU=

\u2014 law.example.com/transparency Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGkw=
"""
# A head of the log is signed every minute; how long to wait before asking again, in seconds.
_AGAIN_S = 60


@routes.route("/outputs/<string:request_id>/attestation", methods=["GET"])
@require_key()
@routes.arguments(schemas.FormQuery, location="query")
@routes.response(200, schemas.Attestation, headers=openapi.RATE_HEADERS, example=ATTESTATION)
@openapi.fails(routes, 400, 401, 403, 404, 409, 429, 500, 503, examples={403: _OFF, 404: _NONE, 409: _BROKEN})
@routes.doc(operationId="getAttestation")
def get_attestation(query: dict[str, Any], request_id: str) -> Response:
    """Get the attestation of an analysis

    The bare object, with nothing added, since an added field breaks the signature. Opt-in per account. The
    same analysis always gets the same object. A child key gets those of its own analyses.
    """
    return _attested(request_id, query["format"])


@routes.route("/outputs/<string:request_id>/attestation", methods=["POST"])
@require_key()
@routes.arguments(schemas.FormQuery, location="query")
@routes.response(200, schemas.Attestation, headers=openapi.RATE_HEADERS, example=ATTESTATION)
@openapi.fails(routes, 400, 401, 403, 404, 409, 429, 500, 503, examples={403: _OFF, 404: _NONE, 409: _BROKEN})
@routes.doc(operationId="makeAttestation")
def make_attestation(query: dict[str, Any], request_id: str) -> Response:
    """Make the attestation of an analysis

    The same as GET: what is signed is read off the audit record, and nothing is stored.
    """
    return _attested(request_id, query["format"])


@routes.route("/outputs/<string:request_id>/proof", methods=["GET"])
@require_key()
@openapi.fails(routes, 401, 404, 429, 500, 503, examples={404: _NONE})
@routes.doc(
    operationId="getInclusionProof",
    responses={
        "200": {
            "description": "The proof (C2SP tlog-proof): nonce, index, hashes and the signed head.",
            "content": {"text/plain": {"schema": {"type": "string"}, "example": _PROOF}},
        },
        "202": {
            "description": "The record is not in a signed head yet; ask again after Retry-After seconds.",
            "content": {"application/json": {"schema": {"type": "object"}, "example": _PENDING}},
        },
    },
)
def get_proof(request_id: str) -> Response:
    """Get the proof that an analysis is in the transparency log

    Verifies offline, with the log's public key alone, that the audit record of the analysis was in the
    service's log when its head was signed (docs/verification.md).
    """
    me = caller()
    with db.reading() as session:
        record = outputs.output(session, me.account_id, request_id, key=_only(me.role))
        proof = outputs.proof_of(session, record)
    if proof is None:
        return http.answer(
            {**_PENDING, "requestId": http.request_id()}, 202, headers={"Retry-After": str(_AGAIN_S)}
        )
    name = f'attachment; filename="{request_id}.tlog-proof"'
    return Response(str(proof), mimetype="text/plain", headers={"Content-Disposition": name})


@routes.route("/outputs/<string:request_id>/review", methods=["POST"])
@require_key(manages="key")
@routes.arguments(schemas.ReviewRequest, example={"decision": "corrected", "finalHash": "ab" * 32})
@routes.response(201, schemas.Reviewed, headers=openapi.RATE_HEADERS, example=_REVIEWED)
@openapi.fails(routes, 400, 401, 404, 413, 415, 429, 500, 503, examples={404: _NONE})
@routes.doc(operationId="reviewOutput")
def review_output(body: dict[str, Any], request_id: str) -> Response:
    """Record that a person reviewed an analysis

    What was decided, and where it is known the hash of the text that was used in the end; never the text. The
    review is a record of the audit chain: it cannot be changed or taken back, only followed by another.
    """
    me = caller()
    with db.transaction() as session:
        record = outputs.output(session, me.account_id, request_id, key=_only(me.role))
        made = reviews.review(
            session,
            record,
            body["decision"],
            by=reviews.Reviewer(api_key_id=me.key_id),
            final_hash=body.get("final_hash"),
            now=clock.now(),
        )
    return http.answer({"review": _review(made), "requestId": http.request_id()}, 201)


@routes.route("/outputs/<string:request_id>/review", methods=["GET"])
@require_key()
@routes.response(
    200,
    schemas.Reviews,
    headers=openapi.RATE_HEADERS,
    example={"reviews": [_REVIEWED["review"]], "requestId": _REQUEST_ID},
)
@openapi.fails(routes, 401, 404, 429, 500, 503, examples={404: _NONE})
@routes.doc(operationId="listReviews")
def list_reviews(request_id: str) -> Response:
    """List the reviews of an analysis

    The oldest first: by members in the portal and by keys over the API.
    """
    me = caller()
    with db.reading() as session:
        outputs.output(session, me.account_id, request_id, key=_only(me.role))
        found = reviews.reviews_of(session, me.account_id, [request_id]).get(request_id, [])
    return http.answer({"reviews": [_review(one) for one in found], "requestId": http.request_id()})


def _review(found: reviews.Review) -> dict[str, Any]:
    return {
        "id": str(found.id),
        "seq": found.seq,
        "at": clock.iso(found.at),
        "decision": found.decision,
        "finalHash": found.final_hash,
        "memberId": str(found.member_id) if found.member_id else None,
        "apiKeyId": str(found.api_key_id) if found.api_key_id else None,
        "hash": found.hash,
    }


@routes.route("/attestations/keys", methods=["GET"])
@public
@routes.response(200, schemas.Keys, headers=openapi.RATE_HEADERS, example=_JWKS)
@openapi.fails(routes, 429, 500, 503)
@routes.doc(operationId="listAttestationKeys", security=[])
def keys() -> Response:
    """List the public keys of attestations

    A JSON Web Key Set. Needs no key. A new key is published before it signs; old ones stay.
    """
    with db.reading() as session:
        found = outputs.public_keys(session)
    return http.answer({"keys": found}, headers={"Cache-Control": "public, max-age=300"})


@routes.route("/attestations/verify", methods=["POST"])
@require_key()
@routes.arguments(schemas.VerifyRequest, example={"attestation": ATTESTATION, "content": "# Análisis\n\n…"})
@routes.response(200, schemas.Verified, headers=openapi.RATE_HEADERS, example=_VERIFIED)
@openapi.fails(routes, 400, 401, 413, 415, 422, 429, 500, 503)
@routes.doc(operationId="verifyAttestation")
def verify_attestation(body: dict[str, Any]) -> Response:
    """Verify an attestation

    Checks the signature with the key that signed at the time that it names, compares the text where it is
    sent, and checks the citations in it again with what the service knows of the law today. Nothing is kept.
    Costs no credits.
    """
    http.refuse_repeated_names()
    content = body.get("content")
    with db.reading() as session:
        found = outputs.verify(session, body["attestation"], content)
    jurisdiction = body["attestation"].get("jurisdiction")
    return http.answer(
        {
            "signature_valid": found.signature_valid,
            "content_match": found.content_match,
            "citation_recheck": None
            if content is None
            else citation_recheck.recheck(content, jurisdiction if isinstance(jurisdiction, str) else ""),
            "signer_key_id": found.signer_key_id,
            "requestId": http.request_id(),
        }
    )


def _attested(request_id: str, form: Any) -> Response:
    me = caller()
    # A transaction, since the first attestation of all makes the key that signs it.
    with db.transaction() as session:
        record = outputs.output(session, me.account_id, request_id, key=_only(me.role))
        outputs.require_attestation(me.attestation)
        return http.answer(outputs.attestation_of(session, record, form=form))


def _only(role: str) -> Any:
    """Return the key to which a caller's sight is limited: a child sees its own outputs alone."""
    return caller().key_id if role == "child" else None
