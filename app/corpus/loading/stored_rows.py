"""Read the stored norms and articles that a load compares with what it brings."""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from dataclasses import dataclass, field, fields
from typing import Any

import sqlalchemy as sa

from app.corpus import permanent_ids
from app.corpus.loading import article_editions, revision
from app.corpus.loading.article_editions import Interval, Readings
from app.corpus.loading.records import NormFacts, Statute
from app.corpus.models import CorpusArticle, CorpusNorm, CorpusVersion
from app.platform.postgres import db

# The number of an article and its occurrence.
Key = tuple[str, int]
_FACTS = tuple(one.name for one in fields(NormFacts))
# Forms that give every version with its days.
_WITH_HISTORY = frozenset({"boe-xml", "akn"})


@dataclass(frozen=True, slots=True)
class StoredNorm:
    """The row of a norm, and the editions that it follows from."""

    facts: NormFacts
    editions: revision.Editions


@dataclass(slots=True)
class StoredArticle:
    """A stored article: its heading and position, what is known of its words, and its versions by number."""

    place: int
    heading: str | None
    path: list[str]
    raw: dict[str, Any] | None
    versions: list[Interval] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)

    def known(self, norm: NormFacts) -> Readings:
        """Return what the editions loaded so far say of it; `norm` is the row as stored."""
        if self.raw is not None:
            return article_editions.from_json(self.raw)
        return article_editions.guessed(
            self.versions, history=norm.source in _WITH_HISTORY and norm.whole, edition=norm.edition
        )


def stored_norms(session: db.Session, records: Iterable[Statute | NormFacts]) -> dict[uuid.UUID, StoredNorm]:
    """Return the norms of `records` that are stored, by id."""
    wanted = {
        permanent_ids.norm_id(facts.jurisdiction, facts.official_id)
        for facts in (record.facts if isinstance(record, Statute) else record for record in records)
    }
    columns = [getattr(CorpusNorm, name) for name in _FACTS]
    query = sa.select(CorpusNorm.id, CorpusNorm.editions, *columns).where(CorpusNorm.id.in_(wanted))
    found: dict[uuid.UUID, StoredNorm] = {}
    for row in session.execute(query):
        facts = NormFacts(*row[2:])
        found[row[0]] = StoredNorm(facts, revision.editions_from_json(facts, row[1]))
    return found


def stored_articles(
    session: db.Session, norm: uuid.UUID, numbers: Iterable[str] | None
) -> dict[Key, StoredArticle]:
    """Return the stored articles of a norm, all of them or those of some numbers."""
    query = (
        sa.select(
            CorpusArticle.number, CorpusArticle.occurrence, CorpusArticle.place, CorpusArticle.heading,
            CorpusArticle.path, CorpusArticle.readings, CorpusVersion.version, CorpusVersion.digest,
            CorpusVersion.in_force_from, CorpusVersion.in_force_to, CorpusVersion.amended_by,
        )
        .outerjoin(CorpusVersion, CorpusVersion.article_id == CorpusArticle.id)
        .where(CorpusArticle.norm_id == norm)
        .order_by(CorpusArticle.place, CorpusVersion.version)
    )  # fmt: skip
    if numbers is not None:
        query = query.where(CorpusArticle.number.in_(set(numbers)))
    found: dict[Key, StoredArticle] = {}
    for row in session.execute(query):
        one = found.setdefault((row[0], row[1]), StoredArticle(*row[2:6]))
        if row[6] is not None:
            one.numbers.append(row[6])
            one.versions.append(Interval(*row[7:]))
    return found
