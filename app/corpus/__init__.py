"""The law the service knows: jurisdictions, the registry of norms, and the verdict on one citation.

Ships facts only (identifiers, titles, dates, articles that exist, repeals); texts come from a loaded corpus.
Invariant: `not_found` and `derogated` are said only of what the registry covers; outside it the answer is
`not_verifiable`.
"""

from app.corpus import search
from app.corpus.jurisdictions import Jurisdiction, jurisdiction, jurisdictions
from app.corpus.registry import Norm, norm, norm_count
from app.corpus.verdicts import Verdict
from app.corpus.verification import verify

__all__ = [
    "Jurisdiction",
    "Norm",
    "Verdict",
    "jurisdiction",
    "jurisdictions",
    "norm",
    "norm_count",
    "search",
    "verify",
]
