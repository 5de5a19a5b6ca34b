"""Query the graph of citations: what cites an authority, what it cites, and how each was treated."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

import sqlalchemy as sa

from app import corpus
from app.citator import authority_lookup
from app.citator.authority_lookup import Authority
from app.citator.citing_passages import Kind
from app.citator.models import CitatorEdge
from app.platform.postgres import db

# Ends the good standing of what it is done to, the gravest first.
NEGATIVE = (
    "declares_unconstitutional", "annuls", "overrules", "repeals", "upholds_conditionally", "amends",
    "distinguishes",
)  # fmt: skip

# Of one authority: more would not change its standing.
_MOST_AGAINST = 200
# Of each jurisdiction two texts that were read, so that one is left for the authority that is one of them.
_READERS = """
    SELECT asked.jurisdiction, one.reader AS first, other.reader AS second
    FROM unnest(CAST(:codes AS text[])) AS asked(jurisdiction)
    JOIN LATERAL (
        SELECT reader FROM citator_edges e
        WHERE e.jurisdiction = asked.jurisdiction AND e.citing_kind = 'judgment' LIMIT 1
    ) one ON true
    LEFT JOIN LATERAL (
        SELECT reader FROM citator_edges e
        WHERE e.jurisdiction = asked.jurisdiction AND e.citing_kind = 'judgment' AND e.reader <> one.reader
        LIMIT 1
    ) other ON true
    """


@dataclass(frozen=True, slots=True)
class Link:
    """One authority beside another: its treatment, how often, and since when.

    `article` is the one of the norm that is cited, on whichever side of the link that norm stands; `line` are
    the words of the source that say what was done.
    """

    authority: Authority
    article: str
    treatment: str
    partial: bool
    times: int
    dated: date | None
    source: str
    line: str | None = None


@dataclass(frozen=True, slots=True)
class Page:
    """One page of links, their total number, and the offset of the next page."""

    links: tuple[Link, ...]
    total: int
    next_place: int | None


def _rank() -> Any:
    order = {name: place for place, name in enumerate(NEGATIVE)}
    return sa.case(order, value=CitatorEdge.treatment, else_=len(order))


def citing(session: db.Session, cited: Authority, *, treatment: str | None, after: int, limit: int) -> Page:
    """Return what cites an authority: the treatments that matter most first, then the newest.

    Args:
        session: An open transaction.
        cited: The authority; for a norm, citations of any of its articles count too.
        treatment: Only links of that treatment.
        after: Offset of the page.
        limit: Links in a page.
    """
    query = _group(CitatorEdge.citing_kind, CitatorEdge.citing, CitatorEdge.article).where(*_is(cited))
    return _page(session, query, treatment, after, limit)


def cited_by(session: db.Session, by: Authority, *, treatment: str | None, after: int, limit: int) -> Page:
    """Return what an authority cites, in the same order as `citing`."""
    query = _group(CitatorEdge.cited_kind, CitatorEdge.cited, CitatorEdge.article).where(
        CitatorEdge.citing == by.form
    )
    return _page(session, query, treatment, after, limit)


def _is(cited: Authority) -> tuple[Any, ...]:
    """Return the conditions of edges to an authority; to a norm, those to any of its articles too."""
    at = (CitatorEdge.cited == cited.form,)
    return (*at, CitatorEdge.article == cited.article) if cited.article else at


def _group(kind: Any, form: Any, article: Any) -> sa.Select[Any]:
    return sa.select(
        kind.label("kind"),
        form.label("form"),
        article.label("article"),
        CitatorEdge.treatment,
        sa.func.bool_and(CitatorEdge.partial).label("partial"),
        sa.func.sum(CitatorEdge.times).label("times"),
        sa.func.max(CitatorEdge.dated).label("dated"),
        sa.func.min(CitatorEdge.source).label("source"),
        sa.func.min(CitatorEdge.line).label("line"),
        _rank().label("rank"),
    ).group_by(kind, form, article, CitatorEdge.treatment)


def _page(session: db.Session, query: sa.Select[Any], treatment: str | None, after: int, limit: int) -> Page:
    if treatment is not None:
        query = query.where(CitatorEdge.treatment == treatment)
    grouped = query.subquery()
    total = session.scalar(sa.select(sa.func.count()).select_from(grouped)) or 0
    rows = session.execute(
        sa.select(grouped)
        .order_by(
            grouped.c.rank, sa.desc(grouped.c.dated).nulls_last(), sa.desc(grouped.c.times), grouped.c.form
        )
        .order_by(grouped.c.article)
        .offset(after)
        .limit(limit)
    ).all()
    links = _links(session, rows)
    return Page(links, total, after + limit if after + limit < total else None)


def _links(session: db.Session, rows: Sequence[Any]) -> tuple[Link, ...]:
    kinds: tuple[Kind, ...] = ("judgment", "norm")
    names = {
        (kind, form): authority
        for kind in kinds
        for form, authority in authority_lookup.name_all(
            session, kind, {row.form for row in rows if row.kind == kind}
        ).items()
    }
    return tuple(
        Link(
            names[row.kind, row.form],
            row.article,
            row.treatment,
            row.partial,
            int(row.times),
            row.dated or names[row.kind, row.form].dated,
            row.source,
            row.line,
        )
        for row in rows
    )


def adverse_treatments(session: db.Session, cited: Authority) -> tuple[Link, ...]:
    """Return the treatments that affect whether an authority is good law.

    For an article, those of its whole norm are included.
    """
    query = _group(CitatorEdge.citing_kind, CitatorEdge.citing, CitatorEdge.article).where(
        CitatorEdge.cited == cited.form, CitatorEdge.treatment.in_(NEGATIVE)
    )
    if cited.article:
        query = query.where(CitatorEdge.article.in_((cited.article, "")))
    grouped = query.subquery()
    rows = session.execute(
        sa.select(grouped).order_by(grouped.c.rank, grouped.c.dated).limit(_MOST_AGAINST)
    ).all()
    return _links(session, rows)


def adverse_treatments_of_each(
    session: db.Session, judgments: Collection[str]
) -> dict[str, tuple[Link, ...]]:
    """Return `adverse_treatments` of several judgments by normal form, in a constant number of statements."""
    grouped = (
        _group(CitatorEdge.citing_kind, CitatorEdge.citing, CitatorEdge.article)
        .add_columns(CitatorEdge.cited.label("cited"))
        .group_by(CitatorEdge.cited)
        .where(CitatorEdge.cited.in_(judgments), CitatorEdge.treatment.in_(NEGATIVE))
        .subquery()
    )
    # As many of each as are read of one alone, the gravest first.
    order = sa.func.row_number().over(
        partition_by=grouped.c.cited, order_by=(grouped.c.rank, grouped.c.dated)
    )
    numbered = sa.select(grouped, order.label("place")).subquery()
    rows = session.execute(
        sa.select(numbered)
        .where(numbered.c.place <= _MOST_AGAINST)
        .order_by(numbered.c.cited, numbered.c.place)
    ).all()
    found: dict[str, list[Link]] = {}
    for row, link in zip(rows, _links(session, rows), strict=True):
        found.setdefault(row.cited, []).append(link)
    return {form: tuple(links) for form, links in found.items()}


@dataclass(frozen=True, slots=True)
class CitatorCoverage:
    """How much the citator has read of one jurisdiction."""

    jurisdiction: str
    edges: int
    documents: int
    newest: date | None


def coverage(session: db.Session) -> tuple[CitatorCoverage, ...]:
    """Return what was read, by jurisdiction of the citing text."""
    query = sa.select(
        CitatorEdge.jurisdiction,
        sa.func.count().label("edges"),
        sa.func.count(CitatorEdge.reader.distinct()).label("documents"),
        sa.func.max(CitatorEdge.dated).label("newest"),
    ).group_by(CitatorEdge.jurisdiction)
    return tuple(
        CitatorCoverage(row.jurisdiction, row.edges, row.documents, row.newest)
        for row in session.execute(query.order_by(CitatorEdge.jurisdiction))
    )


def judgments_read(session: db.Session, jurisdiction: str, besides: uuid.UUID | None) -> bool:
    """Tell whether any other judgment of a jurisdiction was read, one that might have treated it."""
    query = sa.select(CitatorEdge.id).where(
        CitatorEdge.jurisdiction == jurisdiction, CitatorEdge.citing_kind == "judgment"
    )
    if besides is not None:
        query = query.where(CitatorEdge.reader != besides)
    return session.scalar(query.limit(1)) is not None


def readers(session: db.Session, jurisdictions: Collection[str]) -> dict[str, frozenset[uuid.UUID]]:
    """Return up to two judgments that were read, for each jurisdiction that has any."""
    rows = session.execute(sa.text(_READERS), {"codes": sorted(jurisdictions)})
    return {row.jurisdiction: frozenset(filter(None, (row.first, row.second))) for row in rows}


@dataclass(frozen=True, slots=True)
class CrossReference:
    """A judgment that cites an article, or an article cited by a judgment, and how often."""

    authority: Authority
    article: str
    times: int
    decision: corpus.Decision | None = None


def judgments_of_article(session: db.Session, norm: str, article: str, top: int) -> list[CrossReference]:
    """Return the judgments that cite an article, those that cite it most first."""
    times = sa.func.sum(CitatorEdge.times)
    rows = session.execute(
        sa.select(CitatorEdge.citing, times.label("times"))
        .where(
            CitatorEdge.cited == norm,
            CitatorEdge.article == article,
            CitatorEdge.citing_kind == "judgment",
            CitatorEdge.source == "text",
        )
        .group_by(CitatorEdge.citing)
        .order_by(sa.desc("times"), CitatorEdge.citing)
        .limit(top)
    ).all()
    held = corpus.decisions(session, [row.citing for row in rows])
    named = authority_lookup.name_all(session, "judgment", [row.citing for row in rows])
    return [CrossReference(named[row.citing], article, int(row.times), held.get(row.citing)) for row in rows]


def articles_of_judgment(session: db.Session, canonical: str) -> list[CrossReference]:
    """Return the articles that a judgment cites, those it cites most first."""
    times = sa.func.sum(CitatorEdge.times)
    rows = session.execute(
        sa.select(CitatorEdge.cited, CitatorEdge.article, times.label("times"))
        .where(
            CitatorEdge.citing == canonical,
            CitatorEdge.cited_kind == "norm",
            CitatorEdge.article != "",
            CitatorEdge.source == "text",
        )
        .group_by(CitatorEdge.cited, CitatorEdge.article)
        .order_by(sa.desc("times"), CitatorEdge.cited, CitatorEdge.article)
        .limit(500)
    ).all()
    named = authority_lookup.name_all(session, "norm", {row.cited for row in rows})
    return [CrossReference(named[row.cited], row.article, int(row.times)) for row in rows]


def newest(dates: Iterable[date | None]) -> date | None:
    """Return the latest of some days; `None` where there is none."""
    return max((one for one in dates if one), default=None)
