"""Rank passages for a query: exact citations first, then BM25 fused with embeddings."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import date
from typing import TypeAlias, TypeVar

import sqlalchemy as sa

from app.platform.postgres import db
from app.platform.settings import Settings
from app.search import bm25, exact_citations, maxscore, query
from app.search.embeddings import vectors
from app.search.embeddings.provider import Provider, ProviderUnavailable
from app.search.index_cache import INDEX_CACHE, IndexState
from app.search.indexing import language
from app.search.postings import Postings
from app.search.query import ParsedQuery

# Of what a passage with every word of a query would score: below it, a query of which it is not sure enough
# that it means a matter of law ("receta de paella") has no answer. Half is enough where some words stand.
_FLOOR, _SURE, _HALF_SURE, _SOME = 0.3, 0.56, 0.48, 0.15
# Where the law has an index of subjects and institutions: what their scores and the share of the words come
# to together, a share of 1 being so much. Chosen on 60 of 120 questions that have nothing to do with law.
_OF_WORDS, _TOGETHER = 10.0, 11.5
# The same where it has words of a matter that no law treats: nearly all of them, or a matter surely named, or
# named by half of its words at a passage that has a share of them ("las ramas del aguacate del vecino").
_HIGH_FLOOR, _HIGH_SURE, _RATHER_SURE = 0.75, 0.95, 0.75
# The same for judgments, and where no thesaurus tells how sure it is.
_LOW_FLOOR = 0.2
# Few judgments are loaded, and they speak of many things in passing: that a matter is named is not enough.
# A passage has to have half of that share of the words, and one this share of a wording of the matter.
_SAID = 0.3
# How many of each ranking are fused.
_DEEP_WORDS, _DEEP_VECTORS = 200, 100
# Where a filter leaves too few, so many times as far down is looked.
_FURTHER = 4

# Weights and constant of reciprocal rank fusion. The constant is small and the words weigh more than the
# vectors, because on questions about law the words are right far more often (docs/search.md has the figures).
_CONSTANT = 5
WORDS, VECTORS = 1.0, 0.2

T = TypeVar("T", bound=Hashable)
R = TypeVar("R")

# Of some passages, those that may be found.
Keep: TypeAlias = Callable[[Sequence[uuid.UUID]], Set[uuid.UUID]]


@dataclass(frozen=True, slots=True)
class PreparedQuery:
    """A parsed query, its vector if any, and the state of its collection (`None`: nothing indexed)."""

    parsed: ParsedQuery
    state: IndexState | None
    vector: vectors.Vector | None


@dataclass(frozen=True, slots=True)
class Hit:
    """A passage found. `similarity` is 1 for what was cited, below that the fused score."""

    passage_id: uuid.UUID
    similarity: float
    cited: bool = False


def prepare(text: str, *, jurisdiction: str, kind: str, config: Settings) -> PreparedQuery:
    """Parse a query and get its vector where a provider of embeddings is set.

    The provider is asked outside any transaction. When it fails, the query is searched by its words alone.

    Args:
        text: What the user typed.
        jurisdiction: Code of the jurisdiction to search.
        kind: `article` or `judgment`.
        config: The settings.
    """
    understood = query.parse(text, jurisdiction, language(jurisdiction))
    with db.reading() as session:
        state = INDEX_CACHE.state(session, jurisdiction, kind)
    if state is None or state.model is None or config.embedding_engine == "none":
        return PreparedQuery(understood, state, None)
    return PreparedQuery(understood, state, _provided(text, jurisdiction, state.model, config))


def _provided(text: str, jurisdiction: str, model: str, config: Settings) -> vectors.Vector | None:
    provider = Provider(config)
    if provider.name != model:
        return None  # the settings changed, and `flask corpus embed` has not run since
    try:
        return provider.vectors([text], jurisdiction=jurisdiction, timeout_s=config.embedding_timeout_s)[0]
    except ProviderUnavailable:
        return None


def first(
    session: db.Session,
    asked: PreparedQuery,
    read: Callable[[Sequence[Hit]], Sequence[R]],
    *,
    day: date | None,
    keep: Keep | None = None,
    most: int,
) -> list[R]:
    """Return what is read of the first hits that are there.

    Args:
        session: A session, in which nothing need have been read.
        asked: The prepared query.
        read: Reads hits, in their order; those are left out that are no more, or not in force.
        day: As in `rank`.
        keep: As in `rank`.
        most: How many at most.
    """
    found: list[R] = []
    seen = 0
    for reach in (most, _DEEP_WORDS):
        hits = rank(session, asked, day=day, keep=keep, most=reach)
        while len(found) < most and seen < len(hits):
            part = hits[seen : seen + most]
            found += read(part)
            seen += len(part)
        if len(found) >= most or len(hits) < reach:
            break
    return found[:most]


def rank(
    session: db.Session,
    asked: PreparedQuery,
    *,
    day: date | None,
    keep: Keep | None = None,
    most: int = _DEEP_WORDS,
) -> list[Hit]:
    """Return what the query cites, then everything else that was found, best first, without repetition.

    Args:
        session: An open transaction.
        asked: The prepared query.
        day: Leaves out versions not in force that day from the lexical ranking; hits of the vector index are
            filtered when their rows are read.
        keep: Which passages may be found at all: each ranking is read further until enough of them fit, or it
            ends.
        most: How far down the words' ranking is read at least, beside what is cited.
    """
    # Where rankings are fused, all of what is fused decides who comes first.
    deep = _DEEP_WORDS if asked.vector is not None else most
    cited = exact_citations.passages(session, asked.parsed, asked.state.kind, day) if asked.state else []
    if keep is None:
        words, alike = by_words(session, asked, day, most=deep), by_vectors(session, asked)
    else:
        kept = keep(cited)
        cited = [passage for passage in cited if passage in kept]
        words = _filtered(lambda most: by_words(session, asked, day, most=most), keep, _DEEP_WORDS)
        alike = _filtered(
            lambda most: by_vectors(session, asked, accurate=True, most=most), keep, _DEEP_VECTORS
        )
    hits = [Hit(passage, 1.0, cited=True) for passage in cited]
    seen = set(cited)
    # Without a vector the words' ranking is the whole: what leads it has the highest score.
    both = fuse((WORDS, words), *([(VECTORS, alike)] if asked.vector is not None else ()))
    hits += [Hit(passage, round(min(score, 0.999), 4)) for passage, score in both if passage not in seen]
    return hits


def _filtered(ranking: Callable[[int], Sequence[uuid.UUID]], keep: Keep, most: int) -> Sequence[uuid.UUID]:
    """Return the first `most` passages of a ranking that `keep` allows, however far down they are."""
    kept: list[uuid.UUID] = []
    judged, reach = 0, most
    while True:
        found = ranking(reach)
        fitting = keep(found[judged:])
        kept += [passage for passage in found[judged:] if passage in fitting]
        if len(kept) >= most or len(found) < reach:
            return kept[:most]
        judged, reach = len(found), reach * _FURTHER


def by_words(
    session: db.Session, asked: PreparedQuery, day: date | None, *, most: int = _DEEP_WORDS
) -> Sequence[uuid.UUID]:
    """Return the BM25 ranking alone."""
    if asked.state is None or not asked.parsed.stems:
        return []
    parsed = asked.parsed
    passages, postings = INDEX_CACHE.read(session, asked.state, parsed.terms)
    if not (parsed.citations or _answers(asked.state.kind, parsed, postings, passages.size)):
        return []
    found = maxscore.Query(parsed, postings, passages.size).best(passages.in_force_on(day), most)
    return [passages.passage_id(ordinal) for ordinal, _ in found]


def _answers(kind: str, parsed: ParsedQuery, postings: Mapping[str, Postings], size: int) -> bool:
    """Tell whether a passage can be an answer: by the words of a query, or by a matter that it names.

    Args:
        kind: `article` or `judgment`.
        parsed: The query.
        postings: Postings of its terms.
        size: Number of passages.
    """
    of_law = kind == "article"
    if of_law and parsed.sure >= (_HIGH_SURE if parsed.elsewhere else _SURE):
        return True
    share = _share(parsed, postings, size)
    if of_law and parsed.elsewhere:
        return share >= _HIGH_FLOOR or (parsed.sure >= _RATHER_SURE and share >= _FLOOR)
    if of_law and parsed.hints is not None:
        return parsed.hints + _OF_WORDS * share >= _TOGETHER
    if of_law:
        floor = _FLOOR if parsed.language == "es" else _LOW_FLOOR
        return share >= floor or (parsed.sure >= _HALF_SURE and share >= _SOME)
    if share >= _LOW_FLOOR:
        return True
    said = (bm25.most_said(one.phrases, postings, size) for one in parsed.concepts)
    return share >= _LOW_FLOOR / 2 and any(one >= _SAID for one in said)


def _share(parsed: ParsedQuery, postings: Mapping[str, Postings], size: int) -> float:
    """Return the share of the words of a query that the passage has which has most of them."""
    whole = sum(
        weight * bm25.inverse_frequency(postings[stem].count, size) for stem, weight in parsed.stems.items()
    )
    scores = bm25.scores(parsed.stems, postings, size)
    return float(scores.max(initial=0.0)) / whole if whole else 0.0


def by_vectors(
    session: db.Session, asked: PreparedQuery, *, accurate: bool = False, most: int = _DEEP_VECTORS
) -> Sequence[uuid.UUID]:
    """Return the ranking by embeddings alone; `accurate` compares with every vector, without HNSW."""
    if asked.state is None or asked.state.model is None or asked.vector is None:
        return []
    collection = (asked.state.jurisdiction, asked.state.kind)
    found = vectors.nearest(session, collection, asked.state.model, asked.vector, most=most, exact=accurate)
    return [passage for passage, _ in found]


def is_loaded(session: db.Session, jurisdiction: str, kind: str) -> bool:
    """Tell whether anything of this jurisdiction and kind is loaded, indexed or not."""
    statement = "SELECT 1 FROM corpus_passages WHERE jurisdiction = :jurisdiction AND kind = :kind LIMIT 1"
    return (
        session.execute(sa.text(statement), {"jurisdiction": jurisdiction, "kind": kind}).first() is not None
    )


def fuse(*rankings: tuple[float, Sequence[T]]) -> list[tuple[T, float]]:
    """Combine rankings by weighted reciprocal ranks (Cormack, Clarke and Büttcher 2009).

    Args:
        rankings: Weight and items, best first, of each ranking.

    Returns:
        The items with their scores, best first; an item that leads every ranking has 1, and ties keep the
        order in which they came.
    """
    most = sum(weight for weight, _ in rankings) / (_CONSTANT + 1)
    scores: dict[T, float] = {}
    for weight, ranking in rankings:
        for place, item in enumerate(_distinct(ranking), start=1):
            scores[item] = scores.get(item, 0.0) + weight / (_CONSTANT + place)
    return [
        (item, min(1.0, score / most)) for item, score in sorted(scores.items(), key=lambda pair: -pair[1])
    ]


def _distinct(items: Iterable[T]) -> Iterable[T]:
    return dict.fromkeys(items)
