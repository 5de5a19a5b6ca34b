"""Giving every indexed passage its vector: resumable, and one model serves until the next is complete."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

import numpy as np
import sqlalchemy as sa

from app.platform.postgres import db
from app.platform.settings import Settings
from app.search import term_weights
from app.search.embeddings import lsa, vectors
from app.search.embeddings.provider import Provider
from app.search.embeddings.sparse import Dense
from app.search.indexing import Step, language

# What the embedded model learns from: more passages make it slower, and hardly better.
_SAMPLE = 30_000
_BATCH = 500
# A shelf that grew by as much since has words that its model never saw.
_OUTGROWN = 1.5

_SHELVES = "SELECT jurisdiction, kind, size, model FROM search_shelves WHERE size > 0 ORDER BY 1, 2"
_MODEL = """
    SELECT model, dimensions, passages FROM search_models
    WHERE jurisdiction = :jurisdiction AND kind = :kind AND model LIKE :family ORDER BY made_at DESC LIMIT 1
    """
_LEARNT_FROM = """
    SELECT id, title, path, heading, text FROM corpus_passages
    WHERE jurisdiction = :jurisdiction AND kind = :kind AND indexed_at IS NOT NULL
    ORDER BY md5(id::text) LIMIT :most
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


class Embedder(Protocol):
    """What makes vectors of passages."""

    @property
    def name(self) -> str: ...
    @property
    def dimensions(self) -> int: ...

    def of(self, rows: Sequence[Any], shelf: tuple[str, str]) -> list[Dense]: ...


@dataclass(frozen=True, slots=True)
class Embedded:
    """The embedded model of one shelf, loaded whole."""

    name: str
    weights: Mapping[str, Dense]
    dimensions: int = lsa.DIMENSIONS

    def of(self, rows: Sequence[Any], shelf: tuple[str, str]) -> list[Dense]:
        """A passage of which the model knows no word gets a vector that is like nothing in particular."""
        plain = np.full(self.dimensions, 1 / np.sqrt(self.dimensions), np.float32)
        return [
            found if (found := lsa.vector(_frequencies(row, shelf), self.weights)) is not None else plain
            for row in rows
        ]


@dataclass(frozen=True, slots=True)
class External:
    """The provider's model."""

    provider: Provider

    @property
    def name(self) -> str:
        return self.provider.name

    @property
    def dimensions(self) -> int:
        return self.provider.dimensions

    def of(self, rows: Sequence[Any], shelf: tuple[str, str]) -> list[Dense]:
        texts = [f"{row.title}\n{row.path}\n{row.heading}\n{row.text}" for row in rows]
        found: list[Dense] = []
        for start in range(0, len(texts), 64):
            # Public law: whose judgment it is, is no secret.
            found += self.provider.vectors(
                texts[start : start + 64], jurisdiction=shelf[0], timeout_s=60.0, mask_names=False
            )
        return found


def embed(
    config: Settings,
    *,
    now: Callable[[], datetime],
    again: bool = False,
    tell: Callable[[Step], None] = lambda _step: None,
) -> dict[str, int]:
    """Give every indexed passage that lacks one a vector of the model in the settings; vectors by shelf.

    May be killed and run again. A new model serves once every passage has its vector; the old one's are then
    deleted. `again` learns the embedded model anew. Raises `Upstream` when a provider is away.
    """
    counts: dict[str, int] = {}
    with db.reading() as session:
        shelves = session.execute(sa.text(_SHELVES)).all()
    for shelf in shelves:
        place = (shelf.jurisdiction, shelf.kind)
        embedder = _embedder(config, place, shelf.size, now(), again)
        if embedder is None:
            continue
        done, after = 0, _NIL
        while batch := _batch(embedder, place, after):
            after = batch[-1]
            done += len(batch)
            tell(Step(shelf.jurisdiction, shelf.kind, done))
        serve(place, embedder, config.embedding_index_mb)
        counts[f"{shelf.jurisdiction} {shelf.kind}"] = done
    return counts


def _embedder(
    config: Settings, shelf: tuple[str, str], size: int, now: datetime, again: bool
) -> Embedder | None:
    values = {"jurisdiction": shelf[0], "kind": shelf[1]}
    if config.embedding_engine == "openai":
        made: Embedder = External(Provider(config))
        with db.transaction() as session:
            _register(session, values, made, size, now)
        return made
    with db.reading() as session:
        known = session.execute(sa.text(_MODEL), {**values, "family": "lsa-%"}).first()
        if known and not again and size < _OUTGROWN * max(known.passages, 1):
            rows = session.execute(
                sa.text("SELECT stem, weights FROM search_projections WHERE model = :model"),
                {"model": known.model},
            )
            weights = {row.stem: np.frombuffer(row.weights, np.float16).astype(np.float32) for row in rows}
            return Embedded(known.model, weights)
        sample = session.execute(sa.text(_LEARNT_FROM), {**values, "most": _SAMPLE}).all()
    learnt = lsa.fitted([_frequencies(row, shelf) for row in sample])
    if not learnt:
        return None
    made = Embedded(lsa.name(learnt), learnt)
    with db.transaction() as session:
        vectors.write_projection(session, made.name, learnt)
        _register(session, values, made, size, now)
    return made


def _frequencies(row: Any, shelf: tuple[str, str]) -> dict[str, float]:
    return term_weights.counted(shelf[1], row.title, row.path, row.heading, row.text, language(shelf[0]))[0]


def _register(
    session: db.Session, values: Mapping[str, str], made: Embedder, size: int, now: datetime
) -> None:
    session.execute(
        sa.text(
            "INSERT INTO search_models (jurisdiction, kind, model, dimensions, passages, made_at) "
            "VALUES (:jurisdiction, :kind, :model, :dimensions, :size, :now) "
            "ON CONFLICT (jurisdiction, kind, model) DO UPDATE SET made_at = excluded.made_at"
        ),
        {**values, "model": made.name, "dimensions": made.dimensions, "size": size, "now": now},
    )


def _batch(embedder: Embedder, shelf: tuple[str, str], after: uuid.UUID) -> list[uuid.UUID]:
    """Vectors of the next passages without one; their ids. No transaction is open while a provider thinks."""
    values = {"jurisdiction": shelf[0], "kind": shelf[1], "model": embedder.name}
    with db.reading() as session:
        rows = session.execute(sa.text(_WITHOUT), {**values, "after": after, "most": _BATCH}).all()
    if rows:
        found = embedder.of(rows, shelf)
        with db.transaction() as session:
            db.take_longer(session, 600)
            vectors.write(
                session, shelf, embedder.name, [(row.id, made) for row, made in zip(rows, found, strict=True)]
            )
    return [row.id for row in rows]


def serve(shelf: tuple[str, str], embedder: Embedder, memory_mb: int) -> None:
    """From here on questions are compared with this model's vectors; those of others go.

    The index of a new model is built here, over all its vectors at once; a model that serves already has one,
    which grew with them.
    """
    values = {"jurisdiction": shelf[0], "kind": shelf[1], "model": embedder.name}
    with db.transaction() as session:
        db.take_longer(session, 6 * 3600)
        # The graph is built several times as fast where it fits in memory.
        session.execute(sa.text(f"SET LOCAL maintenance_work_mem = '{memory_mb}MB'"))
        build = sa.text("SELECT index_search_vectors(:jurisdiction, :kind, :model, :dimensions)")
        try:
            with session.begin_nested():
                session.execute(build, {**values, "dimensions": embedder.dimensions})
        except sa.exc.OperationalError as error:
            if getattr(error.orig, "sqlstate", None) != _DISK_FULL:
                raise
            # Several processes share the graph in /dev/shm, which in a container is often small; one alone
            # has it in its own memory.
            session.execute(sa.text("SET LOCAL max_parallel_maintenance_workers = 0"))
            session.execute(build, {**values, "dimensions": embedder.dimensions})
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
            session.execute(
                sa.text(
                    "DELETE FROM search_projections WHERE model = :old "
                    "AND NOT EXISTS (SELECT FROM search_models m WHERE m.model = :old)"
                ),
                {"old": name},
            )
