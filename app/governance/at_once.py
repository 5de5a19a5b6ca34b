"""Documents that are made while somebody waits: of one analysis, and of a period short enough."""

from __future__ import annotations

import uuid
from datetime import date, datetime
from typing import Literal

from app.governance import audit_document, issuer
from app.governance.attached import Attached
from app.governance.audit_document import Collected, Period
from app.governance.orders import chosen_days
from app.governance.period import Row, batches, extent
from app.governance.trail import Filter, length_of_chain, select, verify_chain
from app.platform import db
from app.platform.errors import NotFound

# Together a few seconds: of a chain this long every hash is recomputed, of a period this long the pages set.
CHAIN_MAX, AT_ONCE_MAX = 5_000, 60


def analysis_document(
    account_id: uuid.UUID, seq: int, *, language: Literal["es", "en"], now: datetime
) -> bytes:
    """The document of the analysis at a position of the account's chain; call it outside a transaction.

    Of a long chain only the stretch around it is recomputed, and the document says so. Raises `NotFound`,
    `Upstream` (503) where no PDF can be made.
    """
    with db.reading() as session:
        found = select(session, account_id, Filter(), before_seq=seq + 1, limit=1)
        if not found or found[0].seq != seq:
            raise NotFound("There is no analysis with this number.")
        record = found[0]
        long = length_of_chain(session, account_id) > CHAIN_MAX
        verdict = verify_chain(session, account_id, around=seq if long else None)
        under = issuer.issuer(session, account_id, record.api_key_id)
        session.expunge_all()
    return audit_document.analysis_document(record, verdict, under, language=language, now=now)


def period_at_once(
    account_id: uuid.UUID,
    first: date,
    last: date,
    *,
    key_id: uuid.UUID | None,
    flagged: bool,
    language: Literal["es", "en"],
    now: datetime,
) -> bytes | None:
    """The document of a short period; `None` where it is a worker's: too many records, or too long a chain.

    Call it outside a transaction. Raises `Upstream` (503) where no PDF can be made.
    """
    chosen = chosen_days(first, last, key_id=key_id, flagged=flagged)
    with db.reading() as session:
        if length_of_chain(session, account_id) > CHAIN_MAX:
            return None
        within = extent(session, account_id, chosen, limit=AT_ONCE_MAX)
        if within.records > AT_ONCE_MAX:
            return None
        verdict = verify_chain(session, account_id)
        found: list[Row] = [row for batch in batches(session, account_id, chosen, within) for row in batch]
        under = issuer.issuer(session, account_id, key_id or (found[-1].api_key_id if found else None))
    collected = Collected(Attached(under.subject.keys))
    collected.add(found)
    period = Period(first, last, str(key_id) if key_id else None, flagged)
    return audit_document.period_document(collected, verdict, under, period, language=language, now=now)
