"""Listing of the audit trail for the portal: newest first, filtered, paged; and the search for one record."""

from __future__ import annotations

import re
import uuid
from collections.abc import Sequence

import sqlalchemy as sa
from sqlalchemy.orm import Session

from app.governance.audit_log import Filter, matching
from app.governance.models import AuditRecord
from app.platform.errors import NotFound

# Of the text that was analysed, and of the analysis. The account's own records are read for them: behind
# row-level security PostgreSQL uses no index on an expression whose operator is not leakproof.
_DOCUMENT_HASH = AuditRecord.content["documentHash"].astext
_ANALYSIS_HASH = AuditRecord.content["analysisHash"].astext
_SHA256 = re.compile("[0-9a-f]{64}")
# As many as a position in the chain may have.
_DIGITS_MAX = 18


def page(
    session: Session, account_id: uuid.UUID, chosen: Filter, *, before: int | None = None, limit: int
) -> Sequence[AuditRecord]:
    """Return a page of records under a filter, in descending order of the chain.

    The order is that of positions, which no clock decides. Without a period, each filter has an index in that
    order, so that a page costs the same for a million records as for a thousand; the positions of a period
    are read from an index by time and then sorted.

    Args:
        session: The caller's transaction.
        account_id: The account.
        chosen: The filter.
        before: Position before which the page begins, `None` for the end of the chain.
        limit: Size of the page.
    """
    found = sa.select(AuditRecord.seq).where(*matching(account_id, chosen))
    if before is not None:
        found = found.where(AuditRecord.seq < before)
    # With `+ 0` the order is no index's: following that one would read every record behind the period first.
    timed = chosen.since is not None or chosen.until is not None
    order = (AuditRecord.seq + 0 if timed else AuditRecord.seq).desc()
    positions = session.scalars(found.order_by(order).limit(limit)).all()
    query = sa.select(AuditRecord).where(AuditRecord.account_id == account_id, AuditRecord.seq.in_(positions))
    return session.scalars(query.order_by(AuditRecord.seq.desc())).all()


def analysis_at(session: Session, account_id: uuid.UUID, seq: int) -> AuditRecord:
    """Return the record of the analysis at a position of an account's chain.

    Raises:
        NotFound: There is none; at the position of a review neither (404).
    """
    if 0 < seq < 10**_DIGITS_MAX:
        record = session.scalar(
            sa.select(AuditRecord).where(
                AuditRecord.account_id == account_id, AuditRecord.seq == seq, AuditRecord.kind == "analysis"
            )
        )
        if record is not None:
            return record
    raise NotFound("There is no analysis with this id.")


def search(session: Session, account_id: uuid.UUID, typed: str, *, limit: int) -> Sequence[AuditRecord]:
    """Return the analyses of an account that somebody means by what they typed, newest first.

    Args:
        session: The caller's transaction.
        account_id: The account.
        typed: A position in the chain, also a review's; a SHA-256 in hex of a document, an analysis or a
            record; the id of an analysis; or the id of a request.
        limit: At most how many.
    """
    typed = typed.strip()
    if not typed or not typed.isprintable():
        return []
    of_account = sa.select(AuditRecord).where(AuditRecord.account_id == account_id)
    if typed.isascii() and typed.isdigit() and len(typed) <= _DIGITS_MAX:
        there = session.scalar(of_account.where(AuditRecord.seq == int(typed)))
        meant: sa.ColumnElement[bool] = AuditRecord.id == (there and uuid.UUID(there.content["analysisId"]))
    elif _SHA256.fullmatch(typed.lower()):
        wanted = typed.lower()
        of_record = of_account.where(AuditRecord.kind == "analysis", AuditRecord.hash == wanted)
        if found := session.scalars(of_record).all():
            return found
        meant = sa.or_(wanted == _DOCUMENT_HASH, wanted == _ANALYSIS_HASH)
    else:
        try:
            meant = AuditRecord.id == uuid.UUID(typed)
        except ValueError:
            meant = AuditRecord.request_id == typed
    query = of_account.where(AuditRecord.kind == "analysis", meant)
    return session.scalars(query.order_by(AuditRecord.seq.desc()).limit(limit)).all()


def of_request(session: Session, account_id: uuid.UUID, request_id: str) -> AuditRecord | None:
    """Return the record of the analysis that a request of an account made, the newest of several."""
    query = sa.select(AuditRecord).where(
        AuditRecord.account_id == account_id,
        AuditRecord.kind == "analysis",
        AuditRecord.request_id == request_id,
    )
    return session.scalar(query.order_by(AuditRecord.seq.desc()).limit(1))


def known_hash(session: Session, account_id: uuid.UUID, hashes: Sequence[str]) -> str | None:
    """Return the first of these SHA-256, in hex, that a document or an analysis of the account has."""
    query = sa.select(_DOCUMENT_HASH, _ANALYSIS_HASH).where(
        AuditRecord.account_id == account_id,
        sa.or_(_DOCUMENT_HASH.in_(hashes), _ANALYSIS_HASH.in_(hashes)),
    )
    found = {one for row in session.execute(query.limit(1_000)) for one in row}
    return next((one for one in hashes if one in found), None)
