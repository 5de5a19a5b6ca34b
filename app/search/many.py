"""Rank passages for many questions at once: what a whole document asks, in at most three statements.

Words alone: a vector of each question would be a statement of its own, and weighs a fifth (docs/search.md).
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from datetime import date

import numpy as np

from app.platform.postgres import db
from app.search import bm25, query
from app.search.index_cache import INDEX_CACHE
from app.search.indexing import language
from app.search.postings import Postings
from app.search.questions import Question, Scored

# A clause of a contract has a hundred stems, most of them in every law: the rarest say what it is about.
_MOST_STEMS = 32
_CONTEXT = 0.4


def rank_many(
    session: db.Session,
    questions: Sequence[Question],
    *,
    jurisdiction: str,
    kind: str,
    days: Sequence[date] = (),
    most: int,
    favoured: Mapping[uuid.UUID, float] | None = None,
    above: bool = False,
) -> list[list[Scored]] | None:
    """Return for each question the passages that answer it best, best first.

    Args:
        session: An open transaction.
        questions: What is asked.
        jurisdiction: Code of the jurisdiction to search.
        kind: `article` or `judgment`.
        days: Only passages in force on one of these days; without any, every current one.
        most: How many for each question at most.
        favoured: By passage, the factor by which its score is multiplied.
        above: Whether this law stands above that of the document and competes with it: words of a question
            that occur nowhere in it count against it.

    Returns:
        The passages of each question, in the order of the questions; `None` where nothing is indexed.
    """
    state = INDEX_CACHE.state(session, jurisdiction, kind)
    if state is None:
        return None
    known = language(jurisdiction)
    about = {
        text: query.clause_readings(text, jurisdiction, known)
        for text in dict.fromkeys(one.context for one in questions if one.context)
    }
    asked = [_readings(one, jurisdiction, known, about.get(one.context, ())) for one in questions]
    wanted_stems = sorted({stem for readings in asked for stems in readings for stem in stems})
    passages, postings = INDEX_CACHE.read(session, state, wanted_stems)
    allowed = np.zeros(passages.size, bool) if days else passages.in_force_on(None)
    for day in days:
        allowed = allowed | passages.in_force_on(day)
    factors = np.ones(passages.size, np.float32)
    if favoured:
        for ordinal, passage in passages.ordinals(list(favoured)).items():
            factors[ordinal] = favoured[passage]
    found: list[list[Scored]] = []
    for readings in asked:
        shares = np.zeros(passages.size, np.float32)
        for stems in readings:
            rarest = _rarest(stems, postings, passages.size)
            whole = sum(rarest.values())
            if whole:
                chosen = {stem: stems[stem] for stem in rarest}
                share = _covered(stems, postings) if above else 1.0
                scores = bm25.scores(chosen, postings, passages.size) * np.float32(share / whole)
                shares = np.maximum(shares, scores)
        hits = bm25.top(shares * factors, allowed, most)
        found.append([Scored(passages.passage_id(at), min(1.0, score)) for at, score in hits])
    return found


def _readings(
    one: Question, jurisdiction: str, known: str, about: Sequence[Mapping[str, float]]
) -> list[dict[str, float]]:
    """Return the stems of a question in each reading, at a lower weight those of what it is `about`."""
    found = []
    for place, reading in enumerate(query.clause_readings(one.text, jurisdiction, known)):
        stems = dict(reading)
        for stem, weight in about[place].items() if place < len(about) else ():
            stems.setdefault(stem, _CONTEXT * weight)
        found.append(stems)
    return found


def _covered(stems: Mapping[str, float], postings: Mapping[str, Postings]) -> float:
    """Return the share of the words asked that occur at all: few do in law of another language."""
    occurring = sum(weight for stem, weight in stems.items() if postings[stem].count)
    return occurring / sum(stems.values())


def _rarest(stems: Mapping[str, float], postings: Mapping[str, Postings], size: int) -> dict[str, float]:
    """Return the most telling stems that occur at all, with the score of a passage full of each."""
    weighed = {
        stem: weight * bm25.inverse_frequency(postings[stem].count, size)
        for stem, weight in stems.items()
        if postings[stem].count
    }
    return {stem: weighed[stem] for stem in sorted(weighed, key=lambda stem: -weighed[stem])[:_MOST_STEMS]}
