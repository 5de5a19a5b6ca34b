"""Comparisons that are kept for a day: found by the key that made them, swept when their time is over."""

from __future__ import annotations

import json
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from app import governance
from app.comparison import storage
from app.comparison.errors import UnknownComparison
from app.comparison.models import Comparison
from app.platform import clock
from app.platform.postgres import bulk, db
from app.platform.postgres.db import Session, Statements
from app.tenancy import ApiKey, Caller
from app.text.bilingual import Language, language_of

_SWEPT = 500

_INSERT = """
    INSERT INTO comparisons (
        id, account_id, api_key_id, request_id, added, removed, changed, moved, unchanged, risks_appeared,
        risks_went, risks_stayed, credits_charged, created_at, expires_at, data_key
    ) VALUES (
        %(id)s, %(account_id)s, %(api_key_id)s, %(request_id)s, %(added)s, %(removed)s, %(changed)s,
        %(moved)s, %(unchanged)s, %(risks_appeared)s, %(risks_went)s, %(risks_stayed)s, %(credits_charged)s,
        %(created_at)s, %(expires_at)s, %(data_key)s
    )
    """


@dataclass(frozen=True, slots=True)
class KeptVersion:
    """One version as it was compared: its text, and the upload it came from, if it did."""

    text: str = field(repr=False)
    document_ref: uuid.UUID | None = None
    media_type: str | None = None


@dataclass(frozen=True, slots=True)
class KeptComparison:
    """What is kept of a comparison, and in whose name it is given. `repr` shows no text."""

    answer: Mapping[str, Any] = field(repr=False)
    before: KeptVersion
    after: KeptVersion
    language: Language = "es"
    author: str | None = None

    def as_bytes(self) -> bytes:
        """Return all of it, as JSON."""
        sides = {
            name: [one.text, str(one.document_ref) if one.document_ref else None, one.media_type]
            for name, one in (("before", self.before), ("after", self.after))
        }
        value = {"answer": self.answer, "language": self.language, "author": self.author, **sides}
        return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()

    @classmethod
    def from_bytes(cls, data: bytes) -> KeptComparison:
        """Return what `as_bytes` wrote."""
        value: dict[str, Any] = json.loads(data)

        def side(name: str) -> KeptVersion:
            text, ref, media_type = value[name]
            return KeptVersion(text, uuid.UUID(ref) if ref else None, media_type)

        language = language_of(value["language"])
        return cls(value["answer"], side("before"), side("after"), language, value["author"])


def inserting(row: Mapping[str, Any]) -> db.Step[None]:
    """Return the step that writes the row of a comparison, its columns by name."""
    return db.Step(_INSERT, row, lambda _row: None)


def find(session: Session, caller: Caller, comparison_id: uuid.UUID) -> Comparison:
    """Return a comparison that the calling key made.

    Raises:
        UnknownComparison: 404: there is none, it is another key's, or it has expired.
    """
    return _one(session, Comparison.api_key_id == caller.key_id, caller.account_id, comparison_id)


def find_for_member(session: Session, account_id: uuid.UUID, comparison_id: uuid.UUID) -> Comparison:
    """Return a comparison that a key of the account made which is no child's (decision 009).

    Raises:
        UnknownComparison: 404.
    """
    grown = sa.select(ApiKey.id).where(ApiKey.account_id == account_id, ApiKey.role != "child")
    return _one(session, Comparison.api_key_id.in_(grown), account_id, comparison_id)


def _one(
    session: Session, whose: sa.ColumnElement[bool], account_id: uuid.UUID, comparison_id: uuid.UUID
) -> Comparison:
    found = session.scalar(
        sa.select(Comparison).where(
            Comparison.account_id == account_id,
            Comparison.id == comparison_id,
            Comparison.expires_at > clock.now(),
            whose,
        )
    )
    if found is None:
        raise UnknownComparison
    return found


def open_kept(row: Comparison) -> KeptComparison:
    """Return what is kept of a comparison; its origin says whether it was reviewed since (decision 059).

    Call it outside a transaction.

    Raises:
        UnknownComparison: 404: Redis has lost it.
        redis_client.Unavailable: Redis does not answer.
    """
    clear = storage.get(row.id, row.data_key)
    if clear is None:
        raise UnknownComparison
    kept = KeptComparison.from_bytes(clear)
    with db.reading() as session:
        hashes = governance.reviewed_hashes(session, row.account_id, row.request_id)
    if hashes and governance.content_hash(kept.answer["analysis"]) in hashes:
        kept.answer["contentOrigin"]["reviewed"] = True
    return kept


def sweep(session: Session, *, now: datetime) -> list[uuid.UUID]:
    """Delete the rows of up to 500 expired comparisons of all accounts, and with them their keys.

    After the commit call `discard`.
    """
    expired = sa.select(Comparison.id).where(Comparison.expires_at <= now).limit(_SWEPT)
    gone = session.scalars(
        sa.delete(Comparison)
        .where(Comparison.id.in_(expired.with_for_update(skip_locked=True)))
        .returning(Comparison.id)
    )
    return list(gone)


def discard(gone: Sequence[uuid.UUID]) -> None:
    """Delete what Redis holds of comparisons whose deletion was committed. Never raises."""
    storage.drop(*gone)


def erase(session: Statements, account_id: uuid.UUID) -> int:
    """Delete a batch of a closed account's comparisons, their keys with them; return how many."""
    return bulk.erase(session, ("comparisons",), account_id)
