"""Taking passages into the index: in batches, each a transaction, so that it may be killed and run again."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

import sqlalchemy as sa

from app.corpus import jurisdiction as known_jurisdiction
from app.platform.postgres import db
from app.search import postings, term_weights

_BATCH = 5_000
# Rows of postings sent in one statement: some megabytes at most.
_AT_ONCE = 20_000

_WAITING = """
    SELECT DISTINCT jurisdiction, kind FROM corpus_passages WHERE indexed_at IS NULL ORDER BY 1, 2
    """
# Locking the shelf hands out its ordinals to one process at a time.
_SHELF = """
    INSERT INTO search_shelves (jurisdiction, kind, epoch, size) VALUES (:jurisdiction, :kind, 0, 0)
    ON CONFLICT (jurisdiction, kind) DO UPDATE SET epoch = search_shelves.epoch
    RETURNING size
    """
_NEXT = """
    SELECT p.id, p.title, p.path, p.heading, p.text, p.in_force_from, p.in_force_to, e.ordinal AS before
    FROM corpus_passages p
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
_ENTRIES = """
    INSERT INTO search_entries
        (jurisdiction, kind, ordinal, passage_id, replaces, in_force_from, in_force_to)
    SELECT :jurisdiction, :kind, r.ordinal, r.id, r.replaces, r.since, r.until
    FROM unnest(CAST(:ordinals AS integer[]), CAST(:ids AS uuid[]), CAST(:replaces AS integer[]),
        CAST(:since AS date[]), CAST(:until AS date[])) AS r(ordinal, id, replaces, since, until)
    """


@dataclass(frozen=True, slots=True)
class Step:
    """Progress: passages taken in since the start, and of which shelf the last were."""

    jurisdiction: str
    kind: str
    done: int


def language(jurisdiction: str) -> str:
    """The language in which the law of a jurisdiction is indexed; Spanish where it is not known."""
    known = known_jurisdiction(jurisdiction)
    return known.language[:2].lower() if known else "es"


def index(
    *, now: Callable[[], datetime], again: bool = False, tell: Callable[[Step], None] = lambda _step: None
) -> dict[str, int]:
    """Take every waiting passage into the index; passages by shelf ("ES article").

    May be killed at any moment and run again, and several may run at once. `again` makes the index of every
    shelf anew, while which searches find only what is in it already.
    """
    if again:
        _forget()
    counts: dict[str, int] = {}
    while True:
        with db.reading() as session:
            waiting = [tuple(row) for row in session.execute(sa.text(_WAITING))]
        if not waiting:
            return counts
        for code, kind in waiting:
            while taken := _batch(code, kind, now()):
                counts[f"{code} {kind}"] = counts.get(f"{code} {kind}", 0) + taken
                tell(Step(code, kind, sum(counts.values())))


def _batch(code: str, kind: str, now: datetime) -> int:
    shelf = {"jurisdiction": code, "kind": kind}
    with db.transaction() as session:
        db.take_longer(session, 600)
        session.execute(sa.text("SELECT open_search_partition(:jurisdiction)"), shelf)
        size = session.execute(sa.text(_SHELF), shelf).scalar_one()
        rows = session.execute(sa.text(_NEXT), {**shelf, "batch": _BATCH}).all()
        if rows:
            _write(session, shelf, rows, size)
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
                {**shelf, "size": size + len(rows)},
            )
        return len(rows)


def _write(session: db.Session, shelf: dict[str, str], rows: Sequence[Any], size: int) -> None:
    spoken = language(shelf["jurisdiction"])
    weighed = []
    for ordinal, row in enumerate(rows, start=size):
        counted = term_weights.counted(shelf["kind"], row.title, row.path, row.heading, row.text, spoken)
        weighed.append((ordinal, term_weights.weights(*counted)))
    found = sorted(postings.packed(weighed).items())
    for start in range(0, len(found), _AT_ONCE):
        part = found[start : start + _AT_ONCE]
        session.execute(
            sa.text(_POSTINGS),
            {
                **shelf,
                "stems": [stem for (stem, _), _ in part],
                "blocks": [block for (_, block), _ in part],
                "postings": [raw for _, raw in part],
            },
        )
    session.execute(
        sa.text("DELETE FROM search_entries WHERE jurisdiction = :jurisdiction AND passage_id = ANY(:ids)"),
        {"jurisdiction": shelf["jurisdiction"], "ids": [row.id for row in rows if row.before is not None]},
    )
    ids: list[uuid.UUID] = [row.id for row in rows]
    since: list[date | None] = [row.in_force_from for row in rows]
    session.execute(
        sa.text(_ENTRIES),
        {
            **shelf,
            "ordinals": list(range(size, size + len(rows))),
            "ids": ids,
            "replaces": [row.before for row in rows],
            "since": since,
            "until": [row.in_force_to for row in rows],
        },
    )


def _forget() -> None:
    """Empty the index, and let every passage wait for it again."""
    with db.transaction() as session:
        db.take_longer(session, 600)
        session.execute(sa.text("UPDATE search_shelves SET epoch = epoch + 1, size = 0, model = NULL"))
        for statement in (
            "DELETE FROM search_postings",
            "DELETE FROM search_entries",
            "UPDATE corpus_passages SET indexed_at = NULL WHERE indexed_at IS NOT NULL",
        ):
            session.execute(sa.text(statement))
