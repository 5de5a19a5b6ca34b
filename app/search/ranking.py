"""Searching one shelf: exact citations, then words and vectors made one ranking."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass
from datetime import date
from typing import TypeAlias

import sqlalchemy as sa

from app.platform.postgres import db
from app.platform.settings import Settings
from app.search import bm25, exact_citations, query
from app.search.embeddings import vectors
from app.search.embeddings.provider import Provider, ProviderUnavailable
from app.search.fusion import VECTORS, WORDS, fused
from app.search.index_cache import SHELVES, State
from app.search.indexing import language
from app.search.query import Question

# How many of each ranking are fused.
_DEEP_WORDS, _DEEP_VECTORS = 200, 100
# Where a filter leaves too few, so many times as far down is looked.
_FURTHER = 4

# Of some passages, those that may be found.
Keep: TypeAlias = Callable[[Sequence[uuid.UUID]], Set[uuid.UUID]]


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with its vector, if it has one, and the shelf it is asked of (`None`: nothing indexed)."""

    question: Question
    state: State | None
    vector: vectors.Vector | None


@dataclass(frozen=True, slots=True)
class Hit:
    """A passage found. `similarity` is 1 for what was cited, below that the fused score."""

    passage_id: uuid.UUID
    similarity: float
    cited: bool = False


def ask(text: str, *, jurisdiction: str, kind: str, config: Settings) -> Asked:
    """Understand a question. May call the provider of embeddings: no transaction is open while it thinks.

    `kind` is `article` or `judgment`. When the provider is away the question is asked by its words alone.
    """
    understood = query.read(text, jurisdiction, language(jurisdiction))
    with db.reading() as session:
        state = SHELVES.state(session, jurisdiction, kind)
    if state is None or state.model is None or config.embedding_engine == "none":
        return Asked(understood, state, None)
    return Asked(understood, state, _provided(text, jurisdiction, state.model, config))


def _provided(text: str, jurisdiction: str, model: str, config: Settings) -> vectors.Vector | None:
    provider = Provider(config)
    if provider.name != model:
        return None  # the settings changed, and `flask corpus embed` has not run since
    try:
        return provider.vectors([text], jurisdiction=jurisdiction, timeout_s=config.embedding_timeout_s)[0]
    except ProviderUnavailable:
        return None


def ranked(session: db.Session, asked: Asked, *, day: date | None, keep: Keep | None = None) -> list[Hit]:
    """What was cited, then everything else that was found, best first; nothing twice.

    `day` leaves out versions that were not in force then; the vectors' part is filtered when rows are read.
    `keep` says which passages may be found at all: each ranking is searched on until it has as many of those
    as are fused, or has no more.
    """
    cited = exact_citations.passages(session, asked.question, asked.state.kind, day) if asked.state else []
    if keep is None:
        words, alike = by_words(session, asked, day), by_vectors(session, asked)
    else:
        kept = keep(cited)
        cited = [passage for passage in cited if passage in kept]
        words = _sifted(lambda most: by_words(session, asked, day, most=most), keep, _DEEP_WORDS)
        alike = _sifted(
            lambda most: by_vectors(session, asked, accurate=True, most=most), keep, _DEEP_VECTORS
        )
    hits = [Hit(passage, 1.0, cited=True) for passage in cited]
    seen = set(cited)
    # Without a vector the words' ranking is the whole: what leads it has the highest score.
    both = fused((WORDS, words), *([(VECTORS, alike)] if asked.vector is not None else ()))
    hits += [Hit(passage, round(min(score, 0.999), 4)) for passage, score in both if passage not in seen]
    return hits


def _sifted(ranking: Callable[[int], Sequence[uuid.UUID]], keep: Keep, most: int) -> Sequence[uuid.UUID]:
    """The first `most` passages of a ranking that may be found, however far down they stand."""
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
    session: db.Session, asked: Asked, day: date | None, *, most: int = _DEEP_WORDS
) -> Sequence[uuid.UUID]:
    """The ranking of words alone."""
    if asked.state is None or not asked.question.stems:
        return []
    roster = SHELVES.roster(session, asked.state)
    postings = SHELVES.postings(session, asked.state, list(asked.question.stems))
    scores = bm25.scored(asked.question.stems, postings, roster.size)
    found = bm25.best(scores, roster.standing_on(day), most)
    return [roster.passage(ordinal) for ordinal, _ in found]


def by_vectors(
    session: db.Session, asked: Asked, *, accurate: bool = False, most: int = _DEEP_VECTORS
) -> Sequence[uuid.UUID]:
    """The ranking of vectors alone; `accurate` compares with every vector."""
    if asked.state is None or asked.state.model is None or asked.vector is None:
        return []
    shelf = (asked.state.jurisdiction, asked.state.kind)
    found = vectors.nearest(session, shelf, asked.state.model, asked.vector, most=most, exact=accurate)
    return [passage for passage, _ in found]


def is_loaded(session: db.Session, jurisdiction: str, kind: str) -> bool:
    """Whether there is anything to search, indexed or not."""
    statement = "SELECT 1 FROM corpus_passages WHERE jurisdiction = :jurisdiction AND kind = :kind LIMIT 1"
    return (
        session.execute(sa.text(statement), {"jurisdiction": jurisdiction, "kind": kind}).first() is not None
    )
