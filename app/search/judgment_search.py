"""Search passages of judgments (decision 033)."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, LiteralString

from app.corpus import judgment_url
from app.platform.postgres import db
from app.search import ranking
from app.search.ranking import Hit, PreparedQuery
from app.search.statute_search import NoteCode

MOST_CHARACTERS = 2_000

_ROWS: LiteralString = """
    SELECT p.id, p.text, j.id AS judgment_id, j.title, j.court, j.url, j.ecli
    FROM corpus_passages p JOIN corpus_judgments j ON j.id = p.judgment_id
    WHERE p.jurisdiction = %(jurisdiction)s AND p.id = ANY(%(ids)s)
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

    def read(hits: Sequence[Hit]) -> list[FoundPassage]:
        values = {"jurisdiction": asked.parsed.jurisdiction, "ids": [hit.passage_id for hit in hits]}
        rows = {row.id: row for row in session.rows(_ROWS, values)}
        return [_of_row(rows[hit.passage_id], hit) for hit in hits if hit.passage_id in rows]

    found = tuple(ranking.first(session, asked, read, day=None, most=most))
    return found, None if found else ("Nada de lo cargado responde a esta búsqueda.", "NO_MATCHES")


def _of_row(row: Any, hit: Hit) -> FoundPassage:
    return FoundPassage(
        row.id,
        row.judgment_id,
        row.court,
        row.title,
        row.text[:MOST_CHARACTERS],
        judgment_url(row.judgment_id, row.url, row.ecli),
        hit.similarity,
    )


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
