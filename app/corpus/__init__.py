"""The law the service knows: jurisdictions, the registry of norms, and the verdict on one citation.

Ships facts only (identifiers, titles, dates, articles that exist, repeals); texts come from a loaded corpus.
Owns `corpus_norms`, `corpus_articles`, `corpus_versions`, `corpus_judgments`, `corpus_passages`,
`corpus_loads`.
Invariants: ids are derived from what they name, so that loading again changes nothing; `not_found` and
`derogated` are said only of what the registry covers; outside
it the answer is `not_verifiable`.
"""

from app.corpus import search
from app.corpus.coverage import Inventory, Known, LawCount, checkable, inventory, known, law
from app.corpus.decisions import Decision, decision, decisions, judgment_texts, texts
from app.corpus.holdings import status
from app.corpus.jurisdictions import Jurisdiction, assessment, jurisdiction, jurisdictions
from app.corpus.loading import FORMS, KINDS, Progress, Report, load
from app.corpus.lookup import (
    ArticleAt,
    Called,
    Edition,
    article,
    article_number,
    editions,
    find,
    permanent,
    says_nothing,
    short_name,
    wordings,
)
from app.corpus.lookup import loaded as loaded_norm
from app.corpus.lookup import title_of as norm_title
from app.corpus.names import called, key_of
from app.corpus.quotation import Comparison, contradiction, same_language
from app.corpus.quotation import compare as compare_words
from app.corpus.registry import Norm, norm, norm_count
from app.corpus.shelf import HeldJudgment, HeldNorm, Shelf, consult
from app.corpus.shelf import read as consult_in
from app.corpus.verdict_names import VERDICTS, verdict_name
from app.corpus.verdicts import Depth, Status, Verdict
from app.corpus.verification import verify
from app.corpus.wording import compare_cited, lacks_place, worded, words_of_place

__all__ = [
    "FORMS",
    "KINDS",
    "VERDICTS",
    "ArticleAt",
    "Called",
    "Comparison",
    "Decision",
    "Depth",
    "Edition",
    "HeldJudgment",
    "HeldNorm",
    "Inventory",
    "Jurisdiction",
    "Known",
    "LawCount",
    "Norm",
    "Progress",
    "Report",
    "Shelf",
    "Status",
    "Verdict",
    "article",
    "article_number",
    "assessment",
    "called",
    "checkable",
    "compare_cited",
    "compare_words",
    "consult",
    "consult_in",
    "contradiction",
    "decision",
    "decisions",
    "editions",
    "find",
    "inventory",
    "judgment_texts",
    "jurisdiction",
    "jurisdictions",
    "key_of",
    "known",
    "lacks_place",
    "law",
    "load",
    "loaded_norm",
    "norm",
    "norm_count",
    "norm_title",
    "permanent",
    "same_language",
    "says_nothing",
    "search",
    "short_name",
    "status",
    "texts",
    "verdict_name",
    "verify",
    "worded",
    "wordings",
    "words_of_place",
]
