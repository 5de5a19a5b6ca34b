"""Build the embeddings of indexed passages, with the model in the settings.

Each batch is a transaction, so the work may be killed and run again. A new model serves searches only once
every passage of a collection (jurisdiction and kind) has its vector; the old one's vectors are then deleted.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable
from datetime import datetime

import sqlalchemy as sa

from app.platform.postgres import db
from app.platform.settings import Settings
from app.search.embeddings import vectors
from app.search.embeddings.provider import Provider
from app.search.indexing import Step

_BATCH = 500
# Texts sent to the provider in one request.
_TEXTS_A_REQUEST = 64
_REQUEST_TIMEOUT_S = 60.0

_COLLECTIONS = "SELECT jurisdiction, kind, size FROM search_shelves WHERE size > 0 ORDER BY 1, 2"
_REGISTER = """
    INSERT INTO search_models (jurisdiction, kind, model, dimensions, passages, made_at)
    VALUES (:jurisdiction, :kind, :model, :dimensions, :size, :now)
    ON CONFLICT (jurisdiction, kind, model) DO UPDATE SET made_at = excluded.made_at
    """
_WITHOUT = """
    SELECT p.id, p.title, p.path, p.heading, p.text FROM corpus_passages p
    WHERE p.jurisdiction = :jurisdiction AND p.kind = :kind AND p.indexed_at IS NOT NULL
      AND p.id > :after AND NOT EXISTS (
        SELECT FROM search_vectors v WHERE v.jurisdiction = p.jurisdiction AND v.model = :model
          AND v.passage_id = p.id)
    ORDER BY p.id LIMIT :most
    """
_NIL = uuid.UUID(int=0)
# SQLSTATE disk_full, also of shared memory.
_DISK_FULL = "53100"


def embed(
    config: Settings,
    *,
    now: Callable[[], datetime],
    tell: Callable[[Step], None] = lambda _step: None,
) -> dict[str, int]:
    """Give every indexed passage that lacks one a vector of the model in the settings.

    Args:
        config: The settings; with `EMBEDDING_ENGINE=none` nothing is done.
        now: The clock.
        tell: Called after each batch with the progress.

    Returns:
        How many vectors were made, by collection ("ES article").

    Raises:
        ProviderUnavailable: The provider of embeddings failed; what was written stays.
    """
    if config.embedding_engine == "none":
        return {}
    provider = Provider(config)
    counts: dict[str, int] = {}
    with db.reading() as session:
        collections = session.execute(sa.text(_COLLECTIONS)).all()
    for collection in collections:
        place = (collection.jurisdiction, collection.kind)
        with db.transaction() as session:
            session.execute(
                sa.text(_REGISTER),
                {
                    "jurisdiction": collection.jurisdiction,
                    "kind": collection.kind,
                    "model": provider.name,
                    "dimensions": provider.dimensions,
                    "size": collection.size,
                    "now": now(),
                },
            )
        done, after = 0, _NIL
        while batch := _batch(provider, place, after):
            after = batch[-1]
            done += len(batch)
            tell(Step(collection.jurisdiction, collection.kind, done))
        serve(place, provider.name, provider.dimensions, config.embedding_index_mb)
        counts[f"{collection.jurisdiction} {collection.kind}"] = done
    return counts


def _batch(provider: Provider, collection: tuple[str, str], after: uuid.UUID) -> list[uuid.UUID]:
    """Embed the next passages without a vector and return their ids.

    No transaction is open while the provider is asked.
    """
    values = {"jurisdiction": collection[0], "kind": collection[1], "model": provider.name}
    with db.reading() as session:
        rows = session.execute(sa.text(_WITHOUT), {**values, "after": after, "most": _BATCH}).all()
    found: list[tuple[uuid.UUID, vectors.Vector]] = []
    for start in range(0, len(rows), _TEXTS_A_REQUEST):
        part = rows[start : start + _TEXTS_A_REQUEST]
        # Public law: whose judgment it is, is no secret.
        made = provider.vectors(
            [f"{row.title}\n{row.path}\n{row.heading}\n{row.text}" for row in part],
            jurisdiction=collection[0],
            timeout_s=_REQUEST_TIMEOUT_S,
            mask_names=False,
        )
        found += [(row.id, vector) for row, vector in zip(part, made, strict=True)]
    if found:
        with db.transaction() as session:
            db.take_longer(session, 600)
            vectors.write(session, collection, provider.name, found)
    return [row.id for row in rows]


def serve(collection: tuple[str, str], model: str, dimensions: int, memory_mb: int) -> None:
    """Make this model's vectors the ones that queries are compared with, and delete those of other models.

    The HNSW index of a new model is built here, over all its vectors at once; a model that serves already
    has one, which grew with them.

    Args:
        collection: Jurisdiction and kind.
        model: The model's identifier, as in `search_vectors`.
        dimensions: Length of its vectors.
        memory_mb: Memory that PostgreSQL may take to build the index.
    """
    values = {"jurisdiction": collection[0], "kind": collection[1], "model": model}
    with db.transaction() as session:
        db.take_longer(session, 6 * 3600)
        # The graph is built several times as fast where it fits in memory.
        session.execute(sa.text(f"SET LOCAL maintenance_work_mem = '{memory_mb}MB'"))
        build = sa.text("SELECT index_search_vectors(:jurisdiction, :kind, :model, :dimensions)")
        try:
            with session.begin_nested():
                session.execute(build, {**values, "dimensions": dimensions})
        except sa.exc.OperationalError as error:
            if getattr(error.orig, "sqlstate", None) != _DISK_FULL:
                raise
            # Several processes share the graph in /dev/shm, which in a container is often small; one alone
            # has it in its own memory.
            session.execute(sa.text("SET LOCAL max_parallel_maintenance_workers = 0"))
            session.execute(build, {**values, "dimensions": dimensions})
        session.execute(
            sa.text(
                "UPDATE search_shelves SET model = :model WHERE jurisdiction = :jurisdiction AND kind = :kind"
            ),
            values,
        )
    with db.transaction() as session:
        db.take_longer(session, 6 * 3600)
        old = session.scalars(
            sa.text(
                "DELETE FROM search_models WHERE jurisdiction = :jurisdiction AND kind = :kind "
                "AND model <> :model RETURNING model"
            ),
            values,
        ).all()
        for name in old:
            session.execute(
                sa.text("SELECT drop_search_vectors_index(:jurisdiction, :kind, :old)"),
                {**values, "old": name},
            )
            session.execute(
                sa.text(
                    "DELETE FROM search_vectors WHERE jurisdiction = :jurisdiction AND kind = :kind "
                    "AND model = :old"
                ),
                {**values, "old": name},
            )
