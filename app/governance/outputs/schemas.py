"""Wire shapes of attestations and proofs (decision 055)."""

from __future__ import annotations

from typing import Any

import marshmallow as ma
from marshmallow import fields

from app.governance.reviews import DECISIONS
from app.platform.web.openapi import Body, Choice, Length, Problem, Text


class Attestation(ma.Schema):
    """A signed statement of one analysis: what was found, by what, and the hashes of text and record."""

    attestation_version = fields.String(required=True)
    issued_at = fields.DateTime(required=True, metadata={"description": "When the analysis ended, UTC."})
    signer_key_id = fields.String(required=True, metadata={"description": "`kid` of the key that signed."})
    request_id = fields.String(required=True)
    jurisdiction = fields.String(required=True)
    integrity_hash = fields.String(
        required=True, metadata={"description": "SHA-256, hex, of the audit record in its chain."}
    )
    content_hash = fields.String(
        required=True,
        metadata={"description": "SHA-256, hex, of the analysis as UTF-8 after NFC and trimming."},
    )
    model_chain = fields.List(
        fields.String(), required=True, metadata={"description": "What analysed and, at mode deep, audited."}
    )
    verify_engine_version = fields.String(required=True)
    citation_summary = fields.Dict(
        keys=fields.String(),
        values=fields.Integer(),
        required=True,
        metadata={"description": "Citations by verdict."},
    )
    signature = fields.String(
        required=True,
        metadata={
            "description": "Ed25519, base64url without padding, over the canonical JSON (RFC 8785) of all "
            "other fields."
        },
    )


class Envelope(ma.Schema):
    """DSSE envelope around an in-toto statement."""

    payload = fields.String(required=True, metadata={"description": "Base64 of the statement."})
    payloadType = fields.String(required=True)  # noqa: N815 (a wire name)
    signatures = fields.List(fields.Dict(keys=fields.String(), values=fields.String()), required=True)


class FormQuery(ma.Schema):
    """In which form an attestation is given."""

    format = Choice(
        "flat",
        "dsse",
        load_default="flat",
        metadata={"description": "flat: the object; dsse: an in-toto statement in a DSSE envelope."},
    )


class Keys(ma.Schema):
    """JSON Web Key Set (RFC 7517)."""

    keys = fields.List(fields.Dict(keys=fields.String(), values=fields.String()), required=True)


class ReviewRequest(Body):
    """What a person decided about an analysis; no text."""

    decision = Choice(*DECISIONS, required=True)
    final_hash = Text(
        metadata={"description": "SHA-256, hex, of the text as it was used in the end (UTF-8, NFC, trimmed)."}
    )


class Review(ma.Schema):
    """A review as it stands in the audit chain."""

    id = fields.UUID(required=True)
    seq = fields.Integer(required=True, metadata={"description": "Position in the chain."})
    at = fields.DateTime(required=True)
    decision = fields.String(required=True, metadata={"enum": list(DECISIONS)})
    finalHash = fields.String(required=True, allow_none=True)  # noqa: N815 (a wire name)
    memberId = fields.UUID(  # noqa: N815
        required=True, allow_none=True, metadata={"description": "The member who reviewed in the portal."}
    )
    apiKeyId = fields.UUID(  # noqa: N815
        required=True, allow_none=True, metadata={"description": "The key that reviewed over the API."}
    )
    hash = fields.String(required=True, metadata={"description": "The record's hash in the chain."})


class Reviewed(ma.Schema):
    """A review that was recorded."""

    review = fields.Nested(Review, required=True)
    requestId = fields.String(required=True)  # noqa: N815


class Reviews(ma.Schema):
    """The reviews of an analysis, the oldest first."""

    reviews = fields.List(fields.Nested(Review), required=True)
    requestId = fields.String(required=True)  # noqa: N815


class _Object(fields.Dict):
    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Any:
        if not isinstance(value, dict):
            raise ma.ValidationError(Problem("must be an object: the attestation as it was given."))
        return value


class VerifyRequest(Body):
    """An attestation and, where its text is to be compared, the analysis."""

    attestation = _Object(required=True, metadata={"description": "The object as it was given."})
    content = Text(
        validate=Length(max=2_000_000, status=422),
        metadata={"description": "The analysis that it should be of."},
    )


class Verified(ma.Schema):
    """What became of the verification."""

    signature_valid = fields.Boolean(required=True)
    content_match = fields.Boolean(
        required=True,
        allow_none=True,
        metadata={"description": "Whether content is what was attested; null without content."},
    )
    citation_recheck = fields.Dict(
        required=True,
        allow_none=True,
        metadata={
            "description": "Citations found in content, by the verdict that they get today: "
            "`{counts, total, broken}`; null without content."
        },
    )
    signer_key_id = fields.String(
        required=True,
        allow_none=True,
        metadata={"description": "The key whose signature verified; null where none did."},
    )
    requestId = fields.String(required=True)  # noqa: N815
