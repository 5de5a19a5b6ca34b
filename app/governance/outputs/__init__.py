"""What the service attests of one analysis: a signed attestation and a proof from the transparency log.

An output is known by the id of the request that made it; where a caller used one id twice, the newest is
meant.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Literal

import sqlalchemy as sa
from sqlalchemy.orm import Session

from app.governance import attestation, chain, signing_keys
from app.governance.audit_log import record_of
from app.governance.models import AuditRecord
from app.governance.transparency import log, notes
from app.platform.errors import Conflict, Denied, NotFound

__all__ = ["attestation_of", "attestations", "output", "proof_of", "public_keys", "verify"]


def output(session: Session, account_id: uuid.UUID, request_id: str, *, key: uuid.UUID | None) -> AuditRecord:
    """Return the audit record of an output.

    Args:
        session: A database session.
        account_id: The account that asks.
        request_id: The request that made the output.
        key: The only key whose outputs may be seen; `None` for all of the account.

    Raises:
        NotFound: There is none, or it is another key's or account's (404).
    """
    record = record_of(session, account_id, request_id)
    if record is None or (key is not None and record.api_key_id != key):
        raise NotFound("There is no output of this request id.", code="OUTPUT_NOT_FOUND")
    return record


def attestation_of(
    session: Session, record: AuditRecord, *, form: Literal["flat", "dsse"] = "flat"
) -> dict[str, Any]:
    """Return the attestation of an output, signed with the key that signed when the analysis ended.

    Raises:
        Conflict: The record is not what was recorded: nothing is signed on its word (409).
    """
    if chain.fault(record, None) is not None:
        raise Conflict(
            "The audit record of this output does not fit its hash, so that nothing can be "
            "attested. Tell support.",
            code="AUDIT_RECORD_BROKEN",
        )
    signer = signing_keys.signer(session, "attestation", at=chain.moment_of(record.content))
    make = attestation.dsse if form == "dsse" else attestation.attest
    return make(record.content, record.hash, signer)


def attestations(
    session: Session, account_id: uuid.UUID, analysis_ids: Sequence[uuid.UUID]
) -> dict[uuid.UUID, dict[str, Any]]:
    """Return the attestations of analyses by their ids.

    An analysis whose record is missing, or does not fit its hash, has none.
    """
    query = sa.select(AuditRecord).where(
        AuditRecord.account_id == account_id, AuditRecord.id.in_(analysis_ids)
    )
    return {
        record.id: attestation_of(session, record)
        for record in session.scalars(query)
        if chain.fault(record, None) is None
    }


def require_attestation(enabled: bool) -> None:
    """Refuse where the account has not switched attestation on.

    Raises:
        Denied: It has not (403).
    """
    if not enabled:
        raise Denied(
            "Attestation is off for this account. An owner or administrator switches it on in the portal, "
            "under Account.",
            code="ATTESTATION_DISABLED",
            status=403,
        )


def proof_of(session: Session, record: AuditRecord) -> notes.InclusionProof | None:
    """Return the proof that an output's record is in the transparency log; `None` where it is not yet."""
    return log.proof_for(session, record.account_id, record.seq)


def public_keys(session: Session) -> list[dict[str, Any]]:
    """Return every key that ever signed attestations or will, as JSON Web Keys, the oldest first."""
    return [signing_keys.as_jwk(key) for key in signing_keys.published(session, "attestation")]


def verify(session: Session, made: Mapping[str, Any], content: str | None) -> attestation.Verdict:
    """Verify an attestation with the published keys: with the one that signed at the time it names."""
    published = signing_keys.published(session, "attestation")
    found = attestation.verify(made, content, {key.kid: key.public_key for key in published})
    if found.signature_valid and signing_keys.signed_at(published, _issued(made)) != found.signer_key_id:
        return attestation.Verdict(False, found.content_match, None)
    return found


def _issued(made: Mapping[str, Any]) -> datetime:
    try:
        found = datetime.fromisoformat(str(made.get("issued_at")))
    except ValueError:
        found = datetime(9999, 12, 31, tzinfo=UTC)
    return found if found.tzinfo else found.replace(tzinfo=UTC)
