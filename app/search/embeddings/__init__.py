"""Vectors of texts: the embedded model, the provider's, and where vectors are kept.

Invariants: a vector is never compared with one of another model; only anonymised text reaches a provider.
"""
