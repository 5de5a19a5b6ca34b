"""Find the passages that a query cites, by the identifiers of norms and judgments."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from datetime import date

import sqlalchemy as sa

from app.citations import Citation
from app.corpus import (
    CorpusArticle,
    CorpusJudgment,
    CorpusNorm,
    CorpusPassage,
    CorpusVersion,
    article_numbers,
    names_judgment,
    official_ids,
)
from app.platform.postgres import db
from app.search.query import ParsedQuery

# Of one judgment, the first passages; of a law cited without an article, its first articles.
_MOST_OF_ONE = 3


def passages(session: db.Session, query: ParsedQuery, kind: str, day: date | None) -> list[uuid.UUID]:
    """Return the passages of what the query cites, in the order cited.

    Args:
        session: An open transaction.
        query: The parsed query.
        kind: `article` or `judgment`.
        day: Only versions in force on that day; `None` for any.
    """
    found: dict[uuid.UUID, None] = {}
    for citation in query.citations:
        rows = _articles(session, citation, day) if kind == "article" else _judgments(session, citation)
        found.update(dict.fromkeys(rows))
    return list(found)


def _articles(session: db.Session, citation: Citation, day: date | None) -> Iterator[uuid.UUID]:
    ids = official_ids(citation)
    if not ids or not citation.articles:
        return
    query = (
        sa.select(CorpusPassage.id, CorpusArticle.number)
        .join(CorpusVersion, CorpusVersion.id == CorpusPassage.version_id)
        .join(CorpusArticle, CorpusArticle.id == CorpusVersion.article_id)
        .join(CorpusNorm, CorpusNorm.id == CorpusArticle.norm_id)
        .where(
            CorpusPassage.jurisdiction == citation.jurisdiction,
            CorpusNorm.jurisdiction == citation.jurisdiction,
            CorpusNorm.official_id.in_(ids),
            CorpusArticle.number.in_(article_numbers(citation)),
        )
        .order_by(CorpusArticle.place, CorpusArticle.occurrence)
        .limit(50)
    )
    if day is not None:
        query = query.where(
            sa.or_(CorpusPassage.in_force_from.is_(None), CorpusPassage.in_force_from <= day),
            sa.or_(CorpusPassage.in_force_to.is_(None), CorpusPassage.in_force_to > day),
        )
    yield from (row.id for row in session.execute(query))


def _judgments(session: db.Session, citation: Citation) -> Iterator[uuid.UUID]:
    if citation.kind != "L2-J":
        return
    query = (
        sa.select(CorpusPassage.id)
        .join(CorpusJudgment, CorpusJudgment.id == CorpusPassage.judgment_id)
        .where(CorpusPassage.jurisdiction == citation.jurisdiction, names_judgment(citation))
        .order_by(CorpusPassage.place)
        .limit(_MOST_OF_ONE)
    )
    yield from session.scalars(query)
