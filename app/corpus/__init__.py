"""The law the service knows: jurisdictions, the registry of norms, and the verdict on one citation.

Ships facts only (identifiers, titles, dates, articles that exist, repeals); texts come from a loaded corpus.
Owns `corpus_norms`, `corpus_articles`, `corpus_versions`, `corpus_judgments`, `corpus_passages`,
`corpus_loads`.
Invariants: ids are derived from what they name, so that loading again changes nothing; `not_found` and
`derogated` are said only of what the registry covers; outside
it the answer is `not_verifiable`.
"""

from app.corpus.coverage import Inventory, Known, LawCount, checkable, inventory, known, law
from app.corpus.holdings import status
from app.corpus.jurisdictions import Jurisdiction, jurisdiction, jurisdictions
from app.corpus.loading import FORMS, KINDS, Progress, Report, load
from app.corpus.names import called, key_of
from app.corpus.registry import Norm, norm, norm_count
from app.corpus.shelf import Shelf, consult
from app.corpus.verdicts import Verdict
from app.corpus.verification import verify

__all__ = [
    "FORMS",
    "KINDS",
    "Inventory",
    "Jurisdiction",
    "Known",
    "LawCount",
    "Norm",
    "Progress",
    "Report",
    "Shelf",
    "Verdict",
    "called",
    "checkable",
    "consult",
    "inventory",
    "jurisdiction",
    "jurisdictions",
    "key_of",
    "known",
    "law",
    "load",
    "norm",
    "norm_count",
    "status",
    "verify",
]
