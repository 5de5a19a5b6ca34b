"""The citator: which texts cite which authorities, and whether what is cited is still good law.

Owns `citator_edges`. Invariant: an edge rests on words that were read, on the registry of norms or on
versions of a loaded norm; reading a text again replaces its edges and no others.
"""

from app.citator.authority_lookup import Authority, resolve
from app.citator.authority_lookup import of_norm as authority
from app.citator.graph import CitatorCoverage, CrossReference, Link, Page, cited_by, citing, coverage
from app.citator.graph_builder import ReadReport, read_waiting
from app.citator.treatments import TREATMENTS, Treatment
from app.citator.validity import STANDINGS, Validity, good_judgments
from app.citator.validity import of as standing_of
from app.citator.watching import News, news, subject, watch

__all__ = [
    "STANDINGS",
    "TREATMENTS",
    "Authority",
    "CitatorCoverage",
    "CrossReference",
    "Link",
    "News",
    "Page",
    "ReadReport",
    "Treatment",
    "Validity",
    "authority",
    "cited_by",
    "citing",
    "coverage",
    "good_judgments",
    "news",
    "read_waiting",
    "resolve",
    "standing_of",
    "subject",
    "watch",
]
