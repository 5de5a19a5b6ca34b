"""Articles of law found by a question (decisions 7, `POST /normativa/search`)."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from typing import Any, Literal

import sqlalchemy as sa

from app.citations import norm_names
from app.corpus.search import ranking, stems
from app.corpus.search.ranking import Asked, Hit
from app.platform import db

NoteCode = Literal["CORPUS_NOT_INGESTED", "NO_MATCHES"]

_ROWS = """
    SELECT p.id, a.id AS article_id, n.id AS norm_id, n.official_id, a.number, a.heading, v.text,
        n.url, n.title, n.rank, n.jurisdiction
    FROM corpus_passages p
    JOIN corpus_versions v ON v.id = p.version_id
    JOIN corpus_articles a ON a.id = v.article_id
    JOIN corpus_norms n ON n.id = a.norm_id
    WHERE p.jurisdiction = :jurisdiction AND p.id = ANY(:ids)
    """
# What may be dropped: versions out of force on the day, other ranks, other subjects.
_KEPT = """
    SELECT p.id, p.title || ' ' || p.path || ' ' || p.heading AS subject, coalesce(n.rank, '') AS rank
    FROM corpus_passages p JOIN corpus_norms n ON n.id = p.norm_id
    WHERE p.jurisdiction = :jurisdiction AND p.id = ANY(:ids)
      AND (p.in_force_from IS NULL OR p.in_force_from <= :day)
      AND (p.in_force_to IS NULL OR p.in_force_to > :day)
    """


@dataclass(frozen=True, slots=True)
class Found:
    """An article in the words of its version on the day asked."""

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
class Answer:
    """What was found, best first, and where there is nothing, why."""

    found: tuple[Found, ...]
    note: str | None = None
    note_code: NoteCode | None = None


def search(
    session: db.Session,
    asked: Asked,
    *,
    day: date,
    most: int,
    ranks: Sequence[str] = (),
    subjects: Sequence[str] = (),
) -> Answer:
    """The articles in force on `day` that answer best, at most `most`, what was cited first.

    `ranks` keeps norms of those ranks ("ley", "real_decreto"); `subjects` those whose title or headings have
    all the words of at least one of them.
    """
    code = asked.question.jurisdiction
    if asked.state is None:
        loaded = ranking.is_loaded(session, code, "article")
        return Answer((), _not_indexed(code) if loaded else _not_loaded(code), "CORPUS_NOT_INGESTED")
    hits = ranking.ranked(session, asked, day=day)
    kept = _kept(session, code, hits, day, ranks, subjects)[:most]
    found = _found(session, code, kept)
    if not found:
        return Answer((), "Nada de lo cargado responde a esta búsqueda.", "NO_MATCHES")
    return Answer(found)


def _not_loaded(code: str) -> str:
    return (
        f"No hay legislación de {code} cargada: la búsqueda no puede encontrar nada. "
        "Cárguela con flask corpus load."
    )


def _not_indexed(code: str) -> str:
    return f"La legislación de {code} está cargada pero aún no indexada. Ejecute flask corpus index."


def _kept(
    session: db.Session,
    code: str,
    hits: Sequence[Hit],
    day: date,
    ranks: Sequence[str],
    subjects: Sequence[str],
) -> list[Hit]:
    values = {"jurisdiction": code, "ids": [hit.passage_id for hit in hits], "day": day}
    rows = {row.id: row for row in session.execute(sa.text(_KEPT), values)}
    wanted = {stems.fold(rank).replace(" ", "_") for rank in ranks}
    about = [set(stems.stems(subject)) for subject in subjects]

    def fits(hit: Hit) -> bool:
        row = rows.get(hit.passage_id)
        if row is None or (wanted and stems.fold(row.rank).replace(" ", "_") not in wanted):
            return False
        return not about or any(words <= set(stems.stems(row.subject)) for words in about)

    return [hit for hit in hits if fits(hit)]


def _found(session: db.Session, code: str, hits: Sequence[Hit]) -> tuple[Found, ...]:
    values = {"jurisdiction": code, "ids": [hit.passage_id for hit in hits]}
    rows = {row.id: row for row in session.execute(sa.text(_ROWS), values)}
    return tuple(_of_row(rows[hit.passage_id], hit) for hit in hits if hit.passage_id in rows)


def _of_row(row: Any, hit: Hit) -> Found:
    return Found(
        passage_id=row.id,
        article_id=row.article_id,
        norm_id=row.norm_id,
        official_id=row.official_id,
        number=row.number,
        heading=row.heading,
        text=row.text,
        url=permanent(row.official_id, row.url, row.number),
        norm_title=row.title,
        alias=alias(row.jurisdiction, row.official_id),
        rank=row.rank,
        similarity=hit.similarity,
        cited=hit.cited,
    )


def permanent(official_id: str, url: str | None, number: str | None = None) -> str | None:
    """The permanent address of a norm or, at the BOE, of its article."""
    if official_id.startswith("BOE-A-"):
        anchor = f"#a{number.replace(' ', '')}" if number and number[:1].isdigit() else ""
        return f"https://www.boe.es/buscar/act.php?id={official_id}{anchor}"
    return url


def alias(jurisdiction: str, official_id: str) -> str | None:
    """What a norm is called for short ("LEC"), where it has such a name."""
    return _aliases().get((jurisdiction, official_id))


@cache
def _aliases() -> dict[tuple[str, str], str]:
    found: dict[tuple[str, str], str] = {}
    for name in norm_names():
        if name.short:
            for official in (name.ids.get("boe"), name.norm.split(":", 1)[1]):
                if official:
                    found.setdefault((name.jurisdiction, official), name.short[0])
    return found
