"""Search articles of law (decision 033, `POST /normativa/search`)."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Literal, LiteralString

import sqlalchemy as sa

from app.corpus import article_url, norm_alias
from app.platform.errors import Invalid
from app.platform.postgres import db
from app.search import analyzer, ranking
from app.search.ranking import Hit, PreparedQuery
from app.text.normalize import WORDS

NoteCode = Literal["CORPUS_NOT_INGESTED", "NO_MATCHES"]

_ROWS: LiteralString = """
    SELECT p.id, a.id AS article_id, n.id AS norm_id, n.official_id, a.number, a.heading, v.text,
        n.url, n.title, n.rank, n.jurisdiction
    FROM corpus_passages p
    JOIN corpus_versions v ON v.id = p.version_id
    JOIN corpus_articles a ON a.id = v.article_id
    JOIN corpus_norms n ON n.id = a.norm_id
    WHERE p.jurisdiction = %(jurisdiction)s AND p.id = ANY(%(ids)s)
        AND (p.in_force_from IS NULL OR p.in_force_from <= %(day)s)
        AND (p.in_force_to IS NULL OR p.in_force_to > %(day)s)
    """
# What may be dropped: versions out of force on the day, other ranks (null: none is other), other subjects.
_ALLOWED = """
    SELECT p.id, p.title || ' ' || p.path || ' ' || p.heading AS subject
    FROM corpus_passages p JOIN corpus_norms n ON n.id = p.norm_id
    WHERE p.jurisdiction = :jurisdiction AND p.id = ANY(:ids)
      AND (p.in_force_from IS NULL OR p.in_force_from <= :day)
      AND (p.in_force_to IS NULL OR p.in_force_to > :day)
      AND (CAST(:ranks AS text[]) IS NULL OR n.rank = ANY(CAST(:ranks AS text[])))
    """
_RANKS = "SELECT DISTINCT rank FROM corpus_norms WHERE jurisdiction = :jurisdiction AND rank IS NOT NULL"


@dataclass(frozen=True, slots=True)
class FoundArticle:
    """An article with the words of its version on the day asked."""

    passage_id: uuid.UUID
    article_id: uuid.UUID
    norm_id: uuid.UUID
    official_id: str
    number: str
    heading: str | None
    text: str
    url: str | None
    norm_title: str
    alias: str | None
    rank: str | None
    similarity: float
    cited: bool


@dataclass(frozen=True, slots=True)
class ArticleResults:
    """The articles found, best first, and where there are none, the reason."""

    found: tuple[FoundArticle, ...]
    note: str | None = None
    note_code: NoteCode | None = None


def search(
    session: db.Session,
    asked: PreparedQuery,
    *,
    day: date,
    most: int,
    ranks: Sequence[str] = (),
    subjects: Sequence[str] = (),
) -> ArticleResults:
    """Return the articles in force on `day` that answer best, those cited first.

    Args:
        session: An open transaction.
        asked: The prepared query.
        day: The versions in force that day are searched.
        most: How many articles at most.
        ranks: Only norms of these ranks ("ley", "real_decreto").
        subjects: Only articles whose law's title or headings have all the words of at least one of these.
            Both filters are applied before the cut: where `most` articles fit, so many are found.

    Raises:
        Invalid: No loaded norm of the jurisdiction has such a rank; the error names those there are.
    """
    code = asked.parsed.jurisdiction
    if asked.state is None:
        loaded = ranking.is_loaded(session, code, "article")
        return ArticleResults((), _not_indexed(code) if loaded else _not_loaded(code), "CORPUS_NOT_INGESTED")
    keep = None
    if ranks or subjects:
        keep = _PassageFilter(session, code, day, _known_ranks(session, code, ranks), subjects)

    def read(hits: Sequence[Hit]) -> list[FoundArticle]:
        values = {"jurisdiction": code, "ids": [hit.passage_id for hit in hits], "day": day}
        rows = {row.id: row for row in session.rows(_ROWS, values)}
        return [_of_row(rows[hit.passage_id], hit) for hit in hits if hit.passage_id in rows]

    found = tuple(ranking.first(session, asked, read, day=day, keep=keep, most=most))
    if not found:
        among = " entre lo que admiten tipos y materias" if ranks or subjects else ""
        return ArticleResults((), f"Nada de lo cargado responde a esta búsqueda{among}.", "NO_MATCHES")
    return ArticleResults(found)


def _not_loaded(code: str) -> str:
    return (
        f"No hay legislación de {code} cargada: la búsqueda no puede encontrar nada. Consulte GET "
        "/api/v1/corpus/coverage."
    )


def _not_indexed(code: str) -> str:
    return (
        f"La legislación de {code} está cargada, pero su índice de búsqueda aún no está listo. Inténtelo "
        "más tarde."
    )


def _known_ranks(session: db.Session, code: str, asked: Sequence[str]) -> list[str] | None:
    """Return the ranks asked for as the norms of a jurisdiction spell them; `None` for no restriction."""
    if not asked:
        return None
    spelled: dict[str, list[str]] = {}
    for rank in session.scalars(sa.text(_RANKS), {"jurisdiction": code}):
        spelled.setdefault(_plain(rank), []).append(rank)
    unknown = [one for one in asked if _plain(one) not in spelled]
    if unknown:
        there = ", ".join(sorted(spelled)) or "none"
        raise Invalid(
            f"tipos: no loaded norm of {code} has the rank {unknown[0][:20]!r}. Ranks available: {there}.",
            details={"field": "tipos", "got": unknown[0][:100], "known": sorted(spelled)},
        )
    return [rank for one in asked for rank in spelled[_plain(one)]]


def _plain(rank: str) -> str:
    return WORDS.fold(rank).strip().replace(" ", "_")


class _PassageFilter:
    """Filter of passages by day, rank and subject; each passage is judged once."""

    def __init__(
        self,
        session: db.Session,
        code: str,
        day: date,
        ranks: Sequence[str] | None,
        subjects: Sequence[str],
    ) -> None:
        """Prepare the filter for one jurisdiction."""
        self._session = session
        self._values = {"jurisdiction": code, "day": day, "ranks": ranks}
        self._about = [set(analyzer.stems(subject)) for subject in subjects]
        self._judged: dict[uuid.UUID, bool] = {}

    def __call__(self, passages: Sequence[uuid.UUID]) -> set[uuid.UUID]:
        new = [passage for passage in passages if passage not in self._judged]
        if new:
            self._judged.update(dict.fromkeys(new, False))
            for row in self._session.execute(sa.text(_ALLOWED), {**self._values, "ids": new}):
                self._judged[row.id] = not self._about or self._is_about(row.subject)
        return {passage for passage in passages if self._judged[passage]}

    def _is_about(self, subject: str) -> bool:
        words = set(analyzer.stems(subject))
        return any(wanted <= words for wanted in self._about)


def _of_row(row: Any, hit: Hit) -> FoundArticle:
    return FoundArticle(
        passage_id=row.id,
        article_id=row.article_id,
        norm_id=row.norm_id,
        official_id=row.official_id,
        number=row.number,
        heading=row.heading,
        text=row.text,
        url=article_url(row.official_id, row.url, row.number),
        norm_title=row.title,
        alias=norm_alias(row.jurisdiction, row.official_id),
        rank=row.rank,
        similarity=hit.similarity,
        cited=hit.cited,
    )
