"""Search of the corpus: BM25 over an inverted index in PostgreSQL, fused with embeddings where they are set.

Owns `search_shelves`, `search_entries`, `search_postings`, `search_models` and
`search_vectors`, all of which follow from the passages and can be made again; and `search_projections`, which
nothing uses any more.

Invariants: what is cited comes first; a vector is never compared with one of another model; every step may be
killed and run again.
"""

from app.search import judgment_search, statute_search
from app.search.embeddings.build import embed
from app.search.indexing import Step, index
from app.search.query import spanish_of
from app.search.ranking import Asked, ask

__all__ = ["Asked", "Step", "ask", "embed", "index", "judgment_search", "spanish_of", "statute_search"]
