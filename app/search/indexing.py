"""Add passages to the inverted index in batches, each a transaction, so that the work can be resumed.

A passage that is indexed again gets a new ordinal, and the old one is dead. Where too many are, the
collection is compacted in one transaction: until its end searches find what they found before.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

import numpy as np
import numpy.typing as npt
import sqlalchemy as sa

from app.corpus import jurisdiction as known_jurisdiction
from app.platform.postgres import db
from app.search import bm25, institutions, postings, subject_index, thesaurus

_BATCH = 5_000
# How often the worker looks for passages that wait.
EVERY_S = 5.0
# The share of dead ordinals from which on a collection is compacted, and how many stems are moved at once: of
# three million passages 5,000 took three quarters of a gigabyte.
_DEAD, _STEMS = 0.2, 500
# Rows of postings sent in one statement: some megabytes at most.
_AT_ONCE = 20_000

_WAITING = """
    SELECT DISTINCT jurisdiction, kind FROM corpus_passages WHERE indexed_at IS NULL ORDER BY 1, 2
    """
# Locking the collection hands out its ordinals to one process at a time.
_COLLECTION = """
    INSERT INTO search_shelves (jurisdiction, kind, epoch, size) VALUES (:jurisdiction, :kind, 0, 0)
    ON CONFLICT (jurisdiction, kind) DO UPDATE SET epoch = search_shelves.epoch
    RETURNING size
    """
_NEXT = """
    SELECT p.id, p.title, p.path, p.heading, p.text, p.in_force_from, p.in_force_to, e.ordinal AS before,
        a.number, n.title AS law
    FROM corpus_passages p
    LEFT JOIN corpus_norms n ON n.id = p.norm_id
    LEFT JOIN corpus_versions v ON v.id = p.version_id
    LEFT JOIN corpus_articles a ON a.id = v.article_id
    LEFT JOIN search_entries e ON e.jurisdiction = p.jurisdiction AND e.passage_id = p.id
    WHERE p.jurisdiction = :jurisdiction AND p.kind = :kind AND p.indexed_at IS NULL
    ORDER BY p.id LIMIT :batch
    """
_POSTINGS = """
    INSERT INTO search_postings (jurisdiction, kind, stem, block, postings)
    SELECT :jurisdiction, :kind, r.stem, r.block, r.postings
    FROM unnest(CAST(:stems AS text[]), CAST(:blocks AS integer[]), CAST(:postings AS bytea[]))
        AS r(stem, block, postings)
    ON CONFLICT (jurisdiction, kind, stem, block)
    DO UPDATE SET postings = search_postings.postings || excluded.postings
    """
# Collections, with how many of their ordinals stand for a passage.
_COLLECTIONS = """
    SELECT s.jurisdiction, s.kind, s.size, count(e.ordinal) AS live
    FROM search_shelves s
    LEFT JOIN search_entries e ON e.jurisdiction = s.jurisdiction AND e.kind = s.kind
    GROUP BY s.jurisdiction, s.kind, s.size ORDER BY 1, 2
    """
_LIVE = """
    SELECT coalesce(string_agg(int4send(ordinal), '' ORDER BY ordinal), '') FROM search_entries
    WHERE jurisdiction = :jurisdiction AND kind = :kind
    """
_NEXT_STEMS = """
    SELECT DISTINCT stem FROM search_postings
    WHERE jurisdiction = :jurisdiction AND kind = :kind AND stem > :after ORDER BY stem LIMIT :most
    """
_OF_STEMS = """
    DELETE FROM search_postings
    WHERE jurisdiction = :jurisdiction AND kind = :kind AND stem = ANY(:stems)
    RETURNING stem, block, postings
    """
_RENUMBER = """
    WITH before AS (
        DELETE FROM search_entries WHERE jurisdiction = :jurisdiction AND kind = :kind RETURNING *
    )
    INSERT INTO search_entries
        (jurisdiction, kind, ordinal, passage_id, replaces, in_force_from, in_force_to)
    SELECT jurisdiction, kind, row_number() OVER (ORDER BY ordinal) - 1, passage_id, NULL, in_force_from,
        in_force_to
    FROM before
    """
_ENTRIES = """
    INSERT INTO search_entries
        (jurisdiction, kind, ordinal, passage_id, replaces, in_force_from, in_force_to)
    SELECT :jurisdiction, :kind, r.ordinal, r.id, r.replaces, r.since, r.until
    FROM unnest(CAST(:ordinals AS integer[]), CAST(:ids AS uuid[]), CAST(:replaces AS integer[]),
        CAST(:since AS date[]), CAST(:until AS date[])) AS r(ordinal, id, replaces, since, until)
    """


@dataclass(frozen=True, slots=True)
class Step:
    """Progress: how many passages were indexed since the start, and the collection of the last batch."""

    jurisdiction: str
    kind: str
    done: int


def language(jurisdiction: str) -> str:
    """Return the language in which the law of a jurisdiction is indexed; Spanish where it is not known."""
    known = known_jurisdiction(jurisdiction)
    return known.language[:2].lower() if known else "es"


def index(
    *,
    now: Callable[[], datetime],
    again: bool = False,
    tell: Callable[[Step], None] = lambda _step: None,
    stopping: Callable[[], bool] = lambda: False,
) -> dict[str, int]:
    """Index every passage that waits for it, then compact the collections that need it.

    May be killed at any moment and run again, and several may run at once.

    Args:
        now: Clock.
        again: Index every passage again; searches find what they found until each is.
        tell: Called after each batch.
        stopping: Asked before each batch; where it is true, the rest is left.

    Returns:
        Passages indexed by collection ("ES article").
    """
    if again:
        _await_all()
    counts: dict[str, int] = {}
    while not stopping():
        with db.reading() as session:
            waiting = [tuple(row) for row in session.execute(sa.text(_WAITING))]
        if not waiting:
            break
        for code, kind in waiting:
            while not stopping() and (taken := _batch(code, kind, now())):
                counts[f"{code} {kind}"] = counts.get(f"{code} {kind}", 0) + taken
                tell(Step(code, kind, sum(counts.values())))
    if counts and not stopping():
        _compact_all()
    return counts


def _compact_all() -> None:
    with db.reading() as session:
        found = session.execute(sa.text(_COLLECTIONS)).all()
    for row in found:
        if row.size - row.live > _DEAD * row.size:
            _compact({"jurisdiction": row.jurisdiction, "kind": row.kind})


def _compact(collection: dict[str, str]) -> None:
    """Give the passages of a collection the ordinals from 0 on, and drop the postings of dead ones."""
    with db.transaction() as session:
        db.take_longer(session, 3_600)
        size = session.execute(sa.text(_COLLECTION), collection).scalar_one()
        live = np.frombuffer(session.execute(sa.text(_LIVE), collection).scalar_one(), ">i4").astype(np.int64)
        if size - len(live) <= _DEAD * size:
            return  # another process did it
        ordinals = np.full(size, -1, np.int64)
        ordinals[live] = np.arange(len(live))
        after = ""
        while stems := session.scalars(
            sa.text(_NEXT_STEMS), {**collection, "after": after, "most": _STEMS}
        ).all():
            after = stems[-1]
            _move(session, collection, stems, ordinals)
        session.execute(sa.text(_RENUMBER), collection)
        session.execute(
            sa.text(
                "UPDATE search_shelves SET epoch = epoch + 1, size = :size "
                "WHERE jurisdiction = :jurisdiction AND kind = :kind"
            ),
            {**collection, "size": len(live)},
        )


def _move(
    session: db.Session,
    collection: dict[str, str],
    stems: Sequence[str],
    ordinals: npt.NDArray[np.int64],
) -> None:
    blocks: dict[str, list[tuple[int, bytes]]] = {}
    for row in session.execute(sa.text(_OF_STEMS), {**collection, "stems": list(stems)}):
        blocks.setdefault(row.stem, []).append((row.block, row.postings))
    moved = [
        (stem, block, raw)
        for stem, of_stem in blocks.items()
        for block, raw in postings.renumbered(postings.unpack(sorted(of_stem)), ordinals)
    ]
    session.execute(
        sa.text(_POSTINGS),
        {
            **collection,
            "stems": [stem for stem, _, _ in moved],
            "blocks": [block for _, block, _ in moved],
            "postings": [raw for _, _, raw in moved],
        },
    )


def _batch(code: str, kind: str, now: datetime) -> int:
    collection = {"jurisdiction": code, "kind": kind}
    with db.transaction() as session:
        db.take_longer(session, 600)
        session.execute(sa.text("SELECT open_search_partition(:jurisdiction)"), collection)
        size = session.execute(sa.text(_COLLECTION), collection).scalar_one()
        rows = session.execute(sa.text(_NEXT), {**collection, "batch": _BATCH}).all()
        if rows:
            _write(session, collection, rows, size)
            ids = {"jurisdiction": code, "ids": [row.id for row in rows]}
            session.execute(
                sa.text(
                    "DELETE FROM search_vectors WHERE jurisdiction = :jurisdiction AND passage_id = ANY(:ids)"
                ),
                ids,
            )
            session.execute(
                sa.text(
                    "UPDATE corpus_passages SET indexed_at = :now "
                    "WHERE jurisdiction = :jurisdiction AND id = ANY(:ids)"
                ),
                {**ids, "now": now},
            )
            session.execute(
                sa.text(
                    "UPDATE search_shelves SET size = :size "
                    "WHERE jurisdiction = :jurisdiction AND kind = :kind"
                ),
                {**collection, "size": size + len(rows)},
            )
        return len(rows)


def names_of(title: str, law: str | None) -> str:
    """Return what a law may be known by: the title of its passages and the one it was loaded with.

    A passage bears the short title of its law where there is one: "Ley de Amparo", not "Ley de Amparo,
    Reglamentaria de los artículos 103 y 107".
    """
    return title if law in (None, title) else f"{title}. {law}"


def _write(session: db.Session, collection: dict[str, str], rows: Sequence[Any], size: int) -> None:
    spoken = language(collection["jurisdiction"])
    weighed = []
    for ordinal, row in enumerate(rows, start=size):
        counted = bm25.field_frequencies(
            collection["kind"], row.title, row.path, row.heading, row.text, spoken
        )
        marks: tuple[str, ...] = ()
        if collection["kind"] == "article":
            names = names_of(row.title, row.law)
            marks = (
                *thesaurus.marks(names, spoken),
                *subject_index.marks(collection["jurisdiction"], names, row.number),
                *institutions.marks(collection["jurisdiction"], names, row.number),
            )
        weighed.append((ordinal, bm25.quantized(*counted) | dict.fromkeys(marks, 255)))
    found = sorted(postings.pack(weighed).items())
    for start in range(0, len(found), _AT_ONCE):
        part = found[start : start + _AT_ONCE]
        session.execute(
            sa.text(_POSTINGS),
            {
                **collection,
                "stems": [stem for (stem, _), _ in part],
                "blocks": [block for (_, block), _ in part],
                "postings": [raw for _, raw in part],
            },
        )
    session.execute(
        sa.text("DELETE FROM search_entries WHERE jurisdiction = :jurisdiction AND passage_id = ANY(:ids)"),
        {
            "jurisdiction": collection["jurisdiction"],
            "ids": [row.id for row in rows if row.before is not None],
        },
    )
    ids: list[uuid.UUID] = [row.id for row in rows]
    since: list[date | None] = [row.in_force_from for row in rows]
    session.execute(
        sa.text(_ENTRIES),
        {
            **collection,
            "ordinals": list(range(size, size + len(rows))),
            "ids": ids,
            "replaces": [row.before for row in rows],
            "since": since,
            "until": [row.in_force_to for row in rows],
        },
    )


def _await_all() -> None:
    """Mark every passage as waiting; its vectors are made again after it."""
    with db.transaction() as session:
        db.take_longer(session, 600)
        session.execute(sa.text("UPDATE search_shelves SET model = NULL"))
        session.execute(sa.text("UPDATE corpus_passages SET indexed_at = NULL WHERE indexed_at IS NOT NULL"))
