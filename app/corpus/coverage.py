"""Count what the corpus holds, from whichever tables exist, and cache the result for five minutes.

A table of the corpus is one whose name begins with `corpus_` and whose rows have a jurisdiction and a title:
a table added later is included without a change here. Bookkeeping tables have neither column.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import date, datetime
from typing import Any

import sqlalchemy as sa

from app.corpus.registry import norm_count
from app.platform import clock, redis_client
from app.platform.postgres import db

CACHE_S = 300
_CACHE_KEY = "corpus:coverage"
_TOP = 5
# The column that dates a document, the best first.
_DATED = ("dated", "published", "in_force_from")
_TABLES = """
    SELECT c.relname AS name, array_agg(a.attname::text) AS columns
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
    WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' AND c.relname LIKE 'corpus\\_%'
    GROUP BY c.relname
    HAVING array_agg(a.attname::text) @> ARRAY['jurisdiction', 'title'] ORDER BY c.relname
    """


@dataclass(frozen=True, slots=True)
class TableCoverage:
    """The rows of a table that belong to one jurisdiction; days are ISO dates."""

    table: str
    jurisdiction: str | None
    docs: int
    oldest: str | None
    newest: str | None
    sources: tuple[tuple[str, int], ...]
    source_column: str | None


@dataclass(frozen=True, slots=True)
class CoverageSnapshot:
    """How many documents each table of the corpus has at one time."""

    generated_at: datetime
    tables: tuple[TableCoverage, ...]

    @property
    def docs(self) -> int:
        """The number of documents."""
        return sum(table.docs for table in self.tables)


@dataclass(frozen=True, slots=True)
class LawCount:
    """The statutes of the corpus in figures; `updated` is the newest edition, else the newest load."""

    jurisdictions: tuple[str, ...]
    norms: int
    articles: int
    versions: int
    updated: date | None
    searchable: bool = False

    @property
    def status(self) -> str:
        """The status of `GET /normativa/coverage` (decision 022).

        `rails-only` where the registry of norms is all there is, `unranked` where texts are loaded and the
        search index is not built, else `active`.
        """
        if not self.versions:
            return "rails-only"
        return "active" if self.searchable else "unranked"


@dataclass(frozen=True, slots=True)
class CheckableCounts:
    """How much of one jurisdiction can be checked here."""

    statutes: int
    judgments: int


def forget() -> None:
    """Clear the cache, so that the next call counts again. Without Redis the entry expires by itself."""
    try:
        redis_client.client().delete(_CACHE_KEY)
    except redis_client.Unavailable:
        return


def coverage_snapshot(now: datetime) -> CoverageSnapshot:
    """Return what is loaded, at most five minutes old and newer than the last load (decision 032)."""
    found = _remembered()
    if found is None:
        with db.reading() as session:
            found = count(session, now)
        _remember(found)
    return found


def counts_by_jurisdiction(now: datetime) -> Mapping[str, CheckableCounts]:
    """Return what the corpus holds, by jurisdiction."""
    found: dict[str, CheckableCounts] = {}
    for table in coverage_snapshot(now).tables:
        if table.jurisdiction is None:
            continue
        held = found.get(table.jurisdiction, CheckableCounts(0, 0))
        if table.table.startswith("corpus_norms"):
            held = CheckableCounts(held.statutes + table.docs, held.judgments)
        elif table.table.startswith("corpus_judgments"):
            held = CheckableCounts(held.statutes, held.judgments + table.docs)
        found[table.jurisdiction] = held
    return found


def checkable_counts(code: str, corpus: Mapping[str, CheckableCounts]) -> CheckableCounts:
    """Return how much of a jurisdiction can be checked.

    Norms are those loaded or, where they are more, those known to the registry; judgments are those loaded.
    """
    held = corpus.get(code, CheckableCounts(0, 0))
    return CheckableCounts(max(held.statutes, norm_count(code)), held.judgments)


def count(session: db.Session, now: datetime) -> CoverageSnapshot:
    """Count what is loaded now."""
    tables: list[TableCoverage] = []
    for name, columns in session.execute(sa.text(_TABLES)):
        tables += _parts(session, name, set(columns))
    return CoverageSnapshot(now, tuple(tables))


def _parts(session: db.Session, name: str, columns: set[str]) -> list[TableCoverage]:
    table = sa.table(name, *(sa.column(column) for column in columns))
    dated = next((table.c[column] for column in _DATED if column in columns), None)
    grouped = "source" if "source" in columns else None
    query = sa.select(
        table.c.jurisdiction,
        sa.func.count().label("docs"),
        (sa.func.min(dated) if dated is not None else sa.null()).label("oldest"),
        (sa.func.max(dated) if dated is not None else sa.null()).label("newest"),
    ).group_by(table.c.jurisdiction)
    rows = session.execute(query.order_by(table.c.jurisdiction)).all()
    sources: dict[str, list[tuple[str, int]]] = {}
    if grouped:
        by_source = sa.select(table.c.jurisdiction, table.c[grouped], sa.func.count().label("docs"))
        by_source = by_source.group_by(table.c.jurisdiction, table.c[grouped]).order_by(sa.desc("docs"))
        for jurisdiction, source, docs in session.execute(by_source):
            sources.setdefault(jurisdiction, []).append((source, docs))
    if not rows:
        return [TableCoverage(name, _suffix(name), 0, None, None, (), grouped)]
    return [
        TableCoverage(
            # A table of several jurisdictions is told in parts, called as PostgreSQL's partitions are.
            name if len(rows) == 1 else f"{name}_{row.jurisdiction.lower()}",
            row.jurisdiction,
            row.docs,
            clock.iso_day(row.oldest),
            clock.iso_day(row.newest),
            tuple(sources.get(row.jurisdiction, ())[:_TOP]),
            grouped,
        )
        for row in rows
    ]


def _suffix(name: str) -> str | None:
    last = name.rsplit("_", 1)[-1]
    return last.upper() if 2 <= len(last) <= 4 else None


_LAW = """
    SELECT (SELECT count(*) FROM corpus_norms) AS norms,
           (SELECT count(*) FROM corpus_articles) AS articles,
           (SELECT count(*) FROM corpus_versions) AS versions,
           (SELECT coalesce(max(edition), max(loaded_at)::date) FROM corpus_norms) AS updated,
           (SELECT coalesce(array_agg(DISTINCT jurisdiction ORDER BY jurisdiction), '{}') FROM corpus_norms)
               AS jurisdictions,
           EXISTS (SELECT FROM search_entries WHERE kind = 'article'
                   AND jurisdiction IN (SELECT jurisdiction FROM corpus_norms)) AS searchable
    """


def law(session: db.Session) -> LawCount:
    """Return the figures of `GET /normativa/coverage`."""
    row = session.execute(sa.text(_LAW)).one()
    return LawCount(
        tuple(row.jurisdictions), row.norms, row.articles, row.versions, row.updated, row.searchable
    )


def _remembered() -> CoverageSnapshot | None:
    try:
        raw = redis_client.client().get(_CACHE_KEY)
    except redis_client.Unavailable:
        return None
    if not isinstance(raw, bytes):
        return None
    found: dict[str, Any] = json.loads(raw)
    return CoverageSnapshot(
        datetime.fromisoformat(found["generated_at"]),
        tuple(
            TableCoverage(**{**table, "sources": tuple((source, docs) for source, docs in table["sources"])})
            for table in found["tables"]
        ),
    )


def _remember(found: CoverageSnapshot) -> None:
    body = {"generated_at": clock.iso(found.generated_at), "tables": [asdict(one) for one in found.tables]}
    try:
        redis_client.client().set(_CACHE_KEY, json.dumps(body), ex=CACHE_S)
    except redis_client.Unavailable:
        return
