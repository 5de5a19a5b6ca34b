"""Keep uploaded documents for a while, and give them to the key that uploaded them, to no other.

Every function but `sweep` names the tenant; `find` names the key too, whose holder may be another firm than
the account's.
"""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

import sqlalchemy as sa

from app.documents import storage
from app.documents.errors import TooManyDocuments, UnknownDocument
from app.documents.models import Document
from app.documents.reading import Reading
from app.platform import clock, settings
from app.platform.postgres import bulk
from app.platform.postgres.db import Session, Statements
from app.tenancy import Caller

# Documents that a key may have at a time.
DOCUMENTS_MAX = 200
_SWEPT = 500

# Uploads of one account are put in order, so that a rush cannot pass the limits together.
_TURN = "SELECT pg_advisory_xact_lock(hashtextextended('documents:' || %(account)s::text, 0))"
_HELD = """
    SELECT count(*) FILTER (WHERE api_key_id = %(key)s) AS documents, coalesce(sum(size), 0)::bigint AS size
    FROM documents WHERE account_id = %(account)s AND expires_at > %(now)s
    """
# The row is locked until the transaction ends, so that of two jobs the later sees what the first wanted.
_KEEP_FOR = """
    UPDATE documents SET
        kept_for = kept_for || jsonb_build_object(%(user)s::text, %(until)s::timestamptz),
        expires_at = greatest(expires_at, %(until)s)
    WHERE id = %(id)s AND account_id = %(account)s AND api_key_id = %(key)s AND expires_at > %(now)s
    RETURNING original_pieces, reading_pieces
    """
# greatest() passes over the null of a document that nobody else keeps.
_RELEASE = """
    UPDATE documents SET
        kept_for = kept_for - %(user)s::text,
        expires_at = greatest(
            own_until,
            (SELECT max(value::timestamptz) FROM jsonb_each_text(kept_for - %(user)s::text))
        )
    WHERE account_id = %(account)s AND kept_for ? %(user)s::text
    """
_SETTLE = """
    UPDATE documents SET
        kept_for = kept_for || jsonb_build_object(%(user)s::text, %(until)s::timestamptz),
        expires_at = greatest(
            own_until,
            %(until)s,
            (SELECT max(value::timestamptz) FROM jsonb_each_text(kept_for - %(user)s::text))
        )
    WHERE account_id = %(account)s AND kept_for ? %(user)s::text
    """


@dataclass(frozen=True, slots=True)
class Dropped:
    """A document whose row was deleted: what Redis still holds of it."""

    id: uuid.UUID
    pieces: dict[storage.Part, int]


def keep(
    session: Session, caller: Caller, reading: Reading, original: bytes, *, now: datetime | None = None
) -> Document:
    """Store a file and its reading for the key that uploaded it, for `DOCUMENT_TTL_MINUTES`.

    Args:
        session: The transaction of the row.
        caller: The uploading key.
        reading: What was read of the file.
        original: The file.
        now: The current time; asked for where it is not given.

    Raises:
        TooManyDocuments: 429, the key or its account has as many as it may have.
        redis_client.Unavailable: They cannot be stored.
    """
    now = now or clock.now()
    read = reading.as_bytes()
    size = len(original) + len(read)
    session.run(_TURN, {"account": caller.account_id})
    _refuse_too_many(session, caller, size, now)
    document_id = uuid.uuid4()
    key = storage.new_key(document_id)
    lives = timedelta(minutes=settings.current().document_ttl_minutes)
    ttl_s = round(lives.total_seconds())
    try:
        document = Document(
            id=document_id,
            account_id=caller.account_id,
            api_key_id=caller.key_id,
            media_type=reading.media_type,
            pages=reading.page_count,
            characters=len(reading.text),
            language=reading.language,
            ocr=reading.ocr,
            size=size,
            original_pieces=storage.put(document_id, "original", key.clear, original, ttl_s=ttl_s),
            reading_pieces=storage.put(document_id, "reading", key.clear, read, ttl_s=ttl_s),
            created_at=now,
            own_until=now + lives,
            kept_for={},
            expires_at=now + lives,
            data_key=key.wrapped,
        )
        session.add(document)
        session.flush()
    except BaseException:
        storage.drop(document_id, {"original": storage.pieces(original), "reading": storage.pieces(read)})
        raise
    return document


def find(session: Session, caller: Caller, ref: uuid.UUID, *, lock: bool = False) -> Document:
    """Return a document of the calling key; `lock` locks its row.

    Raises:
        UnknownDocument: 404: there is none, it is another key's, or it has expired.
    """
    return find_of_key(session, caller.account_id, caller.key_id, ref, lock=lock)


def find_of_key(
    session: Session, account_id: uuid.UUID, key_id: uuid.UUID, ref: uuid.UUID, *, lock: bool = False
) -> Document:
    """Return a document that a key uploaded, for readers of what that key's job made of it.

    Raises:
        UnknownDocument: 404: there is none, it is another key's, or it has expired.
    """
    query = sa.select(Document).where(
        Document.account_id == account_id,
        Document.api_key_id == key_id,
        Document.id == ref,
        Document.expires_at > clock.now(),
    )
    found = session.scalar(query.with_for_update() if lock else query)
    if found is None:
        raise UnknownDocument
    return found


def reading_of(document: Document) -> Reading:
    """Return what was read of a document.

    Raises:
        UnknownDocument: 404: Redis has lost it.
        redis_client.Unavailable: Redis does not answer.
    """
    clear = storage.get(document.id, "reading", document.data_key, document.reading_pieces)
    if clear is None:
        raise UnknownDocument
    return Reading.from_bytes(clear)


def original(document: Document) -> bytes:
    """Return the file as it was uploaded. Raises as `reading_of`."""
    clear = storage.get(document.id, "original", document.data_key, document.original_pieces)
    if clear is None:
        raise UnknownDocument
    return clear


def keep_until(
    session: Statements,
    caller: Caller,
    refs: Sequence[uuid.UUID],
    *,
    user: uuid.UUID,
    until: datetime,
    at_most: datetime,
    now: datetime,
) -> None:
    """Keep documents of the calling key until `until`, however long they live by themselves.

    One that is gone meanwhile is passed over: who uses it has its text.

    Args:
        session: The transaction.
        caller: The key that uploaded them.
        refs: The documents.
        user: Who needs them, such as a job; `settle` and `release` name it again.
        until: Until when, as far as is known now.
        at_most: The latest `until` that `settle` will name.
        now: The current time.

    Raises:
        redis_client.Unavailable: Redis does not answer.
    """
    # In one order, so that two jobs with the same documents do not wait for each other.
    for ref in sorted(set(refs)):
        found = session.one(
            _KEEP_FOR,
            {
                "id": ref,
                "account": caller.account_id,
                "key": caller.key_id,
                "user": str(user),
                "until": until,
                "now": now,
            },
        )
        if found is not None:
            pieces: dict[storage.Part, int] = {
                "original": found.original_pieces,
                "reading": found.reading_pieces,
            }
            storage.extend(ref, pieces, ttl_s=round((at_most - now).total_seconds()))


def settle(session: Statements, account_id: uuid.UUID, *, user: uuid.UUID, until: datetime) -> None:
    """Set until when `user` needs the documents that it keeps, earlier or later than it first said."""
    session.run(_SETTLE, {"account": account_id, "user": str(user), "until": until})


def release(session: Statements, account_id: uuid.UUID, *, user: uuid.UUID) -> None:
    """Keep documents no longer for `user`; they expire when nobody else needs them."""
    session.run(_RELEASE, {"account": account_id, "user": str(user)})


def forget(session: Session, caller: Caller, ref: uuid.UUID) -> Dropped:
    """Delete a document of the calling key; after the commit call `discard`.

    A job that uses it goes on: it has the text.

    Raises:
        UnknownDocument: 404.
    """
    found = find(session, caller, ref, lock=True)
    session.delete(found)
    session.flush()
    return Dropped(found.id, {"original": found.original_pieces, "reading": found.reading_pieces})


def sweep(session: Session, *, now: datetime) -> list[Dropped]:
    """Delete the rows of up to 500 expired documents of all accounts, and with them their keys.

    After the commit call `discard`.
    """
    expired = sa.select(Document.id).where(Document.expires_at <= now).limit(_SWEPT)
    gone = session.execute(
        sa.delete(Document)
        .where(Document.id.in_(expired.with_for_update(skip_locked=True)))
        .returning(Document.id, Document.original_pieces, Document.reading_pieces)
    )
    return [Dropped(row.id, {"original": row.original_pieces, "reading": row.reading_pieces}) for row in gone]


def discard(gone: Sequence[Dropped]) -> None:
    """Delete what Redis holds of documents whose deletion was committed. Never raises."""
    for one in gone:
        storage.drop(one.id, one.pieces)


def erase(session: Statements, account_id: uuid.UUID) -> int:
    """Delete a batch of a closed account's documents, their keys with them; return how many."""
    return bulk.erase(session, ("documents",), account_id)


def _refuse_too_many(session: Statements, caller: Caller, size: int, now: datetime) -> None:
    held = session.one(_HELD, {"account": caller.account_id, "key": caller.key_id, "now": now})
    if held.documents >= DOCUMENTS_MAX:
        raise TooManyDocuments(
            f"This key has {held.documents} documents; the maximum is {DOCUMENTS_MAX}. Delete some with "
            "DELETE /api/v1/documents/{documentRef}, or wait until some expire.",
            details={"limit": DOCUMENTS_MAX, "documents": held.documents},
        )
    most = settings.current().document_account_mb * 1_000_000
    if held.size + size > most:
        raise TooManyDocuments(
            f"The documents of this account take up {held.size} bytes, and this one {size}; the maximum is "
            f"{most}. Delete some with DELETE /api/v1/documents/{{documentRef}}, or wait until some expire.",
            details={"limitBytes": most, "bytes": held.size},
        )
