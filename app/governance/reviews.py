"""Reviews: what a person decided about an analysis, as records of the audit chain (decision 059). No text."""

from __future__ import annotations

import re
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, get_args

import sqlalchemy as sa
from sqlalchemy.orm import Session

from app import tenancy
from app.governance.audit_log import RECORD_VERSION
from app.governance.chain import canonical
from app.governance.models import AuditRecord
from app.platform import clock
from app.platform.errors import Invalid
from app.platform.postgres.db import Step

Decision = Literal["accepted", "corrected", "rejected"]
DECISIONS: tuple[Decision, ...] = get_args(Decision)
_HASH = re.compile("[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class Reviewer:
    """Author of a review: a member in the portal, or a key of the API."""

    member_id: uuid.UUID | None = None
    api_key_id: uuid.UUID | None = None


@dataclass(frozen=True, slots=True)
class Review:
    """One review as it stands in the chain; `final_hash` is the SHA-256 of the text used in the end."""

    id: uuid.UUID
    analysis_id: uuid.UUID
    seq: int
    at: datetime
    decision: Decision
    final_hash: str | None
    member_id: uuid.UUID | None
    api_key_id: uuid.UUID | None
    hash: str


def review(
    session: Any,
    record: AuditRecord,
    decision: Decision,
    *,
    by: Reviewer,
    final_hash: str | None,
    now: datetime,
) -> Review:
    """Append a review to the chain of an analysis's account.

    Args:
        session: A session in a transaction of the account.
        record: The audit record of the analysis.
        decision: What was decided.
        by: Who decided.
        final_hash: SHA-256, hex, of the text as it was used in the end (NFC and trimmed), where it is known.
        now: The current time.

    Raises:
        Invalid: `final_hash` is no SHA-256 in hex, or is missing where a correction was made (400).
    """
    if final_hash is not None and not _HASH.fullmatch(final_hash):
        raise Invalid(
            "finalHash: must be the SHA-256 of the final text, 64 hexadecimal digits in lower case.",
            details={"field": "finalHash"},
        )
    review_id = uuid.uuid4()
    at = now.replace(microsecond=now.microsecond // 1000 * 1000)
    content = {
        "recordVersion": RECORD_VERSION,
        "kind": "review",
        "recordId": str(review_id),
        "analysisId": str(record.id),
        "accountId": str(record.account_id),
        "apiKeyId": str(by.api_key_id) if by.api_key_id else None,
        "memberId": str(by.member_id) if by.member_id else None,
        "requestId": record.request_id,
        "finishedAt": clock.iso(at),
        "decision": decision,
        "finalHash": final_hash,
        "analysisHash": record.content["analysisHash"],
    }
    [made] = session.take(
        Step(
            "SELECT append_audit_record(%(canonical)s) AS hash",
            {"canonical": canonical(content)},
            lambda row: str(row.hash),
        )
    )
    seq = session.one(
        "SELECT seq FROM audit_records WHERE account_id = %(account)s AND id = %(id)s",
        {"account": record.account_id, "id": review_id},
    ).seq
    tenancy.activity.record(
        session,
        record.account_id,
        "review.recorded",
        tenancy.activity.Target("analysis", str(record.id)),
        details={"decision": decision, "seq": seq, "requestId": record.request_id},
    )
    return Review(review_id, record.id, seq, at, decision, final_hash, by.member_id, by.api_key_id, made)


def reviews_of(
    session: Session, account_id: uuid.UUID, request_ids: Sequence[str]
) -> dict[str, list[Review]]:
    """Return the reviews of outputs by their request ids, each list in the order of the chain."""
    query = sa.select(AuditRecord).where(
        AuditRecord.account_id == account_id,
        AuditRecord.kind == "review",
        AuditRecord.request_id.in_(request_ids),
    )
    found: dict[str, list[Review]] = {}
    for row in session.scalars(query.order_by(AuditRecord.seq)):
        found.setdefault(row.request_id, []).append(
            Review(
                row.id,
                uuid.UUID(row.content["analysisId"]),
                row.seq,
                row.at,
                row.content["decision"],
                row.content["finalHash"],
                row.member_id,
                row.api_key_id,
                row.hash,
            )
        )
    return found


def decisions(
    session: Session, account_id: uuid.UUID, request_ids: Sequence[str]
) -> dict[uuid.UUID, Decision]:
    """Return what the newest review of each analysis decided, by the id of the analysis."""
    found = reviews_of(session, account_id, request_ids)
    return {one.analysis_id: one.decision for made in found.values() for one in made}


def reviewed_hashes(session: Session, account_id: uuid.UUID, request_id: str) -> frozenset[str]:
    """Return the SHA-256, in hex, of the analyses of a request that a person has reviewed."""
    query = sa.select(AuditRecord.content["analysisHash"].astext).where(
        AuditRecord.account_id == account_id,
        AuditRecord.kind == "review",
        AuditRecord.request_id == request_id,
    )
    return frozenset(session.scalars(query))


def contents_of(session: Session, account_id: uuid.UUID, record: AuditRecord) -> list[dict[str, Any]]:
    """Return the hashed contents of the reviews of an analysis, in the order of the chain."""
    query = sa.select(AuditRecord.content).where(
        AuditRecord.account_id == account_id,
        AuditRecord.kind == "review",
        AuditRecord.request_id == record.request_id,
    )
    found = session.scalars(query.order_by(AuditRecord.seq))
    return [content for content in found if content["analysisId"] == str(record.id)]
