"""What a question cites, found by its identifiers and not by its words."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from datetime import date

import sqlalchemy as sa

from app.citations import Citation
from app.corpus import registry
from app.corpus.models import CorpusArticle, CorpusJudgment, CorpusNorm, CorpusPassage, CorpusVersion
from app.corpus.search.question import Question
from app.platform.postgres import db

# Of one judgment, the first passages; of a law cited without an article, its first articles.
_MOST_OF_ONE = 3


def official_ids(citation: Citation) -> tuple[str, ...]:
    """The official identifiers under which a corpus may have the norm of a citation, likeliest first."""
    if citation.norm is None:
        return ()
    known = registry.norm(citation.norm)
    found = [known.official_id if known else None, citation.ids.get("boe")]
    found += [known.key.split(":", 1)[1] if known else None, citation.norm.split(":", 1)[1]]
    return tuple(dict.fromkeys(one for one in found if one))


def passages(session: db.Session, question: Question, kind: str, day: date | None) -> list[uuid.UUID]:
    """Passages of what the question cites, in the order cited; `kind` is `article` or `judgment`."""
    found: dict[uuid.UUID, None] = {}
    for citation in question.citations:
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
            CorpusArticle.number.in_(numbers(citation)),
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


def numbers(citation: Citation) -> list[str]:
    """The articles of a citation one by one, ranges of up to fifty written out."""
    found: list[str] = []
    for article in citation.articles:
        first, dash, last = article.partition("-")
        if dash and first.isdigit() and last.isdigit() and 0 < int(last) - int(first) < 50:
            found += [str(value) for value in range(int(first), int(last) + 1)]
        else:
            found.append(article)
    return found


def names_judgment(citation: Citation) -> sa.ColumnElement[bool]:
    """Which judgments a citation may mean: by normal form, ECLI or ROJ number."""
    named: list[sa.ColumnElement[bool]] = [CorpusJudgment.canonical.in_(citation.canonical)]
    for name, column in (("ecli", CorpusJudgment.ecli), ("roj", CorpusJudgment.roj)):
        if name in citation.ids:
            named.append(column == citation.ids[name])
    return sa.and_(CorpusJudgment.jurisdiction == citation.jurisdiction, sa.or_(*named))


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
