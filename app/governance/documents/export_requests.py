"""Requests for documents of a period: order, progress, file, deletion."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime, time, timedelta

import sqlalchemy as sa
from sqlalchemy.orm import Session

from app import tenancy
from app.governance.audit_log import Filter
from app.governance.documents import file_store
from app.governance.documents.period import count
from app.governance.models import AuditDocument
from app.platform import redis_client
from app.platform.errors import Conflict, Exhausted, Invalid, NotFound
from app.platform.postgres import db
from app.text.bilingual import Language, language_of

# More would not fit into the memory that a worker may take: the file is held whole while it is written.
RECORDS_MAX = 150_000
# Of one account: documents that wait or are being made, and all that are listed.
OPEN_MAX, SHOWN_MAX = 3, 20
# What the files of one account may take up in Redis before another is made, in bytes.
KEPT_MAX = 200_000_000
# One that no worker took in a day, and one that ended a month ago.
_LIFETIME, _REMEMBERED = timedelta(days=1), timedelta(days=30)

TOO_MANY_RECORDS, ATTEMPTS_EXHAUSTED = "TOO_MANY_RECORDS", "ATTEMPTS_EXHAUSTED"
DOCUMENTS_FULL = "DOCUMENTS_FULL"
NOT_TAKEN, FILE_LOST = "NOT_TAKEN", "FILE_LOST"
DEPENDENCY_UNAVAILABLE, INTERNAL_ERROR = "DEPENDENCY_UNAVAILABLE", "INTERNAL_ERROR"
CODES = (
    TOO_MANY_RECORDS, ATTEMPTS_EXHAUSTED, NOT_TAKEN, FILE_LOST, DEPENDENCY_UNAVAILABLE, INTERNAL_ERROR,
)  # fmt: skip

_OPEN = ("pending", "running")


def chosen_days(first: date, last: date, *, key_id: uuid.UUID | None, flagged: bool) -> Filter:
    """Return the filter for whole days, both inclusive, in UTC."""
    return Filter(
        since=_midnight(first), until=_midnight(last + timedelta(days=1)), api_key_id=key_id, flagged=flagged
    )


def order(
    session: db.Session,
    account_id: uuid.UUID,
    first: date,
    last: date,
    *,
    key_id: uuid.UUID | None,
    flagged: bool,
    language: Language,
    now: datetime,
) -> AuditDocument:
    """Order the document of a period, or return an equal order that is still open.

    Raises:
        Invalid: 422, the days are in the wrong order, or the period has more than `RECORDS_MAX` records.
        NotFound: The key is not one of the account.
        Exhausted: 429, the account has `OPEN_MAX` open orders, or (`DOCUMENTS_FULL`) its stored files take
            `KEPT_MAX` bytes.
    """
    if first > last:
        raise Invalid("last: must not be before the first day.", status=422, details={"field": "last"})
    # Two orders at once must not both find room.
    account = "SELECT id FROM accounts WHERE id = %(account)s FOR NO KEY UPDATE"
    session.one(account, {"account": account_id})
    if key_id is not None and not _is_key_of(session, account_id, key_id):
        raise NotFound("There is no API key with this id.")
    mine = sa.select(AuditDocument).where(AuditDocument.account_id == account_id)
    under_way = session.scalars(mine.where(AuditDocument.status.in_(_OPEN))).all()
    wanted = (first, last, key_id, flagged, language)
    for one in under_way:
        if (one.first_day, one.last_day, one.api_key_id, one.flagged, one.language) == wanted:
            return one
    if len(under_way) >= OPEN_MAX:
        raise Exhausted(
            f"At most {OPEN_MAX} documents can be generated at a time. Wait until one is ready.",
            retry_after=30,
        )
    kept = session.scalar(
        sa.select(sa.func.coalesce(sa.func.sum(AuditDocument.size), 0)).where(
            AuditDocument.account_id == account_id, AuditDocument.status == "ready"
        )
    )
    if kept is not None and kept >= KEPT_MAX:
        raise Exhausted(
            "The stored documents use all the storage of the account. Delete one first.",
            code=DOCUMENTS_FULL,
        )
    chosen = chosen_days(first, last, key_id=key_id, flagged=flagged)
    records = count(session, account_id, chosen, limit=RECORDS_MAX)
    if records > RECORDS_MAX:
        raise too_many()
    made = AuditDocument(
        id=uuid.uuid4(),
        account_id=account_id,
        first_day=first,
        last_day=last,
        api_key_id=key_id,
        flagged=flagged,
        language=language,
        status="pending",
        records=records,
        created_at=now,
        due_at=now,
    )
    session.add(made)
    session.flush()
    _note(session, made, "document.ordered")
    return made


def _note(session: Session, found: AuditDocument, action: tenancy.activity.Action) -> None:
    details = {"from": str(found.first_day), "to": str(found.last_day), "flagged": found.flagged}
    tenancy.activity.record(
        session, found.account_id, action, tenancy.activity.Target("document", str(found.id)), details=details
    )


def too_many() -> Invalid:
    """Return the error for a period with more than `RECORDS_MAX` records."""
    return Invalid(
        f"A document can contain at most {RECORDS_MAX} analyses and this period has more. Choose a shorter "
        "period.",
        code=TOO_MANY_RECORDS,
        status=422,
        details={"max": RECORDS_MAX},
    )


def find(session: Session, account_id: uuid.UUID, document_id: uuid.UUID) -> AuditDocument:
    """Return one document of the account. Raises `NotFound`."""
    return _found(session, account_id, document_id, lock=False)


def listing(session: Session, account_id: uuid.UUID) -> Sequence[AuditDocument]:
    """Return the account's newest documents, newest first."""
    return session.scalars(
        sa.select(AuditDocument)
        .where(AuditDocument.account_id == account_id)
        .order_by(AuditDocument.created_at.desc())
        .limit(SHOWN_MAX)
    ).all()


def again(
    session: db.Session, account_id: uuid.UUID, document_id: uuid.UUID, *, now: datetime
) -> AuditDocument:
    """Order a document once more that failed or whose file has expired; the new order replaces it.

    Raises:
        NotFound: No such document.
        Conflict: The document is ready or open.
        Exhausted: As for `order`.
        Invalid: As for `order`.
    """
    old = _found(session, account_id, document_id, lock=True)
    if old.status in _OPEN or (old.status == "ready" and is_kept(old)):
        raise Conflict("This document is ready or being generated.")
    session.delete(old)
    session.flush()
    return order(
        session,
        account_id,
        old.first_day,
        old.last_day,
        key_id=old.api_key_id,
        flagged=old.flagged,
        language=language_of(old.language),
        now=now,
    )


def delete(session: Session, account_id: uuid.UUID, document_id: uuid.UUID) -> AuditDocument:
    """Delete a document in any state. Call `discard` after the commit. Raises `NotFound`."""
    found = _found(session, account_id, document_id, lock=True)
    session.delete(found)
    _note(session, found, "document.deleted")
    return found


def delete_all(session: db.Statements, account_id: uuid.UUID) -> None:
    """Delete every document of a closed account; the files expire without their keys."""
    session.run("DELETE FROM audit_documents WHERE account_id = %(account)s", {"account": account_id})


def file_of(found: AuditDocument, *, now: datetime) -> Iterator[bytes] | None:
    """Return the file of a document in parts, `None` where it is gone. Raises `redis_client.Unavailable`."""
    if found.file_key is None or found.expires_at is None or found.expires_at <= now:
        return None
    try:
        return file_store.read(
            found.id, found.attempt, file_store.StoredFile(found.file_key, found.parts, found.size)
        )
    except file_store.FileMissing:
        return None


def is_kept(found: AuditDocument) -> bool:
    """Return whether the file of a ready document is stored; assumed so while Redis is unavailable."""
    try:
        return file_store.is_there(found.id, found.attempt, found.parts)
    except redis_client.Unavailable:
        return True


def discard(found: AuditDocument) -> None:
    """Delete the stored file of a deleted document. Never raises."""
    file_store.drop(found.id, found.attempt, found.parts)


_EXPIRE = """
    UPDATE audit_documents SET status = 'expired', file_key = NULL
    WHERE file_key IS NOT NULL AND expires_at <= %(now)s
    """
_NOT_TAKEN = """
    UPDATE audit_documents SET status = 'failed', error_code = %(code)s, completed_at = %(now)s
    WHERE status = 'pending' AND created_at <= %(before)s
    """
_FORGET = "DELETE FROM audit_documents WHERE completed_at < %(before)s AND file_key IS NULL"


def sweep(session: db.Statements, *, now: datetime) -> None:
    """Delete keys of expired files, fail orders that no worker took, delete documents that ended long ago."""
    session.run(_EXPIRE, {"now": now})
    session.run(_NOT_TAKEN, {"code": NOT_TAKEN, "now": now, "before": now - _LIFETIME})
    session.run(_FORGET, {"before": now - _REMEMBERED})


def _found(session: Session, account_id: uuid.UUID, document_id: uuid.UUID, *, lock: bool) -> AuditDocument:
    query = sa.select(AuditDocument).where(
        AuditDocument.account_id == account_id, AuditDocument.id == document_id
    )
    found = session.scalar(query.with_for_update() if lock else query)
    if found is None:
        raise NotFound("There is no audit document with this id.")
    return found


def _is_key_of(session: db.Session, account_id: uuid.UUID, key_id: uuid.UUID) -> bool:
    query = "SELECT 1 AS yes FROM api_keys WHERE id = %(key)s AND account_id = %(account)s"
    return session.one(query, {"key": key_id, "account": account_id}) is not None


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time(), UTC)
