"""The citator: who cites whom, and whether what is cited is still good law.

Owns `citator_edges`. Invariant: an edge stands only on words that were read, on the registry or on versions
of a loaded norm; reading a text again replaces its edges and no others.
"""

from app.citator.authority_lookup import Authority, resolve
from app.citator.graph import Covered, Crossed, Link, Page, cited_by, citing, coverage
from app.citator.graph_builder import Done, read_waiting
from app.citator.treatments import TREATMENTS, Treatment
from app.citator.validity import STANDINGS, Validity, good_judgments
from app.citator.validity import of as standing_of

__all__ = [
    "STANDINGS",
    "TREATMENTS",
    "Authority",
    "Covered",
    "Crossed",
    "Done",
    "Link",
    "Page",
    "Treatment",
    "Validity",
    "cited_by",
    "citing",
    "coverage",
    "good_judgments",
    "read_waiting",
    "resolve",
    "standing_of",
]
