"""Attestation of an analysis: a flat object that the service signs with Ed25519 (decision 055).

What is signed is read off the audit record, so that the same analysis always gets the same bytes: Ed25519 is
deterministic, and the key is the one that signed when the analysis ended.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import rfc8785
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from app.governance.signing_keys import Signer, base64url
from app.platform import settings

VERSION = "1"
FIELDS = (
    "attestation_version",
    "issued_at",
    "signer_key_id",
    "request_id",
    "jurisdiction",
    "integrity_hash",
    "content_hash",
    "model_chain",
    "verify_engine_version",
    "citation_summary",
    "signature",
)
# Of the rules by which citations are checked, where a record does not name it.
VERIFY_ENGINE_VERSION = "1.0"
PAYLOAD_TYPE = "application/vnd.in-toto+json"
STATEMENT_TYPE = "https://in-toto.io/Statement/v1"
# What both `str.strip` of Python and `String.prototype.trim` of JavaScript take off. Python alone also takes
# U+001C to U+001F and U+0085, JavaScript alone U+FEFF: neither is trimmed here, so that both agree with us on
# every text that has none of them at its ends.
_TRIMMED = (
    "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000"
)


@dataclass(frozen=True, slots=True)
class Verdict:
    """Result of a verification; `content_match` is `None` where no content came with the attestation."""

    signature_valid: bool
    content_match: bool | None
    signer_key_id: str | None


def content_hash(analysis: str) -> str:
    """Return the SHA-256, in hex, of an analysis after NFC and trimming (decision 036)."""
    return hashlib.sha256(unicodedata.normalize("NFC", analysis).strip(_TRIMMED).encode()).hexdigest()


def canonical(attestation: Mapping[str, Any]) -> bytes:
    """Return what is signed: RFC 8785 JSON of every field but `signature`."""
    return rfc8785.dumps({name: value for name, value in attestation.items() if name != "signature"})


def attest(content: Mapping[str, Any], record_hash: str, signer: Signer) -> dict[str, Any]:
    """Return the signed attestation of an analysis.

    Args:
        content: The hashed content of its audit record.
        record_hash: The record's hash, in hex: the chain's and the log's name for it.
        signer: The key that signs.
    """
    unsigned = {
        "attestation_version": VERSION,
        "issued_at": content["finishedAt"],
        "signer_key_id": signer.kid,
        "request_id": content["requestId"],
        "jurisdiction": content["jurisdiction"],
        "integrity_hash": record_hash,
        "content_hash": content["analysisHash"],
        "model_chain": list(content["models"]),
        "verify_engine_version": content["versions"].get("verify", VERIFY_ENGINE_VERSION),
        "citation_summary": dict(content["citations"]),
    }
    return {**unsigned, "signature": base64url(signer.key.sign(canonical(unsigned)))}


def verify(attestation: Mapping[str, Any], content: str | None, public_keys: Mapping[str, bytes]) -> Verdict:
    """Verify an attestation and, where given, that it is of `content`.

    Args:
        attestation: The object as it came; a field more or less makes the signature invalid.
        content: The text of the analysis.
        public_keys: The published keys, 32 bytes each, by their ids.
    """
    kid = attestation.get("signer_key_id")
    public = public_keys.get(kid) if isinstance(kid, str) else None
    valid = public is not None and _is_signed(attestation, public)
    match = None if content is None else content_hash(content) == attestation.get("content_hash")
    return Verdict(valid, match, kid if valid else None)


def _is_signed(attestation: Mapping[str, Any], public: bytes) -> bool:
    try:
        signature = decoded(attestation.get("signature"))
        Ed25519PublicKey.from_public_bytes(public).verify(signature, canonical(attestation))
    except (InvalidSignature, ValueError, TypeError, rfc8785.CanonicalizationError, RecursionError):
        return False
    return True


def decoded(text: object) -> bytes:
    """Decode base64url without padding.

    Raises:
        ValueError: It is not the one encoding of its bytes.
    """
    if not isinstance(text, str):
        raise ValueError("a string was expected")
    try:
        found = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except binascii.Error as error:
        raise ValueError("base64url was expected") from error
    if base64url(found) != text:
        raise ValueError("base64url was expected")
    return found


def dsse(content: Mapping[str, Any], record_hash: str, signer: Signer) -> dict[str, Any]:
    """Return the attestation as an in-toto Statement v1 in a DSSE envelope, for tools of supply chains."""
    attestation = attest(content, record_hash, signer)
    base = settings.current().public_url.rstrip("/") or "http://localhost"
    statement = {
        "_type": STATEMENT_TYPE,
        "subject": [
            {"name": "document", "digest": {"sha256": content["documentHash"]}},
            {"name": "analysis", "digest": {"sha256": content["analysisHash"]}},
        ],
        "predicateType": f"{base}/attestations/analysis/v1",
        "predicate": {name: value for name, value in attestation.items() if name != "signature"},
    }
    payload = json.dumps(statement, ensure_ascii=False, separators=(",", ":")).encode()
    return {
        "payload": base64.b64encode(payload).decode(),
        "payloadType": PAYLOAD_TYPE,
        "signatures": [
            {
                "keyid": signer.kid,
                "sig": base64.b64encode(signer.key.sign(pre_authentication(payload))).decode(),
            }
        ],
    }


def pre_authentication(payload: bytes, payload_type: str = PAYLOAD_TYPE) -> bytes:
    """Return what a DSSE signature is over (DSSE v1, pre-authentication encoding)."""
    kind = payload_type.encode()
    return b"DSSEv1 %d %s %d %s" % (len(kind), kind, len(payload), payload)
