"""Search of the corpus: an inverted index in PostgreSQL, vectors beside it, and one ranking of both.

Owns `search_shelves`, `search_entries`, `search_postings`, `search_models`, `search_projections` and
`search_vectors`, all of which follow from the passages and can be made again.

Invariants: what is cited comes first; a vector is never compared with one of another model; every step may be
killed and run again.
"""

from app.corpus.search import claims, judgments, statutes
from app.corpus.search.embedding import embed
from app.corpus.search.indexing import Step, index
from app.corpus.search.question import spanish_of
from app.corpus.search.ranking import Asked, ask

__all__ = ["Asked", "Step", "ask", "claims", "embed", "index", "judgments", "spanish_of", "statutes"]
