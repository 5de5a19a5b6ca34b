"""Embeddings of passages and queries by a provider, stored in PostgreSQL; off unless a setting chooses them.

Invariants: a vector is never compared with one of another model; only anonymised text reaches a provider.
"""
