"""Documents made during a request: of one analysis, or of a short period."""

from __future__ import annotations

import uuid
from datetime import date, datetime

from app.governance import reviews
from app.governance.audit_list import analysis_at
from app.governance.chain import length_of_chain, verify_chain
from app.governance.documents import audit_document, issuer
from app.governance.documents.attachments import AttachmentWriter
from app.governance.documents.audit_document import Period, PeriodRecords
from app.governance.documents.export_requests import chosen_days
from app.governance.documents.period import count
from app.platform.postgres import db
from app.text.bilingual import Language

# Together a few seconds: of a chain this long every hash is recomputed, of a period this long the pages set.
CHAIN_MAX, AT_ONCE_MAX = 5_000, 60


def analysis_document(account_id: uuid.UUID, seq: int, *, language: Language, now: datetime) -> bytes:
    """Return the document of the analysis at a position of the account's chain, as PDF.

    Of a long chain only the neighbourhood of the record is verified, and the document says so. Call it
    outside a transaction.

    Raises:
        NotFound: No record at this position.
        Upstream: 503, no PDF can be made.
    """
    with db.reading() as session:
        record = analysis_at(session, account_id, seq)
        long = length_of_chain(session, account_id) > CHAIN_MAX
        verdict = verify_chain(session, account_id, around=seq if long else None)
        under = issuer.issuer(session, account_id, record.api_key_id)
        made = reviews.contents_of(session, account_id, record)
        session.expunge_all()
    return audit_document.analysis_document(record, verdict, under, language=language, now=now, reviews=made)


def period_at_once(
    account_id: uuid.UUID,
    first: date,
    last: date,
    *,
    key_id: uuid.UUID | None,
    flagged: bool,
    language: Language,
    now: datetime,
) -> bytes | None:
    """Return the document of a short period, as PDF; `None` where a worker has to make it.

    A worker has to where the period has too many records or the chain is too long. Call it outside a
    transaction.

    Raises:
        Upstream: 503, no PDF can be made.
    """
    chosen = chosen_days(first, last, key_id=key_id, flagged=flagged)
    with db.reading() as session:
        if length_of_chain(session, account_id) > CHAIN_MAX:
            return None
        if count(session, account_id, chosen, limit=AT_ONCE_MAX) > AT_ONCE_MAX:
            return None
        under = issuer.issuer(session, account_id, key_id)
        collected = PeriodRecords(AttachmentWriter(under.subject.keys), chosen)
        verdict = verify_chain(session, account_id, each=collected.consider)
        if key_id is None:
            under = issuer.issuer(session, account_id, collected.newest_key)
    period = Period(first, last, str(key_id) if key_id else None, flagged)
    return audit_document.period_document(collected, verdict, under, period, language=language, now=now)
