"""Store embeddings in PostgreSQL and find the nearest ones, always within one model."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
import sqlalchemy as sa

from app.platform.postgres import db

# A vector of 32-bit floats.
Vector: TypeAlias = npt.NDArray[np.float32]

_WRITE = """
    INSERT INTO search_vectors (jurisdiction, model, passage_id, kind, embedding)
    SELECT :jurisdiction, :model, r.id, :kind, CAST(r.embedding AS halfvec)
    FROM unnest(CAST(:ids AS uuid[]), CAST(:embeddings AS text[])) AS r(id, embedding)
    ON CONFLICT (jurisdiction, model, passage_id) DO UPDATE SET embedding = excluded.embedding
    """
# Literal jurisdiction, kind, model and length, so that the planner sees the one index that is meant.
_NEAREST = """
    SELECT v.passage_id,
        (v.embedding::halfvec({dimensions}) <=> CAST(:wanted AS halfvec({dimensions}))){exactly} AS distance
    FROM search_vectors v
    WHERE v.jurisdiction = '{jurisdiction}' AND v.kind = '{kind}' AND v.model = '{model}'
    ORDER BY distance LIMIT {most}
    """
# A sum is nothing the index could give the order of.
_EXACTLY = " + 0"
# Of a model that was written a moment ago the planner has no statistics: it believes in one row, and would
# rather read and sort them all (measured: half a second of 300 thousand). Only the index gives an order
# without a sort. The scan goes on where what it found was deleted since.
_BY_INDEX = """
    SELECT set_config('enable_sort', 'off', true), set_config('hnsw.iterative_scan', 'strict_order', true),
        set_config('hnsw.ef_search', :looked_at, true)
    """
_AS_BEFORE = "SET LOCAL enable_sort TO DEFAULT"
_WORDS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_"
# Something is always nearest; below this it has nothing to do with the question.
_LEAST_LIKENESS = 0.15


def write(
    session: db.Session, collection: tuple[str, str], model: str, found: Sequence[tuple[uuid.UUID, Vector]]
) -> None:
    """Insert or replace the vectors of passages.

    Args:
        session: An open transaction.
        collection: Jurisdiction and kind.
        model: The identifier of the model that made the vectors.
        found: Passage ids with their vectors.
    """
    session.execute(
        sa.text(_WRITE),
        {
            "jurisdiction": collection[0],
            "kind": collection[1],
            "model": model,
            "ids": [passage for passage, _ in found],
            "embeddings": [_literal(row) for _, row in found],
        },
    )


def nearest(
    session: db.Session,
    collection: tuple[str, str],
    model: str,
    wanted: Vector,
    *,
    most: int,
    exact: bool = False,
) -> list[tuple[uuid.UUID, float]]:
    """Find the passages whose vectors are most similar to `wanted`.

    Args:
        session: An open transaction.
        collection: Jurisdiction and kind.
        model: The model that made `wanted`.
        wanted: The vector of the query.
        most: How many passages at most.
        exact: Compare with every vector instead of using the HNSW index, which misses a few.

    Returns:
        Passage ids with their cosine similarity, best first; those below 0.15 are left out.
    """
    if not set(model) <= set(_WORDS):
        raise ValueError("not the name of a model")
    statement = _NEAREST.format(
        dimensions=len(wanted),
        jurisdiction=collection[0],
        kind=collection[1],
        model=model,
        most=int(most),
        exactly=_EXACTLY if exact else "",
    )
    if not exact:
        # As many as are asked for must be looked at, and several times more, for the right ones to be found:
        # articles that differ in a word stand in clusters, in which a short look stays.
        looked_at = min(1_000, max(400, 8 * most))
        session.execute(sa.text(_BY_INDEX), {"looked_at": str(looked_at)})
    rows = session.execute(sa.text(statement), {"wanted": _literal(wanted)}).all()
    if not exact:
        session.execute(sa.text(_AS_BEFORE))
    found = sorted((float(row.distance), row.passage_id) for row in rows)
    return [(passage, 1 - distance) for distance, passage in found if 1 - distance >= _LEAST_LIKENESS]


def _literal(row: Vector) -> str:
    return "[" + ",".join(f"{value:.6g}" for value in row.tolist()) + "]"
