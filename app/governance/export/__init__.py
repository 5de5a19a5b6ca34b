"""Signed export of what the service recorded of an account: NDJSON, a page at a time, for archives and SIEMs.

Each kind of row has an order of its own, by position and never by clock; a cursor holds a position in each. A
page's body is signed as a whole.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

import sqlalchemy as sa
from sqlalchemy.orm import Session

from app import branding, redaction, tenancy, webhooks
from app.governance import activity, signing_keys
from app.governance.export.ocsf import as_ocsf
from app.governance.models import AuditRecord
from app.platform import clock, crypto, settings
from app.platform.errors import Invalid

__all__ = ["KINDS", "Export", "Format", "RecordSelection", "export"]

Format = Literal["jsonl", "ocsf"]
_SEALING = "export-cursor"


@dataclass(frozen=True, slots=True)
class RecordSelection:
    """Which rows: of an account, from a moment (inclusive) to another (exclusive), of one key or of all."""

    account_id: uuid.UUID
    since: datetime | None
    until: datetime | None
    api_key_id: uuid.UUID | None


@dataclass(frozen=True, slots=True)
class Export:
    """One page: its body, what is behind it, and the signature over it."""

    body: bytes
    count: int
    more: bool
    cursor: str
    signed_at: int
    signature: str
    signer_key_id: str


@dataclass(frozen=True, slots=True)
class _Row:
    """A row on its way out: its position within its kind, and the object."""

    place: tuple[int, ...]
    line: dict[str, Any]


def export(
    session: Session,
    selection: RecordSelection,
    *,
    kinds: Sequence[str],
    form: Format,
    cursor: str | None,
    limit: int,
    now: datetime,
) -> Export:
    """Return the next page of the account's rows, signed.

    Args:
        session: A session in a transaction, since the first signature of all makes its key.
        selection: Which rows.
        kinds: Of `KINDS`; rows come kind by kind in this order.
        form: `jsonl` (our own objects) or `ocsf` (API Activity of the Open Cybersecurity Schema Framework).
        cursor: Where the page before ended.
        limit: Rows at most.
        now: The moment of the signature.

    Raises:
        Invalid: The cursor is not one of this account and these filters (400).
    """
    places = _opened(cursor, selection, kinds) if cursor else {}
    found: list[dict[str, Any]] = []
    more = False
    for kind in KINDS:
        if kind not in kinds:
            continue
        room = limit - len(found)
        rows = list(KINDS[kind](session, selection, places.get(kind), room + 1))
        more = more or len(rows) > room
        found += [row.line for row in rows[:room]]
        if rows[:room]:
            places[kind] = rows[:room][-1].place
    product = _product(session, selection.account_id) if form == "ocsf" else ""
    body = b"".join(
        json.dumps(
            as_ocsf(line, product) if form == "ocsf" else line, ensure_ascii=False, separators=(",", ":")
        ).encode()
        + b"\n"
        for line in found
    )
    signer = signing_keys.signer(session, "attestation", at=now)
    at = int(now.timestamp())
    signature = signing_keys.base64url(signer.key.sign(signed_bytes(at, body)))
    return Export(body, len(found), more, _sealed(places, selection, kinds), at, signature, signer.kid)


def _product(session: Session, account_id: uuid.UUID) -> str:
    """Return the name under which the account knows the service; a neutral word where it may bear none."""
    config = settings.current()
    found = branding.of_account(session, account_id)
    return found.attribution.author(config.service_name) or config.wire_name


def signed_bytes(at: int, body: bytes) -> bytes:
    """Return what is signed of an export: the 32 bytes of SHA-256 of time, a full stop and the body."""
    return hashlib.sha256(b"%d." % at + body).digest()


def _analyses(
    session: Session, selection: RecordSelection, after: tuple[int, ...] | None, limit: int
) -> Iterator[_Row]:
    yield from _records(session, selection, after, limit, "analysis")


def _reviews(
    session: Session, selection: RecordSelection, after: tuple[int, ...] | None, limit: int
) -> Iterator[_Row]:
    yield from _records(session, selection, after, limit, "review")


def _records(
    session: Session, selection: RecordSelection, after: tuple[int, ...] | None, limit: int, kind: str
) -> Iterator[_Row]:
    # Columns, not objects: a page has ten thousand rows, and mapping them takes as long as all the rest.
    columns = (
        AuditRecord.seq,
        AuditRecord.at,
        AuditRecord.previous_hash,
        AuditRecord.hash,
        AuditRecord.content,
    )
    query = sa.select(*columns).where(*_within(selection), AuditRecord.kind == kind)
    query = query.order_by(AuditRecord.seq).limit(limit)
    if after is not None:
        query = query.where(AuditRecord.seq > after[0])
    for record in session.execute(query):
        yield _Row(
            (record.seq,),
            {
                "type": kind,
                "seq": record.seq,
                "at": clock.iso(record.at),
                "previousHash": record.previous_hash,
                "hash": record.hash,
                "content": record.content,
            },
        )


def _redactions(
    session: Session, selection: RecordSelection, after: tuple[int, ...] | None, limit: int
) -> Iterator[_Row]:
    masked = redaction.RedactionEvent
    query = (
        sa.select(AuditRecord.seq, AuditRecord.request_id, masked)
        .join(
            masked,
            sa.and_(masked.account_id == AuditRecord.account_id, masked.analysis_id == AuditRecord.id),
        )
        .where(*_within(selection))
        .order_by(AuditRecord.seq, masked.id)
        .limit(limit)
    )
    if after is not None:
        query = query.where(sa.tuple_(AuditRecord.seq, masked.id) > sa.tuple_(*after))
    for seq, request_id, row in session.execute(query):
        yield _Row(
            (seq, row.id),
            {
                "type": "redaction",
                "at": clock.iso(row.at),
                "requestId": request_id,
                "analysisId": str(row.analysis_id),
                "fieldType": row.field_type,
            },
        )


def _events(
    session: Session, selection: RecordSelection, after: tuple[int, ...] | None, limit: int
) -> Iterator[_Row]:
    for row in webhooks.events_between(
        session,
        selection.account_id,
        since=selection.since,
        until=selection.until,
        api_key_id=selection.api_key_id,
        after=after[0] if after else None,
        limit=limit,
    ):
        yield _Row(
            (row.seq,),
            {
                "type": "event",
                "eventId": str(row.id),
                "eventType": row.type,
                "at": clock.iso(row.created_at),
                "apiKeyId": str(row.api_key_id) if row.api_key_id else None,
                "payload": row.payload,
            },
        )


def _activities(
    session: Session, selection: RecordSelection, after: tuple[int, ...] | None, limit: int
) -> Iterator[_Row]:
    chosen = tenancy.activity.Filter(selection.since, selection.until, actor_id=selection.api_key_id)
    for row in tenancy.activity.activities(
        session, selection.account_id, chosen, after=after[0] if after else 0, limit=limit
    ):
        yield _Row((row.seq,), {"type": "activity", **activity.on_the_wire(row)})


_Reader = Callable[[Session, RecordSelection, "tuple[int, ...] | None", int], Iterator[_Row]]
KINDS: Mapping[str, _Reader] = {
    "analysis": _analyses,
    "review": _reviews,
    "activity": _activities,
    "event": _events,
    "redaction": _redactions,
}


def _within(selection: RecordSelection) -> list[sa.ColumnElement[bool]]:
    found = [AuditRecord.account_id == selection.account_id]
    if selection.since is not None:
        found.append(AuditRecord.at >= selection.since)
    if selection.until is not None:
        found.append(AuditRecord.at < selection.until)
    if selection.api_key_id is not None:
        found.append(AuditRecord.api_key_id == selection.api_key_id)
    return found


def _sealed(places: Mapping[str, tuple[int, ...]], selection: RecordSelection, kinds: Sequence[str]) -> str:
    """Return the cursor of `places`, bound to account, key and kinds."""
    word = json.dumps(places, separators=(",", ":")).encode()
    return _encoded(word) + "." + _encoded(_bound(word, selection, kinds))


def _opened(cursor: str, selection: RecordSelection, kinds: Sequence[str]) -> dict[str, tuple[int, ...]]:
    try:
        word, mac = (base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)) for part in cursor.split("."))
        if hmac.compare_digest(mac, _bound(word, selection, kinds)):
            return {kind: tuple(place) for kind, place in json.loads(word).items()}
    except (binascii.Error, ValueError):
        pass
    raise Invalid(
        "cursor: must be the next cursor of a page with the same key and the same types.",
        details={"field": "cursor"},
    )


def _bound(word: bytes, selection: RecordSelection, kinds: Sequence[str]) -> bytes:
    key = crypto.service_key(settings.current().secret_key.get_secret_value(), _SEALING)
    bound = f"{selection.account_id}|{selection.api_key_id}|{','.join(sorted(kinds))}|".encode() + word
    return hmac.new(key, bound, hashlib.sha256).digest()[:16]


def _encoded(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()
