"""Full-text search of the corpus: BM25 in PostgreSQL, fused with a provider's embeddings where they are set.

Owns `search_shelves`, `search_entries`, `search_postings`, `search_models` and `search_vectors`, all of which
are derived from the passages and can be rebuilt; and `search_projections`, which nothing uses any more.

Invariants: what the query cites comes first; a vector is never compared with one of another model; every step
may be killed and run again.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from app.search import highlights, judgment_search, statute_search
    from app.search.embeddings.build import embed
    from app.search.indexing import EVERY_S, Step, index
    from app.search.many import rank_many
    from app.search.query import load, spanish_of
    from app.search.questions import Question, Scored
    from app.search.ranking import PreparedQuery, prepare

__all__ = [
    "EVERY_S",
    "PreparedQuery",
    "Question",
    "Scored",
    "Step",
    "embed",
    "highlights",
    "index",
    "judgment_search",
    "load",
    "prepare",
    "rank_many",
    "spanish_of",
    "statute_search",
]

# Loaded when asked for: who needs the tables alone, as migrations do, need not load numpy.
_HOMES = {
    "EVERY_S": "indexing",
    "PreparedQuery": "ranking",
    "Question": "questions",
    "Scored": "questions",
    "Step": "indexing",
    "embed": "embeddings.build",
    "index": "indexing",
    "load": "query",
    "prepare": "ranking",
    "rank_many": "many",
    "spanish_of": "query",
}


def __getattr__(name: str) -> Any:
    """Import what is asked for; a module of the package is found by `from app.search import …` itself."""
    if name in _HOMES:
        return getattr(import_module(f"app.search.{_HOMES[name]}"), name)
    if name in __all__:
        return import_module(f"app.search.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
