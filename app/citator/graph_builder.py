"""Build the graph of citations: read each waiting text and write its edges, one transaction for each.

May be killed at any moment and run again.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from typing import Any

from app import corpus, webhooks
from app.citator import citing_passages
from app.citator.citing_passages import Kind, Mention
from app.citator.treatments import Treatment
from app.platform.postgres import bulk, db

_ROOT = uuid.UUID("0b0c5a6e-5f3f-5b5e-8f6b-8b1f4f7e2d01")
_NORMS_AT_ONCE = 500

# Rows that another process is reading are passed over. What has no text has nothing to read.
_WITHOUT_TEXT = """
    UPDATE corpus_judgments SET read_at = %(now)s WHERE id IN (
        SELECT id FROM corpus_judgments WHERE read_at IS NULL AND NOT text_known
        LIMIT 10000 FOR UPDATE SKIP LOCKED)
    """
_JUDGMENT = """
    SELECT id, jurisdiction, canonical, dated FROM corpus_judgments
    WHERE read_at IS NULL AND text_known ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED
    """
_TEXT = """
    SELECT string_agg(text, E'\\n' ORDER BY place) AS text FROM corpus_passages
    WHERE jurisdiction = %(jurisdiction)s AND judgment_id = %(id)s
    """
_NORMS = """
    SELECT coalesce(json_agg(row_to_json(one)), '[]'::json) AS norms FROM (
        SELECT id, jurisdiction, official_id, source, coalesce(in_force, published, dated) AS dated, repealed
        FROM corpus_norms WHERE read_at IS NULL ORDER BY id LIMIT %(most)s FOR UPDATE SKIP LOCKED
    ) AS one
    """
_PROVISIONS = """
    SELECT coalesce(json_agg(row_to_json(one)), '[]'::json) AS provisions FROM (
        SELECT a.norm_id, a.number, coalesce(a.heading, '') AS heading, v.text
        FROM corpus_articles a JOIN corpus_versions v ON v.article_id = a.id
        WHERE a.norm_id = ANY(%(ids)s) AND v.in_force_to IS NULL
            AND (a.number ~ '^d[daf][0-9]' OR a.heading ~* '^(modificaci|reforma de)')
        ORDER BY a.norm_id, a.place
    ) AS one
    """
_AMENDED = """
    SELECT coalesce(json_agg(row_to_json(one)), '[]'::json) AS amended FROM (
        SELECT a.norm_id, a.number, v.amended_by, v.in_force_from AS dated
        FROM corpus_articles a JOIN corpus_versions v ON v.article_id = a.id
        WHERE a.norm_id = ANY(%(ids)s) AND v.amended_by IS NOT NULL
    ) AS one
    """
_TOLD = """
    SELECT coalesce(array_agg(DISTINCT cited), '{}') AS cited FROM citator_edges
    WHERE reader = %(reader)s AND cited = ANY(%(cited)s)
    """
_FORGET = "DELETE FROM citator_edges WHERE reader = ANY(%(readers)s)"
_INSERT = """
    INSERT INTO citator_edges
        (id, jurisdiction, reader, citing_kind, citing, cited_kind, cited, article, treatment, partial,
        times, dated, source, line)
    SELECT id, jurisdiction, reader, citing_kind, citing, cited_kind, cited, article, treatment, partial,
        times, dated, source, line
    FROM json_to_recordset(%(rows)s) AS r(id uuid, jurisdiction text, reader uuid, citing_kind text, citing
    text,
        cited_kind text, cited text, article text, treatment text, partial boolean, times int, dated date,
        source text, line text)
    ON CONFLICT (id) DO NOTHING
    """
_READ_NORMS = "UPDATE corpus_norms SET read_at = %(now)s WHERE id = ANY(%(ids)s)"
_READ_JUDGMENT = "UPDATE corpus_judgments SET read_at = %(now)s WHERE id = %(id)s"


@dataclass(frozen=True, slots=True)
class Edge:
    """One row of `citator_edges`, without how often it occurs; edges with other words are equal."""

    jurisdiction: str
    reader: uuid.UUID
    citing_kind: Kind
    citing: str
    cited_kind: Kind
    cited: str
    article: str
    treatment: Treatment
    partial: bool
    dated: date | None
    source: str
    line: str | None = field(default=None, compare=False, repr=False)


@dataclass(slots=True)
class ReadReport:
    """Counts of one run over the judgments."""

    judgments: int = 0
    norms: int = 0
    edges: int = 0


def read_waiting(
    now: Callable[[], datetime],
    *,
    most: int | None = None,
    tell: Callable[[ReadReport], None] = lambda _: None,
) -> ReadReport:
    """Read every text that waits (`read_at` is null) and write its edges.

    May be stopped at any moment and started again, in any number of processes.

    Args:
        now: The clock.
        most: How many judgments to read at most.
        tell: Called after each transaction with the counts so far.
    """
    done = ReadReport()
    while _mark_without_text(now()):
        pass
    while count := _read_norms(now(), done):
        done.norms += count
        tell(done)
    while most is None or done.judgments < most:
        if not _read_judgment(now(), done):
            break
        done.judgments += 1
        tell(done)
    return done


def _mark_without_text(now: datetime) -> int:
    with db.transaction() as session:
        return session.run(_WITHOUT_TEXT, {"now": now})


def _read_judgment(now: datetime, done: ReadReport) -> bool:
    with db.transaction() as session:
        row = session.one(_JUDGMENT, {})
        if row is None:
            return False
        text = session.one(_TEXT, {"jurisdiction": row.jurisdiction, "id": row.id}).text or ""
        found = [
            _edge(row, "judgment", row.canonical, mention)
            for mention in citing_passages.judgment(text, row.jurisdiction, row.canonical)
        ]
        _announce(session, row, found, now)
        done.edges += _write(session, [row.id], found)
        session.run(_READ_JUDGMENT, {"now": now, "id": row.id})
    return True


def _announce(session: db.Session, row: Any, found: Sequence[Edge], now: datetime) -> None:
    """Tell the accounts that watch a judgment that this one cites it; nothing where it was read before."""
    own = [edge for edge in found if edge.cited_kind == "judgment" and edge.citing == row.canonical]
    cited: dict[str, str] = {edge.cited: edge.treatment for edge in own if edge.treatment == "cites"}
    cited |= {edge.cited: edge.treatment for edge in own if edge.treatment != "cites"}
    news = webhooks.watched(session, cited)
    if not news:
        return
    told = session.one(_TOLD, {"reader": row.id, "cited": sorted(news)}).cited
    forms = sorted(news - set(told))
    payloads = [
        {
            "jurisdiction": row.jurisdiction,
            "cited": form,
            "by": row.canonical,
            "treatment": cited[form],
            "date": row.dated.isoformat() if row.dated else None,
        }
        for form in forms
    ]
    subjects = [(form,) for form in forms]
    webhooks.announce(
        session, "judgment.cited", payloads, scope="query", now=now, subjects=subjects, watchers=True
    )


def _edge(row: Any, kind: Kind, citing: str, mention: Mention) -> Edge:
    edge = Edge(
        row.jurisdiction, row.id, kind, citing, mention.kind, mention.cited, mention.article,
        mention.treatment,
        mention.partial, row.dated, "text", mention.line,
    )  # fmt: skip
    if mention.by is None:
        return edge
    # When the other decision did it is not said: its own date is asked for when the edge is shown.
    return replace(edge, citing_kind="judgment", citing=mention.by, source="reported", dated=None)


def _read_norms(now: datetime, done: ReadReport) -> int:
    with db.transaction() as session:
        found = session.one(_NORMS, {"most": _NORMS_AT_ONCE}).norms
        if not found:
            return 0
        norms = {one["id"]: _Norm.of(one) for one in found}
        ids = [norm.id for norm in norms.values()]
        edges: list[Edge] = []
        for norm in norms.values():
            edges += _repealed(norm)
        for one in session.one(_PROVISIONS, {"ids": ids}).provisions:
            edges += _provision(norms[one["norm_id"]], one)
        for one in session.one(_AMENDED, {"ids": ids}).amended:
            edges.append(_amended(norms[one["norm_id"]], one))
        done.edges += _write(session, ids, edges)
        session.run(_READ_NORMS, {"now": now, "ids": ids})
        return len(ids)


@dataclass(frozen=True, slots=True)
class _Norm:
    id: uuid.UUID
    jurisdiction: str
    key: str
    dated: date | None

    @classmethod
    def of(cls, row: dict[str, Any]) -> _Norm:
        """Read the norm from a row of the query."""
        key = corpus.key_of(row["jurisdiction"], row["official_id"])
        return cls(uuid.UUID(row["id"]), row["jurisdiction"], key, _day(row["dated"]))


def _day(written: str | None) -> date | None:
    return date.fromisoformat(written) if written else None


def _repealed(norm: _Norm) -> Iterator[Edge]:
    """Yield one edge from each norm that replaced this one, as the registry knows."""
    known = corpus.norm(norm.key)
    if known is None or known.repealed is None:
        return
    for successor in known.successors:
        # Where something of the norm remains, it is not repealed as a whole.
        for key in corpus.norms_named(successor, norm.jurisdiction)[:1]:
            yield Edge(
                norm.jurisdiction, norm.id, "norm", key, "norm", norm.key, "", "repeals",
                bool(known.repeal_note), known.repealed, "registry",
            )  # fmt: skip


def _provision(norm: _Norm, one: dict[str, Any]) -> Iterator[Edge]:
    if one["number"].startswith("dd"):
        found = citing_passages.repealing(one["text"], norm.jurisdiction, norm.key)
    else:
        found = citing_passages.amending(one["heading"], one["text"], norm.jurisdiction, norm.key)
    for mention in found:
        yield Edge(
            norm.jurisdiction, norm.id, "norm", norm.key, mention.kind, mention.cited, mention.article,
            mention.treatment, mention.partial, norm.dated, "text", mention.line,
        )  # fmt: skip


def _amended(norm: _Norm, one: dict[str, Any]) -> Edge:
    """Return the edge of a version that names the norm which introduced it, from that day."""
    return Edge(
        norm.jurisdiction, norm.id, "norm", corpus.key_of(norm.jurisdiction, one["amended_by"]), "norm",
        norm.key,
        one["number"], "amends", False, _day(one["dated"]), "versions",
    )  # fmt: skip


def _write(session: db.Session, readers: list[uuid.UUID], found: Iterable[Edge]) -> int:
    """Replace the edges of `readers`: equal ones become one row with their number."""
    times: dict[Edge, int] = {}
    for edge in found:
        times[edge] = times.get(edge, 0) + 1
    session.run(_FORGET, {"readers": readers})
    return bulk.rows(
        session,
        _INSERT,
        (
            {
                "id": uuid.uuid5(_ROOT, repr(edge)),
                **{name: getattr(edge, name) for name in Edge.__slots__},
                "times": count,
            }
            for edge, count in times.items()
        ),
    )
