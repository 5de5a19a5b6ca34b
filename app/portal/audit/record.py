"""View model of an audit record. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol
from uuid import UUID

from app import tenancy
from app.portal.web.display import labels


class Record(Protocol):
    """The attributes that are read of an audit record."""

    id: Any
    seq: Any
    at: Any
    api_key_id: Any
    content: Any
    hash: Any


@dataclass(frozen=True, slots=True)
class Row:
    """One analysis, metadata only.

    `locks` and `citations` are the values that occur with their counts, the most important first.
    """

    seq: int
    at: datetime
    key_name: str
    key_prefix: str
    jurisdiction: str
    branch: str
    mode: str
    locks: tuple[tuple[str, int], ...]
    citations: tuple[tuple[str, int], ...]
    redacted: int
    credits: int
    document_hash: str
    hash: str
    # The decision of its newest review.
    decision: str | None = None

    @property
    def broken(self) -> bool:
        """Whether a citation was not found, is not in force or does not match."""
        return any(verdict in labels.BROKEN for verdict, _ in self.citations)


def rows_of(
    records: Sequence[Record],
    keys: Mapping[UUID, tenancy.ApiKey],
    decisions: Mapping[UUID, str] | None = None,
) -> list[Row]:
    """Return the records with the names of their keys, in the order given.

    Args:
        records: The records of analyses.
        keys: The keys by id.
        decisions: What the newest review of each decided, by the id of the analysis.
    """
    return [_row(record, keys.get(record.api_key_id), (decisions or {}).get(record.id)) for record in records]


def _row(record: Record, key: tenancy.ApiKey | None, decision: str | None) -> Row:
    content: Mapping[str, Any] = record.content
    return Row(
        seq=record.seq,
        at=record.at,
        key_name=key.name if key else "–",
        key_prefix=key.key_prefix if key else "",
        jurisdiction=content["jurisdiction"],
        branch=content["legalBranch"],
        mode=content["mode"],
        locks=_occurring(content["locks"], labels.LOCKS),
        citations=_occurring(content["citations"], labels.VERDICTS),
        redacted=sum(content["redactions"].values()),
        credits=content["credits"],
        document_hash=content["documentHash"],
        hash=record.hash,
        decision=decision,
    )


def _occurring(counts: Mapping[str, int], order: Iterable[str]) -> tuple[tuple[str, int], ...]:
    return tuple((name, counts[name]) for name in order if counts.get(name))
