"""Law: search, citations, the citator, and what the corpus covers."""
