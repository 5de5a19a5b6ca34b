"""Search of the corpus: an inverted index in PostgreSQL, vectors beside it, and one ranking of both.

Owns `search_shelves`, `search_entries`, `search_postings`, `search_models`, `search_projections` and
`search_vectors`, all of which follow from the passages and can be made again.

Invariants: what is cited comes first; a vector is never compared with one of another model; every step may be
killed and run again.
"""

from app.search import judgment_search, statute_search
from app.search.embedding import embed
from app.search.indexing import Step, index
from app.search.query import spanish_of
from app.search.ranking import Asked, ask

__all__ = ["Asked", "Step", "ask", "embed", "index", "judgment_search", "spanish_of", "statute_search"]
