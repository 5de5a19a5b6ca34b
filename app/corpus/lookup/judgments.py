"""Look up loaded judgments: by id, by normal form, many at a time."""

from __future__ import annotations

import uuid
from collections.abc import Collection
from dataclasses import dataclass
from datetime import date
from typing import Any

import sqlalchemy as sa

from app.corpus import permanent_ids
from app.corpus.models import CorpusJudgment, CorpusPassage
from app.platform.postgres import db


@dataclass(frozen=True, slots=True)
class Decision:
    """A loaded judgment as answers show it."""

    id: uuid.UUID
    jurisdiction: str
    canonical: str
    title: str
    court: str
    chamber: str | None
    dated: date | None
    ecli: str | None
    roj: str | None
    url: str | None
    summary: str | None
    text_known: bool


_COLUMNS = (
    CorpusJudgment.id,
    CorpusJudgment.jurisdiction,
    CorpusJudgment.canonical,
    CorpusJudgment.title,
    CorpusJudgment.court,
    CorpusJudgment.chamber,
    CorpusJudgment.dated,
    CorpusJudgment.ecli,
    CorpusJudgment.roj,
    CorpusJudgment.url,
    CorpusJudgment.summary,
    CorpusJudgment.text_known,
)


def _decision(row: Any) -> Decision:
    return Decision(*row)


def decision(session: db.Session, key: uuid.UUID) -> Decision | None:
    """Return the judgment with an id: its own, or that of one of its passages."""
    row = session.execute(sa.select(*_COLUMNS).where(CorpusJudgment.id == key)).first()
    if row is None:
        of = sa.select(CorpusPassage.judgment_id).where(CorpusPassage.id == key)
        row = session.execute(sa.select(*_COLUMNS).where(CorpusJudgment.id.in_(of))).first()
    return _decision(row) if row else None


def decisions(session: db.Session, canonicals: Collection[str]) -> dict[str, Decision]:
    """Return the loaded judgments among normal forms."""
    ids = [permanent_ids.judgment_id(one.partition(":")[0], one) for one in canonicals]
    rows = session.execute(sa.select(*_COLUMNS).where(CorpusJudgment.id.in_(ids)))
    return {row.canonical: _decision(row) for row in rows}


def named(session: db.Session, ecli: str | None, roj: str | None) -> Decision | None:
    """Return the judgment with an ECLI or ROJ identifier."""
    for column, value in ((CorpusJudgment.ecli, ecli), (CorpusJudgment.roj, roj)):
        row = session.execute(sa.select(*_COLUMNS).where(column == value)).first() if value else None
        if row:
            return _decision(row)
    return None


def texts(session: db.Session) -> dict[str, tuple[int, date | None]]:
    """Return, by jurisdiction, how many judgments are loaded with their text, and the day of the newest."""
    query = sa.select(CorpusJudgment.jurisdiction, sa.func.count(), sa.func.max(CorpusJudgment.dated)).where(
        CorpusJudgment.text_known
    )
    return {
        code: (count, newest)
        for code, count, newest in session.execute(query.group_by(CorpusJudgment.jurisdiction))
    }


# So much of a judgment is read for what it says: the longest have several hundred pages.
_MOST_READ = 400_000


def judgment_texts(session: db.Session, ids: Collection[uuid.UUID]) -> dict[uuid.UUID, str]:
    """Return the text of loaded judgments by id, at most 400,000 characters of each."""
    query = (
        sa.select(CorpusPassage.judgment_id, CorpusPassage.text)
        .where(CorpusPassage.judgment_id.in_(ids))
        .order_by(CorpusPassage.judgment_id, CorpusPassage.place)
    )
    found: dict[uuid.UUID, list[str]] = {}
    for judgment_id, text in session.execute(query):
        assert judgment_id is not None, "asked for by its id"
        found.setdefault(judgment_id, []).append(text)
    return {one: "\n".join(parts)[:_MOST_READ] for one, parts in found.items()}
