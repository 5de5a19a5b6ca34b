"""Read what a plan asks of the loaded law, in a number of statements that no document changes."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any, Final

import sqlalchemy as sa

from app import search
from app.analysis.retrieval.plan import ArticleKey, Plan
from app.platform.postgres import db

# How many answers of each question are fused, and how many of those fused are read.
_DEEP, _READ = 40, 160
_JUDGMENTS: Final = 24
# Articles that rules about this kind of document rest on are likelier than others of the same words.
_FAVOUR: Final = 2.0
# So is an article of a law that the document cites or on which rules about its kind rest: of its branch.
_OF_BRANCH: Final = 2.0
# Of what a search found, how much may be of the law above that of the document.
_ABOVE: Final = 0.15
# Of how many of the best articles the one before and the one after are read.
_WITH_NEIGHBOURS: Final = 24

_BY_NUMBER: Final = """
    SELECT p.id, a.id AS article_id, a.norm_id, a.place, n.jurisdiction, n.official_id, a.number, a.heading,
        a.path, n.title, v.in_force_from, v.in_force_to, CASE WHEN w.worded THEN v.text ELSE '' END AS text
    FROM unnest(CAST(:codes AS text[]), CAST(:officials AS text[]), CAST(:numbers AS text[]),
        CAST(:worded AS boolean[])) AS w(jurisdiction, official_id, number, worded)
    JOIN corpus_norms n ON n.jurisdiction = w.jurisdiction AND n.official_id = w.official_id
    JOIN corpus_articles a ON a.norm_id = n.id AND a.number = w.number AND a.occurrence = 1
    JOIN corpus_versions v ON v.article_id = a.id
    JOIN corpus_passages p ON p.version_id = v.id AND p.jurisdiction = n.jurisdiction
    """
_BY_ID: Final = """
    SELECT p.id, a.id AS article_id, a.norm_id, a.place, n.jurisdiction, n.official_id, a.number, a.heading,
        a.path, n.title, v.in_force_from, v.in_force_to, v.text
    FROM corpus_passages p
    JOIN corpus_versions v ON v.id = p.version_id
    JOIN corpus_articles a ON a.id = v.article_id
    JOIN corpus_norms n ON n.id = a.norm_id
    WHERE p.jurisdiction = ANY(:codes) AND p.id = ANY(:ids)
    """
_BESIDE: Final = """
    SELECT p.id, a.id AS article_id, a.norm_id, a.place, n.jurisdiction, n.official_id, a.number, a.heading,
        a.path, n.title, v.in_force_from, v.in_force_to, v.text
    FROM unnest(CAST(:norms AS uuid[]), CAST(:places AS integer[])) AS w(norm_id, place)
    JOIN corpus_articles a ON a.norm_id = w.norm_id AND a.place IN (w.place - 1, w.place + 1)
    JOIN corpus_norms n ON n.id = a.norm_id
    JOIN corpus_versions v ON v.article_id = a.id
    JOIN corpus_passages p ON p.version_id = v.id AND p.jurisdiction = n.jurisdiction
    """
_OF_JUDGMENTS: Final = """
    SELECT p.id, j.id AS judgment_id, j.title, j.court, j.ecli, j.canonical, j.dated, p.text
    FROM corpus_passages p JOIN corpus_judgments j ON j.id = p.judgment_id
    WHERE p.jurisdiction = ANY(:codes) AND p.id = ANY(:ids)
    """


@dataclass(frozen=True, slots=True)
class Article:
    """A version of an article, with what stands above it; `text` may be left out where only its id counts."""

    passage_id: uuid.UUID
    article_id: uuid.UUID
    norm_id: uuid.UUID
    place: int
    key: ArticleKey
    heading: str
    path: tuple[str, ...]
    title: str
    text: str
    since: date | None
    until: date | None


@dataclass(frozen=True, slots=True)
class Judgment:
    """A passage of a judgment."""

    passage_id: uuid.UUID
    judgment_id: uuid.UUID
    title: str
    court: str
    ecli: str | None
    canonical: str
    text: str


@dataclass(frozen=True, slots=True)
class Hit:
    """What a search found, with its share of the best possible score and of all questions' answers."""

    passage_id: uuid.UUID
    score: float
    fused: float


@dataclass(frozen=True, slots=True)
class Found:
    """What the store has for a plan. `unindexed` are jurisdictions whose law cannot be searched."""

    by_key: Mapping[ArticleKey, tuple[Article, ...]] = field(default_factory=dict)
    hits: tuple[Hit, ...] = ()
    articles: Mapping[uuid.UUID, Article] = field(default_factory=dict)
    beside: tuple[Article, ...] = ()
    judgment_hits: tuple[Hit, ...] = ()
    judgments: Mapping[uuid.UUID, Judgment] = field(default_factory=dict)
    unindexed: tuple[str, ...] = ()


def read(session: db.Session, plan: Plan, days: Sequence[date]) -> Found:
    """Read what `plan` asks: at most fifteen statements, eleven where the tables of passages are in memory.

    Args:
        session: an open transaction.
        plan: what is asked.
        days: the day of the document, then that of the request.
    """
    by_key = _by_number(session, plan)
    own = plan.jurisdictions[0]
    favoured = {one.passage_id: _FAVOUR for found in by_key.values() for one in found}
    questions = [one.question for one in plan.questions]
    weights = [one.weight for one in plan.questions]
    found: list[list[Hit]] = []
    unindexed: list[str] = []
    for code in plan.jurisdictions:
        ranked = search.rank_many(
            session,
            questions,
            jurisdiction=code,
            kind="article",
            days=days,
            most=_DEEP,
            favoured=favoured,
            above=code != own,
        )
        if ranked is None:
            unindexed.append(code)
        found.append(fuse(ranked or [], weights))
    above = sorted((hit for rest in found[1:] for hit in rest), key=lambda hit: -hit.fused)[:_READ]
    values = {
        "codes": list(plan.jurisdictions),
        "ids": [hit.passage_id for hit in (*found[0][:_READ], *above)],
    }
    read = _articles(session.execute(sa.text(_BY_ID), values)) if values["ids"] else []
    of = {one.passage_id: one for one in read}
    laws = {one.norm_id for held in by_key.values() for one in held}
    hits = mix(of_branch(found[0][:_READ], of, laws), above)
    articles = [of[hit.passage_id] for hit in hits if hit.passage_id in of]
    required = [one for key in plan.required for one in by_key.get(key, ())]
    best = [*required, *articles[:_WITH_NEIGHBOURS]]
    values = {"norms": [one.norm_id for one in best], "places": [one.place for one in best]}
    beside = _articles(session.execute(sa.text(_BESIDE), values)) if best else []
    judged: list[Hit] = []
    for code in plan.jurisdictions:
        ranked = search.rank_many(
            session, questions, jurisdiction=code, kind="judgment", most=_JUDGMENTS, above=code != own
        )
        judged += fuse(ranked or [], weights)
    judgment_hits = sorted(judged, key=lambda hit: -hit.fused)[:_JUDGMENTS]
    return Found(
        by_key,
        tuple(hits),
        {one.passage_id: one for one in articles},
        tuple(beside),
        tuple(judgment_hits),
        judgments(session, plan.jurisdictions, [hit.passage_id for hit in judgment_hits]),
        tuple(unindexed),
    )


def of_branch(
    hits: Sequence[Hit], articles: Mapping[uuid.UUID, Article], laws: Collection[uuid.UUID]
) -> list[Hit]:
    """Return hits in the order in which those of the laws of the document's branch count double.

    Args:
        hits: what a search found.
        articles: the articles found, by passage.
        laws: ids of the norms that the document cites or on which rules about its kind rest.
    """
    weighed = [
        replace(hit, fused=hit.fused * _OF_BRANCH)
        if hit.passage_id in articles and articles[hit.passage_id].norm_id in laws
        else hit
        for hit in hits
    ]
    return sorted(weighed, key=lambda hit: -hit.fused)


def mix(own: Sequence[Hit], above: Sequence[Hit], *, share: float = _ABOVE) -> list[Hit]:
    """Return the best hits of the document's law and of the law above it in one order.

    They compete by their scores, but up to any place at most a `share` is of the law above, which would
    else crowd out what it leaves to its members.
    """
    found: list[Hit] = []
    taken, lower, higher = 0, list(reversed(own)), list(reversed(above))
    while (lower or higher) and len(found) < _READ:
        may = bool(higher) and (not lower or taken + 1 <= share * (len(found) + 1))
        if may and (not lower or higher[-1].fused >= lower[-1].fused):
            found.append(higher.pop())
            taken += 1
        elif lower:
            found.append(lower.pop())
    return found


def fuse(ranked: Sequence[Sequence[search.Scored]], weights: Sequence[float]) -> list[Hit]:
    """Return the answers of all questions in one order: what answers one well, or several, comes first.

    The score of a hit is its best one; `fused` sums over the questions the score, less the further down.
    """
    best: dict[uuid.UUID, float] = {}
    fused: dict[uuid.UUID, float] = {}
    for answers, weight in zip(ranked, weights, strict=False):
        for place, one in enumerate(answers):
            best[one.passage_id] = max(best.get(one.passage_id, 0.0), one.score)
            share = weight * one.score / (1 + place)
            fused[one.passage_id] = fused.get(one.passage_id, 0.0) + share
    return sorted((Hit(one, best[one], fused[one]) for one in best), key=lambda hit: -hit.fused)


def _by_number(session: db.Session, plan: Plan) -> dict[ArticleKey, tuple[Article, ...]]:
    worded = dict.fromkeys((*plan.required, *plan.likely, *plan.subjects), True)
    keys = worded | {one: False for one in plan.possible if one not in worded}
    if not keys:
        return {}
    values = {
        "codes": [one.jurisdiction for one in keys],
        "officials": [one.official_id for one in keys],
        "numbers": [one.number for one in keys],
        "worded": list(keys.values()),
    }
    found: dict[ArticleKey, tuple[Article, ...]] = {}
    for one in _articles(session.execute(sa.text(_BY_NUMBER), values)):
        found[one.key] = (*found.get(one.key, ()), one)
    return found


def _articles(rows: Iterable[Any]) -> list[Article]:
    return [
        Article(
            row.id,
            row.article_id,
            row.norm_id,
            row.place,
            ArticleKey(row.jurisdiction, row.official_id, row.number),
            row.heading or "",
            tuple(row.path),
            row.title,
            row.text,
            row.in_force_from,
            row.in_force_to,
        )
        for row in rows
    ]


def judgments(
    session: db.Session, codes: Sequence[str], passages: Sequence[uuid.UUID]
) -> dict[uuid.UUID, Judgment]:
    """Return the judgments of some jurisdictions by their passages."""
    if not passages:
        return {}
    values = {"codes": list(codes), "ids": list(passages)}
    return {
        row.id: Judgment(row.id, row.judgment_id, row.title, row.court, row.ecli, row.canonical, row.text)
        for row in session.execute(sa.text(_OF_JUDGMENTS), values)
    }
