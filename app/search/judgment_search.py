"""Search passages of judgments (decision 033)."""

from __future__ import annotations

import uuid
from dataclasses import dataclass

import sqlalchemy as sa

from app.corpus import judgment_url
from app.platform.postgres import db
from app.search import ranking
from app.search.ranking import PreparedQuery
from app.search.statute_search import NoteCode

MOST_CHARACTERS = 2_000

_ROWS = """
    SELECT p.id, p.text, j.id AS judgment_id, j.title, j.court, j.url, j.ecli
    FROM corpus_passages p JOIN corpus_judgments j ON j.id = p.judgment_id
    WHERE p.jurisdiction = :jurisdiction AND p.id = ANY(:ids)
    """


@dataclass(frozen=True, slots=True)
class FoundPassage:
    """A passage of a judgment; `source` is the court, `url` is permanent."""

    passage_id: uuid.UUID
    judgment_id: uuid.UUID
    source: str
    title: str
    text: str
    url: str
    similarity: float


def search(
    session: db.Session, asked: PreparedQuery, *, most: int
) -> tuple[tuple[FoundPassage, ...], tuple[str, NoteCode] | None]:
    """Return the best passages of judgments, those of cited judgments first.

    Args:
        session: An open transaction.
        asked: The prepared query.
        most: How many passages at most.

    Returns:
        The passages and, where there are none, the reason in Spanish with its code.
    """
    if asked.state is None:
        loaded = ranking.is_loaded(session, asked.parsed.jurisdiction, "judgment")
        return (), (_unready(asked.parsed.jurisdiction, loaded), "CORPUS_NOT_INGESTED")
    hits = ranking.rank(session, asked, day=None)
    values = {"jurisdiction": asked.parsed.jurisdiction, "ids": [hit.passage_id for hit in hits]}
    rows = {row.id: row for row in session.execute(sa.text(_ROWS), values)} if hits else {}
    found = [
        FoundPassage(
            row.id,
            row.judgment_id,
            row.court,
            row.title,
            row.text[:MOST_CHARACTERS],
            judgment_url(row.judgment_id, row.url, row.ecli),
            hit.similarity,
        )
        for hit in hits
        if (row := rows.get(hit.passage_id)) is not None
    ]
    if not found:
        return (), ("Nada de lo cargado responde a esta búsqueda.", "NO_MATCHES")
    return tuple(found[:most]), None


def _unready(code: str, loaded: bool) -> str:
    if loaded:
        return (
            f"La jurisprudencia de {code} está cargada, pero su índice de búsqueda aún no está listo. "
            "Inténtelo más tarde."
        )
    return (
        f"No hay textos de jurisprudencia de {code} cargados: la búsqueda no puede encontrar nada. "
        "Consulte GET /api/v1/corpus/coverage."
    )
