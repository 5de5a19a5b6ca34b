"""The citator: who cites whom, and whether what is cited is still good law.

Owns `citator_edges`. Invariant: an edge stands only on words that were read, on the registry or on versions
of a
loaded norm; reading a text again replaces its edges and no others.
"""

__all__: list[str] = []
